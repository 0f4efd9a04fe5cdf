"""The view of the task table. UI thread; it shows the model, says what is wished for, and asks the engine nothing."""

import json
from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import (
    QByteArray,
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
    QColor,
    QContextMenuEvent,
    QFont,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStyle, QStyleOptionViewItem, QTreeView, QWidget

from desktopsched.ui.cell_delegates import DurationDelegate, NameDelegate, StateDelegate
from desktopsched.ui.columns import Columns
from desktopsched.ui.look import Look
from desktopsched.ui.roles import Column, Role
from desktopsched.ui.row_delegate import RowDelegate
from desktopsched.ui.strip_delegate import StripDelegate
from desktopsched.ui.task_drag import DragView
from desktopsched.ui.task_menu import task_menu, wish_of
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.wishes import Wish

_SECOND = 1_000  # milliseconds
_SCROLLED_MOST = 5_000  # rows: scrolling far down measures all rows, which takes 0.3 s for 30,000

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
        super().__init__(model, parent)
        self._look = look
        self._folded: set[str] = set()
        self._top: int | None = None  # the line that is to stand at the top after the next layout
        self._held: tuple[list[str], str | None, str | None] = ([], None, None)
        self.setObjectName("table")
        self.setAccessibleName("Tasks")
        self._ticking = QTimer(self, interval=_SECOND)
        self._ticking.timeout.connect(self.tick)
        self._set_up()
        model.modelAboutToBeReset.connect(self._hold)  # before the view hears of it and forgets
        self.setModel(model)
        self.columns = Columns(self, look)
        self.setSortingEnabled(True)
        model.rowsInserted.connect(self._show_groups)
        model.modelReset.connect(self._take_up_again)
        self.clicked.connect(self._fold)
        look.changed.connect(self._dress)
        self._dress()

    def _set_up(self) -> None:
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setItemsExpandable(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setMouseTracking(True)
        names, strips = NameDelegate(self._look, self), StripDelegate(self._look, self)
        names.asked.connect(self._ask_at)
        strips.clicked.connect(self.run_chosen)
        self.setItemDelegate(RowDelegate(self._look, self))
        self.setItemDelegateForColumn(Column.STATE, StateDelegate(self._look, self))
        self.setItemDelegateForColumn(Column.NAME, names)
        self.setItemDelegateForColumn(Column.STRIP, strips)
        self.setItemDelegateForColumn(Column.DURATION, DurationDelegate(self._look, self))

    def _dress(self) -> None:
        self.header().setFont(self._look.font(11.5, QFont.Weight.DemiBold))
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let columns give way, or come back."""
        super().resizeEvent(event)
        self.columns.fit(event.size().width())

    # --- what is selected ----------------------------------------------------------------------------------

    def select(self, task_id: str) -> None:
        """Make this task the current one."""
        index = self._tasks.index_of(task_id)
        if index.isValid():
            self.expand(index.parent())
        self.setCurrentIndex(index)

    def select_all_of(self, task_ids: Iterable[str]) -> None:
        """Select these tasks, as far as they are shown; the first is the current one."""
        indexes = [index for one in task_ids if (index := self._tasks.index_of(one)).isValid()]
        if indexes:
            self.select(indexes[0].data(Role.TASK_ID))
            self._select_rows(indexes)

    def _select_rows(self, indexes: Iterable[QModelIndex]) -> None:
        selection = QItemSelection()
        for index in indexes:
            selection.select(index, index)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().select(selection, flags)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Say so."""
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def _hold(self) -> None:
        """Other tasks will be shown: remember who is selected, who is current, and who stands at the top."""
        current = self.currentIndex().data(Role.TASK_ID)
        self._held = self.selected_tasks(), current, self.indexAt(QPoint(1, 1)).data(Role.TASK_ID)

    def _take_up_again(self) -> None:
        """As much of it as is still shown."""
        self._show_groups(QModelIndex(), 0, self._tasks.rowCount() - 1)
        ids, current, top = self._held
        self._select_rows(index for one in ids if (index := self._tasks.index_of(one)).isValid())
        if current is not None and (index := self._tasks.index_of(current)).isValid():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        place = self._tasks.index_of(top) if top is not None else QModelIndex()
        if place.isValid() and len(self._tasks.places.visible) <= _SCROLLED_MOST:
            self._top = self._line_of(place)
        self.chosen.emit()

    def _line_of(self, index: QModelIndex) -> int:
        """How many lines stand above a task. Counted here: Qt would lay out everything, and measure each row."""
        above = 0
        for place in range(index.parent().row()):
            group = self._tasks.index(place, 0)
            above += 1 + (self._tasks.rowCount(group) if self.isExpanded(group) else 0)
        return above + 1 + index.row()

    def doItemsLayout(self) -> None:
        """Lay out the rows; what was at the top before others were chosen stands there again."""
        super().doItemsLayout()
        top, self._top = self._top, None
        if top is not None:
            self.verticalScrollBar().setValue(top)

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

    def _show_groups(self, parent: QModelIndex, first: int, last: int) -> None:
        if parent.isValid():
            return
        self.scheduleDelayedItemsLayout()  # first: then what is expanded is laid out once, and not for each group
        searching = bool(self._tasks.choice.text.strip())  # hits are shown, wherever they are
        for place in range(first, last + 1):
            index = self._tasks.index(place, 0)
            self.setExpanded(index, searching or self._tasks.group_name(index) not in self._folded)

    def folded(self) -> QByteArray:
        """Which groups are folded, to be remembered."""
        return QByteArray(json.dumps(sorted(self._folded)).encode())

    def restore_folded(self, state: QByteArray) -> None:
        """As it was remembered; what cannot be read folds nothing."""
        try:
            found = json.loads(bytes(state.data()) or b"[]")
        except ValueError:
            return
        if isinstance(found, list):
            self._folded = {name for name in found if isinstance(name, str)}

    def dataChanged(
        self,
        topLeft: Index,  # noqa: ARG002 - Qt's
        bottomRight: Index,  # noqa: ARG002
        roles: Sequence[int] = (),  # noqa: ARG002
    ) -> None:
        """Paint again. QTreeView would ask for heights, of thousands of rows at times; here none ever changes."""
        self.viewport().update()

    def _fold(self, index: QModelIndex) -> None:
        if index.data(Role.TASK_ID) is None:
            group, name = index.siblingAtColumn(0), self._tasks.group_name(index) or ""
            self.setExpanded(group, not self.isExpanded(group))
            (self._folded.discard if self.isExpanded(group) else self._folded.add)(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space or Enter folds a group; other keys ask for something; all else is Qt's."""
        index = self.currentIndex()
        folds = event.key() in {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if folds and index.isValid() and index.data(Role.TASK_ID) is None:
            self._fold(index)
        elif (wish := wish_of(event, len(self.selected_tasks()))) is not None:
            self._ask(wish)
        else:
            super().keyPressEvent(event)

    # --- ticking -------------------------------------------------------------------------------------------

    @property
    def ticking(self) -> bool:
        """Whether times are kept up to date."""
        return self._ticking.isActive()

    def tick(self) -> None:
        """Let the visible times be written anew."""
        self._tasks.tick(list(self._visible()))
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

    def _visible(self) -> Iterator[tuple[QModelIndex, int, int]]:
        """Spans of visible tasks: their group, the first and the last."""
        index, bottom = self.indexAt(self.viewport().rect().topLeft()), self.viewport().height()
        span: tuple[QModelIndex, int, int] | None = None
        while index.isValid() and self.visualRect(index).top() < bottom:
            parent = index.parent()
            if parent.isValid() and span is not None and span[0] == parent:
                span = (parent, span[1], index.row())
            elif parent.isValid():
                if span is not None:
                    yield span
                span = (parent, index.row(), index.row())
            index = self.indexBelow(index)
        if span is not None:
            yield span

    # --- painting ------------------------------------------------------------------------------------------

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A row, the rule below it, and the marks of selection and of the keyboard."""
        if (
            index.data(Role.TASK_ID) is None
        ):  # across all columns; a span of Qt's would cost a layout for each group
            self.itemDelegate().paint(painter, self._of_group(option, index), index.sibling(index.row(), 0))
        else:
            super().drawRow(painter, option, index)
        tokens, rect = self._look.tokens, QRect(option.rect)
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(tokens.line))
        row = index.sibling(index.row(), 0)
        if index.data(Role.TASK_ID) is not None and self.selectionModel().isSelected(row):
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(tokens.sel_line))
            mark = tokens.accent if self.hasFocus() else tokens.ctl
            painter.fillRect(rect.left(), rect.top(), 3, rect.height(), QColor(mark))
        if self.drop_row.isValid() and self.drop_row == row:
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        if self.hasFocus() and self.currentIndex().siblingAtColumn(0) == row and self._by_keyboard():
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))

    def _of_group(self, option: QStyleOptionViewItem, index: Index) -> QStyleOptionViewItem:
        opened = QStyle.StateFlag.State_Open if self.isExpanded(index) else QStyle.StateFlag.State_None
        found = QStyleOptionViewItem(option)
        found.state = (found.state & ~QStyle.StateFlag.State_Open) | opened
        return found

    def _by_keyboard(self) -> bool:
        """Whether the current row is not plain to see: it is not the one selected row."""
        return len(self.selectionModel().selectedRows()) != 1 or not self.selectionModel().isSelected(
            self.currentIndex()
        )
