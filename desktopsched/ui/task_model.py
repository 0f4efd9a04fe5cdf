"""The model of the task table: groups, and in them their tasks, kept up to date by the engine's events.

Lives on the UI thread. Answers from values that are ready; asks the engine nothing. Only another choice of what is
shown resets it: a proxy between it and the view would take seconds for what a list in Python does in milliseconds.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktopsched.engine.events import Event, TaskAdded, TaskEdited, TaskRemoved, ZoneChanged
from desktopsched.ui import plain, row
from desktopsched.ui.cells import Cells
from desktopsched.ui.choice import Choice, Matches, matcher, midnight
from desktopsched.ui.group_row import GroupCell, group_cell
from desktopsched.ui.places import SORT_KEYS, Group, Places
from desktopsched.ui.roles import HEADS, TICKING, Column, Role
from desktopsched.ui.row import Cell, Row
from desktopsched.ui.rows import Rows
from desktopsched.ui.strip import Bar

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()


_FEW = 200
"""Rows that come and go one by one: beyond that, all is chosen anew at once."""


class TaskModel(QAbstractItemModel):
    """Tasks below their groups. `zone` tells the computer's time zone, `now` the instant."""

    def __init__(
        self, now: Callable[[], float], zone: Callable[[], ZoneInfo], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._clock, self._read_zone = now, zone
        self._now, self._zone = now(), zone()
        self.rows = Rows()
        self.places = Places()
        self.choice = Choice()
        self._midnight = midnight(self._now, self._zone)
        self._matches: Matches | None = None  # None: everything is shown
        self._sorted: tuple[Column, Qt.SortOrder] | None = None
        self.cells = Cells(self.rows.get, self._now, self._zone)
        self._readers: Mapping[int, Callable[[Index], object]] = {
            Qt.ItemDataRole.DisplayRole: self._words,
            Qt.ItemDataRole.ToolTipRole: self._tip,
            Qt.ItemDataRole.AccessibleTextRole: self._sentence,
            Role.CELL: self._cell,
            Role.TASK_ID: self._task_id,
            Role.ROW: self._row,
            Role.BAR_WORDS: lambda _: lambda bar: row.bar_words(bar, self._now, self._zone),
        }

    # --- what Qt asks --------------------------------------------------------------------------------------

    def index(self, row_: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        """The index of a place; a task's holds the number of its group."""
        if not parent.isValid():
            return self._checked(row_, column, len(self.places.shown), 0)
        if parent.internalId() or parent.column() > 0:
            return QModelIndex()
        group = self.places.shown[parent.row()]
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
            return len(self.places.shown)
        if parent.internalId() or parent.column() > 0:
            return 0
        return len(self.places.shown[parent.row()].tasks)

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
        self._look_at_clock()
        added: list[str] = []
        changed: set[str] = set()
        for event in events:
            self._apply(event, added, changed)
        self._place_new(added)
        self.cells.look_again(self._now, self._zone)  # views may have asked in between
        self._tell(changed)

    def _look_at_clock(self) -> None:
        self._now = self._clock()
        self.cells.look_again(self._now, self._zone)

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
                self.cells.look_again(self._now, self._zone)
                self._midnight = midnight(self._now, self._zone)
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

    def remember(self, past: Mapping[str, tuple[Bar, ...]]) -> None:
        """What the history says of the last runs of each task, newest first."""
        self.rows.remember(past)
        self.cells.look_again(self._now, self._zone)
        self._tell(set(past) & self.places.homes.keys())

    def tick(self, visible: Iterable[tuple[QModelIndex, int, int]]) -> None:
        """Time has passed: the visible rows, each span as its parent, first and last."""
        self._look_at_clock()
        for parent, first, last in visible:
            self.dataChanged.emit(
                self.index(first, TICKING[0], parent), self.index(last, TICKING[-1], parent)
            )
        if self._now >= self._midnight:
            self._midnight = midnight(self._now, self._zone)
            self.choose(self.choice)

    # --- what is shown -------------------------------------------------------------------------------------

    def choose(self, choice: Choice) -> None:
        """Show these tasks, and no others."""
        self.choice = choice
        self._matches = None if choice.everything else matcher(choice, self.rows.haystack, self._midnight)
        self._show_anew()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the tasks within their groups; column −1 puts them back in the order in which they came."""
        self._sorted = (Column(column), order) if column >= 0 else None
        self.layoutAboutToBeChanged.emit()
        kept = [(index, self._task_id(index)) for index in self.persistentIndexList()]
        self._choose_places()
        for index, task_id in kept:
            if task_id is not None:
                self.changePersistentIndex(index, self.index_of(task_id).siblingAtColumn(index.column()))
        self.layoutChanged.emit()

    def _show_anew(self) -> None:
        self.beginResetModel()
        self._choose_places()
        self.endResetModel()

    def _choose_places(self) -> None:
        matches, rows = self._matches, self.rows
        shown = (lambda task_id: matches(rows[task_id])) if matches is not None else None
        if self._sorted is None:
            self.places.show(shown, None)
            return
        key, up = SORT_KEYS[self._sorted[0]], self._sorted[1] is Qt.SortOrder.AscendingOrder
        self.places.show(shown, lambda task_id: key(rows[task_id]))
        for group in self.places.shown if not up else ():
            group.tasks.reverse()

    def _matching(self, task_id: str) -> bool:
        return self._matches is None or self._matches(self.rows[task_id])

    # --- places --------------------------------------------------------------------------------------------

    def _place_new(self, added: list[str]) -> None:
        """Insert the rows that have no place yet, a group at a time."""
        by_group: dict[str, list[str]] = {}
        for task_id in added:
            by_group.setdefault(self.rows[task_id].task.group, []).append(task_id)
        added.clear()
        for name, ids in by_group.items():
            group = self.places.enter(name, ids)
            if shown := [task_id for task_id in ids if self._matching(task_id)]:
                self._insert(group, len(group.tasks), shown)

    def _insert(self, group: Group, place: int, ids: list[str]) -> None:
        """Show tasks, one below the other; their group too, if it is not shown."""
        places = self.places
        whole = not group.tasks
        if whole:
            at = places.group_place(group)
            self.beginInsertRows(QModelIndex(), at, at)
            places.shown.insert(at, group)
        else:
            self.beginInsertRows(self._index_of(group), place, place + len(ids) - 1)
        group.tasks[place:place] = ids
        places.visible.update(ids)
        self.endInsertRows()
        if not whole:
            self._tell_group(group)

    def _displace(self, task_id: str) -> None:
        """Take a task's place away, and that of its group with its last task."""
        if task_id in self.places.visible:
            self._hide(task_id)
        self.places.leave(task_id)

    def _hide(self, task_id: str) -> None:
        places, group = self.places, self.places.homes[task_id]
        place = group.tasks.index(task_id)
        whole = len(group.tasks) == 1
        parent, at = (QModelIndex(), places.group_place(group)) if whole else (self._index_of(group), place)
        self.beginRemoveRows(parent, at, at)
        del group.tasks[place]
        places.visible.discard(task_id)
        if whole:
            del places.shown[at]
        self.endRemoveRows()
        self.cells.forget(task_id)
        if not whole:
            self._tell_group(group)

    def _choose_again(self, changed: set[str]) -> None:
        """Tasks that changed may belong to what is shown now, or no longer."""
        turned = [one for one in changed if self._matching(one) != (one in self.places.visible)]
        if len(turned) > _FEW:
            self._show_anew()
            return
        for task_id in turned:
            if task_id in self.places.visible:
                self._hide(task_id)
            else:
                group = self.places.homes[task_id]
                ordered = self._sorted is None
                place = group.place_for(task_id, self.places.order) if ordered else len(group.tasks)
                self._insert(group, place, [task_id])

    def _tell(self, changed: set[str]) -> None:
        """Let the views know, once for each group: they look at what is visible only."""
        if self._matches is not None:
            self._choose_again(changed)
        visible = changed & self.places.visible
        groups = {self.places.homes[task_id].number: self.places.homes[task_id] for task_id in visible}
        for group in groups.values():
            places = [place for place, task_id in enumerate(group.tasks) if task_id in visible]
            parent = self._index_of(group)
            first, last = self.index(places[0], 0, parent), self.index(places[-1], len(Column) - 1, parent)
            self.dataChanged.emit(first, last)
            self._tell_group(group)

    def _tell_group(self, group: Group) -> None:
        index = self._index_of(group)
        self.dataChanged.emit(index, index)

    # --- where, and what is there --------------------------------------------------------------------------

    def _index_of(self, group: Group) -> QModelIndex:
        return self.createIndex(self.places.group_place(group), 0, 0)

    def _place(self, index: Index) -> Group:
        return self.places.by_number[index.internalId()]

    def index_of(self, task_id: str) -> QModelIndex:
        """Where a task stands; no valid index if it is not shown."""
        if task_id not in self.places.visible:
            return QModelIndex()
        group = self.places.homes[task_id]
        return self.index(group.tasks.index(task_id), 0, self._index_of(group))

    def _row(self, index: Index) -> Row | None:
        """The task at an index; None for a group."""
        return self.rows[self._place(index).tasks[index.row()]] if index.internalId() else None

    def _cell(self, index: Index) -> Cell | GroupCell:
        found = self._row(index)
        if found is None:
            return self._group_cell(self.places.shown[index.row()])
        return self.cells.cell(found, Column(index.column()))

    def _group_cell(self, group: Group) -> GroupCell:
        return group_cell(
            group.name, (self.cells.state(self.rows[task_id]) for task_id in group.tasks), group.number - 1
        )

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
        if found is None:
            return self._words(index)
        following = self._cell(index.sibling(index.row(), Column.NEXT))
        return row.sentence(found, following.words, self._now, self._zone)

    def hues(self) -> dict[str, int]:
        """By name of a group: which of the group colours it has."""
        return {name: group.number - 1 for name, group in self.places.all.items()}

    def group_name(self, index: Index) -> str | None:
        """The name of the group that a row belongs to or is; empty for those without one."""
        if not index.isValid():
            return None
        return self._place(index).name if index.internalId() else self.places.shown[index.row()].name

    def _task_id(self, index: Index) -> str | None:
        found = self._row(index)
        return None if found is None else found.task.id
