"""Snoozing: how long, and what a reminder says of itself. Pure; told the instant and the zone."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases

LATE = 60.0
"""Seconds after which a reminder says when it was due."""

SNOOZES = ("5 min", "15 min", "1 h", "Tomorrow, 09:00")
"""What there is to choose from; keys 1 to 4."""

_SECONDS = (300.0, 900.0, 3_600.0)
_MORNING = 9  # o'clock


class Shown(Struct, frozen=True, kw_only=True):
    """A reminder as it is shown. Instants are seconds since 1970, UTC."""

    task_id: str
    title: str
    message: str
    due: float
    at: float  # when it came up
    count: int = 1  # so many times without an answer
    since: float = 0.0  # the first of them

    @property
    def headline(self) -> str:
        """The first line of the message."""
        return self.message.strip().partition("\n")[0].strip() or self.title

    @property
    def rest(self) -> str:
        """The other lines."""
        return self.message.strip().partition("\n")[2].strip()


def snoozed_until(choice: int, now: float, zone: ZoneInfo) -> float:
    """When it comes again, by the place of the choice in `SNOOZES`."""
    if choice < len(_SECONDS):
        return now + _SECONDS[choice]
    tomorrow = datetime.fromtimestamp(now, zone).date() + timedelta(days=1)
    return datetime(tomorrow.year, tomorrow.month, tomorrow.day, _MORNING, tzinfo=zone).timestamp()


def aside(shown: Shown, zone: ZoneInfo) -> str:
    """What is said besides the message: that it is late, that it came several times."""
    parts = []
    if shown.at - shown.due > LATE:
        parts.append(f"Was due at {phrases.clock(shown.due, shown.at, zone)}.")
    if shown.count > 1:
        parts.append(f"Shown {shown.count} times since {phrases.clock(shown.since, shown.at, zone)}.")
    return " ".join(parts)
