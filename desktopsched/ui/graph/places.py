"""Places: where the nodes and the links of a graph are. Values, no Qt. Lengths are in pixels."""

from msgspec import Struct


class Sizes(Struct, frozen=True, kw_only=True):
    """How large things are."""

    height: float = 42  # of a node
    lane: float = 9  # height that a link takes where it passes a column
    row_gap: float = 14
    lane_gap: float = 6  # above and below a lane
    below: float = 12  # more where weak links leave a node below, or reach one from above
    column_gap: float = 36
    column_gap_most: float = 110  # between columns with many links between them
    per_link: float = 2.5  # what each of those adds
    block_gap: float = 26  # between parts that are not linked


class Box(Struct, frozen=True):
    """The place of a node."""

    x: float
    y: float
    width: float
    height: float
    column: int


class Lane(Struct, frozen=True):
    """Where a long link passes a column: from `left` to `right` at the height `y`."""

    left: float
    right: float
    y: float


class Layout(Struct, frozen=True):
    """All places. The upper left corner is at 0, 0."""

    boxes: dict[str, Box]
    lanes: dict[tuple[str, str], tuple[Lane, ...]]
    width: float
    height: float
