"""When the power fails, what was acknowledged is there, and what is there can be read."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from desktopsched.storage.history import History
from desktopsched.storage.taskfile import TaskFile
from tests.faultlines import Record
from tests.faults.disks import Ext4, needs_root

pytestmark = needs_root

CUTS = 20

_WORK = dedent("""
    import os, sys
    from pathlib import Path
    from desktopsched.model import Cause, Command, Run, Task
    from desktopsched.storage.history import History
    from desktopsched.storage.taskfile import TaskFile
    folder, careless = Path(sys.argv[1]), sys.argv[2] == "careless"
    if careless:
        os.fsync = lambda descriptor: None
    file, history = TaskFile(folder / "tasks.json"), History(folder / "history.sqlite3")
    file.load()
    history.open()
    if careless:
        history._open_writer()._connection.execute("PRAGMA synchronous = OFF")
    for number in range(1, 1_000_000):
        name = f"{number} " + "x" * 150
        tasks = [Task(id=f"t{n}", name=name, action=Command(argv=("true",))) for n in range(200)]
        file.save(tasks)
        print("saved", number, flush=True)
        history.run_started(Run(id=number, task_id="a", scheduled_for=float(number), cause=Cause.SCHEDULE), 1.0)
        history.remember([("a", str(number).encode())])
        history.wait_recorded(number)
        print("recorded", number, flush=True)
""")


class Worker:
    """A process that saves lists and records starts, one after the other, and says so when each is durable."""

    def __init__(self, folder: Path, care: str) -> None:
        self._log = folder.parent / "said"
        with self._log.open("wb") as said:
            self.process = subprocess.Popen([sys.executable, "-c", _WORK, str(folder), care], stdout=said)

    def acknowledged(self) -> dict[str, int]:
        """The last number of each kind that it said."""
        lines = self._log.read_text().rsplit("\n", 1)[0].split("\n")
        return {kind: int(number) for kind, number in (line.split() for line in lines if line)}

    def stop(self) -> dict[str, int]:
        """Hold it still; what it has acknowledged."""
        self.process.send_signal(signal.SIGSTOP)
        while Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1][0] not in "TZ":
            time.sleep(0.001)
        assert self.process.poll() is None
        return self.acknowledged()

    def go_on(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Ext4]:
    found = Ext4(tmp_path)
    yield found
    found.close()


def _cuts(disk: Ext4, care: str) -> Iterator[tuple[dict[str, int], Path]]:
    """What was acknowledged at each cut, and the disk as it is after it."""
    worker, draw = Worker(disk.folder, care), Random(1)
    try:
        while not worker.acknowledged().get("recorded"):
            time.sleep(0.01)
        for number in range(CUTS):
            time.sleep(draw.uniform(0.01, 0.15))
            acknowledged = worker.stop()
            with disk.after_a_cut(number) as folder:
                yield acknowledged, folder
            worker.go_on()
    finally:
        worker.end()


def _found(folder: Path) -> dict[str, int]:
    """What the next start finds; −1 where that cannot be read."""
    file, history = TaskFile(folder / "tasks.json"), History(folder / "history.sqlite3")
    file.remove_leftovers()
    document = file.load()
    saved = int(document.tasks[0].name.split()[0]) if document.tasks and not file.notices else -1
    damaged = history.open()
    history.close()
    return {"saved": saved, "recorded": -1 if damaged else history.records.last_run_id()}


def test_after_a_cut_of_the_power_what_was_acknowledged_is_there(disk: Ext4, report: Record) -> None:
    lost = []
    for acknowledged, folder in _cuts(disk, "careful"):
        found = _found(folder)
        lost += [kind for kind, number in acknowledged.items() if found[kind] < number]
    report(
        "cut of the power (ext4) amid saves and starts",
        CUTS,
        "every acknowledged list and start is there",
        f"{len(lost)} lost",
    )
    assert lost == []


def test_the_control_without_fsync_what_was_acknowledged_is_lost(disk: Ext4, report: Record) -> None:
    lost = 0
    for acknowledged, folder in _cuts(disk, "careless"):
        found = _found(folder)
        lost += sum(found[kind] < number for kind, number in acknowledged.items())
    report("control: the same without fsync", CUTS, "some are lost", f"{lost} lost")
    assert lost
