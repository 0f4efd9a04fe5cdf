"""A stage on which tasks are performed for real. What they leave behind is looked for by the tests' own harness."""

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from desktopsched.actions import start
from desktopsched.actions.perform import Performer
from desktopsched.actions.start import can_supervise
from desktopsched.actions.surroundings import Places
from desktopsched.model import Action, Cause, Command, Outcome, Run, Task
from desktopsched.supervisor import attempt
from tests.children import child_pids, children_since

MARK = "DESKTOPSCHED_HOME"  # each test has its own, and every process that it starts inherits it


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
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


@contextlib.contextmanager
def fetching() -> Iterator[None]:
    """In the end, fetch supervisors that a program left here: nobody else does."""
    strangers = child_pids()
    yield
    for child in children_since(strangers):
        child.wait(60)


class Log:
    """Keeps what a run's log gets."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.closed = False

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        self.closed = True


class Kept:
    """A log that a supervisor writes: the files that it left, read as one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.closed = False

    @property
    def data(self) -> bytes:
        parts = sorted(self.path.parent.glob("*.log.*"), key=lambda part: int(part.suffix[1:]))
        return b"".join(part.read_bytes() for part in (self.path, *parts) if part.exists())

    @property
    def size(self) -> int:
        """How many bytes there were, also those that were dropped."""
        last = max(self.path.parent.glob("*.log.*"), key=lambda part: int(part.suffix[1:]), default=None)
        if last is None:
            return self.path.stat().st_size
        return int(last.suffix[1:]) + last.stat().st_size


class Desk:
    """Where supervised runs keep what is theirs: a folder for each, and a log in each of these."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs: list[Kept] = []
        self.log_error: Exception | None = None  # raised where a log should begin
        self.outlive = True
        self._numbers = itertools.count(1)
        folder.mkdir(exist_ok=True)

    def places(self) -> Places:
        return Places(
            new_folder=self.new_folder,
            begin_log=self.begin_log,
            end_log=self.end_log,
            outlive=lambda _: self.outlive,
        )

    def new_folder(self, run: Run) -> Path:
        folder = self.folder / str(next(self._numbers))
        folder.mkdir(mode=0o700)
        return folder

    def end_log(self, task_id: str, run_id: int) -> None:
        for log in self.logs[-1:]:  # that of an adopted run belongs to another
            log.closed = True

    def begin_log(self, task_id: str, run_id: int) -> Path:
        if self.log_error is not None:
            raise self.log_error
        folder = self.folder / f"log {next(self._numbers)}"
        folder.mkdir()
        self.logs.append(Kept(folder / "run.log"))
        return self.logs[-1].path


class Stage:
    """Performs actions, with or without a supervisor, and remembers what was logged and shown."""

    def __init__(self, mark: str, desk: Desk | None) -> None:
        self.mark = mark
        self.desk = desk
        self.shown: list[str] = []
        self.stop_at: str | None = None
        self.secrets = {"PG": "s3cret-word"}
        self._log = Log()
        self.set_up()

    def set_up(
        self,
        grace: float = 30.0,
        read_secret: Callable[[str], str] | None = None,
        on_output: Callable[[Run, str], None] | None = None,
    ) -> None:
        """Another performer."""
        self.performer = Performer(
            lambda task_id, run_id: self._log,
            on_output=on_output or self.hear,
            read_secret=read_secret or self.secrets.__getitem__,
            grace=grace,
            places=self.desk.places() if self.desk is not None else None,
        )

    @property
    def log(self) -> Log | Kept:
        """The log of the last run."""
        return self.desk.logs[-1] if self.desk is not None and self.desk.logs else self._log

    @property
    def text(self) -> str:
        """The whole live copy."""
        return "".join(self.shown)

    def perform(self, action: Action, run: Run | None = None, *, stop_at: str | None = None) -> Outcome:
        """Perform it; a stop is requested when the output says `stop_at`."""
        self._log, self.shown, self.stop_at = Log(), [], stop_at
        return self.performer.perform(Task(id="task", name="Task", action=action), run or a_run())

    def shell(self, text: str, *, stop_at: str | None = None, timeout: float | None = None) -> Outcome:
        return self.perform(Command(shell=text, timeout=timeout), stop_at=stop_at)

    def left(self) -> list[psutil.Process]:
        """What the task's process started, and itself; not its supervisor, and nothing that has died."""
        return [
            process
            for process in processes_of(self.mark)
            if not (is_supervisor(process) or has_died(process))
        ]

    def runs(self, *programs: str) -> bool:
        """Whether just these are left, and each is the program already that it was started to become."""
        with contextlib.suppress(psutil.Error):
            return sorted(process.name() for process in self.left()) == sorted(programs)
        return False

    def clear(self) -> None:
        """End what a test left on purpose."""
        for process in self.left():
            process.kill()
        until(lambda: not self.left())

    def hear(self, run: Run, text: str) -> None:
        self.shown.append(text)
        if self.stop_at is not None and self.stop_at in self.text:
            run.stop.request("stopped by you")


def is_supervisor(process: psutil.Process) -> bool:
    try:
        return "desktopsched.supervisor" in " ".join(process.cmdline())
    except (psutil.Error, OSError):
        return False


def has_died(process: psutil.Process) -> bool:
    """Whether it is only there for its parent to hear of."""
    try:
        return not process.cmdline()
    except (psutil.Error, OSError):
        return True


def a_run(**fields: object) -> Run:
    given = {"id": 7, "task_id": "task", "scheduled_for": 1_700_000_000.0, "cause": Cause.SCHEDULE, **fields}
    return Run(**given)  # type: ignore[arg-type]


def supervisors_do(text: str, patch: pytest.MonkeyPatch) -> None:
    """What supervisors do, in Python, before they take their order."""
    patch.setattr(start, "_BEGIN", start._BEGIN.removesuffix("main()") + f"\n{text}\nmain()")


@pytest.fixture
def long_drain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output is read as long as somebody may write: nothing has to happen within two seconds."""
    monkeypatch.setattr(attempt, "DRAIN", 60.0)
    supervisors_do("from desktopsched.supervisor import attempt; attempt.DRAIN = 60.0", monkeypatch)


WAYS = ["supervised", "direct"] if can_supervise() else ["direct"]


@pytest.fixture(params=WAYS)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk | None:
    """For each way in which a process is performed."""
    return Desk(tmp_path / "desk") if request.param == "supervised" else None


@pytest.fixture
def stage(home: Path, desk: Desk | None) -> Stage:
    return Stage(os.environ[MARK], desk)


@pytest.fixture
def supervised(home: Path, tmp_path: Path) -> Stage:
    """A stage whose processes have supervisors."""
    return Stage(os.environ[MARK], Desk(tmp_path / "desk"))
