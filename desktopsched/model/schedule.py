"""Schedules: when a task is due. Values only; the instants they give are computed in `engine.occurrences`."""

from datetime import datetime

from msgspec import Struct

from desktopsched.model.cron import parse_cron
from desktopsched.model.duration import LONGEST
from desktopsched.model.errors import InvalidTaskError

SHORTEST = 0.001
"""Seconds: no interval is shorter."""


class At(Struct, frozen=True, gc=False):
    """Once. A time without an offset is wall time in the task's zone."""

    time: datetime


class After(Struct, frozen=True, kw_only=True, gc=False):
    """Once, `delay` seconds after `since` (`from` in the task file).

    Where the file has no `from`, it counts from the instant at which the program first saw the task.
    """

    delay: float
    since: datetime | None = None

    def __post_init__(self) -> None:
        _check_seconds("delay", self.delay, least=0.0)


class Every(Struct, frozen=True, kw_only=True, gc=False):
    """Due at exactly `start + k·interval`, in elapsed seconds, whatever the wall clock does.

    Where the file has no `start`, it is the instant at which the program first saw the task.
    """

    interval: float
    start: datetime | None = None

    def __post_init__(self) -> None:
        _check_seconds("interval", self.interval, least=SHORTEST)


class Cron(Struct, frozen=True, gc=False):
    """Five fields read strictly as Debian's cron reads them, or a nickname such as `@daily`."""

    expression: str

    def __post_init__(self) -> None:
        parse_cron(self.expression)


Schedule = At | After | Every | Cron


def _check_seconds(name: str, value: object, *, least: float) -> None:
    """Whatever builds a task: no loop that never rests, no number that is none. The task file asks for a second."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidTaskError(f"{name} must be a number of seconds, not {value!r}.")
    if not least <= value <= LONGEST:  # so written, NaN is refused too
        raise InvalidTaskError(f"{name} must be between {least:g} and {LONGEST:.0f} seconds, not {value!r}.")
