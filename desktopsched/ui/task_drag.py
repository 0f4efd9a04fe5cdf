"""Dragging rows of the task table: onto a group, which moves tasks; onto a task, which makes them wait. UI thread.

By hand, and not by the model's flags: a drop onto a line means one thing on a group and another on a task.
"""

from itertools import chain

from PySide6.QtCore import QItemSelection, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QTableView, QToolTip, QWidget

from desktopsched.ui import plain, task_mime
from desktopsched.ui.drag_picture import drag_picture
from desktopsched.ui.look import Look
from desktopsched.ui.loops import refusal
from desktopsched.ui.roles import Role
from desktopsched.ui.row import action_icon
from desktopsched.ui.task_model import TaskModel

_PICTURE = 30  # pixels, as drawn: below the pointer is the picture of what is dragged


class DragView(QTableView):
    """A table of tasks whose rows can be dragged."""

    moved = Signal(tuple, str)
    """Tasks are to belong to a group."""

    link_wanted = Signal(str, tuple)
    """Tasks are to wait for the first."""

    refused = Signal(str)
    """Why a drop was not taken."""

    def __init__(self, model: TaskModel, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tasks, self._look = model, look
        self._pressed: QPoint | None = None
        self._put_off: QPersistentModelIndex | None = None  # a row of many that a click would leave alone
        self.under_pointer = -1
        """The line under the pointer; −1: none."""
        self._chosen: list[str] | None = None  # the selected tasks, once somebody has asked
        self.drop_row = QPersistentModelIndex()
        """Where what is dragged would fall."""
        self.setAcceptDrops(True)

    def selected_tasks(self) -> list[str]:
        """The ids of the selected tasks, from top to bottom."""
        if self._chosen is None:
            found = self.selectionModel().selection()
            spans = sorted((one.top(), one.bottom()) for one in map(found.at, range(found.count())))
            lines = chain.from_iterable(self._tasks.places.lines[top : bottom + 1] for top, bottom in spans)
            self._chosen = list(dict.fromkeys(line for line in lines if isinstance(line, str)))
        return self._chosen

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Other tasks are selected."""
        self._chosen = None
        super().selectionChanged(selected, deselected)

    # --- taking up -----------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where; one of many selected rows stays with them until it is known that nothing is dragged."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        is_task = index.isValid() and index.data(Role.TASK_ID) is not None
        left = event.button() is Qt.MouseButton.LeftButton
        self._pressed = place if is_task and left else None
        many = len(self.selected_tasks()) > 1
        plainly = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if self._pressed and many and plainly and self.selectionModel().isSelected(index):
            self._put_off = QPersistentModelIndex(index)
        super().mousePressEvent(event) if self._put_off is None else event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Far enough from where it was pressed, a drag begins."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        far = (event.position().toPoint() - self._pressed).manhattanLength()
        if far >= QApplication.startDragDistance() and (tasks := self.selected_tasks()):
            self._pressed = self._put_off = None
            self._drag(tasks)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Nothing was dragged: now the click counts."""
        put_off, self._put_off, self._pressed = self._put_off, None, None
        if put_off is not None and put_off.isValid():
            self.setCurrentIndex(self.model().index(put_off.row(), put_off.column()))
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def _drag(self, tasks: list[str]) -> None:
        self.drag_of(tasks).exec(Qt.DropAction.MoveAction | Qt.DropAction.LinkAction)

    def drag_of(self, tasks: list[str]) -> QDrag:
        """These tasks, with a picture of them below the pointer."""
        drag, row = QDrag(self), self._tasks.rows[tasks[0]]
        icon, words = (
            (action_icon(row.task), row.task.name) if len(tasks) == 1 else ("list", f"{len(tasks):,} tasks")
        )
        drag.setMimeData(task_mime.pack(tasks))
        drag.setPixmap(drag_picture(self._look, icon, words, self.devicePixelRatioF()))
        drag.setHotSpot(QPoint(-self._look.px(12), -self._look.px(8)))
        return drag

    # --- letting fall --------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Tasks are welcome."""
        event.setAccepted(bool(task_mime.unpack(event.mimeData())))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Say by the pointer whether they may fall here, and in words why not."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        tasks = task_mime.unpack(event.mimeData())
        why_not = self.why_not(tasks, index)
        self._set_drop_row(index if not why_not else QModelIndex())
        event.setAccepted(not why_not)
        if why_not and index.isValid() and index.data(Role.TASK_ID) not in tasks:
            below = place + QPoint(0, self._look.px(_PICTURE))
            QToolTip.showText(self.viewport().mapToGlobal(below), plain.tip(why_not), self)
        else:
            QToolTip.hideText()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It went elsewhere, and so does why it could not fall here."""
        QToolTip.hideText()
        self._set_drop_row(QModelIndex())
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """Say what is wanted."""
        self._set_drop_row(QModelIndex())
        index, tasks = self.indexAt(event.position().toPoint()), task_mime.unpack(event.mimeData())
        why_not = self.why_not(tasks, index)
        event.setAccepted(not why_not)
        if why_not:
            self.refused.emit(why_not)
        elif (parent := index.data(Role.TASK_ID)) is not None:
            self.link_wanted.emit(parent, tasks)
        else:
            self.moved.emit(tasks, self._tasks.group_name(index) or "")

    def why_not(self, tasks: tuple[str, ...], index: QModelIndex) -> str:
        """Why these tasks cannot fall there; empty where they can."""
        if not tasks or not index.isValid():
            return "Drop tasks onto a group, or onto the task that they are to wait for."
        parent = index.data(Role.TASK_ID)
        if parent is None:
            return ""
        rows = self._tasks.rows
        if not all(one in rows for one in (parent, *tasks)):
            return "This task is not on the list any more."
        found = (refusal(parent, child, self._parents_of, rows.name_of) for child in tasks)
        return next(filter(None, found), "")

    def _parents_of(self, task_id: str) -> list[str]:
        row = self._tasks.rows.get(task_id)
        return [edge.task for edge in row.task.waits_for] if row is not None else []

    def _set_drop_row(self, index: QModelIndex) -> None:
        self.drop_row = QPersistentModelIndex(index.siblingAtColumn(0))
        self.viewport().update()
