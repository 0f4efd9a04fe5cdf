"""Many runs in a row: nothing of them stays but what is kept on purpose, in the history and the logs.

`DESKTOPSCHED_RUNS=1000` lets so many happen.
"""

import gc
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from msgspec import Struct

from desktopsched.control.requests import Requests
from desktopsched.control.wire import Server, ask
from desktopsched.engine.events import Event, RunFinished
from desktopsched.model import Command, Retry, State, Task
from desktopsched.program import Program
from desktopsched.storage.home import Home, find_home
from tests.children import child_pids, families_since
from tests.faultlines import Record

RUNS = int(os.environ.get("DESKTOPSCHED_RUNS", "60"))
FIRST = 10
MEMORY = 8 * 1024 * 1024  # bytes: what an allocator may keep, and far less than 1,000 runs of anything
_LOOKS = 9

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it counts descriptors and uses a shell's pipes")

TASKS = (
    Task(id="quiet", name="quiet", action=Command(shell="true")),
    Task(id="loud", name="loud", action=Command(shell="yes | head -c 300000")),
    Task(id="bad", name="bad", action=Command(shell="exit 3"), retry=Retry(attempts=2, delay=0.0)),
    Task(id="slow", name="slow", action=Command(shell="sleep 60 & setsid sleep 60 & sleep 60", timeout=0.1)),
    Task(id="parent", name="parent", action=Command(shell="true")),
)


class Held(Struct, frozen=True):
    """What a program holds at a moment."""

    descriptors: int
    threads: int
    processes: int
    files: frozenset[str]
    memory: int


class Running:
    """A program with all that a `serve` has, and what it holds."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._changed = threading.Condition()
        self._ended = 0
        self._strangers = child_pids()
        self.program = Program(home, "serve")
        self.program.listen(self._hear)
        self.program.open()
        home.prepare_runtime()
        requests = Requests(self.program)
        self._server = Server(home.socket, requests.answer, requests.end)
        self._server.start()
        self._loop = threading.Thread(target=self.program.dispatcher.loop)
        self._loop.start()

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunFinished):
            with self._changed:
                self._ended += 1
                self._changed.notify_all()

    def run(self, number: int) -> None:
        """One more run, now and then followed by a command; its end is waited for."""
        task = TASKS[number % len(TASKS)]
        if number % 3:
            self.program.dispatcher.run_now(task.id)
        else:
            *_, end = ask(self.home.socket, {"do": "run", "task": task.id})
            assert end["done"]
        with self._changed:
            assert self._changed.wait_for(lambda: self._ended > number, timeout=60), task.id

    def held(self) -> Held:
        """Once it is at rest: what it holds at each of several looks. What it has for a moment is not left behind."""
        self.program.history.flush()
        moment = threading.Event()
        for _ in range(1_500):
            folders = list(self.home.runs.iterdir())
            if not folders and not families_since(self._strangers) and self._is_served():
                break
            moment.wait(0.02)
        gc.collect()
        looks = [self._look()]
        for _ in range(_LOOKS):
            moment.wait(0.02)
            looks.append(self._look())
        return Held(
            descriptors=min(look.descriptors for look in looks),
            threads=min(look.threads for look in looks),
            processes=min(look.processes for look in looks),
            files=frozenset.intersection(*(look.files for look in looks)),
            memory=looks[-1].memory,
        )

    def _look(self) -> Held:
        me, kept = psutil.Process(), (self.home.logs, self.home.history)
        places = {self.home.folder, self.home.history.parent, Path(tempfile.gettempdir())}
        found = {os.fspath(path) for place in places for path in place.iterdir() if path not in kept}
        found |= {os.fspath(path) for path in self.home.runs.iterdir()}
        return Held(
            descriptors=me.num_fds(),
            threads=threading.active_count(),
            processes=len(families_since(self._strangers)),
            files=frozenset(found),
            memory=me.memory_info().rss,
        )

    def _is_served(self) -> bool:
        return not any(thread.name == "control request" for thread in threading.enumerate())

    def close(self) -> None:
        self.program.dispatcher.stop()
        self._loop.join()
        self.program.stop()
        self._server.close()
        self.program.close()


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for temporary files that nobody else uses."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(folder))
    monkeypatch.setenv("TMPDIR", os.fspath(folder))


@contextmanager
def running() -> Iterator[Running]:
    found = Running(find_home())
    try:
        for task in TASKS:
            found.program.task_list.add(task)
        yield found
    finally:
        found.close()


@pytest.mark.timeout(900)
def test_many_runs_in_a_row_leave_nothing_behind(home: Path, report: Record) -> None:
    with running() as served:
        for number in range(FIRST):
            served.run(number)
        first = served.held()
        for number in range(FIRST, RUNS):
            served.run(number)
        last = served.held()
        records = served.program.history.records.runs(limit=RUNS + 10)
    assert len(records) == RUNS
    assert {record.state for record in records} == {State.SUCCEEDED, State.FAILED}
    grown = (last.memory - first.memory) / 1024 / 1024
    report(
        "runs in a row, with output, retries, time-outs and followers",
        RUNS,
        "descriptors, threads, processes and files as after the first ten; memory within 8 MB",
        f"{first.descriptors} → {last.descriptors} descriptors, {first.threads} → {last.threads} threads,"
        f" {last.processes} processes, {len(last.files - first.files)} files more, {grown:+.1f} MB",
    )
    assert last.descriptors <= first.descriptors
    assert last.threads <= first.threads
    assert (first.processes, last.processes) == (0, 0)
    assert last.files - first.files == set()
    assert last.memory - first.memory < MEMORY


def test_the_control_what_is_left_behind_is_noticed(home: Path, report: Record) -> None:
    with running() as served:
        before = served.held()
        descriptor = os.open(os.devnull, os.O_RDONLY)
        (served.home.folder / "left").touch()
        after = served.held()
        os.close(descriptor)
    found = after.files - before.files
    report(
        "control: a descriptor and a file are left behind",
        1,
        "the comparison notices both",
        f"{after.descriptors - before.descriptors} descriptor, {len(found)} file",
    )
    assert after.descriptors > before.descriptors
    assert found == {os.fspath(served.home.folder / "left")}
