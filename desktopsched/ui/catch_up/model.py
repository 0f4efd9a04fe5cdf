"""The model of the table of missed runs: the choices, row by row. UI thread; it decides nothing."""

import enum
from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktopsched.ui import plain
from desktopsched.ui.catch_up import words
from desktopsched.ui.catch_up.choices import Choices, Line, MissedTask, Pick

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()


class Column(enum.IntEnum):
    """The columns."""

    TASK = 0
    COUNT = 1
    SPAN = 2
    CHOICE = 3
    REMEMBER = 4


HEADS = {
    Column.TASK: "Task",
    Column.COUNT: "Missed",
    Column.SPAN: "First, last",
    Column.CHOICE: "What to do",
    Column.REMEMBER: "Next time too",
}


class ChoicesModel(QAbstractTableModel):
    """A row for each line of the choices."""

    chosen = Signal()
    """Something was picked or is to be remembered."""

    def __init__(
        self,
        choices: Choices,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.choices = choices
        self.now, self.zone = now, zone

    # --- what Qt asks --------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NONE) -> int:
        """One for each line."""
        return 0 if parent.isValid() else len(self.choices.lines)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Always the same."""
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The names of the columns."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return HEADS[Column(section)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Words; the delegate asks for the line itself."""
        if not index.isValid():
            return None
        at, column = index.row(), Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(at, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._sentence(at)
        if role == Qt.ItemDataRole.ToolTipRole and column is Column.TASK:
            line = self.choices.lines[at]
            return plain.tip(f"{line.missed.task.name}\n{words.below(line, self.now(), self.zone())}")
        return None

    def _words(self, at: int, column: Column) -> str:
        line = self.line(at)
        match column:
            case Column.TASK:
                return line.missed.task.name
            case Column.COUNT:
                return words.count_words(line)
            case Column.SPAN:
                return ", ".join(part for part in words.span_of(line, self.now(), self.zone()) if part)
            case Column.CHOICE:
                return words.pick_words(line, self.choices.pick_of(at))
            case Column.REMEMBER:
                return "Remember" if line.can_remember else ""

    def _sentence(self, at: int) -> str:
        pick, remembered = self.choices.pick_of(at), self.choices.remembered(at)
        return words.sentence(self.line(at), pick, remembered=remembered, now=self.now(), zone=self.zone())

    def line(self, at: int) -> Line:
        """What a row shows."""
        return self.choices.lines[at]

    # --- what the person chooses ---------------------------------------------------------------------------

    def pick(self, at: int, pick: Pick) -> None:
        """Choose for one row."""
        self.choices.pick(at, pick)
        self._tell(at, at)

    def step(self, at: int, by: int) -> None:
        """The choice to the left or to the right."""
        self.choices.step(at, by)
        self._tell(at, at)

    def remember(self, at: int) -> None:
        """Next time too, or not."""
        self.choices.remember(at)
        self._tell(at, at)

    def pick_everywhere(self, pick: Pick) -> None:
        """One choice for all rows."""
        self.choices.pick_everywhere(pick)
        self._tell(0, self.rowCount() - 1)

    def follow(self, missed: Sequence[MissedTask]) -> None:
        """More was missed, or less is left."""
        self.beginResetModel()
        self.choices.follow(missed)
        self.endResetModel()
        self.chosen.emit()

    def _tell(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))
        self.chosen.emit()
