"""When a cron expression is due in a time zone: the walk from one instant to the next or the previous one.

Wall times that match are found on a calendar without zones; in ordinary days, nearly all of them, they become
instants by adding integers. Days round a change of the zone's offset are listed minute by minute by the rules of
Debian's cron (cron(8)), as design rule 10 has them:

- A wildcard expression follows the real clock: not due at wall times that do not exist, due in both passes of
  those that come twice.
- A fixed-time expression that is due in a gap of up to three hours is due once, when the gap ends; of wall times
  that come twice, through a step back of up to three hours, it is due in the first pass.
- A longer jump is taken for a correction of the clock: nothing is repaired. (A calendar day that a country leaves
  out is such a jump.)

Instants are seconds since 1970, UTC; results are whole seconds, as floats.
"""

import calendar
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from zoneinfo import ZoneInfo

from desktopsched.engine.zones import DAY, LATEST, ZoneDays, zone_days
from desktopsched.model.cron import CronFields, parse_cron

REPAIRED = 3 * 3_600
"""Seconds: the longest jump that Debian's cron takes for a change of the season and not of the clock (cron(8))."""

_ORDINAL_1970 = date(1970, 1, 1).toordinal()
_LAST_DAY = date.max.toordinal() - _ORDINAL_1970


_Kind = tuple[frozenset[int], frozenset[int], bool]
"""What days match: their numbers, their weekdays, and whether a date must match both."""


class Calendar:
    """The dates on which an expression may be due. A day is its number since 1970-01-01; no zones here."""

    __slots__ = ("_kind", "_months")

    def __init__(self, fields: CronFields) -> None:
        self._months = fields.months
        self._kind: _Kind = (frozenset(fields.days), frozenset(fields.weekdays), fields.both_days)

    def has(self, day: int) -> bool:
        """Whether a day, up to the end of the year 9999, matches."""
        if day > _LAST_DAY:
            return False
        found = date.fromordinal(day + _ORDINAL_1970)
        return found.month in self._months and _fits(found.day, day, self._kind)

    def first_from(self, day: int) -> int | None:
        """The first matching day that is not before `day`; None when the year 9999 ends first."""
        if self.has(day):
            return day
        if day > _LAST_DAY:
            return None
        return next((found for found in self._days_from(day) if found >= day), None)

    def last_until(self, day: int) -> int | None:
        """The last matching day that is not after `day`; None when there is none since 1969."""
        if self.has(day):
            return day
        return next((found for found in self._days_until(min(day, _LAST_DAY)) if found <= day), None)

    # Month by month: the rarest date, a 29 February on one weekday, is at most forty years away.

    def _days_from(self, day: int) -> Iterator[int]:
        start = date.fromordinal(day + _ORDINAL_1970)
        for year in range(start.year, 10_000):
            for month in self._months:
                if year > start.year or month >= start.month:
                    yield from self._days_of(year, month)

    def _days_until(self, day: int) -> Iterator[int]:
        start = date.fromordinal(day + _ORDINAL_1970)
        for year in range(start.year, 1968, -1):
            for month in reversed(self._months):
                if year < start.year or month <= start.month:
                    yield from reversed(self._days_of(year, month))

    def _days_of(self, year: int, month: int) -> Sequence[int]:
        return _days_of(year, month, self._kind)


@lru_cache(maxsize=2_048)  # many thousands of expressions know a few kinds of days
def _days_of(year: int, month: int, kind: _Kind) -> tuple[int, ...]:
    eve = date(year, month, 1).toordinal() - _ORDINAL_1970 - 1
    length = calendar.monthrange(year, month)[1]
    return tuple([eve + number for number in range(1, length + 1) if _fits(number, eve + number, kind)])


def _fits(number: int, day: int, kind: _Kind) -> bool:
    days, weekdays, both = kind
    weekday = (day + 4) % 7 in weekdays  # 1970-01-01 was a Thursday, 4
    if both:
        return weekday and number in days
    return weekday or number in days


class CronWalk:
    """An expression in a zone, to be asked for due instants. Immutable but for a memo; any thread may ask."""

    __slots__ = ("_calendar", "_listed", "_times", "_wildcard", "_zone")

    def __init__(self, fields: CronFields, zone: ZoneInfo) -> None:
        self._calendar = Calendar(fields)
        self._times = _times_of_day(fields.minutes, fields.hours)
        self._wildcard = fields.wildcard
        self._zone: ZoneDays = zone_days(zone)
        self._listed: tuple[int, list[int]] = (-1, [])  # the last day that needed care, and its due instants

    def after(self, instant: float) -> float | None:
        """The first due instant strictly after `instant`, from 1970 to the end of 9999; None if there is none."""
        if not instant < LATEST:  # so written, NaN ends here too
            return None
        zone, last = self._zone, int(instant) if instant >= 0 else -1
        while last < LATEST - 1:
            day = (last + 1) // DAY
            offset = zone[day]
            if offset is None:
                listed = self._due_on(day)
                if listed and listed[-1] > last:
                    return float(listed[bisect_right(listed, last)])
                last = day * DAY + DAY - 1
                continue
            wall = self._wall_after(last + offset)
            if wall is None:
                return None
            due = wall - offset
            if zone[due // DAY] == offset:
                return float(due) if due < LATEST else None
            # The offset is another one by then. Nothing is due until two days before, since no zone's offset
            # ever moves that far; on the day itself nothing is left.
            last = max(due - 2 * DAY, day * DAY + DAY - 1)
        return None

    def before(self, instant: float) -> float | None:
        """The last due instant strictly before `instant`, not earlier than 1970; None if there is none."""
        if not instant > 0:
            return None
        zone, last = self._zone, math.ceil(min(instant, LATEST)) - 1
        while last >= 0:
            day = last // DAY
            offset = zone[day]
            if offset is None:
                listed = self._due_on(day)
                if listed and listed[0] <= last:
                    return float(listed[bisect_right(listed, last) - 1])
                last = day * DAY - 1
                continue
            wall = self._wall_until(last + offset)
            if wall is None:
                return None
            due = wall - offset
            if zone[due // DAY] == offset:
                return float(due) if due >= 0 else None
            last = min(due + 2 * DAY, day * DAY) - 1
        return None

    def count(self, after: float, until: float) -> int:
        """How many due instants lie in (after, until]. Takes some microseconds for each day between the two."""
        if not (after < LATEST and until >= 0):
            return 0
        low, high = math.floor(max(after, -1)) + 1, math.floor(min(until, LATEST - 1)) + 1
        days = range(low // DAY, -(-high // DAY)) if low < high else range(0)
        return sum(self._count_on(day, max(low, day * DAY), min(high, day * DAY + DAY)) for day in days)

    def _count_on(self, day: int, low: int, high: int) -> int:
        if (offset := self._zone[day]) is None:
            listed = self._due_on(day)
            return bisect_left(listed, high) - bisect_left(listed, low)
        return sum(end - start for _, start, end in self._spans(low + offset, high + offset))

    def _wall_after(self, wall: int) -> int | None:
        """The first matching wall time after this one, in seconds since 1970 on the wall."""
        times = self._times
        day, second = divmod(wall, DAY)
        found = self._calendar.first_from(day if second < times[-1] else day + 1)
        if found is None:
            return None
        return found * DAY + times[bisect_right(times, second) if found == day else 0]

    def _wall_until(self, wall: int) -> int | None:
        """The last matching wall time that is not after this one."""
        times = self._times
        day, second = divmod(wall, DAY)
        found = self._calendar.last_until(day if second >= times[0] else day - 1)
        if found is None:
            return None
        return found * DAY + times[bisect_right(times, second) - 1 if found == day else -1]

    def _spans(self, low: int, high: int) -> Iterator[tuple[int, int, int]]:
        """The matching wall times in [low, high): by day, which of the day's times they are."""
        for day in range(low // DAY, -(-high // DAY)):
            if self._calendar.has(day):
                start, end = (
                    bisect_left(self._times, low - day * DAY),
                    bisect_left(self._times, high - day * DAY),
                )
                yield day, start, end

    def _walls(self, low: int, high: int) -> Iterator[int]:
        for day, start, end in self._spans(low, high):
            yield from (day * DAY + second for second in self._times[start:end])

    def _due_on(self, day: int) -> list[int]:
        """The due instants of a UTC day that may need care, in order."""
        listed = self._listed  # read once: another thread may put another day there
        if listed[0] != day:
            self._listed = listed = (day, sorted(self._list(day)))
        return listed[1]

    def _list(self, day: int) -> set[int]:
        start, due = day * DAY, set[int]()
        offset = self._zone.offset_at(start)
        for change in self._zone.changes(day):
            due.update(wall - offset for wall in self._walls(start + offset, change.at + offset))
            start, offset = change.at, change.after
        due.update(wall - offset for wall in self._walls(start + offset, day * DAY + DAY + offset))
        return due if self._wildcard else self._repaired(day, due)

    def _repaired(self, day: int, due: set[int]) -> set[int]:
        """A fixed-time expression's due instants, without second passes and with what fell into a gap."""
        for change in (*self._zone.changes(day - 1), *self._zone.changes(day)):
            jump = change.after - change.before
            if 0 < jump <= REPAIRED and change.at // DAY == day:
                if next(self._walls(change.at + change.before, change.at + change.after), None) is not None:
                    due.add(change.at)
            elif -REPAIRED <= jump < 0:
                due = {instant for instant in due if not change.at <= instant < change.at - jump}
        return due


@lru_cache(maxsize=16_384)
def cron_walk(expression: str, zone: ZoneInfo) -> CronWalk:
    """The walk of an expression in a zone; equal questions give the same object.

    Raises InvalidCronError.
    """
    return CronWalk(parse_cron(expression), zone)


@lru_cache(maxsize=1_024)
def _times_of_day(minutes: tuple[int, ...], hours: tuple[int, ...]) -> tuple[int, ...]:
    # Shared, since `* * * * *` and its like have 1,440 of them.
    return tuple(hour * 3_600 + minute * 60 for hour in hours for minute in minutes)
