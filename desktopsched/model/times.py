"""Readers and writers of the fields about time: durations, instants, zones.

Written like those in `fields`. No clock is read, and no file but those of the zone database.
"""

import re
import zoneinfo
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

from desktopsched.model.duration import format_duration, parse_duration
from desktopsched.model.errors import InvalidTaskError
from desktopsched.model.fields import closest
from desktopsched.model.problem import shown

FIRST_YEAR, LAST_YEAR = 1970, 9998
"""In year 9999 a change of zone leaves the calendar that Python has."""

_WRITTEN_WELL = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?$", re.ASCII)

_NOT_GEOGRAPHIC = ("posix/", "right/")
"""Folders that some systems keep among the zones; those of `right` count leap seconds."""


def duration(least: float = 0.0) -> Callable[[object], float]:
    """Seconds, from a text such as `1h30m`; at least `least` of them."""

    def read(raw: object) -> float:
        if not isinstance(raw, str):
            raise InvalidTaskError(
                f"must be a duration in quotes, such as '30s' or '1h30m', not {shown(raw)}."
            )
        if len(raw) > 60:
            raise InvalidTaskError("is too long for a duration. Write for example '30s' or '1h30m'.")
        seconds = round(parse_duration(raw), 6)  # as exact as it can be written: reading back gives the same
        if seconds < least:
            raise InvalidTaskError(f"must be at least '{format_duration(least)}', not {shown(raw)}.")
        return seconds

    return read


def instant(raw: object) -> datetime:
    """A date and a time, ISO 8601; without an offset it is wall time in the task's zone."""
    if not isinstance(raw, str):
        raise InvalidTaskError(
            f"must be a date and time in quotes, such as '2026-03-30T08:00', not {shown(raw)}."
        )
    value = _parse_instant(raw)
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise InvalidTaskError(
            f"{shown(raw)} is out of range. Write a year from {FIRST_YEAR} to {LAST_YEAR}."
        )
    return value


def _parse_instant(raw: str) -> datetime:
    try:
        if len(raw) > 11 and raw[10] in "T ":  # a day alone says too little: its beginning, or its end?
            return datetime.fromisoformat(raw)
    except ValueError:
        pass
    if _WRITTEN_WELL.match(raw):
        raise InvalidTaskError(
            f"There is no {shown(raw)}: the day or the time does not exist. Choose another."
        )
    raise InvalidTaskError(f"{shown(raw)} is not a date and time. Write for example '2026-03-30T08:00'.")


def write_instant(value: datetime) -> str:
    """ISO 8601, without seconds where they are zero."""
    if value.second or value.microsecond:
        return value.isoformat()
    return value.isoformat(timespec="minutes")


def is_before(one: datetime, other: datetime) -> bool:
    """Whether `one` is certainly before `other`: a wall time and an instant do not compare without a zone."""
    if (one.tzinfo is None) != (other.tzinfo is None):
        return False
    if one.tzinfo is None or other.tzinfo is None:
        return one < other
    return one.astimezone(UTC) < other.astimezone(UTC)


def zone(raw: object) -> str:
    """An IANA name such as `Europe/Berlin`, known to this computer."""
    if not isinstance(raw, str):
        raise InvalidTaskError(f"must be a zone in quotes, such as 'Europe/Berlin', not {shown(raw)}.")
    if not raw:
        raise InvalidTaskError("must not be empty. Leave it out to follow the computer's zone.")
    if not is_zone(raw):
        raise InvalidTaskError(
            f"{shown(raw)} is not a zone that this computer knows. Write an IANA name such as 'Europe/Berlin'"
            f" or 'UTC'.{closest(raw, _zones())}"
        )
    return raw


@lru_cache(maxsize=1024)
def is_zone(name: str) -> bool:
    """Whether `name` can stand in the task file: geographic, or UTC. `EST5EDT` and its like are no places."""
    if name != "UTC" and ("/" not in name or name.startswith(_NOT_GEOGRAPHIC) or len(name) > 100):
        return False
    try:
        zoneinfo.ZoneInfo(name)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):  # `America` is a folder, `../x` a path
        return False
    return True


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    """The names to choose from. Only for a message: collecting them reads a folder tree."""
    return tuple(sorted(name for name in zoneinfo.available_timezones() if "/" in name))
