"""The item of a node: paints what a `Node` says, in the colours of the look. UI thread; paints and measures only."""

import enum
import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsRectItem, QStyleOptionGraphicsItem, QWidget

from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.graph.node import Node
from desktopsched.ui.graph.places import Box
from desktopsched.ui.look import Look
from desktopsched.ui.tokens import Tokens

TEXT_FROM, SHAPE_FROM = 0.45, 0.3
"""Zooms from which text can be read, and from which the shapes of nodes can be seen. Below that, `far` paints."""

LEAST, MOST = 134, 220
"""Widths of a node, as drawn."""

_LEFT, _RIGHT, _ICON, _RADIUS, _BAR = 31, 7, 15, 8, 3
_NAME_LINE, _SECOND_LINE = 18, 32.5  # base lines
_ICON_STEPS = 4  # icons are made for so many zooms from one to the double


class Emphasis(enum.Enum):
    """How much of a node is shown."""

    FULL = "full"
    CHOSEN = "chosen"
    FADED = "faded"  # not related to the chosen one
    WELCOME = "welcome"  # the link that is being drawn may end here
    REFUSED = "refused"  # and here it may not


class NodeItem(QGraphicsRectItem):
    """One node. Its place is the scene's affair; what it says is given to it.

    A rectangle, so that Qt knows its bounds: it asks for those of thousands at a time.
    """

    def __init__(self, look: Look, node: Node, box: Box) -> None:
        super().__init__(-2, -2, box.width + 4, box.height + 4)  # with its border
        self._look, self.node, self.box = look, node, box
        self.setPen(Qt.PenStyle.NoPen)
        self.emphasis = Emphasis.FULL
        self._shown = ("", "")  # the texts as they fit
        self.block = QRectF(box.x, box.y, box.width, box.height)
        self.setPos(box.x, box.y)
        self.setZValue(1)  # above all links

    def say(self, node: Node) -> bool:
        """Show this from now on. Whether it is anything else."""
        if node == self.node:
            return False
        self.node, self._shown = node, ("", "")
        self.update()
        return True

    def stress(self, emphasis: Emphasis) -> None:
        """Show it like this from now on."""
        if emphasis is not self.emphasis:
            self.emphasis = emphasis
            self.update()

    def dress(self) -> None:
        """Another look: measure again."""
        self._shown = ("", "")
        self.update()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,  # noqa: ARG002 - Qt's
        widget: QWidget | None = None,  # noqa: ARG002
    ) -> None:
        """As much as can be seen at this zoom."""
        tokens, colours = self._look.tokens, self._look.tokens.states[self.node.state]
        zoom, faded = painter.worldTransform().m11(), self.emphasis is Emphasis.FADED
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = QColor(tokens.base if faded else colours.tint)
        shape = QRectF(0.5, 0.5, self.box.width - 1, self.box.height - 1)
        radius = self._look.px(_RADIUS)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(shape, radius, radius)
        self._paint_bar(painter, tokens, shape)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._border(tokens))
        painter.drawRoundedRect(shape, radius, radius)
        if zoom >= TEXT_FROM:
            self._paint_icon(painter, fill, zoom)
            self._paint_texts(painter, tokens)

    def _border(self, tokens: Tokens) -> QPen:
        if self.emphasis in {Emphasis.CHOSEN, Emphasis.WELCOME}:
            return QPen(QColor(tokens.accent), 2.2)
        colours = tokens.states
        if self.emphasis is Emphasis.REFUSED:
            refused = colours[State.FAILED]
            return QPen(QColor(refused.bar), 2.2)
        faded = self.emphasis is Emphasis.FADED
        return QPen(QColor(tokens.line2 if faded else colours[self.node.state].bar), 1.2)

    def _paint_bar(self, painter: QPainter, tokens: Tokens, shape: QRectF) -> None:
        """How much of the usual time has passed, along the foot."""
        if self.node.share is None:
            return
        inner, radius = shape.adjusted(1.5, 1.5, -1.5, -1.5), self._look.px(_RADIUS) - 1.5
        clip = QPainterPath()
        clip.addRoundedRect(inner, radius, radius)
        painter.save()
        painter.setClipPath(clip, Qt.ClipOperation.IntersectClip)
        state = State.READY if self.node.late else State.RUNNING
        bar = tokens.states[state].bar
        height = self._look.px(_BAR)
        painter.fillRect(
            QRectF(inner.left(), inner.bottom() - height, inner.width() * self.node.share, height),
            QColor(bar),
        )
        painter.restore()

    def _paint_icon(self, painter: QPainter, fill: QColor, zoom: float) -> None:
        size, device = self._look.px(_ICON), painter.device()
        ratio = device.devicePixelRatio() * max(round(zoom * _ICON_STEPS), 1) / _ICON_STEPS
        ink = self._look.tokens.states[self.node.state].ink
        cut = fill.name() if self._look.tokens.dark else self._look.tokens.cut
        picture = icons.pixmap(f"state-{self.node.state.value}", ink, size, ratio, cut)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        spot = QRectF(self._look.px(9), self._look.px(8), size, size)
        painter.drawPixmap(spot, picture, QRectF(picture.rect()))

    def _paint_texts(self, painter: QPainter, tokens: Tokens) -> None:
        name_font, line_font = fonts(self._look)
        if not any(self._shown):
            room = self.box.width - self._look.px(_LEFT) - self._look.px(_RIGHT)
            self._shown = (
                _fitting(self.node.name, name_font, room),
                _fitting(self.node.line, line_font, room),
            )
        faded = self.emphasis is Emphasis.FADED
        left = self._look.px(_LEFT)
        painter.setFont(name_font)
        painter.setPen(QColor(tokens.text2 if faded else tokens.text))
        painter.drawText(QPointF(left, self._look.px(_NAME_LINE)), self._shown[0])
        painter.setFont(line_font)
        painter.setPen(QColor(tokens.text3 if faded else tokens.text2))
        painter.drawText(QPointF(left, self._look.px(_SECOND_LINE)), self._shown[1])


def fonts(look: Look) -> tuple[QFont, QFont]:
    """Of the name, and of the line below it."""
    return look.font(12, QFont.Weight.DemiBold), look.font(11)


def width_for(name: str, metrics: QFontMetricsF, look: Look) -> float:
    """How wide a node with this name is. Of a name that is cut anyway, only the beginning is measured."""
    wide = metrics.horizontalAdvance(name[:80]) + look.px(_LEFT) + look.px(_RIGHT)
    return math.ceil(min(max(wide + 1, look.px(LEAST)), look.px(MOST)))


def _fitting(text: str, font: QFont, room: float) -> str:
    line = " ".join(text.split())
    return QFontMetricsF(font).elidedText(line, Qt.TextElideMode.ElideRight, room)
