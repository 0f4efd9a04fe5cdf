"""A row of the task table: a task as it is, and what each column says of it at a moment. Values, no Qt.

Told the instant and the zone, like everything that speaks of time.
"""

import statistics
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from msgspec import Struct, structs

from desktopsched import phrases
from desktopsched.engine.events import TaskStatus
from desktopsched.model import Command, Open, Outcome, Reminder, Script, State, Task, needs_worker

PAST = 20
"""Durations that are remembered, for what is usual."""

_ACTION_ICONS = {Command: "terminal", Script: "code", Reminder: "bell", Open: "external-link"}
_DONE_WORDS = {Reminder: "Shown", Open: "Opened"}
_NO_TIME = 0.1  # seconds; less is not worth a figure
_BUSY = frozenset({State.RUNNING, State.READY})


class Cell(Struct, frozen=True, kw_only=True):
    """What a column shows: a word, something less important beside it, an icon before it."""

    text: str
    aside: str = ""
    icon: str = ""  # a name in resources/icons, or empty
    state: State | None = None  # whose icon stands before the text
    quiet: bool = False  # said in the colour of secondary text
    share: float | None = None  # 0–1 of the usual duration, for the bar
    late: bool = False  # longer than usual

    @property
    def words(self) -> str:
        """Everything, for those who do not see the two parts."""
        return f"{self.text}  {self.aside}" if self.aside else self.text


class Row(Struct, frozen=True, kw_only=True):
    """What the window knows of a task."""

    task: Task
    status: TaskStatus
    schedule: str  # in words
    schedule_icon: str
    since: Mapping[int, float] = {}  # by run under way: when its first attempt began
    took: tuple[float, ...] = ()  # seconds that its last successful runs took, newest first
    last: float | None = None  # seconds that its last run took

    @property
    def state(self) -> State:
        """What it is doing; if it does nothing, how its last run ended; before its first run PENDING."""
        status = self.status
        if status.state in _BUSY or self.retrying or status.outcome is None:
            return status.state
        return status.outcome.state

    @property
    def retrying(self) -> bool:
        """Whether a run of it is between two attempts: the one PENDING that a stop can end."""
        return self.status.state is State.PENDING and bool(self.since)

    @property
    def busy(self) -> bool:
        """Whether there is something to stop."""
        return self.status.state in _BUSY or self.retrying

    @property
    def usual(self) -> float | None:
        """Seconds that it usually takes."""
        return statistics.median(self.took) if self.took else None


def state_cell(row: Row) -> Cell:
    """The state as an icon and one of the seven words."""
    quiet = row.state not in {*_BUSY, State.FAILED}
    return Cell(text=row.state.value.capitalize(), state=row.state, quiet=quiet)


def name_cell(row: Row) -> Cell:
    """The name, behind the icon of what it does."""
    return Cell(text=row.task.name, icon=_ACTION_ICONS[type(row.task.action)])


def schedule_cell(row: Row) -> Cell:
    """When it runs, in words."""
    return Cell(text=row.schedule, icon=row.schedule_icon, quiet=True)


def next_cell(row: Row, now: float, zone: ZoneInfo) -> Cell:
    """When it runs next: how far away, then the clock time; or why it does not."""
    status = row.status
    if not status.enabled:
        return Cell(text="Disabled", icon="pause", quiet=True)
    if status.due is not None:
        clock = phrases.clock(status.due, now, zone)
        return Cell(text=phrases.until(status.due, now), aside=status.waiting if row.retrying else clock)
    if status.state is State.READY:
        return Cell(text="now", aside=status.waiting)
    if status.state is State.RUNNING:
        return Cell(text="running now", quiet=True)
    return Cell(text=status.waiting or ("by hand" if row.schedule == "By hand" else "–"), quiet=True)


def result_cell(row: Row, now: float, zone: ZoneInfo) -> Cell:
    """How the last run ended, and when. An icon only if it was no success."""
    outcome, ended = row.status.outcome, row.status.ended
    if outcome is None:
        return Cell(text="Has not run yet", quiet=True)
    icon = None if outcome.state is State.SUCCEEDED else outcome.state
    aside = phrases.clock(ended, now, zone) if ended is not None else ""
    return Cell(text=_result(row.task, outcome), aside=aside, state=icon)


def _result(task: Task, outcome: Outcome) -> str:
    if outcome.exit_code is not None:
        return f"Exit {outcome.exit_code}"
    if outcome.state is State.SUCCEEDED and type(task.action) in _DONE_WORDS:
        return _DONE_WORDS[type(task.action)]
    words = outcome.reason or outcome.state.value
    return words[0].upper() + words[1:]


def duration_cell(row: Row, now: float) -> Cell:
    """How long it runs already, against what is usual; else how long the last run took."""
    if row.status.state is State.RUNNING and row.since:
        elapsed, usual = max(now - min(row.since.values()), 0.0), row.usual
        if usual is None:
            return Cell(text=stopwatch(elapsed), state=State.RUNNING)
        return Cell(
            text=stopwatch(elapsed),
            aside=f"~{stopwatch(usual)}",
            state=State.RUNNING,
            share=min(elapsed / usual, 1.0) if usual > 0 else 1.0,
            late=elapsed > max(row.took),
        )
    if row.last is None or not needs_worker(
        row.task.action
    ):  # how long it took to show a reminder says nothing
        return Cell(text="–", quiet=True)
    return Cell(text=took_words(row.last))


def stopwatch(seconds: float) -> str:
    """A running time: "0:46", "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def took_words(seconds: float) -> str:
    """A duration; under a second by its tenths, so that a quick task does not look like none."""
    if seconds < _NO_TIME:
        return "under 0.1 s"
    return f"{seconds:.1f} s" if seconds < 1 else phrases.span(seconds)


def sentence(row: Row, now: float, zone: ZoneInfo) -> str:
    """All of it as one sentence, for those who hear the table."""
    state, result = row.state.value, result_cell(row, now, zone)
    if row.status.state is State.RUNNING and row.since:
        usual = f", usually {took_words(row.usual)}" if row.usual is not None else ""
        return f"{row.task.name}, running for {phrases.span(now - min(row.since.values()))}{usual}"
    return f"{row.task.name}, {state}, next run {next_cell(row, now, zone).words}, last result {result.words}"


def started(row: Row, run: int, at: float) -> Row:
    """The row once an attempt of a run began."""
    return structs.replace(row, since={run: at, **row.since})


def ended(row: Row, run: int, at: float, state: State) -> Row:
    """The row once a run has its outcome."""
    since = {number: begun for number, begun in row.since.items() if number != run}
    if run not in row.since:
        return structs.replace(row, since=since)
    last = max(at - row.since[run], 0.0)
    took = (last, *row.took)[:PAST] if state is State.SUCCEEDED else row.took
    return structs.replace(row, since=since, last=last, took=took)
