"""What runs leave in a row of the task table as they begin and end: each gives another row. Values, no Qt."""

from collections.abc import Sequence

from msgspec import structs

from desktopsched.model import Outcome, Run, State
from desktopsched.ui import strip
from desktopsched.ui.row import Row
from desktopsched.ui.strip import PAST, Bar


def started(row: Row, run: int, at: float) -> Row:
    """The row once an attempt of a run began."""
    return structs.replace(row, since={run: at, **row.since})


def left(row: Row, run: int) -> Row:
    """The row once a run goes on here no more: it has ended, or another computer performs it."""
    return structs.replace(row, since={number: at for number, at in row.since.items() if number != run})


def ended(row: Row, run: Run, at: float, outcome: Outcome) -> Row:
    """The row once a run has its outcome."""
    last = max(at - row.since[run.id], 0.0) if run.id in row.since else None
    row = with_bar(left(row, run.id), bar_of(run, outcome, at, last))
    if last is None:
        return row
    took = (last, *row.took)[:PAST] if outcome.state is State.SUCCEEDED else row.took
    return structs.replace(row, last=last, took=took)


def bar_of(run: Run, outcome: Outcome, at: float, seconds: float | None = None) -> Bar:
    """The bar of a run that has ended, after so many seconds; None: it never ran."""
    return Bar(
        run=run.id,
        state=outcome.state,
        seconds=seconds,
        ended=at,
        reason=outcome.reason,
        cause=run.cause,
        due=run.scheduled_for,
    )


def with_bar(row: Row, bar: Bar) -> Row:
    """The row with one more run in its strip."""
    return structs.replace(row, bars=(bar, *row.bars)[:PAST])


def remembered(row: Row, past: Sequence[Bar]) -> Row:
    """The row with what the history knows, behind what it has seen itself."""
    seen = {bar.run for bar in row.bars}
    bars = (*row.bars, *(bar for bar in past if bar.run not in seen))[:PAST]
    last = next((bar.seconds for bar in bars if bar.seconds is not None), None)
    return structs.replace(row, bars=bars, took=strip.durations(bars), last=last)
