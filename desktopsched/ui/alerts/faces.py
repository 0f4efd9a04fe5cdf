"""Small parts that cards are made of: texts that fit, and the button with its ring. UI thread."""

import re

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolButton

from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look

_UNBROKEN = re.compile(r"\S{24}")
_RING = 4  # pixels round the button: two of ground, two of ring


def fitting(text: str, most: int) -> str:
    """A text that can be wrapped everywhere it must, and is no longer than `most` characters."""
    short = text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
    return _UNBROKEN.sub(lambda found: f"{found[0]}\u200b", short)


def wrapped(text: str, font: QFont, name: str, most: int) -> QLabel:
    """A label of several lines; the whole text is in its tool tip where it was cut."""
    label = plain.label(fitting(text, most), font, name)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    if len(text) > most:
        label.setToolTip(plain.tip(text))
    return label


def line(text: str, font: QFont, name: str, width: int) -> QLabel:
    """A label of one line, cut short by an ellipsis where it does not fit."""
    first = " ".join(text.split())
    shown = QFontMetrics(font).elidedText(first, Qt.TextElideMode.ElideRight, width)
    label = plain.label(shown, font, name)
    if shown != first:
        label.setToolTip(plain.tip(text))
    return label


def close_button(look: Look) -> QToolButton:
    """The cross at the upper right."""
    button = QToolButton()
    button.setObjectName("cross")
    dress_close_button(button, look)
    button.setAccessibleName("Close")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def dress_close_button(button: QToolButton, look: Look) -> None:
    """In the colours of now."""
    button.setIcon(look.icon("close", look.tokens.text3))
    button.setIconSize(QSize(look.px(13), look.px(13)))


class RingButton(QPushButton):
    """The primary button of a card, as wide as it; a ring stands off from it while it has the focus."""

    def __init__(self, look: Look, words: str, icon: str) -> None:
        super().__init__(words)
        self._look, self._icon = look, icon
        self.setFont(look.font(weight=QFont.Weight.DemiBold))
        self.setFixedHeight(look.px(32) + 2 * look.px(_RING))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Face, icon, words, ring."""
        look, tokens, ring = self._look, self._look.tokens, self._look.px(_RING)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        face = QRectF(self.rect()).adjusted(ring, ring, -ring, -ring)
        if self.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), ring / 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            out = ring * 0.75
            painter.drawRoundedRect(face.adjusted(-out, -out, out, out), look.px(9), look.px(9))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent_h if self.underMouse() else tokens.accent_fill))
        painter.drawRoundedRect(face, look.px(6), look.px(6))
        self._paint_words(painter, face)
        painter.end()

    def _paint_words(self, painter: QPainter, face: QRectF) -> None:
        look, size = self._look, self._look.px(14)
        metrics = QFontMetrics(self.font())
        width = size + look.px(6) + metrics.horizontalAdvance(self.text())
        left = face.center().x() - width / 2
        picture = icons.pixmap(self._icon, look.tokens.on_accent, size, self.devicePixelRatioF())
        painter.drawPixmap(round(left), round(face.center().y() - size / 2), picture)
        painter.setPen(QColor(look.tokens.on_accent))
        painter.setFont(self.font())
        place = face.adjusted(left - face.left() + size + look.px(6), 0, 0, 0)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
