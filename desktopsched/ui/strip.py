"""The last runs of a task as bars: what stands in the column "Last 20 runs". Values, no Qt."""

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from desktopsched.model import State
from desktopsched.storage.records import RunRecord

PAST = 20
"""Runs of a task that are remembered: as many as the strip has places."""

_USUAL_MOST = 0.95  # the share of runs that took no longer than what counts as full height
_LEAST = 0.28  # of the height: a bar that took no time is still seen, and still hit


class Bar(Struct, frozen=True, kw_only=True, gc=False):
    """A run that has ended, or goes on."""

    run: int
    state: State
    seconds: float | None = None  # None: it never ran, or runs still
    ended: float | None = None
    reason: str = ""


class Mark(Struct, frozen=True, gc=False):
    """A bar as it is drawn: heights as shares of the whole height."""

    bar: Bar
    height: float
    rest: float = 0.0  # above a running one: what is left of the usual length


def bars_of(records: Iterable[RunRecord]) -> tuple[Bar, ...]:
    """The bars of runs as the history has them, in the same order."""
    return tuple(
        Bar(
            run=record.id,
            state=record.state,
            seconds=_seconds(record.started, record.ended),
            ended=record.ended,
            reason=record.reason,
        )
        for record in records
    )


def _seconds(started: float | None, ended: float | None) -> float | None:
    return max(ended - started, 0.0) if started is not None and ended is not None else None


def durations(bars: Iterable[Bar]) -> tuple[float, ...]:
    """Seconds that the successful ones took, in the same order."""
    return tuple(bar.seconds for bar in bars if bar.state is State.SUCCEEDED and bar.seconds is not None)


def p95(seconds: Sequence[float]) -> float | None:
    """What nineteen of twenty do not exceed."""
    if not seconds:
        return None
    return sorted(seconds)[math.ceil(len(seconds) * _USUAL_MOST) - 1]


def marks(bars: Sequence[Bar], elapsed: float | None, usual: float | None) -> tuple[Mark, ...]:
    """The bars, oldest first, with their heights; one more for a run that has gone on for `elapsed` seconds."""
    most = p95([bar.seconds for bar in bars if bar.seconds is not None]) or 0.0
    drawn = [Mark(bar, height(bar.seconds, most)) for bar in bars]
    if elapsed is not None:
        most = max(most, usual or 0.0)
        now = height(elapsed, most) if most else 1.0
        going = Mark(Bar(run=0, state=State.RUNNING), now, max(height(usual or 0.0, most) - now, 0.0))
        drawn = [*drawn, going]
    return tuple(drawn[-PAST:])


def height(seconds: float | None, most: float) -> float:
    """On a square-root scale against `most`, so that a short run beside a long one is still seen."""
    if seconds is None or most <= 0:
        return _LEAST
    return max(math.sqrt(min(seconds / most, 1.0)), _LEAST)
