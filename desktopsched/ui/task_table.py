"""The view of the task table. UI thread; it shows the model, says what is wished for, and asks the engine nothing.

A flat table, whose lines all stand at known heights: however many tasks there are, only those in sight are looked at.
"""

import json
from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFont,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTableView, QWidget

from desktopsched.ui.cell_delegates import DurationDelegate, NameDelegate, StateDelegate
from desktopsched.ui.columns import Columns
from desktopsched.ui.look import Look
from desktopsched.ui.places import Group, spans
from desktopsched.ui.roles import Column, Role
from desktopsched.ui.row_delegate import RowDelegate
from desktopsched.ui.row_painter import RowPainter
from desktopsched.ui.steady import Steady
from desktopsched.ui.strip_delegate import StripDelegate
from desktopsched.ui.task_drag import DragView
from desktopsched.ui.task_menu import task_menu, wish_of
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.wishes import Wish

_SECOND = 1_000  # milliseconds
_FOLDS = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_ALONE = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
_STEPS = frozenset({Qt.Key.Key_Up, Qt.Key.Key_Down})

Index = QModelIndex | QPersistentModelIndex


class TaskTable(DragView):
    """Groups that fold, a line for each task; times tick while it is visible, and not a moment longer."""

    chosen = Signal()
    """The selection is another one."""

    ticked = Signal()
    """A second has passed, and somebody may be looking."""

    asked = Signal(object, tuple)
    """A `Wish`, and the ids of the tasks that it is about."""

    run_chosen = Signal(str, int)
    """The bar of a run was clicked: its task, its number."""

    def __init__(self, model: TaskModel, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(model, look, parent)
        self._steady = Steady(self, model, look)
        self.setObjectName("table")
        self.setAccessibleName("Tasks")
        # On the full second, as all others of that kind: they wake the computer up once, and not each by itself.
        self._ticking = QTimer(self, interval=_SECOND, timerType=Qt.TimerType.VeryCoarseTimer)
        self._ticking.timeout.connect(self.tick)
        self._set_up()
        model.layoutAboutToBeChanged.connect(self._steady.hold)
        self.setModel(model)
        model.layoutChanged.connect(self._take_up_again)  # after the view itself has heard of it
        # The heads would ask of each line whether it is selected, only to paint nothing else if it is.
        self.header().setSelectionModel(QItemSelectionModel(model, self))
        self.columns = Columns(self, look)
        self._rows = RowPainter(self, model, look)
        self.setSortingEnabled(True)
        self.clicked.connect(self._fold_at)
        look.changed.connect(self._dress)
        self._dress()

    def _set_up(self) -> None:
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setMouseTracking(True)
        names, strips = NameDelegate(self._look, self), StripDelegate(self._look, self)
        names.asked.connect(self._ask_at)
        strips.clicked.connect(self.run_chosen)
        self.setItemDelegate(RowDelegate(self._look, self))
        self.setItemDelegateForColumn(Column.STATE, StateDelegate(self._look, self))
        self.setItemDelegateForColumn(Column.NAME, names)
        self.setItemDelegateForColumn(Column.STRIP, strips)
        self.setItemDelegateForColumn(Column.DURATION, DurationDelegate(self._look, self))

    def header(self) -> QHeaderView:
        """The heads of the columns."""
        return self.horizontalHeader()

    def _dress(self) -> None:
        self.header().setFont(self._look.font(11.5, QFont.Weight.DemiBold))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let columns give way, or come back."""
        super().resizeEvent(event)
        self.columns.fit(event.size().width())

    # --- what is selected ----------------------------------------------------------------------------------

    def select(self, task_id: str) -> None:
        """Make this task the current one; if its group is folded, open that."""
        self._unfold(task_id)
        self.executeDelayedItemsLayout()  # a scroll bar that does not know of the line cannot go there
        index = self._tasks.index_of(task_id)
        if index.isValid():  # whatever key is held: Ctrl, for example, that belongs to what has led here
            self.selectionModel().setCurrentIndex(index, _ALONE)
            self.scrollTo(index)

    def select_all_of(self, task_ids: Iterable[str]) -> None:
        """Select these tasks, as far as they are shown, and open their groups; the first is the current one."""
        shown = [task_id for task_id in task_ids if self._tasks.shows(task_id)]
        for task_id in shown:
            self._unfold(task_id)
        if shown:
            self.select(shown[0])
            self._select_rows(self._tasks.index_of(task_id).row() for task_id in shown)

    def _select_rows(self, places: Iterable[int]) -> None:
        selection = QItemSelection()
        for first, last in spans(
            tuple(places)
        ):  # each row by itself would take long where there are thousands
            selection.select(self._tasks.index(first, 0), self._tasks.index(last, 0))
        self.selectionModel().select(selection, _ALONE)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Say so."""
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def currentChanged(self, current: Index, previous: Index) -> None:
        """The frame goes round a whole line, of which Qt paints one cell."""
        super().currentChanged(current, previous)
        for index in (previous, current):
            if index.isValid():
                self._update(index.row(), index.row())

    def _take_up_again(self) -> None:
        """The layout is another one now."""
        self._steady.take_up_again()
        self.under_pointer, self._chosen = -1, None
        self.viewport().update()
        self.chosen.emit()

    # --- what is asked for ---------------------------------------------------------------------------------

    def _ask(self, wish: Wish) -> None:
        if tasks := tuple(self.selected_tasks()):
            self.asked.emit(wish, tasks)

    def _ask_at(self, wish: Wish, index: QModelIndex, place: QPoint) -> None:
        """A quick button: it is about its own row, whatever else is selected."""
        if wish is Wish.MORE:
            self.setCurrentIndex(index)
            self.menu().popup(place)
        else:
            self.asked.emit(wish, (index.data(Role.TASK_ID),))

    def menu(self) -> QMenu:
        """The menu for what is selected."""
        found = (self._tasks.rows.get(task_id) for task_id in self.selected_tasks())
        return task_menu([row for row in found if row is not None], self._look, self._ask, self)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the right button, the Menu key or Shift F10."""
        place = event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            spot = self.visualRect(self.currentIndex()).bottomLeft()
            place = self.viewport().mapToGlobal(spot + QPoint(self._look.px(40), 0))
        if self.selected_tasks():
            self.menu().popup(place)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit what is under the pointer."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.data(Role.TASK_ID) is not None:
            self.asked.emit(Wish.EDIT, (index.data(Role.TASK_ID),))
        else:
            super().mouseDoubleClickEvent(event)

    # --- groups --------------------------------------------------------------------------------------------

    def folded(self) -> QByteArray:
        """Which groups are folded, to be remembered."""
        return QByteArray(json.dumps(sorted(self._tasks.places.folded)).encode())

    def restore_folded(self, state: QByteArray) -> None:
        """As it was remembered; what cannot be read folds nothing."""
        try:
            found = json.loads(bytes(state.data()) or b"[]")
        except ValueError:
            return
        if isinstance(found, list):
            self._tasks.fold_these({name for name in found if isinstance(name, str)})

    def _fold(self, name: str, *, folded: bool) -> None:
        self._tasks.fold(name, folded=folded)

    def _unfold(self, task_id: str) -> None:
        if self._tasks.shows(task_id) and not self._tasks.index_of(task_id).isValid():
            self._fold(self._tasks.rows[task_id].task.group, folded=False)

    def _fold_at(self, index: QModelIndex) -> None:
        line = self._tasks.line(index.row())
        if isinstance(line, Group):
            self._fold(line.name, folded=line.name not in self._tasks.places.folded)

    # --- keys ----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space or Enter folds a group, Left and Right as in a tree; other keys ask for something; all else is Qt's."""
        index, key = self.currentIndex(), Qt.Key(event.key())
        line = self._tasks.line(index.row())
        if isinstance(line, Group) and key in _FOLDS:
            self._fold_at(index)
        elif key in {Qt.Key.Key_Left, Qt.Key.Key_Right} and line is not None:
            self._step_aside(line, left=key is Qt.Key.Key_Left)
        elif key in _STEPS and isinstance(line, str) and not self.selectionModel().hasSelection():
            self._select_rows([index.row()])  # the line that has the frame: one has to begin somewhere
        elif (wish := wish_of(event, len(self.selected_tasks()))) is not None:
            self._ask(wish)
        else:
            super().keyPressEvent(event)

    def _step_aside(self, line: Group | str, *, left: bool) -> None:
        """Left folds a group, or goes to it from a task; Right opens it."""
        if isinstance(line, Group):
            self._fold(line.name, folded=left)
        elif left:
            name = self._tasks.rows[line].task.group
            place = self._tasks.places.at(self._tasks.places.groups[name])
            self.setCurrentIndex(self._tasks.index(place, self.currentIndex().column()))

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Home and End lead to the first and to the last line: all of a line is selected, not a cell."""
        ends = {self.CursorAction.MoveHome: 0, self.CursorAction.MoveEnd: self._tasks.rowCount() - 1}
        if action in ends and self._tasks.rowCount():
            return self._tasks.index(ends[action], max(self.currentIndex().column(), 0))
        return super().moveCursor(action, modifiers)

    # --- ticking -------------------------------------------------------------------------------------------

    @property
    def ticking(self) -> bool:
        """Whether times are kept up to date."""
        return self._ticking.isActive()

    def tick(self) -> None:
        """Let the visible times be written anew."""
        self._tasks.tick(*self.in_sight())
        self.ticked.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin to tick."""
        super().showEvent(event)
        self.tick()
        self._ticking.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop ticking: nobody looks."""
        super().hideEvent(event)
        self._ticking.stop()

    def in_sight(self) -> tuple[int, int]:
        """The first and the last line in sight; of no lines the last is before the first."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        return max(first, 0), last if last >= 0 else self._tasks.rowCount() - 1

    # --- painting ------------------------------------------------------------------------------------------

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:  # noqa: ARG002 - Qt's
        """Paint these lines again, as far as they are in sight."""
        top, bottom = self.in_sight()
        seen, changing = range(max(first.row(), top), min(last.row(), bottom) + 1), self._tasks.changing
        columns = range(first.column(), last.column() + 1)
        for above, below in spans([line for line in seen if changing is None or line in changing]):
            self._update(above, below, columns if len(columns) < len(Column) else ())

    def _update(self, first: int, last: int, columns: Iterable[int] = ()) -> None:
        """Paint these lines again: of no columns in particular, all."""
        room = self._room(first, last)
        for column in columns:
            room.setLeft(self.columnViewportPosition(column))
            room.setWidth(self.columnWidth(column))
            self.viewport().update(room)
        if not columns:
            self.viewport().update(room)

    def _room(self, first: int, last: int) -> QRect:
        """Where these lines stand."""
        above = self.rowViewportPosition(first)
        below = self.rowViewportPosition(last) + self.rowHeight(last)
        return QRect(0, above, self.viewport().width(), below - above)

    def viewportEvent(self, event: QEvent) -> bool:
        """The whole line under the pointer is marked."""
        if event.type() is QEvent.Type.Leave:
            self._mark(-1)
        elif isinstance(event, QMouseEvent):
            self._mark(self.rowAt(event.position().toPoint().y()))
        return super().viewportEvent(event)

    def _mark(self, place: int) -> None:
        before, self.under_pointer = self.under_pointer, place
        for line in {before, place} if before != place else ():
            if 0 <= line < self._tasks.rowCount():
                self._update(line, line)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The lines of this region: a group's head stands across all columns, which no cell of Qt's does."""
        region, (top, bottom) = event.region(), self.in_sight()
        lines = [one for one in range(top, bottom + 1) if region.intersects(self._room(one, one))]
        self._rows.paint(lines, region)
