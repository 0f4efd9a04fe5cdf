"""The model of the task table: groups, and in them their tasks, kept up to date by the engine's events.

Lives on the UI thread. Answers from values that are ready; asks the engine nothing, and is never reset.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktopsched.engine.events import Event, TaskAdded, TaskEdited, TaskRemoved, ZoneChanged
from desktopsched.ui import plain, row
from desktopsched.ui.group_row import GroupCell, group_cell
from desktopsched.ui.roles import HEADS, TICKING, Column, Role
from desktopsched.ui.row import Cell, Row
from desktopsched.ui.rows import Rows

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()


class Group(Struct, eq=False):
    """A group and its tasks, by id, in their order. `number` is never used again."""

    number: int
    name: str
    tasks: list[str]


class TaskModel(QAbstractItemModel):
    """Tasks below their groups. `zone` tells the computer's time zone, `now` the instant."""

    def __init__(
        self, now: Callable[[], float], zone: Callable[[], ZoneInfo], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._clock, self._read_zone = now, zone
        self._now, self._zone = now(), zone()
        self._groups: list[Group] = []
        self.rows = Rows()
        self._by_number: dict[int, Group] = {}
        self._homes: dict[str, Group] = {}  # of the tasks that have a place already
        self._numbers = 0
        self._cells: dict[tuple[str, Column], tuple[float, Cell]] = {}  # with the instant they are of
        self._readers: Mapping[int, Callable[[Index], object]] = {
            Qt.ItemDataRole.DisplayRole: self._words,
            Qt.ItemDataRole.ToolTipRole: self._tip,
            Qt.ItemDataRole.AccessibleTextRole: self._sentence,
            Role.CELL: self._cell,
            Role.TASK_ID: self._task_id,
            Role.ROW: self._row,
        }

    # --- what Qt asks --------------------------------------------------------------------------------------

    def index(self, row_: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """The index of a place; a task's holds the number of its group."""
        if not parent.isValid():
            return self._checked(row_, column, len(self._groups), 0)
        if parent.internalId() or parent.column() > 0:
            return QModelIndex()
        group = self._groups[parent.row()]
        return self._checked(row_, column, len(group.tasks), group.number)

    def _checked(self, row_: int, column: int, rows: int, number: int) -> QModelIndex:
        """Instead of `hasIndex`, which asks twice more: a view asks for an index of every row that there is."""
        inside = 0 <= row_ < rows and 0 <= column < len(Column)
        return self.createIndex(row_, column, number) if inside else QModelIndex()

    def parent(self, child: Index = _ROOT) -> QModelIndex:  # type: ignore[override]  # QObject has another `parent`
        """The index of a task's group."""
        if not child.isValid() or not child.internalId():
            return QModelIndex()
        return self._index_of(self._place(child))

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Groups, and tasks of a group."""
        if not parent.isValid():
            return len(self._groups)
        if parent.internalId() or parent.column() > 0:
            return 0
        return len(self._groups[parent.row()].tasks)

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        """Groups have some, always. Asked for each row: counting would take as long again."""
        return not parent.isValid() or (parent.internalId() == 0 and parent.column() == 0)

    def columnCount(self, _parent: Index = _ROOT) -> int:
        """The same everywhere."""
        return len(Column)

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

    # --- what happened -------------------------------------------------------------------------------------

    def apply(self, events: Sequence[Event]) -> None:
        """Follow the engine. Values first, places afterwards: a thousand new tasks are one insertion."""
        self._now = self._clock()
        added: list[str] = []
        changed: set[str] = set()
        for event in events:
            self._apply(event, added, changed)
        self._place_new(added)
        self._tell(changed)

    def _apply(self, event: Event, added: list[str], changed: set[str]) -> None:
        match event:
            case TaskAdded(task=task, status=status):
                changed.update(self.rows.add(task, status))
                added.append(task.id)
            case TaskEdited() if event.task.id in self.rows:
                self._edit(event, added, changed)
            case TaskRemoved(task_id=task_id) if task_id in self.rows:
                self._place_new(added)
                self._displace(task_id)
                self.rows.remove(task_id)
                changed.discard(task_id)
            case ZoneChanged():
                self._zone = self._read_zone()
                changed.update(self.rows.ids())
            case _ if (followed := self.rows.follow(event)) is not None:
                changed.add(followed)

    def _edit(self, event: TaskEdited, added: list[str], changed: set[str]) -> None:
        task = event.task
        if self.rows[task.id].task.group != task.group:
            self._place_new(added)
            self._displace(task.id)
            added.append(task.id)
        changed.update(self.rows.edit(task, event.status))

    def remember(self, took: Mapping[str, tuple[float, ...]]) -> None:
        """What the history says of how long tasks took, newest first."""
        self.rows.remember(took)
        self._tell(set(took) & set(self._homes))

    def tick(self, visible: Iterable[tuple[QModelIndex, int, int]]) -> None:
        """Time has passed: the visible rows, each span as its parent, first and last."""
        self._now = self._clock()
        for parent, first, last in visible:
            self.dataChanged.emit(
                self.index(first, TICKING[0], parent), self.index(last, TICKING[-1], parent)
            )

    # --- places --------------------------------------------------------------------------------------------

    def _place_new(self, added: list[str]) -> None:
        """Insert the rows that have no place yet, a group at a time."""
        by_group: dict[str, list[str]] = {}
        for task_id in added:
            by_group.setdefault(self.rows[task_id].task.group, []).append(task_id)
        added.clear()
        known = {group.name: group for group in self._groups}
        for name, ids in by_group.items():
            if name in known:
                self._append(known[name], ids)
            else:
                self._append_group(name, ids)

    def _append(self, group: Group, ids: list[str]) -> None:
        first = len(group.tasks)
        self.beginInsertRows(self._index_of(group), first, first + len(ids) - 1)
        group.tasks += ids
        self._homes.update(dict.fromkeys(ids, group))
        self.endInsertRows()
        self._tell_group(group)

    def _append_group(self, name: str, ids: list[str]) -> None:
        self._numbers += 1
        group = self._by_number[self._numbers] = Group(self._numbers, name, ids)
        self.beginInsertRows(QModelIndex(), len(self._groups), len(self._groups))
        self._groups.append(group)
        self._homes.update(dict.fromkeys(ids, group))
        self.endInsertRows()

    def _displace(self, task_id: str) -> None:
        """Take a task's place away, and that of its group with its last task."""
        group = self._homes[task_id]
        place = group.tasks.index(task_id)
        whole = len(group.tasks) == 1
        parent, at = (QModelIndex(), self._groups.index(group)) if whole else (self._index_of(group), place)
        self.beginRemoveRows(parent, at, at)
        del group.tasks[place], self._homes[task_id]
        if whole:
            del self._groups[at]
        self.endRemoveRows()
        if whole:
            del self._by_number[group.number]
        self._forget_cells(task_id)
        if not whole:
            self._tell_group(group)

    def _forget_cells(self, task_id: str) -> None:
        for column in Column:
            self._cells.pop((task_id, column), None)

    def _tell(self, changed: set[str]) -> None:
        """Let the views know, once for each group: they look at what is visible only."""
        groups = {self._homes[task_id].number: self._homes[task_id] for task_id in changed}
        for task_id in changed:
            self._forget_cells(task_id)
        for group in groups.values():
            places = [place for place, task_id in enumerate(group.tasks) if task_id in changed]
            parent = self._index_of(group)
            first, last = self.index(places[0], 0, parent), self.index(places[-1], len(Column) - 1, parent)
            self.dataChanged.emit(first, last)
            self._tell_group(group)

    def _tell_group(self, group: Group) -> None:
        index = self._index_of(group)
        self.dataChanged.emit(index, index)

    # --- where, and what is there --------------------------------------------------------------------------

    def _index_of(self, group: Group) -> QModelIndex:
        return self.createIndex(self._groups.index(group), 0, 0)

    def _place(self, index: Index) -> Group:
        return self._by_number[index.internalId()]

    def index_of(self, task_id: str) -> QModelIndex:
        """Where a task stands."""
        group = self._homes.get(task_id)
        if group is None:
            return QModelIndex()
        return self.index(group.tasks.index(task_id), 0, self._index_of(group))

    def _row(self, index: Index) -> Row | None:
        """The task at an index; None for a group."""
        return self.rows[self._place(index).tasks[index.row()]] if index.internalId() else None

    def _cell(self, index: Index) -> Cell | GroupCell:
        found = self._row(index)
        if found is None:
            return self._group_cell(self._groups[index.row()])
        key = found.task.id, Column(index.column())
        made, cell = self._cells.get(key, (0.0, None))
        if cell is None or made != self._now:
            cell = _CELLS[key[1]](found, self._now, self._zone)
            self._cells[key] = self._now, cell
        return cell

    def _group_cell(self, group: Group) -> GroupCell:
        return group_cell(group.name, (self.rows[task_id].state for task_id in group.tasks), group.number - 1)

    def _words(self, index: Index) -> str:
        cell = self._cell(index)
        if isinstance(cell, Cell):
            return cell.words
        return cell.words if index.column() == 0 else ""

    def _tip(self, index: Index) -> str:
        found = self._row(index)
        return "" if found is None else plain.tip(self._told(found, index))

    def _told(self, found: Row, index: Index) -> str:
        """What a tool tip says: the cell's words, which may be cut short, and what belongs to them."""
        outcome = found.status.outcome
        more = {Column.NAME: found.task.notes, Column.RESULT: outcome.reason if outcome else ""}
        return "\n".join(part for part in (self._words(index), more.get(Column(index.column()))) if part)

    def _sentence(self, index: Index) -> str:
        found = self._row(index)
        return self._words(index) if found is None else row.sentence(found, self._now, self._zone)

    def _task_id(self, index: Index) -> str | None:
        found = self._row(index)
        return None if found is None else found.task.id


_CELLS: Mapping[Column, Callable[[Row, float, ZoneInfo], Cell]] = {
    Column.STATE: lambda found, _now, _zone: row.state_cell(found),
    Column.NAME: lambda found, _now, _zone: row.name_cell(found),
    Column.SCHEDULE: lambda found, _now, _zone: row.schedule_cell(found),
    Column.NEXT: row.next_cell,
    Column.RESULT: row.result_cell,
    Column.DURATION: lambda found, now, _zone: row.duration_cell(found, now),
}
