"""A stage on which tasks are performed for real. What they leave behind is looked for by the tests' own harness."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from desktopsched.actions.perform import Performer
from desktopsched.model import Action, Cause, Command, Outcome, Run, Task

MARK = "DESKTOPSCHED_HOME"  # each test has its own, and every process that it starts inherits it


def until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait for what another process or thread does; fails when it does not."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def processes_of(mark: str) -> list[psutil.Process]:
    """The living ones that a test started."""
    found = []
    for process in psutil.process_iter():
        try:
            ours = process.pid != os.getpid() and process.environ().get(MARK) == mark
        except (psutil.Error, OSError):
            continue
        if ours:
            found.append(process)
    return found


class Log:
    """Keeps what a run's log gets."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.closed = False

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        self.closed = True


class Stage:
    """Performs actions, and remembers what was logged and shown."""

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.log = Log()
        self.shown: list[str] = []
        self.stop_at: str | None = None
        self.secrets = {"PG": "s3cret-word"}
        self.performer = Performer(
            lambda task_id, run_id: self.log,
            on_output=self._hear,
            read_secret=self.secrets.__getitem__,
            grace=5.0,
        )

    @property
    def text(self) -> str:
        """The whole live copy."""
        return "".join(self.shown)

    def perform(self, action: Action, run: Run | None = None, *, stop_at: str | None = None) -> Outcome:
        """Perform it; a stop is requested when the output says `stop_at`."""
        self.log, self.shown, self.stop_at = Log(), [], stop_at
        return self.performer.perform(Task(id="task", name="Task", action=action), run or a_run())

    def shell(self, text: str, *, stop_at: str | None = None, timeout: float | None = None) -> Outcome:
        return self.perform(Command(shell=text, timeout=timeout), stop_at=stop_at)

    def left(self) -> list[psutil.Process]:
        return processes_of(self.mark)

    def clear(self) -> None:
        """End what a test left on purpose."""
        for process in self.left():
            process.kill()
        until(lambda: not self.left())

    def _hear(self, run: Run, text: str) -> None:
        self.shown.append(text)
        if self.stop_at is not None and self.stop_at in self.text:
            run.stop.request("stopped by you")


def a_run(**fields: object) -> Run:
    given = {"id": 7, "task_id": "task", "scheduled_for": 1_700_000_000.0, "cause": Cause.SCHEDULE, **fields}
    return Run(**given)  # type: ignore[arg-type]


@pytest.fixture
def stage(home: Path) -> Stage:
    return Stage(os.environ[MARK])
