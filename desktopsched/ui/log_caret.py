"""The caret of the live log: where the next output will stand, while something may print. UI thread."""

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from desktopsched.ui.look import Look

_WIDE, _TALL, _ABOVE = 7, 13, 3  # pixels, as drawn


class LogCaret(QWidget):
    """Blinks as the carets of this desktop do; where they do not blink, it stands still. Nothing ticks while hidden."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._lit = look, True
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._turn)
        self.setFixedSize(look.px(_WIDE), look.px(_TALL))
        look.changed.connect(self.update)
        self.hide()

    @property
    def blinking(self) -> bool:
        """Whether it is turned on and off."""
        return self._blink.isActive()

    def stand_at(self, place: QPoint) -> None:
        """Show it in the line whose upper left corner this is."""
        self.move(place.x(), place.y() + self._look.px(_ABOVE))
        self.show()

    def showEvent(self, event: QShowEvent) -> None:
        """Begin with it lit."""
        super().showEvent(event)
        self._lit = True
        flash = QGuiApplication.styleHints().cursorFlashTime()  # milliseconds for on and off
        if flash > 0:
            self._blink.start(max(flash // 2, 50))

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody sees it."""
        super().hideEvent(event)
        self._blink.stop()

    def _turn(self) -> None:
        self._lit = not self._lit
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A block, or nothing."""
        if self._lit:
            painter = QPainter(self)
            painter.fillRect(self.rect(), QColor(self._look.tokens.ctl))
            painter.end()
