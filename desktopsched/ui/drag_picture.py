"""The picture of what is dragged: a small card with the name of a task, or how many there are. UI thread."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap

from desktopsched.ui import icons
from desktopsched.ui.look import Look

_TALL, _PAD, _ICON, _GAP, _NAME_MOST = 30, 10, 16, 7, 240  # pixels, as drawn


def drag_picture(look: Look, icon: str, words: str, ratio: float) -> QPixmap:
    """As sharp as a screen of this many pixels to a pixel."""
    px, font = look.px, look.font(weight=QFont.Weight.DemiBold)
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, px(_NAME_MOST))
    left = px(_PAD + _ICON + _GAP)
    wide, tall = left + metrics.horizontalAdvance(shown) + px(_PAD), px(_TALL)
    found = QPixmap(round(wide * ratio), round(tall * ratio))
    found.setDevicePixelRatio(ratio)
    found.fill(Qt.GlobalColor.transparent)
    painter = QPainter(found)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(look.tokens.accent), 1))
    painter.setBrush(QColor(look.tokens.sel))
    painter.drawRoundedRect(QRectF(0.5, 0.5, wide - 1, tall - 1), px(6), px(6))
    picture = icons.pixmap(icon, look.tokens.accent, px(_ICON), ratio)
    painter.drawPixmap(px(_PAD), (tall - px(_ICON)) // 2, picture)
    painter.setFont(font)
    painter.setPen(QColor(look.tokens.text))
    painter.drawText(left, 0, wide - left, tall, Qt.AlignmentFlag.AlignVCenter, shown)
    painter.end()
    return found
