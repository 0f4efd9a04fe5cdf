"""What a change of the clocks does to a start of a cron task, in a few words. Pure; the rules are `engine.cron`'s.

"02:30 comes twice, runs once"; "02:30 does not exist, runs at 03:00".
"""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from desktopsched.engine.cron import REPAIRED, Calendar
from desktopsched.engine.zones import DAY, Change, zone_days
from desktopsched.model.cron import CronFields


def clock_note(due: int, fields: CronFields, zone: ZoneInfo) -> str:
    """What is to be said of this due instant; mostly nothing."""
    days = zone_days(zone)
    if days[due // DAY] is not None:  # an ordinary day, as nearly all are
        return ""
    found = [change for near in (-1, 0, 1) for change in days.changes(due // DAY + near)]
    notes = (_note(due, change, fields) for change in found if abs(change.after - change.before) <= REPAIRED)
    return next(filter(None, notes), "")


def _note(due: int, change: Change, fields: CronFields) -> str:
    jump = change.after - change.before
    if jump < 0:
        return _twice(due, change, fields, -jump)
    left_out = list(_due_in_gap(change, fields))
    if not left_out:
        return ""
    words = _words(left_out)
    several = len(left_out) > 1
    if not fields.wildcard:
        verbs = "do not exist, run once" if several else "does not exist, runs"
        return f"{words} {verbs} at {_clock(change.at + change.after)}" if due == change.at else ""
    # Of a wildcard's starts the first one after the gap tells that there is one.
    first = change.at <= due < change.at + _next_in(due, change, fields)
    return f"{words} {'do' if several else 'does'} not exist, left out" if first else ""


def _twice(due: int, change: Change, fields: CronFields, back: int) -> str:
    if change.at - back <= due < change.at:
        wall = _clock(due + change.before)
    elif fields.wildcard and change.at <= due < change.at + back:
        wall = _clock(due + change.after)
    else:
        return ""
    return f"{wall} comes twice, runs {'twice' if fields.wildcard else 'once'}"


def _due_in_gap(change: Change, fields: CronFields) -> Iterator[int]:
    """The wall times that match and that the clocks jump over."""
    calendar = Calendar(fields)
    for wall in range(change.at + change.before, change.at + change.after, 60):
        day, second = divmod(wall, DAY)
        if second % 3_600 // 60 in fields.minutes and second // 3_600 in fields.hours and calendar.has(day):
            yield wall


def _next_in(due: int, change: Change, fields: CronFields) -> int:
    """Seconds after the gap in which its first start lies; one minute past it, if `due` is that start."""
    calendar = Calendar(fields)
    for wall in range(change.at + change.after, due + change.after, 60):
        day, second = divmod(wall, DAY)
        if second % 3_600 // 60 in fields.minutes and second // 3_600 in fields.hours and calendar.has(day):
            return 0  # an earlier one was first
    return due - change.at + 1


def _words(walls: list[int]) -> str:
    if len(walls) == 1:
        return _clock(walls[0])
    return f"{_clock(walls[0])} and {len(walls) - 1} more"


def _clock(wall: int) -> str:
    minutes = wall % DAY // 60
    return f"{minutes // 60:02}:{minutes % 60:02}"
