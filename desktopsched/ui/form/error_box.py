"""An error box: what is wrong, why, and a link that mends it. UI thread; all words are plain text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.direction import left_to_right
from desktopsched.ui.form import paint
from desktopsched.ui.look import Look


class ErrorBox(QWidget):
    """Hidden while nothing is wrong."""

    mended = Signal()
    """The link was pressed."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.headline = plain.label("", look.font(12.5, QFont.Weight.DemiBold), "error_words")
        self.advice = plain.label("", look.font(12.5), "error_words")
        self.link = QPushButton()
        self.link.setObjectName("error_link")
        font = look.font(12.5, QFont.Weight.DemiBold)
        font.setUnderline(True)
        self.link.setFont(font)
        self.link.setCursor(Qt.CursorShape.PointingHandCursor)
        self.link.setAutoDefault(False)
        self.link.clicked.connect(self.mended.emit)
        self._lay_out()
        look.changed.connect(self.update)
        self.hide()

    def _lay_out(self) -> None:
        px = self._look.px
        column = QVBoxLayout(self)
        # Words begin where those of the link do, which keeps the room of its focus ring.
        column.setContentsMargins(px(35), px(7) + paint.HALO, px(10), px(7) + paint.HALO)
        column.setSpacing(px(3))
        for label in (self.headline, self.advice):
            label.setWordWrap(True)
            label.setContentsMargins(paint.HALO, 0, 0, 0)
            column.addWidget(label)
        line = QHBoxLayout()
        line.addWidget(self.link)
        line.addStretch(1)
        column.addLayout(line)

    def show_error(self, headline: str, advice: str, link: str) -> None:
        """Say this; with no headline, nothing."""
        self.headline.setText(left_to_right(headline))
        self.advice.setText(left_to_right(advice))
        self.advice.setVisible(bool(advice))
        self.link.setText(plain.button_text(link))
        self.link.setAccessibleName(link)
        self.link.setVisible(bool(link))
        self.setAccessibleName(f"{headline} {advice}".strip())
        self.setVisible(bool(headline))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground and the sign."""
        ink, painter = self._look.tokens.states[State.FAILED], QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ink.tint))
        ground = self.rect().toRectF().adjusted(paint.HALO, paint.HALO, -paint.HALO, -paint.HALO)
        painter.drawRoundedRect(ground, self._look.px(7), self._look.px(7))
        sign = paint.picture(self._look, "warning", ink.ink, 16, self)
        paint.draw_picture(painter, paint.HALO + self._look.px(10), paint.HALO + self._look.px(16), sign)
        painter.end()
