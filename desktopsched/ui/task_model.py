"""The model of the task table: a line for each group, and below it one for each of its tasks. Kept up by the events.

Lives on the UI thread. Answers from values that are ready; asks the engine nothing. It is flat, so a view asks for what
is in sight and for nothing else; whatever comes, goes, is sorted or chosen is one change of the layout, in which
selection and current line stay with their tasks.
"""

import enum
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from desktopsched.engine.events import Event, TaskAdded, TaskEdited, TaskRemoved, ZoneChanged
from desktopsched.ui import plain, row
from desktopsched.ui.cells import Cells
from desktopsched.ui.choice import Choice, Matches, matcher, midnight
from desktopsched.ui.due_tip import due_tip
from desktopsched.ui.group_row import GroupCell, group_cell
from desktopsched.ui.places import SORT_KEYS, Group, Line, Places, spans
from desktopsched.ui.roles import HEADS, Column, Role
from desktopsched.ui.row import Cell, Row
from desktopsched.ui.rows import Rows
from desktopsched.ui.strip import Bar

Index = QModelIndex | QPersistentModelIndex
Order = Callable[[], Iterable[str]]

_ROOT = QModelIndex()
_COLUMNS = tuple(Column)

_FEW = 100
"""Lines that are told of one by one; of more it is only said between which two all of them are."""

_SOON_PLACED, _SHARE, _SOON = 2_000, 10, 100
"""Newcomers to a list of more tasks are placed in no more than a tenth of the time; so many milliseconds after the last
of them all stand."""


class _Move(enum.Enum):
    """What an event does to places."""

    NONE = "none"
    IN = "in"  # a task came
    AWAY = "away"  # a task has gone, or belongs to another group


class TaskModel(QAbstractTableModel):
    """Lines of groups and of tasks. `zone` tells the computer's time zone, `now` the instant.

    `order` gives the ids of the tasks as the file has them; one that is not there yet stands behind the others.
    """

    def __init__(
        self,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        parent: QObject | None = None,
        *,
        order: Order = tuple,
    ) -> None:
        super().__init__(parent)
        self._clock, self._read_zone, self._order = now, zone, order
        self._now, self._zone = now(), zone()
        self.rows = Rows()
        self.places = Places()
        self.choice = Choice()
        self._midnight = midnight(self._now, self._zone)
        self.rows.end_day(self._midnight)
        self._matches: Matches | None = None  # None: everything is shown
        self._shown: set[str] = set()  # what is, if not everything
        self._sorted: tuple[Column, Qt.SortOrder] | None = None
        self.sorts = False
        """Whether the layout that changes now changes because somebody sorts."""
        self._settled = self._took = 0.0  # when tasks were placed last, and how many seconds that took
        self._newcomers = QTimer(self, singleShot=True, interval=_SOON)
        self._newcomers.timeout.connect(self._settle)
        self.changing: Collection[int] | None = None
        """While a change of lines is told: of the range, those that it is about; None: all of them."""
        self.cells = Cells(self.rows, self._now, self._zone)
        self._readers: Mapping[int, Callable[[Index], object]] = {
            Qt.ItemDataRole.DisplayRole: self._words,
            Qt.ItemDataRole.ToolTipRole: self._tip,
            Qt.ItemDataRole.AccessibleTextRole: self._sentence,
            Role.CELL: self._cell,
            Role.TASK_ID: self._task_id,
            Role.ROW: self._row,
            Role.TOLD: self._raw_tip,
            Role.BAR_WORDS: lambda _: lambda bar: row.bar_words(bar, self._now, self._zone),
        }

    # --- what Qt asks --------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Groups, and tasks of those that are open."""
        return 0 if parent.isValid() else len(self.places.lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """The same everywhere."""
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The heads of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[Column(section)]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """See `Role`. Most of what a view asks for is not here: said in one early return."""
        read = self._readers.get(role)
        if read is None or not index.isValid():
            return None
        return read(index)

    def match(
        self,
        start: Index,
        role: int,
        value: object,
        hits: int = 1,
        flags: Qt.MatchFlag = Qt.MatchFlag.MatchWrap,
    ) -> list[QModelIndex]:
        """The next task whose name begins so: a view asks when somebody types, and would ask for every line."""
        if role != Qt.ItemDataRole.DisplayRole or hits != 1 or not flags & Qt.MatchFlag.MatchWrap:
            return super().match(start, role, value, hits, flags)
        begin, lines = str(value).casefold(), self.places.lines
        for place in (*range(start.row(), len(lines)), *range(start.row())):
            found = self.row_at(place)
            if found is not None and found.task.name.casefold().startswith(begin):
                return [self.index(place, start.column())]
        return []

    # --- what happened -------------------------------------------------------------------------------------

    def apply(self, events: Sequence[Event]) -> None:
        """Follow the engine. Values first, places afterwards: a thousand new tasks are one change of the layout."""
        self._look_at_clock()
        changed: set[str] = set()
        moved = {self._apply(event, changed) for event in events}
        self.cells.look_again(self._now, self._zone)
        if _Move.AWAY in moved or (_Move.IN in moved and self._is_time()):
            self._settle()
        elif _Move.IN in moved:
            self._newcomers.start()
        self._tell(changed)

    def _look_at_clock(self) -> None:
        self._now = self._clock()
        self.cells.look_again(self._now, self._zone)

    def _is_time(self) -> bool:
        """Whether newcomers are placed at once: a long list comes in many batches, and placing looks at all of it."""
        few = len(self.rows) <= _SOON_PLACED
        return few or time.monotonic() >= self._settled + _SHARE * self._took

    def _apply(self, event: Event, changed: set[str]) -> "_Move":
        """Follow one event; whether a task came, or left its place."""
        match event:
            case TaskAdded(task=task, status=status):
                changed.update(self.rows.add(task, status))
                return _Move.IN
            case TaskEdited(task=task, status=status) if task.id in self.rows:
                before = self.rows[task.id].task.group
                changed.update(self.rows.edit(task, status))
                return _Move.AWAY if before != task.group else _Move.NONE
            case TaskRemoved(task_id=task_id) if task_id in self.rows:
                self.rows.remove(task_id)
                changed.discard(task_id)
                return _Move.AWAY
            case ZoneChanged():
                self._zone = self._read_zone()
                self._end_day()
                changed.update(self.rows.ids())
            case _ if (followed := self.rows.follow(event)) is not None:
                changed.add(followed)
        return _Move.NONE

    def _end_day(self) -> None:
        self._midnight = midnight(self._now, self._zone)
        self.rows.end_day(self._midnight)

    def remember(self, past: Mapping[str, tuple[Bar, ...]]) -> None:
        """What the history says of the last runs of each task, newest first."""
        self.rows.remember(past)
        self.cells.look_again(self._now, self._zone)
        self._tell({task_id for task_id in past if task_id in self.rows})

    def tick(self, first: int = 0, last: int = -1) -> None:
        """Time has passed: for the lines in sight, from the first to the last."""
        self._look_at_clock()
        if last >= first:
            self.dataChanged.emit(self.index(first, Column.NEXT), self.index(last, Column.NEXT))
        for above, below in spans([line for line in range(first, last + 1) if self._is_under_way(line)]):
            self.dataChanged.emit(self.index(above, Column.STRIP), self.index(below, Column.DURATION))
        if self._now >= self._midnight:
            self._end_day()
            self.choose(self.choice)

    def _is_under_way(self, line: int) -> bool:
        """Whether a run of the task there goes on, which its bar and its duration tell."""
        found = self.row_at(line)
        return found is not None and bool(found.since)

    # --- what is shown -------------------------------------------------------------------------------------

    def choose(self, choice: Choice) -> None:
        """Show these tasks, and no others."""
        with self._another_layout():
            self.choice = choice
            everything = choice.everything
            self._matches = None if everything else matcher(choice, self.rows.haystack, self._midnight)
            self._shown = set() if everything else self.rows.chosen(choice)
            self.places.all_open = bool(choice.text.strip())
            self._show(self.places.groups)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the tasks within their groups; column −1 puts them back in the order of the list."""
        wanted = (Column(column), order) if column >= 0 else None
        if wanted == self._sorted:
            return
        self.sorts = True
        with self._another_layout():
            self._sorted = wanted
            self._show(self.places.groups)
        self.sorts = False

    def fold(self, name: str, *, folded: bool) -> None:
        """Show the tasks of a group, or its head alone."""
        with self._another_layout():
            (self.places.folded.add if folded else self.places.folded.discard)(name)
            self.places.lay()

    def fold_these(self, names: set[str]) -> None:
        """These groups show their heads alone, and no others."""
        with self._another_layout():
            self.places.folded = names
            self.places.lay()

    def _settle(self) -> None:
        """Tasks have come, gone, or moved: all find their places."""
        begun = time.monotonic()
        self._newcomers.stop()
        with self._another_layout():
            self.places.enter(self._in_order(), self.rows.by_id)
            if self._matches is not None:
                self._shown = self.rows.chosen(self.choice)
            self._show(self.places.groups)
        self._settled = time.monotonic()
        self._took = self._settled - begun

    def _in_order(self) -> Iterable[str]:
        """The tasks as the file has them, those that it does not have behind them in the order in which they came."""
        rows = self.rows.by_id
        ordered = dict.fromkeys(task_id for task_id in self._order() if task_id in rows)
        if len(ordered) < len(rows):
            ordered.update(dict.fromkeys(rows))
        return ordered

    def _show(self, names: Collection[str]) -> None:
        """Choose and sort anew within these groups."""
        key, down = None, False
        if self._sorted is not None:
            of_row, rows = SORT_KEYS[self._sorted[0]], self.rows.by_id
            key, down = (
                (lambda task_id: of_row(rows[task_id])),
                self._sorted[1] is Qt.SortOrder.DescendingOrder,
            )
        self.cells.look_again(self._now, self._zone)  # heads of groups count what is shown
        self.places.show(names, None if self._matches is None else self._shown, key, down=down)
        self.places.lay()

    @contextmanager
    def _another_layout(self) -> Iterator[None]:
        """What is done within it changes lines; who remembers one finds it again, wherever it is then."""
        self.layoutAboutToBeChanged.emit()
        before = self.places.lines
        yield
        kept = self.persistentIndexList()
        moved = [self._moved(index, before) for index in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _moved(self, index: QModelIndex, before: Sequence[Line]) -> QModelIndex:
        at = self.places.at(before[index.row()])
        return self.index(at, index.column()) if at >= 0 else QModelIndex()

    # --- telling -------------------------------------------------------------------------------------------

    def _tell(self, changed: set[str]) -> None:
        """Let the views know: of lines that stand together at once, and of the heads of their groups."""
        if self._matches is not None:
            self._choose_again(changed)
        at, rows, groups = self.places.all_at, self.rows, self.places.groups
        places = {at[task_id] for task_id in changed if task_id in at}
        heads = {rows[task_id].task.group for task_id in changed if task_id in rows}
        places.update(at[groups[name]] for name in heads if name in groups and groups[name] in at)
        together = [(min(places), max(places))] if len(places) > _FEW else spans(places)
        self.changing = places
        for first, last in together:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))
        self.changing = None

    def _choose_again(self, changed: set[str]) -> None:
        """Tasks that changed may belong to what is shown now, or no longer."""
        matches, shown, rows = self._matches, self._shown, self.rows
        known = [task_id for task_id in changed if task_id in rows]
        turned = [one for one in known if matches is not None and matches(rows[one]) != (one in shown)]
        if turned:
            with self._another_layout():
                shown.symmetric_difference_update(turned)
                self._show({rows[task_id].task.group for task_id in turned})

    # --- where, and what is there --------------------------------------------------------------------------

    def index_of(self, task_id: str) -> QModelIndex:
        """Where a task stands; no valid index if it is not shown, or its group is folded."""
        return self.index(self.places.at(task_id), 0)

    def shows(self, task_id: str) -> bool:
        """Whether a task is among what is chosen, in a folded group too."""
        return task_id in self.rows and (self._matches is None or task_id in self._shown)

    def line(self, place: int) -> Line | None:
        """What stands there; None: nothing."""
        return self.places.lines[place] if 0 <= place < len(self.places.lines) else None

    def row_at(self, place: int) -> Row | None:
        """The task that stands there; None for a group."""
        line = self.places.lines[place]
        return self.rows.get(line) if isinstance(line, str) else None

    def _row(self, index: Index) -> Row | None:
        return self.row_at(index.row())

    def _task_id(self, index: Index) -> str | None:
        line = self.places.lines[index.row()]
        return line if isinstance(line, str) else None

    def _cell(self, index: Index) -> Cell | GroupCell | None:
        return self.cell(index.row(), _COLUMNS[index.column()])

    def cell(self, place: int, column: Column) -> Cell | GroupCell | None:
        """What a column of a line says; of a group's line all columns say the same."""
        line = self.places.lines[place]
        if isinstance(line, Group):
            return self._group_cell(line)
        found = self.rows.get(line)
        return self.cells.cell(found, column) if found is not None else None

    def _group_cell(self, group: Group) -> GroupCell:
        states = self.cells.states(group.name, group.tasks if self._matches is not None else None)
        return group_cell(group.name, states, group.number - 1)

    def _words(self, index: Index) -> str:
        cell = self._cell(index)
        if isinstance(cell, GroupCell):
            return cell.words if index.column() == 0 else ""
        return cell.words if cell is not None else ""

    def _tip(self, index: Index) -> str:
        found = self._row(index)
        return "" if found is None else plain.tip(self._told(found, index))

    def _told(self, found: Row, index: Index) -> str:
        """What a tool tip says: the cell's words, which may be cut short, and what belongs to them."""
        words, column = self._words(index), Column(index.column())
        match column:
            case Column.NAME:
                parts = [words, found.task.notes]
            case Column.NEXT:
                tip = due_tip(found, self._now, self._zone)
                parts = [tip if found.status.due is not None else words, "" if found.status.due else tip]
                parts += row.elsewhere_more(found)
            case Column.STATE:
                parts = [words, row.state_reason(found), *row.elsewhere_more(found)]
            case Column.RESULT:
                parts = [words, *row.result_more(found, self._zone)]
            case _:
                parts = [words]
        return "\n".join(part for part in parts if part)

    def _raw_tip(self, index: Index) -> str:
        found = self._row(index)
        return "" if found is None else self._told(found, index)

    def _sentence(self, index: Index) -> str:
        found = self._row(index)
        if found is None:
            return self._words(index)
        following = self.cells.cell(found, Column.NEXT)
        return row.sentence(found, following.words, self._now, self._zone)

    def hues(self) -> dict[str, int]:
        """By name of a group: which of the group colours it has."""
        return {name: group.number - 1 for name, group in self.places.groups.items()}

    def group_name(self, index: Index) -> str | None:
        """The name of the group that a line belongs to or is; empty for those without one."""
        line = self.line(index.row()) if index.isValid() else None
        if isinstance(line, str):
            found = self.rows.get(line)
            return found.task.group if found is not None else None
        return line.name if line is not None else None
