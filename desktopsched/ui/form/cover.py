"""A cover over the page, while what is written must not change. UI thread.

To disable the page would restyle its 400 widgets, twice, and hold the UI thread up for 200 ms each time.
"""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from desktopsched.ui.look import Look

_OPAQUE = 150  # of 255: what is below can be read


class Cover(QWidget):
    """Lies over a widget and takes what the mouse does. The keyboard is kept away by whoever has the focus."""

    def __init__(self, look: Look, below: QWidget) -> None:
        super().__init__(below)
        self._look, self._below = look, below
        self.setCursor(Qt.CursorShape.BusyCursor)
        below.installEventFilter(self)
        self.hide()

    def lie(self, *, over: bool) -> None:
        """Over all of it, or not at all."""
        self.setGeometry(self._below.rect())
        self.setVisible(over)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """As large as what it covers."""
        if event.type() is QEvent.Type.Resize:
            self.setGeometry(self._below.rect())
        return super().eventFilter(watched, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nothing moves below."""
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Half of the ground's colour."""
        painter, colour = QPainter(self), QColor(self._look.tokens.base)
        colour.setAlpha(_OPAQUE)
        painter.fillRect(self.rect(), colour)
        painter.end()
