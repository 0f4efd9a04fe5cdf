"""The graph from afar: blocks in the colours of states, and thin lines, a few calls for thousands. Paints only.

Items paint themselves where they can be read; from afar their number is what costs.
"""

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform

from desktopsched.ui.graph.graph_scene import GraphScene
from desktopsched.ui.graph.node_item import Emphasis
from desktopsched.ui.look import Look


def paint(painter: QPainter, view: QRect, transform: QTransform, scene: GraphScene, look: Look) -> None:
    """Everything in the view, whose items stand as `transform` says."""
    painter.fillRect(view, QColor(look.tokens.log))
    painter.setTransform(transform)
    seen = transform.inverted()[0].mapRect(QRectF(view))
    _paint_links(painter, scene)
    tokens = look.tokens
    blocks: dict[str, list[QRectF]] = {}
    chosen: QRectF | None = None
    for item in scene.nodes.values():
        if seen.intersects(item.block):
            faded = item.emphasis is Emphasis.FADED
            blocks.setdefault(tokens.line2 if faded else tokens.states[item.node.state].bar, []).append(
                item.block
            )
            if item.emphasis is Emphasis.CHOSEN:
                chosen = item.block
    painter.setPen(Qt.PenStyle.NoPen)
    for colour, rects in blocks.items():
        painter.setBrush(QColor(colour))
        painter.drawRects(rects)
    if chosen is not None:
        ring = QPen(QColor(tokens.accent), 2)
        ring.setCosmetic(True)
        painter.setPen(ring)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(chosen)


def _paint_links(painter: QPainter, scene: GraphScene) -> None:
    lines: dict[tuple[float, int], list[QLineF]] = {}
    for curve in scene.curves.values():
        lines.setdefault((curve.zValue(), curve.pen().color().rgba()), []).extend(curve.lines)
    for (_, colour), drawn in sorted(lines.items()):  # what is stressed comes last
        painter.setPen(QPen(QColor.fromRgba(colour), 0))
        painter.drawLines(drawn)
