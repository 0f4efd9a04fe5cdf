"""One line: words that give way where there is no room for them, and say so by an ellipsis. UI thread."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class OneLine(QLabel):
    """A label of plain text that asks for all the room it needs, and makes do with less. Its text stays whole."""

    def __init__(self, text: str, font: QFont) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setFont(font)
        self.setMinimumWidth(1)  # no text makes the window wider

    @property
    def shown(self) -> str:
        """What can be seen of it."""
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """As a label does, or else as much as there is room for."""
        shown = self.shown
        if shown == self.text():
            super().paintEvent(event)
            return
        painter, alignment = QPainter(self), self.alignment() | Qt.TextFlag.TextSingleLine
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(alignment),
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )
        painter.end()
