"""A full disk: everything is said, nothing is lost, and no run starts whose start cannot be recorded."""

import json
import threading
from contextlib import closing
from pathlib import Path

import pytest

from desktopsched.engine.events import Event, RunFinished
from desktopsched.model import Command, Outcome, State, StorageError, Task
from desktopsched.program import Notice, Program
from desktopsched.storage.home import Home, find_home
from tests.faultlines import Record
from tests.faults.disks import needs_root, small_disk

pytestmark = needs_root


class Opened:
    """A program on a small disk."""

    def __init__(self, home: Home) -> None:
        self._changed = threading.Condition()
        self.outcomes: list[Outcome] = []
        self.notices: list[str] = []
        self.program = Program(home, "serve")
        self.program.listen(self._hear)
        self.program.open()
        self._loop = threading.Thread(target=self.program.dispatcher.loop, daemon=True)
        self._loop.start()

    def _hear(self, event: Event) -> None:
        with self._changed:
            match event:
                case RunFinished(outcome=outcome):
                    self.outcomes.append(outcome)
                case Notice(text=text):
                    self.notices.append(text)
            self._changed.notify_all()

    def run(self, task_id: str) -> Outcome:
        """Run it by hand, and wait for the end."""
        with self._changed:
            before = len(self.outcomes)
        self.program.dispatcher.run_now(task_id)
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.outcomes) > before, timeout=60)
            return self.outcomes[-1]

    def hears(self, *words: str) -> None:
        """Wait for a notice with one of these words: the thread that writes the history tells it."""
        with self._changed:
            assert self._changed.wait_for(
                lambda: any(word in notice for notice in self.notices for word in words), timeout=60
            ), self.notices

    def close(self) -> None:
        self.program.dispatcher.stop()
        self._loop.join()
        self.program.close()


def _fill(disk: Path) -> Path:
    """Take all the room that there is."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (65_536, 4_096, 512):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def _wait_until_empty(folder: Path) -> None:
    moment = threading.Event()
    for _ in range(6_000):
        if not list(folder.iterdir()):
            return
        moment.wait(0.01)
    pytest.fail(f"{folder} was not cleared")


@pytest.mark.logs_warnings
def test_on_a_full_disk_nothing_starts_unrecorded_nothing_is_lost_and_all_goes_on_with_space(
    tmp_path: Path, report: Record
) -> None:
    with small_disk(tmp_path / "disk", 2) as disk:
        home = find_home(disk / "home")
        with closing(Opened(home)) as opened:
            marks = tmp_path / "marks"
            task = Task(id="a", name="A", action=Command(shell=f"echo ran >> {marks}"))
            opened.program.task_list.add(task)
            assert opened.run("a").state is State.SUCCEEDED
            before = home.tasks.read_bytes()
            _wait_until_empty(home.runs)  # what goes later would give space back
            filler = _fill(disk)
            with pytest.raises(StorageError, match="Free some space"):
                opened.program.task_list.replace(
                    Task(id="a", name="B" * 200, notes="n" * 90_000, action=task.action)
                )
            assert home.tasks.read_bytes() == before
            refused = 0
            for _ in range(200):  # until the reserve is used up, starts are recorded in it
                outcome = opened.run("a")
                if outcome.state is State.FAILED:
                    refused += 1
                    assert "not started" in outcome.reason
                    break
            ran = len(marks.read_text().splitlines())
            assert ran == sum(one.state is State.SUCCEEDED for one in opened.outcomes)
            assert refused
            opened.hears("space", "full")
            filler.unlink()
            while opened.run("a").state is not State.SUCCEEDED:
                pass
        records = opened.program.history.records.runs("a", limit=10_000)
        assert len(records) == len(opened.outcomes)
        assert json.loads(home.tasks.read_bytes())["tasks"][0]["name"] == "A"
    report(
        "disk full (tmpfs), then space again",
        1,
        "no start without its record, no record lost, words for it",
        f"{ran} ran and are recorded, then refused; afterwards all {len(records)} runs are in the history",
    )
