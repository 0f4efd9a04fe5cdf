"""How the form's own controls are drawn: boxes with a round edge, a halo when they have the focus. UI thread."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.look import Look

HALO = 2
"""Pixels round each control in which its focus shows: widgets are that much larger than what they draw."""

FIELD = 28  # pixels, as drawn: the height of a field


def height(look: Look) -> int:
    """The height of a control with its halo."""
    return look.px(FIELD) + 2 * HALO


def inner(widget: QWidget) -> QRectF:
    """Where a control draws its edge: half a pixel in, so that a line of one pixel is sharp."""
    return QRectF(widget.rect()).adjusted(HALO + 0.5, HALO + 0.5, -HALO - 0.5, -HALO - 0.5)


def pen(colour: str, width: float = 1) -> QPen:
    """A line."""
    return QPen(QColor(colour), width)


def box(
    painter: QPainter, where: QRectF, look: Look, *, focus: bool, wrong: bool = False, enabled: bool = True
) -> None:
    """A field: at rest, with the focus, with a mistake in it; with both, the ring is that of the focus."""
    t = look.tokens
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = look.px(6)
    if focus or wrong:
        halo = t.states[State.FAILED].tint if not focus else t.accent if wrong else t.sel_line
        painter.setPen(pen(halo, HALO))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(where.adjusted(-1.5, -1.5, 1.5, 1.5), radius + 1.5, radius + 1.5)
    edge = t.states[State.FAILED].ink if wrong else t.accent if focus else t.ctl if enabled else t.line2
    painter.setPen(pen(edge))
    painter.setBrush(QColor(t.base))
    painter.drawRoundedRect(where, radius, radius)


def ring(painter: QPainter, where: QRectF, look: Look, radius: float) -> None:
    """The focus of what is no field: a ring of two pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(look.tokens.accent, HALO))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(where, radius, radius)


def picture(look: Look, name: str, colour: str, size: float, widget: QWidget) -> QPixmap:
    """An icon, as sharp as the widget's screen."""
    return icons.pixmap(name, colour, look.px(size), widget.devicePixelRatioF(), look.tokens.base)


def draw_picture(painter: QPainter, left: float, middle: float, found: QPixmap) -> None:
    """Draw an icon by its left edge and its middle, on whole pixels."""
    tall = found.height() / found.devicePixelRatio()
    painter.drawPixmap(QPointF(round(left), round(middle - tall / 2)), found)
