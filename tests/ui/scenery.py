"""What tests of the window are made of: small tasks, events about them, and a session that only writes down."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal

from desktopsched.drafts import Draft
from desktopsched.engine.events import (
    Event,
    RunFinished,
    RunOutput,
    RunStarted,
    TaskAdded,
    TaskChanged,
    TaskEdited,
    TaskRemoved,
    TaskStatus,
)
from desktopsched.ledger import Answer, Fate
from desktopsched.model import Action, CatchUp, Cause, Command, DesktopschedError, Outcome, Run, State, Task
from desktopsched.model import change as model_change
from desktopsched.model.change import Change
from desktopsched.storage.preferences import Preferences
from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.alerts.stack import Stack
from desktopsched.ui.background import Background
from desktopsched.ui.bridge import Bridge
from desktopsched.ui.edits import Edits
from desktopsched.ui.form.workbench import Hearer, Job
from desktopsched.ui.look import Look
from desktopsched.ui.past_runs import PastRuns
from desktopsched.ui.reminders import Reminders
from desktopsched.ui.session import Session
from desktopsched.ui.strip import Bar

NOON = 1_792_756_800.0  # Friday 23 October 2026, 12:00 UTC
BERLIN = ZoneInfo("Europe/Berlin")
MARKUP = "<b>x</b><img src='file:///etc/hostname'>"

_COMMAND = Command(argv=("true",))


def task(task_id: str, name: str = "", *, group: str = "", action: Action = _COMMAND, **more: Any) -> Task:
    return Task(id=task_id, name=name or task_id.capitalize(), group=group, action=action, **more)


def status(state: State = State.PENDING, **more: Any) -> TaskStatus:
    return TaskStatus(state=state, **more)


def run(task_id: str, number: int = 1, *, cause: Cause = Cause.SCHEDULE, attempt: int = 1) -> Run:
    return Run(id=number, task_id=task_id, scheduled_for=NOON, cause=cause, attempt=attempt)


def added(one: Task, shown: TaskStatus | None = None) -> TaskAdded:
    return TaskAdded(at=NOON, task=one, status=shown or status(enabled=one.enabled))


def edited(one: Task, shown: TaskStatus | None = None) -> TaskEdited:
    return TaskEdited(at=NOON, task=one, status=shown or status(enabled=one.enabled))


def removed(task_id: str) -> TaskRemoved:
    return TaskRemoved(at=NOON, task_id=task_id)


def changed(task_id: str, shown: TaskStatus) -> TaskChanged:
    return TaskChanged(at=NOON, task_id=task_id, status=shown)


def started(one: Run, at: float = NOON) -> RunStarted:
    return RunStarted(at=at, run=one, status=status(State.RUNNING, running=(one,)))


def finished(one: Run, outcome: Outcome, at: float = NOON, *, due: float | None = None) -> RunFinished:
    after = status(due=due, outcome=outcome, outcome_run=one.id, ended=at)
    return RunFinished(at=at, run=one, outcome=outcome, status=after)


def output(one: Run, text: str, at: float = NOON) -> RunOutput:
    return RunOutput(at=at, run=one, text=text)


def past(*seconds: float) -> tuple[Bar, ...]:
    """Runs that succeeded before the window came, newest first."""
    return tuple(
        Bar(run=-number, state=State.SUCCEEDED, seconds=one, ended=NOON - number)
        for number, one in enumerate(seconds, 1)
    )


class FakePastRuns(QObject):
    """Logs without files: the test says what is in them."""

    read = Signal(int, tuple)
    more = Signal(int, tuple, object)
    failed = Signal(str)
    written = Signal()
    not_saved = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, int]] = []
        self.saved: list[tuple[Path, str]] = []
        self.saved_runs: list[tuple[Path, str, int]] = []
        self.live = False
        self.went_on: list[bool] = []  # and whether the run had ended

    def ask(self, task_id: str, number: int, *, live: bool = False) -> None:
        self.asked.append((task_id, number))
        self.live = live

    def go_on(self, *, ended: bool) -> None:
        self.went_on.append(ended)

    def forget(self) -> None:
        self.asked.append(("", 0))

    def save(self, path: Path, text: str) -> None:
        self.saved.append((path, text))

    def save_run(self, path: Path, task_id: str, number: int) -> None:
        self.saved_runs.append((path, task_id, number))

    @property
    def as_past_runs(self) -> PastRuns:
        return cast("PastRuns", self)


def reminders(look: Look, folder: Path, now: Callable[[], float] = lambda: NOON) -> Reminders:
    return Reminders(look, Stack(look), KeptFile(folder), now=now, zone=lambda: BERLIN)


class FakeCommands(QObject):
    """Writes down what is asked for."""

    failed = Signal(str, object)
    done = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[object, ...]] = []
        self.reason = Answer(due=NOON, fate=Fate.SKIPPED, sentences=("It was due.", "It was skipped."), run=7)

    def run_now(self, tasks: Sequence[str], *, downstream: bool = False) -> None:
        self.asked.append(("run after" if downstream else "run", *tasks))

    def run_instead(self, task_id: str, command: Command) -> None:
        self.asked.append(("run instead", task_id, command))

    def stop(self, tasks: Sequence[str]) -> None:
        self.asked.append(("stop", *tasks))

    def pause(self, *, paused: bool) -> None:
        self.asked.append(("pause", paused))

    def why(self, task_id: str, told: Callable[[Answer], object]) -> None:
        self.asked.append(("why", task_id))
        told(self.reason)

    def give_way(self, *, others: bool) -> None:
        self.asked.append(("give way", others))

    def trust_clock(self) -> None:
        self.asked.append(("trust clock",))

    def decide(self, choice: CatchUp) -> None:
        self.asked.append(("decide", choice))

    def answer(self, decisions: Sequence[tuple[str, CatchUp, bool, bool]]) -> None:
        self.asked.append(("answer", *decisions))


class FakeBench:
    """A workbench that writes down what is asked for; the test says what comes of it."""

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.hearer: Hearer | None = None
        self.stops: list[str] = []
        self.stored: list[dict[str, str]] = []
        self.done: Callable[[], None] = lambda: None
        self.failed: Callable[[str], None] = lambda _words: None

    def test(self, draft: Draft, hearer: Hearer) -> Job:
        self.drafts.append(draft)
        self.hearer = hearer
        return Job(self._let_go, self.stops.append)

    def store(
        self, secrets: Mapping[str, str], done: Callable[[], None], failed: Callable[[str], None]
    ) -> Job:
        self.stored.append(dict(secrets))
        self.done, self.failed = done, failed
        return Job(self._let_go, self.stops.append)

    def _let_go(self) -> None:
        self.hearer = None
        self.done, self.failed = lambda: None, lambda _words: None


class SameThread:
    """A background without a thread: all is done at once."""

    def do(
        self,
        work: Callable[[], object],
        done: Callable[[Any], object] = lambda _: None,
        failed: Callable[[Exception], object] = lambda _: None,
    ) -> None:
        try:
            result = work()
        except DesktopschedError as error:
            failed(error)
        else:
            done(result)


class FakeCrontab:
    """A crontab without a system: the test says what is in it."""

    available = True

    def __init__(self) -> None:
        self.text = ""

    def read(self) -> str:
        return self.text


class FakeLogin:
    """A system that starts something at login, or does not."""

    possible = True

    def __init__(self) -> None:
        self.on = False
        self.refusal: DesktopschedError | None = None

    def is_on(self) -> bool:
        return self.on

    def switch(self, *, on: bool) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.on = on


def _event(change: Change) -> Event:
    if change.after is None:
        return removed(change.before.id if change.before else "")
    return edited(change.after) if change.before else added(change.after)


class FakeSession(QObject):
    """A session without a program: the test says what happens."""

    opened = Signal(object)
    refused = Signal(object)
    closed = Signal()
    shown = Signal(str)

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bridge = Bridge(self)
        self.home = SimpleNamespace(folder=folder, tasks=folder / "tasks.json")
        self.commands = FakeCommands()
        self.past_runs = FakePastRuns()
        self.program = SimpleNamespace(
            notices=list[str](),
            task_list=SimpleNamespace(tasks=list[Task]()),
            last_alive=None,
            membership=None,
            shared=None,
            preferences=Preferences(workers=2),
        )
        self.crontab = FakeCrontab()
        self.login = FakeLogin()
        self.bench = FakeBench()
        self.background = SameThread()
        self.edits = Edits(self._apply, cast("Background", self.background), self)
        self.refusal: DesktopschedError | None = None  # of the next edits
        self.is_open = False
        self.paused = False
        self.trouble = ""
        self.doubted: float | None = None
        self.shares = False
        self.handed_over = False
        self.out_of_reach: tuple[float, str] | None = None
        self.clock_words = ""
        self.joins_another = False
        self.patient = SameThread()
        self.closes = 0
        self.can_outlive = True
        self.kept_running = False

    def _apply(self, changes: Sequence[Change]) -> None:
        """As the program does, down to the events."""
        if self.refusal is not None:
            raise self.refusal
        self.program.task_list.tasks[:] = model_change.changed(self.program.task_list.tasks, changes)
        self.bridge.arrived.emit([_event(change) for change in changes])

    @property
    def tasks(self) -> list[Task]:
        return self.program.task_list.tasks  # type: ignore[no-any-return]

    def close(self, *, keep_running: bool = False) -> None:
        self.closes += 1
        self.kept_running = keep_running

    @property
    def as_session(self) -> Session:
        return cast("Session", self)
