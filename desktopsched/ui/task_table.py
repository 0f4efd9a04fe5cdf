"""The view of the task table. UI thread; it shows the model and says what is selected, and asks the engine nothing."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QHideEvent, QKeyEvent, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionViewItem, QTreeView, QWidget

from desktopsched.ui.cell_delegates import DurationDelegate, NameDelegate, StateDelegate
from desktopsched.ui.look import Look
from desktopsched.ui.roles import Column, Role
from desktopsched.ui.row_delegate import RowDelegate
from desktopsched.ui.task_model import TaskModel

_WIDTHS = {
    Column.STATE: 113,
    Column.NAME: 204,
    Column.SCHEDULE: 236,
    Column.NEXT: 198,
    Column.RESULT: 184,
    Column.DURATION: 180,
}
_SECOND = 1_000  # milliseconds

Index = QModelIndex | QPersistentModelIndex


class TaskTable(QTreeView):
    """Groups that fold, tasks in seven words each; times tick while it is visible, and not a moment longer."""

    chosen = Signal()
    """The selection is another one."""

    ticked = Signal()
    """A second has passed, and somebody may be looking."""

    def __init__(self, model: TaskModel, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._tasks = look, model
        self.setObjectName("table")
        self.setAccessibleName("Tasks")
        self._ticking = QTimer(self, interval=_SECOND)
        self._ticking.timeout.connect(self.tick)
        self._set_up()
        self.setModel(model)
        self._size_columns()
        model.rowsInserted.connect(self._show_groups)
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
        plain = RowDelegate(self._look, self)
        self.setItemDelegate(plain)
        self.setItemDelegateForColumn(Column.STATE, StateDelegate(self._look, self))
        self.setItemDelegateForColumn(Column.NAME, NameDelegate(self._look, self))
        self.setItemDelegateForColumn(Column.DURATION, DurationDelegate(self._look, self))

    def _size_columns(self) -> None:
        header = self.header()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(self._look.px(60))
        for column, width in _WIDTHS.items():
            header.resizeSection(column, self._look.px(width))

    def _dress(self) -> None:
        self.header().setFont(self._look.font(11.5, QFont.Weight.DemiBold))
        self.viewport().update()

    # --- what is selected ----------------------------------------------------------------------------------

    def selected_tasks(self) -> list[str]:
        """The ids of the selected tasks, from top to bottom."""
        rows = self.selectionModel().selectedRows()
        ids = [
            index.data(Role.TASK_ID)
            for index in sorted(rows, key=lambda one: (one.parent().row(), one.row()))
        ]
        return [task_id for task_id in ids if task_id is not None]

    def select(self, task_id: str) -> None:
        """Make this task the current one."""
        self.setCurrentIndex(self._tasks.index_of(task_id))

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Say so."""
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    # --- groups --------------------------------------------------------------------------------------------

    def _show_groups(self, parent: QModelIndex, first: int, last: int) -> None:
        if parent.isValid():
            return
        self.scheduleDelayedItemsLayout()  # first: then what is expanded is laid out once, and not for each group
        for place in range(first, last + 1):
            self.expand(self._tasks.index(place, 0))

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
            group = index.siblingAtColumn(0)
            self.setExpanded(group, not self.isExpanded(group))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space or Enter folds a group; all else is Qt's."""
        index = self.currentIndex()
        folds = event.key() in {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if folds and index.isValid() and index.data(Role.TASK_ID) is None:
            self._fold(index)
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
