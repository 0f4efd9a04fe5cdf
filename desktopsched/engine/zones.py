"""Time zones as the walk in time needs them: offsets in seconds, the days on which they change, and wall times.

Instants are seconds since 1970, UTC; offsets are seconds east of it. Pure look-ups in `zoneinfo`: no clock is
read here. Shared by all threads: the tables only ever gain values that are the same whoever computes them.
"""

import math
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from zoneinfo import ZoneInfo

from msgspec import Struct

DAY = 86_400

LATEST = 253_402_214_400
"""9999-12-31T00:00Z. No due instant lies at or after it: a day less than `datetime` can hold, so that each one can
be shown in any zone."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 -- wall time: it stands for no instant
_SECOND = timedelta(seconds=1)
_KEPT = 40_000  # days in a zone's table before it starts anew: a century, and 4 MB


class Change(Struct, frozen=True):
    """The zone's offset changes: the clocks jump from `at + before` to `at + after`."""

    at: int
    before: int
    after: int


class ZoneDays(dict[int, int | None]):
    """For each UTC day (its number since 1970) the zone's offset, or None on days that need care.

    The offset is given where it stays the same from the day before to the end of the day after, so that nothing a
    change does to a day can reach over: of all changes since 1970 none jumps more than 24 hours, and no two lie
    within 6 days of each other. Inside such a day, local time is plain integer arithmetic.
    """

    def __init__(self, zone: ZoneInfo) -> None:
        super().__init__()
        self._zone = zone
        self._changes: dict[int, tuple[Change, ...]] = {}

    def __missing__(self, day: int) -> int | None:
        if len(self) >= _KEPT:
            self.clear()
        found = {offset_at(self._zone, (day + near) * DAY) for near in (-1, 0, 1, 2)}
        self[day] = offset = found.pop() if len(found) == 1 else None
        return offset

    def offset_at(self, instant: int) -> int:
        """The offset at an instant of any day."""
        return offset_at(self._zone, instant)

    def changes(self, day: int) -> tuple[Change, ...]:
        """The changes within a UTC day, in order."""
        if day not in self._changes:
            self._changes[day] = tuple(self._search(day * DAY))
        return self._changes[day]

    def _search(self, start: int) -> list[Change]:
        probes = [start - 1, *range(start, start + DAY, 3_600), start + DAY - 1]
        spans = pairwise(probes)
        return [
            _change_between(self._zone, low, high)
            for low, high in spans
            if offset_at(self._zone, low) != offset_at(self._zone, high)
        ]


@lru_cache(maxsize=256)
def zone_days(zone: ZoneInfo) -> ZoneDays:
    """The one table of a zone. By identity, so that a zone that was loaded anew gets a table of its own."""
    return ZoneDays(zone)


def offset_at(zone: ZoneInfo, instant: int) -> int:
    """The zone's offset at an instant, in seconds; after the year 9999 the last one known."""
    # Not `fromtimestamp`: Windows refuses it before 1970.
    moment = _EPOCH + timedelta(seconds=min(instant, LATEST - 1))
    return _seconds(moment.astimezone(zone).utcoffset())


def instant_of(moment: datetime, zone: ZoneInfo) -> float:
    """The instant that a datetime means; one without an offset is wall time in `zone`.

    A wall time that does not exist is the instant at which the gap ends, and one that comes twice is the first of
    the two: as fixed-time cron tasks do it (cron(8)).
    """
    if moment.tzinfo is not None:
        return moment.timestamp()
    wall = (moment - _NAIVE_EPOCH) / _SECOND
    first = _seconds(zone.utcoffset(moment.replace(fold=0)))
    second = _seconds(zone.utcoffset(moment.replace(fold=1)))
    if first < second:  # PEP 495: in a gap, fold=0 has the offset before it and fold=1 the one after it
        return float(_change_between(zone, math.floor(wall) - second, math.floor(wall) - first).at)
    return wall - first


def _change_between(zone: ZoneInfo, low: int, high: int) -> Change:
    """The change after `low` and not after `high`, where one is known to be."""
    before, after = offset_at(zone, low), offset_at(zone, high)
    while high - low > 1:
        middle = (low + high) // 2
        if offset_at(zone, middle) == before:
            low = middle
        else:
            high = middle
    return Change(high, before, after)


def _seconds(offset: timedelta | None) -> int:
    return 0 if offset is None else offset // _SECOND
