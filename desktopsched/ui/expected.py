"""When tasks that wait for others will run: from the ends that their parents are expected to have. Pure, no Qt."""

from collections.abc import Callable

from msgspec import Struct

from desktopsched.model import Join, On, State
from desktopsched.ui.row import Row

_DEEPEST = 40
"""Tasks in a row that are looked at: what hangs on more of them is not worth a guess."""


class Expected(Struct, frozen=True):
    """A guess at a start: when, and behind how many runs."""

    at: float
    behind: int


class Expectations:
    """Guesses for one instant; what was found once is not looked for again."""

    def __init__(self, get: Callable[[str], Row | None], now: float) -> None:
        self._get, self.now = get, now
        self._ends: dict[str, Expected | None] = {}

    def start(self, row: Row, depth: int = 0) -> Expected | None:
        """When a task will start because of its parents; None where nobody can tell."""
        if depth > _DEEPEST or not row.status.enabled:
            return None
        ends = [self._end(edge.task, depth + 1) for edge in row.task.waits_for if edge.on is not On.FAILURE]
        known = [end for end in ends if end is not None]
        if not known or (row.task.join is Join.ALL and len(known) < len(row.task.waits_for)):
            return None
        pick = max if row.task.join is Join.ALL else min
        return pick(known, key=lambda end: end.at)

    def _end(self, task_id: str, depth: int) -> Expected | None:
        if task_id not in self._ends:
            self._ends[task_id] = None  # while it is looked for: a loop ends here
            row = self._get(task_id)
            self._ends[task_id] = self._end_of(row, depth) if row is not None else None
        return self._ends[task_id]

    def _end_of(self, row: Row, depth: int) -> Expected | None:
        usual = row.usual or 0.0
        if row.status.state is State.RUNNING and row.since:
            return Expected(max(min(row.since.values()) + usual, self.now), 1)
        if row.status.state is State.READY:
            return Expected(self.now + usual, 1)
        if before := self._in_this_round(row, depth):
            return Expected(before.at + usual, before.behind + 1)
        if row.status.enabled and row.status.due is not None:
            return Expected(max(row.status.due, self.now) + usual, 1)
        return None

    def _in_this_round(self, row: Row, depth: int) -> Expected | None:
        return self.start(row, depth) if row.task.waits_for else None


def only_on_failure(row: Row) -> bool:
    """Whether a task starts by itself only when something fails."""
    edges = row.task.waits_for
    return row.task.schedule is None and bool(edges) and all(edge.on is On.FAILURE for edge in edges)
