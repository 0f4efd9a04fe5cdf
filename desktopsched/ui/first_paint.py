"""The first paint of a window, after which there is time for all that it does not show yet. UI thread."""

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

PATIENCE = 1_000
"""Milliseconds after which it is not waited for any more: a locked screen paints nothing, and tasks are due."""


class FirstPaint(QObject):
    """Says once that a window was painted, or that it will not be for a while."""

    over = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._waits = QTimer(self, singleShot=True, interval=PATIENCE)
        self._waits.timeout.connect(self._end)
        self._waits.start()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The paint comes after this; what is told here comes when all of it is done."""
        if watched is self._window and event.type() is QEvent.Type.Paint:
            self._waits.start(0)
        return False

    def _end(self) -> None:
        self._window.removeEventFilter(self)
        self.over.emit()
        self.deleteLater()
