"""The ground of the graph: dots that move and grow with what stands on it. UI thread; paints only."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPixmap, QTransform

from desktopsched.ui.look import Look

_PITCH, _RADIUS = 16.0, 0.7
_LEAST = 0.5  # the zoom below which dots would be a grey haze


def paint(painter: QPainter, view: QRect, transform: QTransform, look: Look) -> None:
    """Fill the view, whose items stand as `transform` says."""
    painter.save()
    painter.resetTransform()
    painter.fillRect(view, QColor(look.tokens.log))
    if transform.m11() >= _LEAST:
        ratio = painter.device().devicePixelRatio()
        pitch = look.px(_PITCH) * transform.m11()
        brush = QBrush(_tile(pitch * ratio, _RADIUS * ratio * max(transform.m11(), 1.0), look.tokens.line2))
        side = brush.texture().width()
        brush.setTransform(
            QTransform.fromTranslate(transform.dx(), transform.dy()).scale(pitch / side, pitch / side)
        )
        painter.fillRect(view, brush)
    painter.restore()


def _tile(side: float, radius: float, colour: str) -> QPixmap:
    """One dot in the middle of its square."""
    whole = max(round(side), 2)
    tile = QPixmap(whole, whole)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    middle = whole / 2
    painter.drawEllipse(QRectF(middle - radius, middle - radius, 2 * radius, 2 * radius))
    painter.end()
    return tile
