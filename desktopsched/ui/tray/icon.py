"""The icon in the panel: the product's mark, and what it carries. Drawn by us: no theme can lack it. UI thread."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPolygonF

from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.tokens import DARK, LIGHT
from desktopsched.ui.tray.state import Sign

SIZES = (16, 22, 24, 32, 48, 64)
_BADGE = 0.56  # of the icon's width
_HALO = 0.14  # of the badge's width, cut out of the mark round it, whatever the panel's colour
_RUNNING = "#3F9CF0"
_OCTAGON = ((0.3, 0), (0.7, 0), (1, 0.3), (1, 0.7), (0.7, 1), (0.3, 1), (0, 0.7), (0, 0.3))


@lru_cache(maxsize=8)
def tray_icon(sign: Sign) -> QIcon:
    """The icon for a state, in all sizes that panels ask for."""
    found = QIcon()
    for size in SIZES:
        found.addPixmap(_picture(sign, size))
    return found


def _picture(sign: Sign, size: int) -> QPixmap:
    picture = QPixmap(icons.mark_picture(size))
    if sign is Sign.CALM:
        return picture
    side = size * _BADGE
    badge = QRectF(size - side, size - side, side, side)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(Qt.GlobalColor.transparent)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    halo = side * _HALO
    painter.drawEllipse(badge.adjusted(-halo, -halo, halo, halo))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    _PAINT[sign](painter, badge)
    painter.end()
    return picture


def _dot(painter: QPainter, badge: QRectF) -> None:
    painter.setBrush(QColor(_RUNNING))
    painter.drawEllipse(badge.adjusted(0.5, 0.5, -0.5, -0.5))


def _octagon(painter: QPainter, badge: QRectF) -> None:
    painter.setBrush(QColor(LIGHT.states[State.FAILED].bar))
    side = badge.width()
    corners = [QPointF(badge.left() + x * side, badge.top() + y * side) for x, y in _OCTAGON]
    painter.drawPolygon(QPolygonF(corners))


def _bars(painter: QPainter, badge: QRectF) -> None:
    """Light, with a dark edge: seen on a panel of any colour."""
    wide, high = badge.width() * 0.36, badge.height()
    for left in (badge.left(), badge.right() - wide):
        painter.setBrush(QColor(LIGHT.text))
        painter.drawRoundedRect(QRectF(left, badge.top(), wide, high), 1, 1)
        painter.setBrush(QColor(DARK.states[State.READY].ink))
        edge = max(high * 0.08, 0.5)
        painter.drawRoundedRect(
            QRectF(left, badge.top(), wide, high).adjusted(edge, edge, -edge, -edge), 1, 1
        )


_PAINT = {Sign.RUNNING: _dot, Sign.FAILED: _octagon, Sign.PAUSED: _bars}
