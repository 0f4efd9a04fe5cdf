"""Expectation: about when a task that waits for others will start, if all goes as usual. Pure, told the instant."""

from collections.abc import Mapping

from desktopsched.model import On, State
from desktopsched.ui.graph.links import Links
from desktopsched.ui.row import Row

_STEPS_MOST = 40
"""Tasks that are looked through one after the other; what is farther away nobody can tell."""


class Expectation:
    """Answers for one instant; remembers them, so ask many questions of one."""

    def __init__(self, rows: Mapping[str, Row], links: Links, now: float) -> None:
        self._rows, self._links, self._now = rows, links, now
        self._starts: dict[str, float | None] = {}

    def start(self, task_id: str, steps: int = _STEPS_MOST) -> float | None:
        """When it will start; None if that cannot be said: what it waits for neither runs nor is due."""
        if task_id not in self._starts:
            self._starts[task_id] = None  # in a loop, which the list should not have, nothing can be said
            self._starts[task_id] = self._start(task_id, steps)
        return self._starts[task_id]

    def _start(self, task_id: str, steps: int) -> float | None:
        row = self._rows.get(task_id)
        if row is None or not row.status.enabled:
            return None
        if row.status.due is not None:
            return max(row.status.due, self._now)
        if row.status.state is State.READY:
            return self._now
        waits = [link for link in self._links.above(task_id) if link.on is not On.FAILURE]
        ends = [end for link in waits if steps and (end := self._end(link.parent, steps - 1)) is not None]
        return max(ends, default=None)

    def _end(self, task_id: str, steps: int) -> float | None:
        row = self._rows[task_id]
        usual = row.usual or 0.0
        if row.status.state is State.RUNNING and row.since:
            return max(min(row.since.values()) + usual, self._now)
        start = self.start(task_id, steps)
        return start + usual if start is not None else None
