"""A cron expression before it is saved: in words, and the next starts. Pure, no Qt; told the instant and the zone.

May take some milliseconds, the first time in a process more: not for the UI thread.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.engine.cron import CronWalk, cron_walk
from desktopsched.model.cron import NICKNAMES, CronFields, parse_cron
from desktopsched.ui.form.clock_notes import clock_note
from desktopsched.ui.schedule_words import cron_words

STARTS = 5
_YEAR = 365 * 86_400
_LISTED_MOST = 4  # values of a field that are told one by one
_DAYS = ("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
_MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Start(Struct, frozen=True):
    """One of the next starts, as it is shown."""

    date: str
    time: str
    until: str
    note: str = ""  # about the clocks


class Preview(Struct, frozen=True, kw_only=True):
    """What is shown below the field."""

    headline: str
    aside: str
    fields: tuple[str, str]  # what the fields say, two lines
    starts: tuple[Start, ...] = ()
    notes: tuple[str, ...] = ()  # accepted, but probably not meant


def preview(expression: str, zone: ZoneInfo, now: float) -> Preview:
    """All of it. InvalidCronError where the expression is none."""
    fields = parse_cron(expression)
    walk = cron_walk(expression, zone)
    return Preview(
        headline=in_words(expression, fields),
        aside=f"{zone_words(zone)}, {how_often(walk, now)}",
        fields=field_words(fields),
        starts=tuple(_starts(walk, fields, zone, now)),
        notes=fields.notes,
    )


def in_words(expression: str, fields: CronFields) -> str:
    """Our own words where they say it well, else those of cron-descriptor, else the expression itself."""
    return cron_words(fields) or _described(expression) or f"Cron {expression}"


def _described(expression: str) -> str:
    # Here, not above: it is needed for rare forms only, and its import takes 16 ms.
    from cron_descriptor import FormatError, FormatException, MissingFieldException, Options, get_description

    options = Options()
    options.use_24hour_time_format, options.locale_code = True, "en_US"
    text = expression.strip()
    try:
        return str(get_description(NICKNAMES.get(text, text), options))
    except (FormatError, FormatException, MissingFieldException, ValueError, IndexError):
        return ""  # it reads other dialects of cron than we do; ours has been checked already


def zone_words(zone: ZoneInfo) -> str:
    """As "Berlin time"; "UTC"."""
    name = (zone.key or "").rpartition("/")[2].replace("_", " ")
    return "UTC" if name in {"", "UTC"} else f"{name} time"


def how_often(walk: CronWalk, now: float) -> str:
    """About how many runs: of a day, a month or a year, whichever gives a number that one can grasp."""
    year = walk.count(now, now + _YEAR)
    if year >= 365 * 10:
        return f"about {round(year / 365):,} runs a day"
    if year >= 12:
        return f"about {round(year / 365 * 30):,} runs a month"
    if year > 1:
        return f"about {year} runs a year"
    return "about one run a year" if year else "less than one run a year"


def _starts(walk: CronWalk, fields: CronFields, zone: ZoneInfo, now: float) -> list[Start]:
    found: list[Start] = []
    due = walk.after(now)
    while due is not None and len(found) < STARTS:
        there = datetime.fromtimestamp(due, zone)
        found.append(
            Start(
                date_words(there, now),
                f"{there:%H:%M}",
                phrases.until(due, now),
                clock_note(int(due), fields, zone),
            )
        )
        due = walk.after(due)
    return found


def date_words(there: datetime, now: float) -> str:
    """As "Sat 24 Oct", with the year where it is another one."""
    year = "" if there.year == datetime.fromtimestamp(now, there.tzinfo).year else f" {there.year}"
    return f"{there:%a} {there.day} {there:%b}{year}"


# --- what the fields say ------------------------------------------------------------------------------------


def field_words(fields: CronFields) -> tuple[str, str]:
    """As "minute 30 · hour 2 and 14", "any day, month, weekday"."""
    minute = _field("minute", [str(one) for one in fields.minutes], 60)
    hour = _field("hour", [str(one) for one in fields.hours], 24)
    day = [str(one) for one in fields.days]
    month = [_MONTHS[one] for one in fields.months]
    weekday = [_DAYS[one] for one in (*range(1, 7), 0) if one in fields.weekdays]
    return f"{minute} · {hour}", _dates(day, month, weekday, both=fields.both_days)


def _dates(day: Sequence[str], month: Sequence[str], weekday: Sequence[str], *, both: bool) -> str:
    if not both:  # either of the two days is enough (crontab(5))
        words = f"{_field('day', day, 32)} or {_field('', weekday, 8)}"
        return words if len(month) == 12 else f"{words} · {_field('', month, 12)}"
    told = (("day", day, 31, "day "), ("month", month, 12, ""), ("weekday", weekday, 7, ""))
    free = [name for name, values, period, _ in told if len(values) == period]
    fixed = [before + _list(values) for _, values, period, before in told if len(values) < period]
    anything = [f"any {', '.join(free)}"] if free else []
    return " · ".join([*fixed, *anything])


def _field(name: str, values: Sequence[str], period: int) -> str:
    return f"any {name}" if len(values) == period else f"{name} {_list(values)}".strip()


def _list(values: Sequence[str]) -> str:
    if len(values) > 2 and all(one.isdigit() for one in values):
        steps = {int(b) - int(a) for a, b in pairwise(values)}
        if len(steps) == 1:
            step = steps.pop()
            return f"{values[0]} to {values[-1]}" + (f" by {step}" if step > 1 else "")
    if len(values) > _LISTED_MOST:
        return f"{', '.join(values[: _LISTED_MOST - 1])} … {values[-1]}"
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"
