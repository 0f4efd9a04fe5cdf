"""A save that is killed, or refused by the system, at each of its system calls leaves the old list or the new one."""

import json
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from desktopsched.model import StorageError
from desktopsched.storage.taskfile import TaskFile
from tests.faultlines import Record
from tests.faults.traced import Point, points, run_with

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="faults are injected by strace")

_SAVE = dedent("""
    import os, sys
    from pathlib import Path
    from desktopsched.model import Command, DesktopschedError, Task
    from desktopsched.storage.taskfile import TaskFile
    file = TaskFile(Path(sys.argv[1]))
    tasks = list(file.load().tasks)
    tasks.append(Task(id="new", name="New", action=Command(argv=("true",))))
    os.access("/begin", os.F_OK)
    try:
        file.save(tasks)
    except DesktopschedError as error:
        print(error, file=sys.stderr)
        os._exit(3)
    os._exit(0)
""")

_SAVE_IN_PLACE = dedent("""
    import json, os, sys
    from pathlib import Path
    path = Path(sys.argv[1])
    raw = json.loads(path.read_bytes())
    raw["tasks"].append({"id": "new", "name": "New", "action": {"type": "command", "argv": ["true"]}})
    os.access("/begin", os.F_OK)
    path.write_text(json.dumps(raw))
    os._exit(0)
""")

OLD, NEW = ["a", "b", "c"], ["a", "b", "c", "new"]


class Place:
    """A folder with a list of three tasks and one earlier copy, made anew for each fault."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder / "list", folder / "list" / "tasks.json"
        self.again()

    def again(self) -> str:
        """As it was at the beginning; its path."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        entries = [{"id": one, "name": one, "action": {"type": "command", "argv": ["true"]}} for one in OLD]
        for path in (self.path, self.path.with_name("tasks.json.1")):
            path.write_text(json.dumps({"format": 1, "tasks": entries}))
        return str(self.path)

    def found(self) -> list[str] | None:
        """The ids that the next start finds in the file itself; None: it is unreadable, or gone."""
        file = TaskFile(self.path)
        file.remove_leftovers()
        try:
            document = file.load(mend=False)
        except StorageError:
            return None
        assert not list(self.folder.glob(".*")), "leftovers"
        return [task.id for task in document.tasks] if not file.notices else None


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def _each(strace: str, place: Place, script: str, fault: str, look: Callable[[Point, int, str], None]) -> int:
    """Inject the fault at each call in turn, and look at what is there afterwards. How often."""
    found = points(strace, script, place.again(), folder=place.folder.parent)
    assert len(found) > 1
    for point in found:
        done = run_with(strace, point, fault, script, place.again())
        look(point, done.returncode, done.stderr)
    return len(found)


def test_a_save_that_is_killed_leaves_the_old_list_or_the_new_one(
    strace: str, place: Place, report: Record
) -> None:
    seen: list[list[str] | None] = []

    def look(point: Point, code: int, _: str) -> None:
        assert code in {-signal.SIGKILL, 128 + signal.SIGKILL}, point
        seen.append(place.found())

    times = _each(strace, place, _SAVE, "signal=KILL", look)
    old, new = seen.count(OLD), seen.count(NEW)
    report(
        "kill -9 at each system call of a save", times, "the old list or the new one", f"{old} old, {new} new"
    )
    assert old + new == times
    assert old
    assert new


def test_the_control_a_write_in_place_that_is_killed_destroys_the_list(
    strace: str, place: Place, report: Record
) -> None:
    seen: list[list[str] | None] = []
    times = _each(strace, place, _SAVE_IN_PLACE, "signal=KILL", lambda *_: seen.append(place.found()))
    lost = times - seen.count(OLD) - seen.count(NEW)
    report(
        "control: kill -9 at each system call of a write in place",
        times,
        "some are destroyed",
        f"{lost} destroyed",
    )
    assert lost


@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EACCES", "EMFILE", "EROFS"])
def test_a_save_that_the_system_refuses_says_so_and_loses_nothing(
    strace: str, place: Place, report: Record, error: str
) -> None:
    seen: list[tuple[int, list[str] | None]] = []

    def look(point: Point, code: int, said: str) -> None:
        found = place.found()
        seen.append((code, found))
        assert found in (OLD, NEW), point
        if code == 3:
            assert str(place.folder) in said, said
        else:  # what failed was no part of it: a leftover, or a fsync that a folder need not have
            assert (code, found) == (0, NEW), (point, said)

    times = _each(strace, place, _SAVE, f"error={error}", look)
    refused = sum(code == 3 for code, _ in seen)
    report(
        f"{error} at each system call of a save",
        times,
        "the old list or the new one, and words",
        f"{refused} refused",
    )
    assert refused
