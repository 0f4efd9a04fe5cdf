"""A row of the task table: a task as it is, and what each column says of it at a moment. Values, no Qt.

Told the instant and the zone, like everything that speaks of time.
"""

import itertools
import statistics
from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct, structs

from desktopsched import phrases
from desktopsched.engine import words
from desktopsched.engine.events import TaskStatus
from desktopsched.model import (
    At,
    Cause,
    Command,
    OnFailure,
    Open,
    Outcome,
    Reminder,
    Script,
    State,
    Task,
    needs_worker,
)
from desktopsched.model.standin import is_stand_in
from desktopsched.ui import strip
from desktopsched.ui.strip import Bar, Mark

_ACTION_ICONS = {Command: "terminal", Script: "code", Reminder: "bell", Open: "external-link"}
_DONE_WORDS = {Reminder: "Shown", Open: "Opened"}
_MINUTE = 60
_BUSY = frozenset({State.RUNNING, State.READY})


class Cell(Struct, frozen=True, kw_only=True, gc=False):
    """What a column shows: a word, something less important beside it, an icon before it."""

    text: str
    aside: str = ""
    chip: str = ""  # a word in a frame of its own, behind all others
    icon: str = ""  # a name in resources/icons, or empty
    state: State | None = None  # whose icon stands before the text
    quiet: bool = False  # said in the colour of secondary text
    share: float | None = None  # 0–1 of the usual duration, for the bar
    late: bool = False  # longer than usual
    alarm: bool = False  # the icon has the colour of a failure
    marks: tuple[Mark, ...] = ()  # of the strip: oldest first

    @property
    def words(self) -> str:
        """Everything, for those who do not see the two parts."""
        return "  ".join(part for part in (self.text, self.aside, self.chip) if part)


class Row(Struct, frozen=True, kw_only=True, gc=False):
    """What the window knows of a task."""

    task: Task
    status: TaskStatus
    schedule: str  # in words
    schedule_icon: str
    since: Mapping[int, float] = {}  # by run under way: when its first attempt began
    took: tuple[float, ...] = ()  # seconds that its last successful runs took, newest first
    last: float | None = None  # seconds that its last run took
    bars: tuple[Bar, ...] = ()  # its last runs, newest first

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
        """Whether something of it is under way, or about to be; here, or on another computer."""
        return self.status.state in _BUSY or self.retrying

    @property
    def owners(self) -> str:
        """The other computers that perform it; empty: none does."""
        return ", ".join(dict.fromkeys(one.owner for one in self.status.elsewhere))

    @property
    def can_stop(self) -> bool:
        """Whether there is something to stop: only its own computer can stop a run."""
        status = self.status
        only_elsewhere = bool(status.elsewhere) and not status.running and status.state is not State.READY
        return self.busy and not only_elsewhere

    @property
    def idle(self) -> bool:
        """Whether it could run, and nothing of it is under way."""
        return self.status.enabled and not self.busy

    @property
    def usual(self) -> float | None:
        """Seconds that it usually takes."""
        return statistics.median(self.took) if self.took else None

    @property
    def gave_up(self) -> bool:
        """Whether it is disabled because it asks for that when it fails."""
        status = self.status
        failed = status.outcome is not None and status.outcome.state is State.FAILED
        return failed and not status.enabled and self.task.on_failure is OnFailure.PAUSE

    @property
    def last_bar(self) -> Bar | None:
        """The run that the last outcome is of, if it is known."""
        number = self.status.outcome_run
        return next((bar for bar in self.bars if bar.run == number), None) if number else None

    def elapsed(self, now: float) -> float | None:
        """Seconds for which its oldest run under way has gone on."""
        if self.status.state is not State.RUNNING or not self.since:
            return None
        return max(now - min(self.since.values()), 0.0)


def shown_state(row: Row, *, soon: bool) -> State:
    """What a row shows; while what it waits for is under way (`soon`), it is its next run that counts."""
    return State.PENDING if soon and row.idle else row.state


def action_icon(task: Task) -> str:
    """The icon of what a task does."""
    return "warning" if is_stand_in(task) else _ACTION_ICONS[type(task.action)]


def state_cell(state: State) -> Cell:
    """The state as an icon and one of the seven words."""
    quiet = state not in {*_BUSY, State.FAILED}
    return Cell(text=state.value.capitalize(), state=state, quiet=quiet)


def name_cell(row: Row) -> Cell:
    """The name, behind the icon of what it does."""
    return Cell(text=row.task.name, icon=action_icon(row.task))


def schedule_cell(row: Row, now: float, zone: ZoneInfo) -> Cell:
    """When it runs, in words; without the year, if it is this one."""
    text, schedule = row.schedule, row.task.schedule
    if isinstance(schedule, At) and schedule.time.year == datetime.fromtimestamp(now, zone).year:
        text = text.replace(f" {schedule.time.year} at ", " at ", 1)
    return Cell(text=text, icon=row.schedule_icon, quiet=True)


def next_cell(row: Row, now: float, zone: ZoneInfo) -> Cell:
    """When it runs next: how far away, then the clock time; or why it does not."""
    status = row.status
    if row.gave_up:
        return Cell(text="Paused", aside=_after_failures(row), icon="pause", alarm=True)
    if not status.enabled:
        return Cell(text="Disabled", icon="pause", quiet=True)
    if status.due is not None:
        clock = phrases.clock(status.due, now, zone)
        return Cell(text=phrases.until(status.due, now), aside=status.waiting if row.retrying else clock)
    if status.state is State.READY:
        return Cell(text="now", aside=status.waiting)
    if status.state is State.RUNNING:
        return _running_cell(row)
    return Cell(text=_never(row), quiet=True)


def _running_cell(row: Row) -> Cell:
    if row.owners and not row.status.running:
        return Cell(text="running", aside=f"on {row.owners}")
    return Cell(text="running now", quiet=True)


def _after_failures(row: Row) -> str:
    """How many of its last runs failed, one after the other."""
    failures = sum(1 for _ in itertools.takewhile(lambda bar: bar.state is State.FAILED, row.bars))
    return f"after {failures} failures" if failures > 1 else "after a failure"


def _never(row: Row) -> str:
    """Why nobody can say when it runs next."""
    if row.status.waiting:
        return row.status.waiting
    if row.task.waits_for:
        return "–"
    return "by hand" if row.task.schedule is None else "never"


def child_cell(at: float, behind: int, now: float, zone: ZoneInfo) -> Cell:
    """When a task runs that waits for others: about then, behind so many runs."""
    return Cell(text=about(at, now, zone), aside=f"waits for {behind}")


def about(at: float, now: float, zone: ZoneInfo) -> str:
    """An instant that is a guess, to the nearest minute: "about 14:36"."""
    return f"about {phrases.clock(round(at / _MINUTE) * _MINUTE, now, zone)}"


def result_cell(row: Row, now: float, zone: ZoneInfo) -> Cell:
    """How the last run ended, and when. An icon only if it was no success."""
    outcome, ended = row.status.outcome, row.status.ended
    if outcome is None:
        return Cell(text="Has not run yet", quiet=True)
    icon = None if outcome.state is State.SUCCEEDED else outcome.state
    bar = row.last_bar
    if words.is_missed(outcome):
        return _missed_cell(bar.due if bar is not None and bar.due is not None else ended, now, zone)
    return Cell(
        text=_result(row.task, outcome),
        aside=phrases.clock(ended, now, zone) if ended is not None else "",
        chip="catch-up" if bar is not None and bar.cause is Cause.CATCH_UP else "",
        state=icon,
    )


def _missed_cell(due: float | None, now: float, zone: ZoneInfo) -> Cell:
    """For when the run was that did not happen: "Missed at 09:00"; why not is in the tool tip."""
    clock = phrases.clock(due, now, zone) if due is not None else ""
    if clock[:1].isdigit() and " " not in clock:  # a time of today reads as a sentence
        return Cell(text=f"Missed at {clock}", state=State.SKIPPED)
    return Cell(text="Missed", aside=clock, state=State.SKIPPED)


def _result(task: Task, outcome: Outcome) -> str:
    computer = words.computer_of(outcome.reason)
    if computer and outcome.state is State.SUCCEEDED:
        return f"Ran on {computer}"
    if outcome.exit_code is not None:
        return f"Exit {outcome.exit_code} on {computer}" if computer else f"Exit {outcome.exit_code}"
    if outcome.state is State.SUCCEEDED and type(task.action) in _DONE_WORDS:
        return _DONE_WORDS[type(task.action)]
    reason = outcome.reason or outcome.state.value
    return reason[0].upper() + reason[1:]


def elsewhere_more(row: Row) -> list[str]:
    """What the tool tips of a task add that another computer performs."""
    if not row.status.elsewhere:
        return []
    tokens = ", ".join(f"token {one.token} on {one.owner}" for one in row.status.elsewhere)
    return [
        f"Runs on {row.owners} ({tokens}).",
        f"{only_there(row.owners)} “Why?” says how long its lease lasts.",
    ]


def only_there(owners: str) -> str:
    """Why there is no Stop."""
    return f"Only {owners} can stop it, and has its output."


def state_reason(row: Row) -> str:
    """What the tool tip of the state adds: why the last run ended so, which is to be found without its column."""
    outcome = row.status.outcome
    return outcome.reason if outcome is not None and row.state is outcome.state else ""


def result_more(row: Row, zone: ZoneInfo) -> list[str]:
    """What the tool tip of the last result adds: why, and the instant in full."""
    outcome, ended = row.status.outcome, row.status.ended
    full = f"Ended {phrases.full(round(ended), zone)}" if ended is not None else ""
    return [outcome.reason, full] if outcome is not None else []


def duration_cell(row: Row, now: float) -> Cell:
    """How long it runs already, against what is usual; else how long the last run took."""
    elapsed, usual = row.elapsed(now), row.usual
    if elapsed is not None:
        if usual is None:
            return Cell(text=stopwatch(elapsed), state=State.RUNNING)
        late = elapsed > (strip.p95(row.took) or usual)
        return Cell(
            text=stopwatch(elapsed),
            aside="longer than usual" if late else f"~{stopwatch(usual)}",
            state=State.RUNNING,
            share=min(elapsed / usual, 1.0) if usual > 0 else 1.0,
            late=late,
        )
    if row.last is None or not needs_worker(
        row.task.action
    ):  # how long it took to show a reminder says nothing
        return Cell(text="–", quiet=True)
    return Cell(text=phrases.took(row.last))


def strip_cell(row: Row, now: float) -> Cell:
    """Its last runs, as bars; in words how many of them ended well."""
    bars = row.bars[::-1]
    if not needs_worker(row.task.action):  # how long a reminder took says nothing
        bars = tuple(structs.replace(bar, seconds=None) for bar in bars)
    return Cell(text=_how_many_well(row.bars), marks=strip.marks(bars, row.elapsed(now), row.usual))


def _how_many_well(bars: Sequence[Bar]) -> str:
    if not bars:
        return "No runs yet"
    well = sum(bar.state is State.SUCCEEDED for bar in bars)
    if len(bars) == 1:
        return "The only run succeeded" if well else "The only run did not succeed"
    return f"{well} of the last {len(bars)} runs succeeded"


def bar_words(bar: Bar, now: float, zone: ZoneInfo) -> str:
    """What the tool tip of a bar says."""
    if not bar.run:
        return "Running now"
    when = f", {phrases.clock(bar.ended, now, zone)}" if bar.ended is not None else ""
    took = f", took {phrases.took(bar.seconds)}" if bar.seconds is not None else ""
    caught_up = ", catch-up" if bar.cause is Cause.CATCH_UP else ""
    lines = f"Run {bar.run}: {bar.state.value}{when}{took}{caught_up}"
    return f"{lines}\n{bar.reason}" if bar.reason else lines


def stopwatch(seconds: float) -> str:
    """A running time: "0:46", "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def sentence(row: Row, following: str, now: float, zone: ZoneInfo) -> str:
    """All of it as one sentence, for those who hear the table. `following`: when it runs next."""
    state, result = row.state.value, result_cell(row, now, zone)
    if row.owners and not row.status.running:
        return f"{row.task.name}, running on {row.owners}, last result {result.words}"
    if row.status.state is State.RUNNING and row.since:
        usual = f", usually {phrases.took(row.usual)}" if row.usual is not None else ""
        return f"{row.task.name}, running for {phrases.span(now - min(row.since.values()))}{usual}"
    return f"{row.task.name}, {state}, next run {following}, last result {result.words}"
