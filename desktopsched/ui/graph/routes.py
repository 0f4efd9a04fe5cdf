"""Routes: the curve of each link, from its node along its lanes to the other. Pure, no Qt."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from desktopsched.model import On
from desktopsched.ui.graph.links import Link
from desktopsched.ui.graph.places import Box, Lane, Layout

_PORT = 7.0  # between the ends of two links at one node, where there is room
_INSET = 18.0  # from the right end of a node to where a link leaves its lower side
_BELOW = 6.0  # a link leaves by the lower side only if it goes at least so far down
_UNDER = 12.0  # a link from the lower side passes below the first lane there
_BEND = 0.5  # of the way across, where a curve turns

Point = tuple[float, float]


class Route(Struct, frozen=True):
    """A curve: where it begins, and its cubic pieces, each as two control points and its end."""

    start: Point
    pieces: tuple[tuple[Point, Point, Point], ...]

    @property
    def end(self) -> Point:
        """Where the head of the arrow points to; the curve arrives there level."""
        return self.pieces[-1][2]


def routes(layout: Layout, links: Iterable[Link], head: float = 0.0) -> dict[tuple[str, str], Route]:
    """The curves of all links between nodes of the layout; they end `head` before the node."""
    boxes = layout.boxes
    shown = [link for link in links if link.parent in boxes and link.child in boxes]
    ports = _ports(layout, shown)
    return {
        (link.parent, link.child): _route(
            link, boxes, layout.lanes.get((link.parent, link.child), ()), ports[link.parent, link.child], head
        )
        for link in shown
    }


def _ports(layout: Layout, links: Sequence[Link]) -> dict[tuple[str, str], float]:
    """How far below the upper side of its child each link ends: in the order in which they come from above."""
    coming: dict[str, list[tuple[float, str]]] = {}
    for link in links:
        box, lanes = layout.boxes[link.parent], layout.lanes.get((link.parent, link.child), ())
        level = lanes[-1].y if lanes else box.y + box.height / 2
        if not lanes and link.on is On.FAILURE and layout.boxes[link.child].y > box.y + box.height:
            level = box.y + box.height + _UNDER
        coming.setdefault(link.child, []).append((level, link.parent))
    found = {}
    for child, parents in coming.items():
        height = layout.boxes[child].height
        step = min(_PORT, (height - 2 * _PORT) / max(len(parents) - 1, 1))
        first = height / 2 - step * (len(parents) - 1) / 2
        for at, (_, parent) in enumerate(sorted(parents, key=lambda one: one[0])):
            found[parent, child] = first + at * step
    return found


def _route(link: Link, boxes: Mapping[str, Box], lanes: Sequence[Lane], port: float, head: float) -> Route:
    box, target = boxes[link.parent], boxes[link.child]
    ways = [*((lane.left, lane.right, lane.y) for lane in lanes), (target.x - head, None, target.y + port)]
    pieces: list[tuple[Point, Point, Point]] = []
    bottom, level = box.y + box.height, ways[0][2]
    if link.on is On.FAILURE and level > bottom + _BELOW:
        at = start = (box.x + box.width - min(_INSET, box.width / 2), bottom)
        left = ways[0][0]
        pieces.append(
            (
                (at[0], (bottom + level) / 2 + (level - bottom) / 4),
                (at[0] + (left - at[0]) * 0.3, level),
                (left, level),
            )
        )
        at = (left, level)
        ways[0] = (left, ways[0][1], level)
    else:
        at = start = (box.x + box.width, box.y + box.height / 2)
        pieces.append(_level(at, (ways[0][0], level)))
        at = (ways[0][0], level)
    for (_, right, height), (left, _, following) in pairwise(ways):
        if right is not None:
            at = (right, height)
            pieces.append(_level(pieces[-1][2], at))
        pieces.append(_level(at, (left, following)))
    return Route(start, tuple(pieces))


def _level(start: Point, end: Point) -> tuple[Point, Point, Point]:
    """A piece that leaves and arrives level."""
    across = (end[0] - start[0]) * _BEND
    return (start[0] + across, start[1]), (end[0] - across, end[1]), end
