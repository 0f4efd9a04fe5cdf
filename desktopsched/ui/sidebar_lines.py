"""A list of the sidebar: as high as its lines, and tasks can be dropped onto them. UI thread."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView

from desktopsched.ui import task_mime
from desktopsched.ui.sidebar_model import ENTRY, EntryModel, FireModel


class Lines(QListView):
    """A list of the sidebar that is as high as its lines, and shows no frame."""

    dropped = Signal(tuple, str)
    """Tasks fell onto the line with this key."""

    def __init__(self, model: EntryModel | FireModel, name: str, *, takes_drops: bool = False) -> None:
        super().__init__()
        self.drop_row = QPersistentModelIndex()
        self.setObjectName("sidelist")
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAcceptDrops(takes_drops)
        self.setModel(model)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is a click, F2 another name."""
        if event.key() == Qt.Key.Key_F2 and self.can_rename(self.currentIndex()):
            self.edit(self.currentIndex())
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self.currentIndex().isValid():
            self.clicked.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    @staticmethod
    def can_rename(index: QModelIndex) -> bool:
        """Whether a line is a group that has a name."""
        return bool(index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Tasks are welcome."""
        event.setAccepted(bool(task_mime.unpack(event.mimeData())))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Onto a line, and not between two."""
        index = self.indexAt(event.position().toPoint())
        self._set_drop_row(index)
        event.setAccepted(index.isValid())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It went elsewhere."""
        self._set_drop_row(QModelIndex())
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """Say what fell where."""
        self._set_drop_row(QModelIndex())
        index, tasks = self.indexAt(event.position().toPoint()), task_mime.unpack(event.mimeData())
        event.setAccepted(index.isValid() and bool(tasks))
        if event.isAccepted():
            self.dropped.emit(tasks, index.data(ENTRY).key)

    def _set_drop_row(self, index: QModelIndex) -> None:
        self.drop_row = QPersistentModelIndex(index)
        self.viewport().update()
