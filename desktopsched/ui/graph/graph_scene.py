"""The scene: the items of one plan, and which of them are stressed. UI thread.

Another plan is another scene: it is filled in slices beside the one that is shown, so nothing waits for a large one.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer
from PySide6.QtWidgets import QGraphicsScene

from desktopsched.ui.graph.link_item import LinkItem, Weight
from desktopsched.ui.graph.links import Links
from desktopsched.ui.graph.node import Node
from desktopsched.ui.graph.node_item import Emphasis, NodeItem
from desktopsched.ui.graph.plan import Plan
from desktopsched.ui.look import Look

_SLICE = 40  # items, between two looks at the clock
_WORTH = 0.012
"""Seconds of the UI thread that one slice may take."""

_NOWHERE = QPointF(-1e6, -1e6)
_DEPTH = 10
"""How often the plane is halved to find items: the same from the first to the last, or Qt would sort in all anew."""

_MARGIN_X, _MARGIN_Y = 12, 14  # beside the frame of the view, which is 2


class GraphScene(QGraphicsScene):
    """Nodes and links by their ids."""

    def __init__(self, look: Look, plan: Plan, links: Links, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look, self.plan, self.links = look, plan, links
        self.nodes: dict[str, NodeItem] = {}
        self.curves: dict[tuple[str, str], LinkItem] = {}
        self.chosen = ""
        self._lit: frozenset[str] = frozenset()
        self._stressing: Iterator[None] = iter(())
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._stress_some)
        self.setBspTreeDepth(_DEPTH)
        x, y = look.px(_MARGIN_X), look.px(_MARGIN_Y)
        self.setSceneRect(QRectF(-x, -y, plan.layout.width + 2 * x, plan.layout.height + 2 * y))

    def fill(self, node_of: Callable[[str], Node]) -> Iterator[None]:
        """Make the items, a slice at a time."""
        for at, (task_id, box) in enumerate(self.plan.layout.boxes.items()):
            self.nodes[task_id] = item = NodeItem(self._look, node_of(task_id), box)
            self.addItem(item)
            if at % _SLICE == _SLICE - 1:
                self._find_places()
                yield
        for at, link in enumerate(self.plan.links):
            pair = link.parent, link.child
            self.curves[pair] = curve = LinkItem(self._look, link, self.plan.routes[pair])
            self.addItem(curve)
            if at % _SLICE == _SLICE - 1:
                self._find_places()
                yield

    def _find_places(self) -> None:
        """Let Qt sort in what is new: it would do so for thousands of items at the first paint."""
        self.items(_NOWHERE)

    def say(self, nodes: Iterable[Node]) -> None:
        """What these nodes show from now on."""
        for node in nodes:
            if item := self.nodes.get(node.task_id):
                item.say(node)

    def dress(self) -> None:
        """Another look."""
        for node in self.nodes.values():
            node.dress()
        for curve in self.curves.values():
            curve.dress()
        self.update()

    # --- what is stressed ----------------------------------------------------------------------------------

    def choose(self, task_id: str) -> None:
        """Show this one and its relatives in full, the others faded; an unknown id shows all alike.

        What stood out before and what does now are shown so at once, of thousands the others within a moment.
        """
        self.chosen = task_id if task_id in self.nodes else ""
        before = self.links.ancestors(self.chosen) if self.chosen else frozenset()
        after = self.links.descendants(self.chosen) if self.chosen else frozenset()
        stood_out, self._lit = self._lit, before | after | {self.chosen}
        for one in (stood_out | self._lit) & self.nodes.keys():
            self.nodes[one].stress(self.emphasis(one))
        # A way from the chosen one, or to it; two relatives may have links of their own beside it.
        self._stressing = self._stress(before | {self.chosen}, after | {self.chosen})
        self._stress_some()

    def _stress(self, before: Collection[str], after: Collection[str]) -> Iterator[None]:
        """Show all of them as they are to be shown, a slice at a time."""
        for at, (one, node) in enumerate(self.nodes.items()):
            node.stress(self.emphasis(one))
            if at % _SLICE == _SLICE - 1:
                yield
        for at, ((parent, child), curve) in enumerate(self.curves.items()):
            on_the_way = (parent in before and child in before) or (parent in after and child in after)
            faded = Weight.RELATED if on_the_way else Weight.FADED
            curve.stress(faded if self.chosen else Weight.PLAIN)
            if at % _SLICE == _SLICE - 1:
                yield

    def _stress_some(self) -> None:
        end = time.monotonic() + _WORTH
        for _ in self._stressing:
            if time.monotonic() > end:
                self._slices.start()
                return
        self._slices.stop()

    def emphasis(self, task_id: str) -> Emphasis:
        """How a node is shown when nothing is drawn to it."""
        if task_id == self.chosen:
            return Emphasis.CHOSEN
        return Emphasis.FULL if not self.chosen or task_id in self._lit else Emphasis.FADED
