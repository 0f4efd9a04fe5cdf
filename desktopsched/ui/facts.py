"""What the sidebar says: counts of views and groups, and the next fires. Pure, no Qt; one look at every row."""

import heapq
from collections.abc import Callable, Iterable
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.engine.occurrences import next_after
from desktopsched.model import InvalidTaskError, State, Task
from desktopsched.ui.choice import View, is_running, is_today
from desktopsched.ui.row import Row

FIRES = 4
"""Fires that "Next up" lists."""


class GroupFacts(Struct):
    """A group: how many tasks, how many of them run, how many failed."""

    name: str
    tasks: int = 0
    running: int = 0
    failed: int = 0


class Fire(Struct, frozen=True, kw_only=True):
    """A start that is to come."""

    task_id: str
    name: str
    due: float
    clock: str


class Facts(Struct, frozen=True, kw_only=True):
    """All of it."""

    views: dict[View, int]
    groups: dict[str, GroupFacts]  # in the order in which they came
    fires: tuple[Fire, ...] = ()


def facts(
    rows: Iterable[Row], get: Callable[[str], Row], now: float, zone: ZoneInfo, midnight: float
) -> Facts:
    """One look at every row; `get` gives one by its id."""
    views = dict.fromkeys(View, 0)
    groups: dict[str, GroupFacts] = {}
    due: list[tuple[float, str]] = []
    today = disabled = 0
    for row in rows:
        status, state = row.status, row.state
        group = groups.get(row.task.group)
        if group is None:
            group = groups[row.task.group] = GroupFacts(row.task.group)
        group.tasks += 1
        if is_running(row):
            group.running += 1
            views[View.RUNNING] += 1
        if state is State.FAILED:
            group.failed += 1
            views[View.FAILED] += 1
        today += is_today(row, midnight)
        disabled += not status.enabled
        if status.due is not None and status.enabled:
            due.append((status.due, row.task.id))
    views[View.ALL] = sum(group.tasks for group in groups.values())
    views[View.TODAY], views[View.DISABLED] = today, disabled
    return Facts(views=views, groups=groups, fires=_fires(due, get, now, zone))


def _fires(
    due: list[tuple[float, str]], get: Callable[[str], Row], now: float, zone: ZoneInfo
) -> tuple[Fire, ...]:
    """The first ones; a task that comes often stands there more than once."""
    heap = heapq.nsmallest(FIRES, due)
    found: list[Fire] = []
    while heap and len(found) < FIRES:
        at, task_id = heapq.heappop(heap)
        row = get(task_id)
        clock = phrases.clock(at, now, zone)
        found.append(Fire(task_id=task_id, name=row.task.name, due=at, clock=clock))
        again = _again(row.task, at, zone)
        if again is not None:
            heapq.heappush(heap, (again, task_id))
    return tuple(found)


def _again(task: Task, at: float, zone: ZoneInfo) -> float | None:
    """The fire after one; a task with a random delay is only known to the engine."""
    if task.schedule is None or task.random_delay:
        return None
    try:
        return next_after(task, at, zone=zone, anchor=at)
    except InvalidTaskError:
        return None
