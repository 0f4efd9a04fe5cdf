"""What the sidebar says: counts of views and groups, and the next fires. Pure, no Qt; the tally has counted already."""

import heapq
from collections.abc import Callable
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.engine.occurrences import next_after, once
from desktopsched.model import InvalidTaskError, Task
from desktopsched.ui.choice import View
from desktopsched.ui.row import Row
from desktopsched.ui.tally import Tally

FIRES = 4
"""Fires that "Next up" lists."""


class GroupFacts(Struct, frozen=True):
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


def facts(tally: Tally, get: Callable[[str], Row], now: float, zone: ZoneInfo) -> Facts:
    """As the tally has it; `get` gives a row by its id."""
    return Facts(
        views={view: len(tally.views[view]) for view in View},
        groups={
            name: GroupFacts(name, group.tasks, group.running, group.failed)
            for name, group in tally.groups.items()
        },
        fires=_fires(tally.nearest(FIRES), get, now, zone),
    )


def _fires(
    heap: list[tuple[float, str]], get: Callable[[str], Row], now: float, zone: ZoneInfo
) -> tuple[Fire, ...]:
    """The first ones; a task that comes often stands there more than once."""
    heapq.heapify(heap)
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
    if task.schedule is None or task.random_delay or once(task):
        return None
    try:
        return next_after(task, at, zone=zone, anchor=at)
    except InvalidTaskError:
        return None
