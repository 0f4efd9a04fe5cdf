"""Naming: what one start is called on all computers that share a list. Pure.

A name is made of what the schedule says alone, so that every computer finds the same one: no jitter, no run number, no
generation of a clock, no revision of the task. Printable ASCII, at most 200 characters. `zone` is the computer's.
"""

import math
from datetime import UTC, datetime
from hashlib import blake2b
from zoneinfo import ZoneInfo

from desktopsched.engine.zones import instant_of
from desktopsched.model import After, Every, Task

_EDGE = 1e-6  # of an interval: an instant on the edge of two counts as the later one's, however it is rounded


def scheduled(task: Task, instant: float, zone: ZoneInfo) -> str:
    """The name of a due instant.

    By wall time, fold and zone where the task has a zone of its own: computers with other rules for that zone agree on
    it. Without one, wall times mean something else on each computer, and the instant itself is what they share. An
    interval is counted from its start; where it has none each computer counts from another instant, and what they share
    is that there is one start in each interval of time.
    """
    match task.schedule:
        case Every(interval=interval, start=None):
            return f"every {interval!r} s, {math.floor(instant / interval + _EDGE)}"
        case Every(interval=interval, start=datetime() as start) if start.tzinfo or task.timezone:
            place = ZoneInfo(task.timezone) if task.timezone else zone
            count = round((instant - instant_of(start, place)) / interval)
            return f"every {interval!r} s from {_written(start, task)}, {count}"
        case After(delay=delay, since=None):
            return f"{delay!r} s after it was first seen"
        case _:
            return _wall(task, instant)


_AFTER, _OF = "after ", " of "


def following(parent: str, nominal: str) -> str:
    """The name of a start that follows one of its parents' starts: one parent's name it once, on every computer.

    Where that parent has parents as well, it names the start that all of them descend from, too: see `origin`.
    """
    first = origin(nominal)
    of = f"{_OF}{' '.join(first)}" if first else ""
    return f"{_AFTER}{parent} {_digest(nominal)}{of}"


def origin(nominal: str) -> tuple[str, str] | None:
    """The task that a start descends from in the end, and which of its starts; None: this is a first one itself."""
    if not nominal.startswith(_AFTER):
        return None
    task_id, _, start = nominal.removeprefix(_AFTER).rpartition(_OF)[2].partition(" ")
    return task_id, start


def by_hand(request: str) -> str:
    """The name of a start that a person asked for: only this computer has such a one. Empty where no name is needed."""
    return f"by hand {request}" if request else ""


def swept(parent: str, nominal: str) -> str:
    """The name of a start that a person asked for together with one before it."""
    return by_hand(f"after {parent} {_digest(nominal)}")


def _wall(task: Task, instant: float) -> str:
    if not task.timezone:
        return f"{datetime.fromtimestamp(instant, UTC).isoformat()}"
    there = datetime.fromtimestamp(instant, ZoneInfo(task.timezone))
    again = " again" if there.fold else ""
    return f"{there.replace(tzinfo=None).isoformat()}{again} {task.timezone}"


def _written(start: datetime, task: Task) -> str:
    return start.isoformat() if start.tzinfo else f"{start.isoformat()} {task.timezone}"


def _digest(nominal: str) -> str:
    return blake2b(nominal.encode(), digest_size=8).hexdigest()
