"""The layout: places for linked tasks, layers from left to right. Pure, no Qt: it may take its time in another thread.

After Sugiyama, Tagawa and Toda (1981): longest paths make the columns, links that pass a column get a lane in it,
sweeps by barycentres order each column, and each cell then moves as near to its neighbours as its order lets it. The
same list gives the same picture. Lengths are in pixels.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from desktopsched.ui.graph.places import Box, Lane, Layout, Sizes

_SWEEPS, _PULLS = 8, 6
_LARGE, _PULLS_LARGE = 4_000, 2
"""So many cells are laid out with fewer pulls: nobody sees the difference, and everybody waits."""

_FIRM = 1_000.0
"""How much more a node with a strong link weighs than a lane: lanes make way, so that chains are straight."""


def lay_out(
    widths: Mapping[str, float],
    strong: Sequence[tuple[str, str]],
    weak: Sequence[tuple[str, str]] = (),
    sizes: Sizes | None = None,
) -> Layout:
    """Places for nodes of these widths. `strong` links are kept straight where possible, `weak` ones follow."""
    sizes = sizes or Sizes()
    number = {one: at for at, one in enumerate(widths)}
    links: dict[tuple[int, int], bool] = {}
    for pairs, is_strong in ((strong, True), (weak, False)):
        for parent, child in pairs:
            if parent in number and child in number and parent != child:
                links.setdefault((number[parent], number[child]), is_strong)
    columns = _columns(len(number), links)
    links = {pair: kind for pair, kind in links.items() if columns[pair[0]] < columns[pair[1]]}
    grid = _Grid(columns, links, sizes)
    top = 0.0
    for part in grid.parts():
        bottom = part.place(top)
        top = bottom + sizes.block_gap
    return _measured(list(widths), list(widths.values()), grid, sizes)


def _columns(count: int, links: Mapping[tuple[int, int], bool]) -> list[int]:
    """The column of each node: the longest way to it. Of a loop one link is ignored."""
    below: list[list[int]] = [[] for _ in range(count)]
    waits = [0] * count
    for parent, child in links:
        below[parent].append(child)
        waits[child] += 1
    columns, done = [0] * count, [False] * count
    ready, first = [one for one in range(count) if not waits[one]], 0
    while True:
        for one in ready:
            done[one] = True
            for child in below[one]:
                waits[child] -= 1
                if not done[child]:
                    columns[child] = max(columns[child], columns[one] + 1)
                    if not waits[child]:
                        ready.append(child)
        while first < count and done[first]:
            first += 1
        if first == count:
            return columns
        ready = [first]


class _Grid:
    """Cells in columns: first the nodes by their numbers, then the lanes."""

    def __init__(self, columns: list[int], links: Mapping[tuple[int, int], bool], sizes: Sizes) -> None:
        self.nodes, self.column, self.sizes = len(columns), list(columns), sizes
        self.before: list[list[int]] = [[] for _ in columns]  # by cell: its neighbours in the column before
        self.after: list[list[int]] = [[] for _ in columns]
        self.firm_before: list[list[int]] = [
            [] for _ in columns
        ]  # those of them that it is kept straight with
        self.firm_after: list[list[int]] = [[] for _ in columns]
        self.lanes: dict[tuple[int, int], list[int]] = {}
        for (parent, child), strong in links.items():
            self.lanes[parent, child] = lanes = [
                self._lane(at) for at in range(columns[parent] + 1, columns[child])
            ]
            path = [parent, *lanes, child]
            for at, (one, other) in enumerate(pairwise(path)):
                self.after[one].append(other)
                self.before[other].append(one)
                if strong or 0 < at < len(path) - 2:  # a lane is straight, whatever the kind of its link
                    self.firm_after[one].append(other)
                    self.firm_before[other].append(one)
        self.place = [0.0] * len(self.column)  # by cell: how many stand above it in its column
        self.y = [0.0] * len(self.column)

    def _lane(self, column: int) -> int:
        self.column.append(column)
        for near in (self.before, self.after, self.firm_before, self.firm_after):
            near.append([])
        return len(self.column) - 1

    def weakly_left(self, one: int) -> bool:
        """Whether links of both kinds leave this node."""
        return one < self.nodes and 0 < len(self.firm_after[one]) < len(self.after[one])

    def weakly_reached(self, one: int) -> bool:
        """Whether only weak links reach this node."""
        return one < self.nodes and bool(self.before[one]) and not self.firm_before[one]

    def parts(self) -> "list[_Part]":
        """The parts that are not linked with each other, in the order of their first nodes."""
        seen, found = [False] * len(self.column), []
        for start in range(self.nodes):
            if seen[start]:
                continue
            seen[start], members = True, [start]
            for one in members:
                for other in (*self.before[one], *self.after[one]):
                    if not seen[other]:
                        seen[other] = True
                        members.append(other)
            found.append(_Part(self, sorted(members)))
        return found


class _Part:
    """One connected part of the grid."""

    def __init__(self, grid: _Grid, members: list[int]) -> None:
        self.grid = grid
        self.rows: list[list[int]] = [[] for _ in range(1 + max(grid.column[one] for one in members))]
        for one in members:
            self.rows[grid.column[one]].append(one)
        self.size = len(members)

    def place(self, top: float) -> float:
        """Give each cell its height, from `top` down. Returns the lower end."""
        self._order()
        self._stack()
        for _ in range(_PULLS if self.size < _LARGE else _PULLS_LARGE):
            self._pull(self.rows[-2::-1], self.grid.after, self.grid.firm_after)
            self._pull(self.rows[1:], self.grid.before, self.grid.firm_before)
        members = [one for row in self.rows for one in row]
        y, half = self.grid.y, self._half
        shift = top - min(y[one] - half(one) for one in members)
        for one in members:
            y[one] = round(y[one] + shift)
        return max(y[one] + half(one) for one in members)

    def _order(self) -> None:
        """Sweep to the right by what is before, and back by what is after. Equals keep their order."""
        place = self.grid.place
        for row in self.rows:
            _number(row, place)
        for sweep in range(_SWEEPS):
            ahead = sweep % 2 == 0
            near = self.grid.before if ahead else self.grid.after
            for row in self.rows if ahead else reversed(self.rows):
                for one in row:
                    if others := near[one]:
                        place[one] = _mean(others, place)
                row.sort(key=place.__getitem__)
                _number(row, place)

    def _stack(self) -> None:
        self.offsets = []
        for row in self.rows:
            at, offsets = 0.0, []
            for index, one in enumerate(row):
                at += self._apart(row[index - 1], one) if index else 0.0
                offsets.append(at)
                self.grid.y[one] = at
            self.offsets.append(offsets)

    def _half(self, one: int) -> float:
        return (self.grid.sizes.height if one < self.grid.nodes else self.grid.sizes.lane) / 2

    def _apart(self, upper: int, lower: int) -> float:
        """The least distance of the middles of two cells."""
        nodes, sizes = self.grid.nodes, self.grid.sizes
        gap = sizes.row_gap if upper < nodes and lower < nodes else sizes.lane_gap
        if self.grid.weakly_left(upper) or self.grid.weakly_reached(lower):
            gap += sizes.below
        return self._half(upper) + gap + self._half(lower)

    def _pull(self, rows: Sequence[list[int]], near: list[list[int]], firm: list[list[int]]) -> None:
        """Each cell wants to be at the middle of its neighbours: of the firm ones, if it has any."""
        y, nodes = self.grid.y, self.grid.nodes
        for row in rows:
            if not row:
                continue
            wanted, weights = [], []
            for one in row:
                others = firm[one] or near[one]
                wanted.append(_mean(others, y) if others else y[one])
                weights.append(_FIRM if one < nodes and firm[one] else 1.0)
            offsets = self.offsets[self.grid.column[row[0]]]
            for one, height in zip(row, _settled(wanted, weights, offsets), strict=True):
                y[one] = height


def _number(row: list[int], place: list[float]) -> None:
    for at, one in enumerate(row):
        place[one] = at


def _mean(cells: list[int], of: list[float]) -> float:
    if len(cells) == 1:  # most are lanes
        return of[cells[0]]
    return sum([of[one] for one in cells]) / len(cells)


def _settled(wanted: list[float], weights: list[float], offsets: list[float]) -> list[float]:
    """The heights nearest to those wanted that keep order and distances: least squares, by pooling neighbours."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, members
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        mean, heavy, members = want - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            above, weighs, others = blocks.pop()
            mean = (above * weighs + mean * heavy) / (weighs + heavy)
            heavy += weighs
            members += others
        blocks.append((mean, heavy, members))
    means = [mean for mean, _, members in blocks for _ in range(members)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


def _measured(ids: list[str], widths: list[float], grid: _Grid, sizes: Sizes) -> Layout:
    """Columns as wide as their widest node; the gap after one grows with the links that cross it."""
    count = 1 + max(grid.column, default=-1)
    wide, crossing = [0.0] * count, [0] * count
    for one, width in enumerate(widths):
        wide[grid.column[one]] = max(wide[grid.column[one]], width)
    for one, column in enumerate(grid.column):
        crossing[column] += len(grid.after[one])
    left, at = [0.0] * count, 0.0
    for column in range(count):
        left[column] = at
        more = sizes.per_link * max(crossing[column] - 6, 0)
        at += wide[column] + min(sizes.column_gap + more, max(sizes.column_gap_most, sizes.column_gap))
    boxes = {
        name: Box(left[column], grid.y[one] - sizes.height / 2, wide[column], sizes.height, column)
        for one, name in enumerate(ids)
        for column in (grid.column[one],)
    }
    lanes = {
        (ids[parent], ids[child]): tuple(
            Lane(left[grid.column[one]], left[grid.column[one]] + wide[grid.column[one]], grid.y[one])
            for one in cells
        )
        for (parent, child), cells in grid.lanes.items()
    }
    right = left[-1] + wide[-1] if count else 0.0
    return Layout(boxes, lanes, right, max((box.y + box.height for box in boxes.values()), default=0.0))
