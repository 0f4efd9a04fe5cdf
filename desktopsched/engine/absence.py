"""Absences: spans in which nothing could start a task, and why. They explain what was missed.

Instants are seconds since 1970, UTC.
"""

import enum
from collections import deque
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

_KEPT = 50
_WEEK = timedelta(days=6)
_AROUND = 2.0  # seconds by which two clocks, read one after the other, may differ


class Why(enum.StrEnum):
    """Why nothing could start."""

    CLOSED = "Desktopsched was closed"
    SLEPT = "the computer slept"
    CLOCK = "the clock was set forward"


class Absence(Struct, frozen=True):
    """One span."""

    why: Why
    began: float
    ended: float

    def words(self, zone: ZoneInfo) -> str:
        """As "the computer slept from 02:10 to 07:31"; the day is said where it is another one."""
        began, ended = (datetime.fromtimestamp(one, zone) for one in (self.began, self.ended))
        day = "" if began.date() == ended.date() else "%a " if ended - began < _WEEK else "%d %b %Y "
        return f"{self.why.value} from {began.strftime(day + '%H:%M')} to {ended.strftime(day + '%H:%M')}"


class Absences:
    """The latest ones."""

    def __init__(self) -> None:
        self._kept: deque[Absence] = deque(maxlen=_KEPT)

    def add(self, absence: Absence) -> None:
        """One that has just ended."""
        self._kept.append(absence)

    def over(self, instant: float) -> Absence | None:
        """The latest one in which an instant lies."""
        return next(
            (one for one in reversed(self._kept) if one.began - _AROUND <= instant <= one.ended + _AROUND),
            None,
        )
