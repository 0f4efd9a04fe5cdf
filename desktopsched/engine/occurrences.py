"""When a task is due: the instants that its schedule gives. Pure functions; they are told the time and the zone.

Instants are seconds since 1970, UTC, as floats, and *nominal*: `random_delay` is not in them. `zone` is the
computer's zone, for tasks without one of their own; `anchor` is the instant at which the program first saw the
task, from which `every` and `after` count where the schedule does not say. Unknown zone names raise
InvalidTaskError.
"""

import math
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from zoneinfo import ZoneInfo

from desktopsched.engine.cron import cron_walk
from desktopsched.engine.zones import DAY, LATEST, instant_of
from desktopsched.model import After, At, Cron, Every, InvalidTaskError, Schedule, Task
from desktopsched.model.cron import parse_cron

COUNTED = 20 * 366.0 * DAY
"""Seconds: `newest` counts a cron task's due instants at most this far back. Counting twenty years takes 0.1 s;
beyond that "some ten million missed" says no less than the exact number."""


_ONCE = (At, After)


def once(task: Task) -> bool:
    """Whether its schedule has a single due instant."""
    return isinstance(task.schedule, _ONCE)


def next_after(task: Task, instant: float, *, zone: ZoneInfo, anchor: float) -> float | None:
    """The first due instant strictly after `instant`, within `not_before` and `not_after`; None if there is none."""
    if task.schedule is None:
        return None
    if task.timezone:
        zone = _zone_named(task.timezone)
    if task.not_before is not None:
        instant = max(instant, _just_before(instant_of(task.not_before, zone)))
    due = _next(task.schedule, instant, zone, anchor)
    last = LATEST if task.not_after is None else instant_of(task.not_after, zone)
    return due if due is not None and due <= last else None


def newest(
    task: Task, after: float, until: float, limit: int, *, zone: ZoneInfo, anchor: float
) -> tuple[list[float], int]:
    """The newest `limit` due instants in (after, until], oldest first, and how many older ones lie in it.

    The count is exact, but that a cron task's due instants more than `COUNTED` seconds before `until` are left out
    of it. By arithmetic, or some microseconds for each day; never one by one.
    """
    if task.schedule is None:
        return [], 0
    zone = zone_of(task, zone)
    if task.not_before is not None:
        after = max(after, _just_before(instant_of(task.not_before, zone)))
    if task.not_after is not None:
        until = min(until, instant_of(task.not_after, zone))
    return _newest(task.schedule, after, min(until, LATEST), limit, zone=zone, anchor=anchor)


def random_delay(task: Task, nominal: float) -> float:
    """Seconds to add to a due instant, in [0, `task.random_delay`): the same after a restart and on every computer."""
    if not task.random_delay:
        return 0.0
    # Not hash(), which differs from process to process. 53 bits: what a float in [0, 1) can hold.
    digest = blake2b(task.id.encode() + pack("<d", nominal), digest_size=8).digest()
    return task.random_delay * ((int.from_bytes(digest, "little") >> 11) * 2.0**-53)


def follows_clock(task: Task) -> bool:
    """Whether the task goes on at once by the new clock when that was set back (rule 9).

    True for `every` and for cron with a wildcard in minute or hour; what has a fixed time does not repeat.
    """
    match task.schedule:
        case Every():
            return True
        case Cron(expression):
            return parse_cron(expression).wildcard
        case _:
            return False


def zone_of(task: Task, zone: ZoneInfo) -> ZoneInfo:
    """The zone in which the task's wall times are meant: its own, or else the computer's."""
    return _zone_named(task.timezone) if task.timezone else zone


@lru_cache(maxsize=1_024)  # ZoneInfo itself keeps eight, and reads a file for any other
def _zone_named(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # unknown; not a name; a folder, such as "Europe"
        raise InvalidTaskError(
            f"There is no time zone {name[:60]!r}. Write a name such as 'Europe/Berlin', or leave it empty for the "
            f"computer's own."
        ) from error


def _next(schedule: Schedule, instant: float, zone: ZoneInfo, anchor: float) -> float | None:
    if isinstance(schedule, Cron):
        return cron_walk(schedule.expression, zone).after(instant)
    if isinstance(schedule, Every):
        start, interval = _start(schedule, zone, anchor), schedule.interval
        # So written, NaN ends here too.
        return start + _steps(start, interval, instant) * interval if instant < LATEST else None
    due = _only(schedule, zone, anchor)
    return due if due > instant else None


def _newest(
    schedule: Schedule, after: float, until: float, limit: int, *, zone: ZoneInfo, anchor: float
) -> tuple[list[float], int]:
    match schedule:
        case Cron(expression):
            return _newest_of_cron(expression, after, until, limit, zone)
        case Every(interval=interval):
            start = _start(schedule, zone, anchor)
            first, end = _steps(start, interval, after), _steps(start, interval, until)
            shown = max(first, end - limit)
            return [start + k * interval for k in range(shown, end)], max(shown - first, 0)
        case At() | After():
            due = [due for due in [_only(schedule, zone, anchor)] if after < due <= until]
            return (due, 0) if limit > 0 else ([], len(due))


def _newest_of_cron(
    expression: str, after: float, until: float, limit: int, zone: ZoneInfo
) -> tuple[list[float], int]:
    walk, found, end = cron_walk(expression, zone), list[float](), math.nextafter(until, math.inf)
    while len(found) < limit and (due := walk.before(end)) is not None and due > after:
        found.append(due)
        end = due
    if len(found) < limit:
        return found[::-1], 0
    return found[::-1], walk.count(max(after, until - COUNTED), _just_before(end))


def _steps(start: float, interval: float, instant: float) -> int:
    """The least k ≥ 0 with `start + k·interval` after `instant`: by division, whatever the distance."""
    if instant < start:
        return 0
    k = math.floor((instant - start) / interval) + 1
    # The quotient is rounded, so it can be off by one either way where an instant falls on a step.
    if start + (k - 1) * interval > instant:
        return k - 1
    return k if start + k * interval > instant else k + 1


def _start(schedule: Every, zone: ZoneInfo, anchor: float) -> float:
    return anchor if schedule.start is None else instant_of(schedule.start, zone)


def _only(schedule: At | After, zone: ZoneInfo, anchor: float) -> float:
    if isinstance(schedule, At):
        return instant_of(schedule.time, zone)
    return (anchor if schedule.since is None else instant_of(schedule.since, zone)) + schedule.delay


def _just_before(instant: float) -> float:
    return math.nextafter(instant, -math.inf)
