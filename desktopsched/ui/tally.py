"""The tally: what is counted of all rows, kept up to date with each row that changes. No Qt; the UI thread owns it.

Nobody looks at every row to say how many there are: with 30,000 of them that would hold the window up ten times a
second.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from desktopsched.model import State
from desktopsched.ui.choice import View, is_running, is_today
from desktopsched.ui.row import Row

_SLACK = 1_000
"""Due instants that hold no more and are kept beside as many as there are tasks, before they are swept."""


class GroupTally(Struct):
    """A group: how many tasks, how many of them run or have failed, and how many are in each state."""

    tasks: int = 0
    running: int = 0
    failed: int = 0
    states: Counter[State] = field(default_factory=Counter)


class Tally:
    """Ids and counts, by what is asked for."""

    def __init__(self) -> None:
        self.groups: dict[str, GroupTally] = {}  # in the order in which they came
        self._all: dict[str, None] = {}
        self._running: dict[str, None] = {}
        self._failed: dict[str, None] = {}
        self._today: dict[str, None] = {}
        self._disabled: dict[str, None] = {}
        self.views: Mapping[View, dict[str, None]] = {
            View.ALL: self._all,
            View.RUNNING: self._running,
            View.FAILED: self._failed,
            View.TODAY: self._today,
            View.DISABLED: self._disabled,
        }
        """Ids, in the order in which they came into a view."""
        self.busy: dict[str, None] = {}
        """What there is something to stop of."""
        self.asking: dict[str, int] = {}  # by task that waits for an answer: how many runs it missed
        self.interrupted = 0  # runs that could start again
        self.runs = 0  # under way
        self._midnight = float("inf")
        self._dues: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []

    def change(self, before: Row | None, after: Row | None) -> None:
        """A row is another one now; None: there was none, or is none any more."""
        alike = _stand_alike(before, after)
        if alike:
            self.runs += len(after.status.running) - len(before.status.running) if before and after else 0
        else:
            if before is not None:
                self._count(before, -1)
            if after is not None:
                self._count(after, 1)
        self.interrupted += _is_interrupted(after) - _is_interrupted(before)
        known = after or before
        if known is not None:
            if not alike:
                self._sort_in(known.task.id, after)
            self._note(known.task.id, after)

    def _count(self, row: Row, by: int) -> None:
        group = self.groups.get(row.task.group)
        if group is None:
            group = self.groups[row.task.group] = GroupTally()
        group.tasks += by
        group.states[row.state] += by
        if is_running(row):
            group.running += by
        if row.state is State.FAILED:
            group.failed += by
        self.runs += by * len(row.status.running)
        if not group.tasks:
            del self.groups[row.task.group]

    def _sort_in(self, task_id: str, row: Row | None) -> None:
        """To where it belongs; out of everything, if there is no row."""
        _put(self._all, task_id, is_in=row is not None)
        _put(self._running, task_id, is_in=row is not None and is_running(row))
        _put(self._failed, task_id, is_in=row is not None and row.state is State.FAILED)

    def _note(self, task_id: str, row: Row | None) -> None:
        """What may be another with each change."""
        _put(self._today, task_id, is_in=row is not None and is_today(row, self._midnight))
        _put(self._disabled, task_id, is_in=row is not None and not row.status.enabled)
        _put(self.busy, task_id, is_in=row is not None and row.can_stop)
        if row is not None and (row.status.missed or row.status.interrupted is not None):
            self.asking[task_id] = row.status.missed
        else:
            self.asking.pop(task_id, None)
        self._note_due(task_id, row.status.due if row is not None and row.status.enabled else None)

    # --- what comes next -----------------------------------------------------------------------------------

    def _note_due(self, task_id: str, due: float | None) -> None:
        if due == self._dues.get(task_id):
            return
        if due is None:
            del self._dues[task_id]
            return
        self._dues[task_id] = due
        heapq.heappush(self._heap, (due, task_id))
        if len(self._heap) > 2 * len(self._dues) + _SLACK:
            self._heap = [(due, task_id) for task_id, due in self._dues.items()]
            heapq.heapify(self._heap)

    def nearest(self, count: int) -> list[tuple[float, str]]:
        """The first due instants with their tasks, each task once."""
        found: dict[str, float] = {}
        while self._heap and len(found) < count:
            due, task_id = heapq.heappop(self._heap)
            if self._dues.get(task_id) == due:  # else it holds no more
                found[task_id] = due
        pairs = [(due, task_id) for task_id, due in found.items()]
        for pair in pairs:
            heapq.heappush(self._heap, pair)
        return pairs

    def end_day(self, midnight: float, rows: Iterable[Row]) -> None:
        """Today ends at another instant: once a day each row is looked at."""
        self._midnight = midnight
        self._today.clear()
        self._today.update(dict.fromkeys(row.task.id for row in rows if is_today(row, midnight)))


def _stand_alike(before: Row | None, after: Row | None) -> bool:
    """Whether the counts of groups are the same with either: most changes are of an instant or a reason."""
    if before is None or after is None:
        return False
    return (
        before.task.group == after.task.group
        and before.state is after.state
        and is_running(before) == is_running(after)
    )


def _is_interrupted(row: Row | None) -> bool:
    return row is not None and row.status.interrupted is not None


def _put(ids: dict[str, None], task_id: str, *, is_in: bool) -> None:
    if is_in:
        ids[task_id] = None
    else:
        ids.pop(task_id, None)
