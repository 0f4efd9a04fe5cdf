"""The lines of what is imported as a table shows them: what is ticked, its name, what is said of it. UI thread."""

from collections.abc import Collection, Sequence
from enum import IntEnum

from msgspec import structs
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from desktopsched.model import Task
from desktopsched.model.crontab import Crontab, Entry, Setting, same_start
from desktopsched.model.identity import new_id
from desktopsched.ui import plain
from desktopsched.ui.importing.line import Line, visible
from desktopsched.ui.roles import Role
from desktopsched.ui.schedule_words import NameOf, schedule_words

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_NAME_MOST = 200
LINE = Role.TASK_ID + 100
"""The role under which a row gives its `Line`."""


class Column(IntEnum):
    """From left to right."""

    NAME = 0
    WHEN = 1
    COMMAND = 2


HEADS = {Column.NAME: "Task", Column.WHEN: "When", Column.COMMAND: "Command"}


def lines_of(crontab: Crontab, known: Sequence[Task]) -> list[Line]:
    """All lines of a crontab in their order. What is on the list already is not ticked, and says so."""
    found = [_entry_line(entry, known) for entry in crontab.entries]
    found += [_setting_line(setting) for setting in crontab.settings]
    return sorted(found, key=lambda line: line.number)


def _entry_line(entry: Entry, known: Sequence[Task]) -> Line:
    task = entry.task
    if task is None:
        return Line(number=entry.number, place=_place(entry.number), text=entry.text, problem=entry.problem)
    twin = next((one for one in known if same_start(one, task)), None)
    notes = entry.notes if twin is None else (f"On the list already, as {twin.name}.", *entry.notes)
    return Line(
        number=entry.number,
        place=_place(entry.number),
        text=entry.text,
        command=entry.command,
        task=task,
        ticked=twin is None,
        notes=notes,
    )


def _setting_line(setting: Setting) -> Line:
    return Line(
        number=setting.number,
        place=_place(setting.number),
        text=f"{setting.name}={setting.value}",
        notes=(setting.meaning,),
    )


def _place(number: int) -> str:
    return f"Line {number}"


class LinesModel(QAbstractTableModel):
    """Rows can be ticked and named where they have a task."""

    ticked = Signal()
    """Something else is ticked."""

    def __init__(self, lines: Sequence[Line], name_of: NameOf = str) -> None:
        """`name_of`: what a parent is called, by its id."""
        super().__init__()
        self.lines = list(lines)
        self._name_of = name_of

    def chosen(self, taken: Collection[str], *, enabled: bool) -> list[Task]:
        """The tasks that are ticked, with ids that nobody has."""
        ids, found = set(taken), []
        for line in self.lines:
            if line.task is not None and line.ticked:
                task = structs.replace(line.task, id=new_id(line.task.name, ids), enabled=enabled)
                ids.add(task.id)
                found.append(task)
        return found

    @property
    def count(self) -> int:
        """How many are ticked."""
        return sum(line.ticked for line in self.lines)

    def tick(self, line: Line) -> None:
        """This one."""
        line.ticked = True
        row = self.lines.index(line)
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(Column) - 1))
        self.ticked.emit()

    def tick_all(self, *, ticked: bool) -> None:
        """All that can be, or none."""
        for line in self.lines:
            line.ticked = ticked and line.task is not None
        self.dataChanged.emit(self.index(0, 0), self.index(len(self.lines) - 1, 0))
        self.ticked.emit()

    # --- what Qt asks --------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _ROOT) -> int:
        """As many lines."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """As many columns."""
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A name can be written, a row ticked, where there is a task."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        found = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == Column.NAME and self.lines[index.row()].task is not None:
            found |= Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable
        return found

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The heads of the columns."""
        is_head = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return HEADS[Column(section)] if is_head else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words; the line itself for the delegate."""
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                words = self._words(line, Column(index.column()))
                return words if role == Qt.ItemDataRole.EditRole else visible(words)
            case Qt.ItemDataRole.CheckStateRole if index.column() == Column.NAME and line.task is not None:
                return Qt.CheckState.Checked if line.ticked else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.ToolTipRole:
                return plain.tip(visible("\n".join(filter(None, (f"{line.place}: {line.text}", line.told)))))
            case Qt.ItemDataRole.AccessibleTextRole:
                words = self._words(line, Column(index.column()))
                return visible(". ".join(filter(None, (words, line.told))))
        return line if role == LINE else None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick a line, or give its task another name; an empty one is not taken."""
        line = self.lines[index.row()]
        if line.task is None:
            return False
        if role == Qt.ItemDataRole.CheckStateRole:
            line.ticked = Qt.CheckState(value) == Qt.CheckState.Checked
            self.ticked.emit()
        elif role == Qt.ItemDataRole.EditRole and (name := str(value).strip()[:_NAME_MOST]):
            line.task = structs.replace(line.task, name=name)
        else:
            return False
        self.dataChanged.emit(index, index)
        return True

    def _words(self, line: Line, column: Column) -> str:
        if line.task is None:
            return line.text if column is Column.NAME else ""
        match column:
            case Column.NAME:
                return line.task.name
            case Column.WHEN:
                return schedule_words(line.task, self._name_of)
            case Column.COMMAND:
                return line.command
