"""Drawing a link: from the edge of a node to another one; where it may not end is said while it hovers. UI thread."""

import enum
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsScene

from desktopsched.model import On, State
from desktopsched.ui.graph.link_item import Weight, pen
from desktopsched.ui.graph.node_item import Emphasis, NodeItem
from desktopsched.ui.look import Look

EDGE = 9
"""Pixels, as drawn, of a node's side from which a link can be drawn."""

Refusal = Callable[[str, str], str]
"""Why the second task cannot wait for the first, or nothing."""


class Side(enum.Enum):
    """Where a node was taken: what waits for it stands at its right, what it waits for at its left."""

    LEFT = "left"
    RIGHT = "right"


def side_at(item: NodeItem, at: QPointF, look: Look) -> Side | None:
    """The side of the node at this point of the scene, if it is one."""
    edge, x = look.px(EDGE), at.x() - item.x()
    if x >= item.box.width - edge:
        return Side.RIGHT
    return Side.LEFT if x <= edge else None


class LinkDrag:
    """One link while it is drawn."""

    def __init__(self, look: Look, source: NodeItem, side: Side, refusal: Refusal) -> None:
        self._look, self.source, self._side, self._refusal = look, source, side, refusal
        self._target: NodeItem | None = None
        self.refused = ""
        self._line = QGraphicsPathItem()
        self._line.setZValue(2)
        self._line.setPen(self._pen())
        scene = source.scene()
        assert scene is not None  # noqa: S101 - it was pressed there
        self._scene: QGraphicsScene = scene
        scene.addItem(self._line)

    @property
    def pair(self) -> tuple[str, str] | None:
        """Parent and child, as things are; None where no link can be made."""
        return None if self._target is None or self.refused else self._ids(self._target)

    def _ids(self, target: NodeItem) -> tuple[str, str]:
        own, other = self.source.node.task_id, target.node.task_id
        return (own, other) if self._side is Side.RIGHT else (other, own)

    def move(self, at: QPointF, over: NodeItem | None) -> str:
        """Follow the pointer. Why the link may not end here, or nothing."""
        target = over if over is not self.source else None
        if target is not self._target:
            self._leave()
            self._target = target
            self.refused = self._refusal(*self._ids(target)) if target is not None else ""
            if target is not None:
                target.stress(Emphasis.REFUSED if self.refused else Emphasis.WELCOME)
            self._line.setPen(self._pen())
        self._line.setPath(self._path(at))
        return self.refused

    def end(self) -> None:
        """Take the line away."""
        self._leave()
        self._scene.removeItem(self._line)

    def _leave(self) -> None:
        emphasis = getattr(self._scene, "emphasis", None)
        if self._target is not None and emphasis is not None:
            self._target.stress(emphasis(self._target.node.task_id))

    def _pen(self) -> QPen:
        found = QPen(pen(self._look, On.SUCCESS, Weight.RELATED))
        if self.refused:
            found.setColor(self._look.tokens.states[State.FAILED].bar)
        return found

    def _path(self, at: QPointF) -> QPainterPath:
        box = QRectF(self.source.x(), self.source.y(), self.source.box.width, self.source.box.height)
        forward = self._side is Side.RIGHT
        start = QPointF(box.right() if forward else box.left(), box.center().y())
        bend = max(abs(at.x() - start.x()) / 2, 20) * (1 if forward else -1)
        path = QPainterPath(start)
        path.cubicTo(start + QPointF(bend, 0), at - QPointF(bend, 0), at)
        return path
