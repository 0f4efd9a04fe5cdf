"""What tests of the window are made of: small tasks, events about them, and a session that only writes down."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal

from desktopsched.engine.events import (
    RunFinished,
    RunOutput,
    RunStarted,
    TaskAdded,
    TaskChanged,
    TaskEdited,
    TaskRemoved,
    TaskStatus,
)
from desktopsched.model import Action, CatchUp, Cause, Command, Outcome, Run, State, Task
from desktopsched.ui.bridge import Bridge
from desktopsched.ui.session import Session

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


class FakeCommands(QObject):
    """Writes down what is asked for."""

    failed = Signal(str)
    done = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[object, ...]] = []

    def run_now(self, tasks: Sequence[str]) -> None:
        self.asked.append(("run", *tasks))

    def stop(self, tasks: Sequence[str]) -> None:
        self.asked.append(("stop", *tasks))

    def pause(self, *, paused: bool) -> None:
        self.asked.append(("pause", paused))

    def decide(self, choice: CatchUp) -> None:
        self.asked.append(("decide", choice))

    def load_examples(self) -> None:
        self.asked.append(("examples",))


class FakeSession(QObject):
    """A session without a program: the test says what happens."""

    opened = Signal(object)
    refused = Signal(object)
    closed = Signal()
    shown = Signal()

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.bridge = Bridge(self)
        self.commands = FakeCommands()
        self.program = SimpleNamespace(
            home=SimpleNamespace(folder=folder, tasks=folder / "tasks.json"), notices=list[str]()
        )
        self.paused = False
        self.trouble = ""
        self.closes = 0

    def close(self) -> None:
        self.closes += 1

    @property
    def as_session(self) -> Session:
        return cast("Session", self)
