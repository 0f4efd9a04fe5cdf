"""A schedule in words: "Every day at 02:30 and 14:30", "After Database dump succeeds". Pure, no Qt.

What this small grammar cannot say well is shown as it is written, after the word "Cron".
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from desktopsched import phrases
from desktopsched.model import After, At, Cron, Every, Join, On, Task
from desktopsched.model.cron import CronFields, parse_cron
from desktopsched.model.standin import is_stand_in

NameOf = Callable[[str], str]
"""The name of a task, by its id."""

_DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_VERB = {On.SUCCESS: "succeeds", On.FAILURE: "fails", On.FINISH: "finishes"}
_PLURAL = {On.SUCCESS: "succeed", On.FAILURE: "fail", On.FINISH: "finish"}
_TIMES_MOST = 3  # clock times that are still read at a glance
_ALL_MINUTES, _ALL_HOURS, _ALL_DAYS, _ALL_MONTHS, _ALL_WEEKDAYS = 60, 24, 31, 12, 7


def schedule_words(task: Task, name_of: NameOf) -> str:
    """When a task runs, in a few words; or why it does not, whatever the file says of it."""
    if is_stand_in(task):
        return "Mistake in the task file"
    own, parents = _own(task), _parents(task, name_of)
    if own and parents:
        return f"{own}, {parents[0].lower()}{parents[1:]}"
    return own or parents or "By hand"


def schedule_icon(task: Task) -> str:
    """The icon that stands before these words."""
    if is_stand_in(task):
        return "warning"
    match task.schedule:
        case Every():
            return "repeat"
        case At() | After():
            return "calendar"
        case Cron():
            return "clock"
        case None:
            return "chain" if task.waits_for else "hand"


def _own(task: Task) -> str:
    match task.schedule:
        case Every(interval=interval):
            return f"Every {_span(interval)}"
        case At(time=time):
            return f"Once, {_date(time)} at {time:%H:%M}"
        case After(delay=delay):
            return f"Once, after {_span(delay)}"
        case Cron(expression=expression):
            return cron_words(parse_cron(expression)) or f"Cron {expression}"
        case None:
            return ""


def _span(seconds: float) -> str:
    words = phrases.span(seconds)
    for short, long in (("h", "hour"), ("d", "day")):
        number, _, unit = words.partition(" ")
        if unit == short:
            return long if number == "1" else f"{number} {long}s"
    return "minute" if words == "1 min" else words


def _date(time: datetime) -> str:
    return f"{time:%a} {time.day} {time:%b %Y}"


def _parents(task: Task, name_of: NameOf) -> str:
    edges = task.waits_for
    if not edges:
        return ""
    kinds = {edge.on for edge in edges}
    if len(edges) == 1:
        return f"After {name_of(edges[0].task)} {_VERB[edges[0].on]}"
    if task.join is Join.ANY:
        what = _VERB[edges[0].on] if len(kinds) == 1 else "ends as wanted"
        return f"If any of {len(edges)} tasks {what}"
    what = _PLURAL[edges[0].on] if len(kinds) == 1 else "end as wanted"
    return f"After {len(edges)} tasks {what}"


def cron_words(fields: CronFields) -> str:
    """The words for a common form of a cron expression; empty for one that has none."""
    if len(fields.months) < _ALL_MONTHS:
        return ""
    day = _day(fields)
    return (
        _within_hours(fields, day)
        or _at_times(fields, day)
        or _every_few_hours(fields, day)
        or _between_hours(fields, day)
    )


def _day(fields: CronFields) -> str | None:
    """Which days; None where it takes too many words."""
    days, weekdays = fields.days, fields.weekdays
    if len(days) == _ALL_DAYS and len(weekdays) == _ALL_WEEKDAYS:
        return "Every day"
    if len(days) == _ALL_DAYS and fields.both_days:
        return _weekdays(weekdays)
    if len(days) == 1 and len(weekdays) == _ALL_WEEKDAYS and fields.both_days:
        return f"Day {days[0]} of each month"
    return None


def _weekdays(found: Sequence[int]) -> str:
    if tuple(found) == (1, 2, 3, 4, 5):
        return "Weekdays"
    week = [day for day in (1, 2, 3, 4, 5, 6, 0) if day in found]  # Monday first, as people read it
    places = [(day - 1) % 7 for day in week]
    if len(week) > 2 and places[-1] - places[0] == len(week) - 1:
        return f"{_DAYS[week[0]]}–{_DAYS[week[-1]]}"
    return ", ".join(_DAYS[day] for day in week)


def _within_hours(fields: CronFields, day: str | None) -> str:
    """Several times an hour, or each hour."""
    if len(fields.hours) < _ALL_HOURS or day is None:
        return ""
    words = _each_hour(fields.minutes)
    return words if day == "Every day" or not words else f"{words}, {day}"


def _each_hour(minutes: Sequence[int]) -> str:
    """What happens in each hour; empty where it takes too many words."""
    step = _step(minutes)
    if step == 1:
        return "Every minute"
    if step:
        return f"Every {step} min"
    if len(minutes) > 1:
        return ""
    return "Every hour" if minutes[0] == 0 else f"Every hour at :{minutes[0]:02}"


def _step(minutes: Sequence[int]) -> int:
    """Of a field such as `*/15`; 0 where the minutes are not evenly spread over the hour."""
    if len(minutes) < 2 or minutes[0] or _ALL_MINUTES % len(minutes):
        return 0
    step = _ALL_MINUTES // len(minutes)
    return step if tuple(minutes) == tuple(range(0, _ALL_MINUTES, step)) else 0


def _every_few_hours(fields: CronFields, day: str | None) -> str:
    """Once in so many hours, all round the clock: "Every 6 hours from 00:00"."""
    step = 24 // len(fields.hours)
    if day is None or len(fields.minutes) > 1 or step * len(fields.hours) != 24:
        return ""
    if tuple(fields.hours) != tuple(range(fields.hours[0], 24, step)):
        return ""
    words = f"Every {step} hours from {fields.hours[0]:02}:{fields.minutes[0]:02}"
    return words if day == "Every day" else f"{words}, {day}"


def _between_hours(fields: CronFields, day: str | None) -> str:
    """In each hour of a part of the day: "Every 15 min, Mon–Fri 09–18"."""
    words, hours = _each_hour(fields.minutes), tuple(fields.hours)
    if day is None or not words or hours != tuple(range(hours[0], hours[-1] + 1)):
        return ""
    days = {"Every day": "", "Weekdays": "Mon–Fri "}.get(day, f"{day} ")
    end = hours[-1] + 1 if fields.minutes[-1] else hours[-1]  # until when something happens
    return f"{words}, {days}{hours[0]:02}–{end:02}"


def _at_times(fields: CronFields, day: str | None) -> str:
    times = [f"{hour:02}:{minute:02}" for hour in fields.hours for minute in fields.minutes]
    if day is None or len(times) > _TIMES_MOST:
        return ""
    listed = times[0] if len(times) == 1 else f"{', '.join(times[:-1])} and {times[-1]}"
    return f"{day} at {listed}"
