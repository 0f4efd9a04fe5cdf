"""The item of a link: a curve with a head; its kind is told by dashes and colour. UI thread; paints only."""

import enum
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem, QStyleOptionGraphicsItem, QWidget

from desktopsched.model import On, State
from desktopsched.ui.graph.links import Link
from desktopsched.ui.graph.routes import Route
from desktopsched.ui.look import Look
from desktopsched.ui.tokens import Tokens

HEAD, GAP = 4.0, 2.5
"""Pixels, as drawn: how far the head of an arrow reaches beyond its curve, and from there to the node."""

_REACH = 9.0  # how near the pointer must come to a link
_DASHES = {On.SUCCESS: (), On.FAILURE: (5.0, 4.0), On.FINISH: (0.1, 4.5)}
_FINISH_WIDTH = 2.2  # of dots, which are as large as the line is wide
_PIECES_MOST = 24
_FADED = 0.45
_PLAIN, _RELATED = 1.3, 2.0


class Weight(enum.Enum):
    """How much of a link is shown."""

    PLAIN = "plain"  # nothing is chosen
    RELATED = "related"  # between the chosen one and what it waits for, or what waits for it
    FADED = "faded"
    CHOSEN = "chosen"  # itself


class LinkItem(QGraphicsPathItem):
    """One link."""

    def __init__(self, look: Look, link: Link, route: Route) -> None:
        super().__init__()
        self._look, self.link, self._route = look, link, route
        self.lines = _from_afar(route)
        self.weight = Weight.PLAIN
        path = QPainterPath(QPointF(*route.start))
        for first, second, end in route.pieces:
            path.cubicTo(QPointF(*first), QPointF(*second), QPointF(*end))
        self.setPath(path)
        more = self._look.px(HEAD) + 2  # beyond every pen
        self._bounds = path.controlPointRect().adjusted(-more, -more, more, more)
        self.dress()

    def stress(self, weight: Weight) -> None:
        """Show it like this from now on."""
        if weight is not self.weight:
            self.weight = weight
            self.setZValue(0.5 if weight in {Weight.RELATED, Weight.CHOSEN} else 0)
            self.dress()

    def dress(self) -> None:
        """Take the pen for its kind, its weight and the look."""
        self.setPen(pen(self._look, self.link.on, self.weight))

    def boundingRect(self) -> QRectF:
        """The curve and the head."""
        return self._bounds

    def shape(self) -> QPainterPath:
        """What can be clicked: more than the line."""
        stroker = QPainterPathStroker()
        stroker.setWidth(_REACH)
        return stroker.createStroke(self.path())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,  # noqa: ARG002 - Qt's
        widget: QWidget | None = None,  # noqa: ARG002
    ) -> None:
        """The curve and its head."""
        line = self.pen()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(line)
        painter.drawPath(self.path())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(line.color())
        painter.drawPolygon(arrow(QPointF(*self._route.end), self._look.px(HEAD)))


def _from_afar(route: Route) -> list[QLineF]:
    """Straight lines along the lanes; of a very long link one line across, as there are many pieces in such a graph."""
    ends = [route.start, *(end for _, _, end in route.pieces)] if len(route.pieces) <= _PIECES_MOST else []
    points = [QPointF(*one) for one in (ends or (route.start, route.end))]
    return [QLineF(one, other) for one, other in pairwise(points)]


def pen(look: Look, on: On, weight: Weight) -> QPen:
    """The pen for a kind of link."""
    return _pen(_colour(look.tokens, on, weight), on, weight)


@lru_cache(maxsize=64)
def _pen(ink: str, on: On, weight: Weight) -> QPen:
    """Thousands of links have the same few."""
    colour = QColor(ink)
    if weight is Weight.FADED:
        colour.setAlphaF(_FADED)
    strong = weight in {Weight.RELATED, Weight.CHOSEN}
    width = _FINISH_WIDTH if on is On.FINISH else _RELATED if strong else _PLAIN
    found = QPen(colour, width + (1 if weight is Weight.CHOSEN else 0))
    if dashes := _DASHES[on]:
        found.setDashPattern([part / found.widthF() for part in dashes])
        found.setCapStyle(Qt.PenCapStyle.RoundCap)
    else:
        found.setCapStyle(Qt.PenCapStyle.FlatCap)
    return found


def _colour(tokens: Tokens, on: On, weight: Weight) -> str:
    if on is On.FAILURE:
        return tokens.states[State.FAILED].ink
    if weight is Weight.CHOSEN or (weight is Weight.RELATED and on is On.SUCCESS):
        return tokens.accent
    return tokens.text3 if on is On.FINISH else tokens.text2


def arrow(end: QPointF, size: float) -> QPolygonF:
    """The head: it points to the right, where all links go."""
    back = size * 0.55
    return QPolygonF(
        [end + QPointF(-back, -size * 0.8), end + QPointF(size, 0), end + QPointF(-back, size * 0.8)]
    )
