"""Walking the graph by arrows: along links to the right and left, within a column up and down. Pure, no Qt."""

import enum

from desktopsched.ui.graph.links import Links
from desktopsched.ui.graph.places import Box
from desktopsched.ui.graph.plan import Plan


class Step(enum.Enum):
    """Where to."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"


def walk(plan: Plan, links: Links, start: str, step: Step) -> str:
    """The node that a step leads to; the same one where there is none. Without a start the first of all."""
    boxes = plan.layout.boxes
    if start not in boxes:
        return min(boxes, key=lambda one: (boxes[one].column, boxes[one].y), default="")
    here = boxes[start]
    if step in {Step.LEFT, Step.RIGHT}:
        found = (
            [link.child for link in links.below(start)]
            if step is Step.RIGHT
            else [link.parent for link in links.above(start)]
        )
        near = [one for one in found if one in boxes]
        return min(near, key=lambda one: _away(boxes[one], here), default=start)
    down = step is Step.DOWN
    ahead = [
        one
        for one, box in boxes.items()
        if box.column == here.column and (box.y > here.y if down else box.y < here.y)
    ]
    return min(ahead, key=lambda one: abs(boxes[one].y - here.y), default=start)


def _away(box: Box, here: Box) -> tuple[float, int]:
    """A straight link first, then the shorter one."""
    return abs(box.y - here.y), abs(box.column - here.column)
