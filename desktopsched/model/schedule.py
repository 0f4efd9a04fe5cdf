"""Schedules: when a task is due. Values only; the instants they give are computed in `engine.occurrences`."""

import math
from datetime import datetime

from msgspec import Struct

from desktopsched.model.cron import parse_cron
from desktopsched.model.errors import InvalidTaskError


class At(Struct, frozen=True):
    """Once. A time without an offset is wall time in the task's zone."""

    time: datetime


class After(Struct, frozen=True, kw_only=True):
    """Once, `delay` seconds after `since` (`from` in the task file).

    Where the file has no `from`, it counts from the instant at which the program first saw the task.
    """

    delay: float
    since: datetime | None = None

    def __post_init__(self) -> None:
        _check_seconds("delay", self.delay, least=0)


class Every(Struct, frozen=True, kw_only=True):
    """Due at exactly `start + k·interval`, in elapsed seconds, whatever the wall clock does.

    Where the file has no `start`, it is the instant at which the program first saw the task.
    """

    interval: float
    start: datetime | None = None

    def __post_init__(self) -> None:
        _check_seconds("interval", self.interval, least=0, or_equal=False)


class Cron(Struct, frozen=True):
    """Five fields read strictly as Debian's cron reads them, or a nickname such as `@daily`."""

    expression: str

    def __post_init__(self) -> None:
        parse_cron(self.expression)


Schedule = At | After | Every | Cron


def _check_seconds(name: str, value: float, *, least: float, or_equal: bool = True) -> None:
    if not math.isfinite(value) or value < least or (value == least and not or_equal):
        raise InvalidTaskError(f"{name} must be a positive number of seconds, not {value!r}.")
