"""Damaged files: whatever is in them is kept, the newest good copy or what can be salvaged takes their place."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from desktopsched.model import Cause, Outcome, Run, State
from desktopsched.storage.history import History
from desktopsched.storage.taskfile import TaskFile
from tests.faultlines import Record

NOON = 1_774_872_000.0
ENTRIES = [{"id": one, "name": one, "action": {"type": "command", "argv": ["true"]}} for one in "abc"]
GOOD = json.dumps({"format": 1, "tasks": ENTRIES}, indent=1).encode()
WILD = (
    b"",
    b"\0" * 100,
    b"\xef\xbb\xbf" + GOOD,
    GOOD + GOOD,
    GOOD.replace(b'"a"', b"NaN", 1),
    GOOD.replace(b'"a"', b"1e999", 1),
    GOOD.replace(b'"format": 1', b'"format": 1, "format": 1', 1),
    b"[" * 100_000,
    b'{"tasks": ' * 100_000,
    b'"' + b"x" * 1_000_000,
)


def _load(folder: Path, content: bytes) -> tuple[list[str], bool]:
    """The ids that are loaded, and whether what was there was put aside."""
    for path in folder.iterdir():
        path.unlink()
    path = folder / "tasks.json"
    path.write_bytes(content)
    (folder / "tasks.json.1").write_bytes(GOOD)
    document = TaskFile(path, now=lambda: NOON).load()
    aside = [one for one in folder.iterdir() if "unreadable" in one.name]
    assert [one.read_bytes() for one in aside] in ([], [content]), "what was there is not lost"
    if not aside:
        assert path.read_bytes() == content
    return [task.id for task in document.tasks], bool(aside)


def test_a_task_file_that_is_damaged_anywhere_costs_nothing_that_is_not_damaged(
    tmp_path: Path, report: Record
) -> None:
    draw, folder = Random(1), tmp_path / "list"
    folder.mkdir()
    cuts = [GOOD[:at] for at in range(len(GOOD))]
    flips = [
        GOOD[:at] + bytes([byte ^ (1 << draw.randrange(8))]) + GOOD[at + 1 :] for at, byte in enumerate(GOOD)
    ]
    restored = others = 0
    for content in (*cuts, *flips, *WILD):
        ids, aside = _load(folder, content)
        restored += aside
        if aside:
            assert ids == ["a", "b", "c"]
        else:  # it can be read: at most the task that was hit says something else, or is bad
            others += 1
    times = len(cuts) + len(flips) + len(WILD)
    report(
        "task file cut at every byte, one bit of every byte turned, nonsense",
        times,
        "kept aside and the newest good copy loaded, or read with at most one bad task",
        f"{restored} put aside and restored, {others} read",
    )
    assert restored > len(cuts) // 2


def test_a_history_that_is_damaged_anywhere_is_salvaged(tmp_path: Path, report: Record) -> None:
    path = tmp_path / "history.sqlite3"
    history = History(path, now=lambda: NOON)
    history.open()
    for number in range(1, 201):
        run = Run(id=number, task_id=f"t{number % 7}", scheduled_for=NOON + number, cause=Cause.SCHEDULE)
        history.run_started(run, NOON + number)
        history.run_finished(run, Outcome(State.SUCCEEDED, "x" * 60, 0), NOON + number + 1)
        history.remember([(run.task_id, b"m" * 100)])
    history.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    good = path.read_bytes()
    damaged, saved, blocks = 0, [], 0
    for at in range(0, len(good), 512):
        for other in tmp_path.glob("history.sqlite3*"):
            other.unlink()
        path.write_bytes(good[:at] + b"\xa5" * 512 + good[at + 512 :])
        again = History(path, now=lambda: NOON)
        found = again.open()
        again.remember([("goes", b"on")])
        again.close()
        assert "goes" in again.records.memories()
        blocks += 1
        if found is not None:
            damaged += 1
            saved.append(found.runs)
            assert found.aside.exists()
    least, average = min(saved), sum(saved) // damaged
    report(
        "each 512-byte block of a history of 200 runs overwritten",
        blocks,
        "it opens and goes on; what was damaged is put aside, and what can be read is saved",
        f"{damaged} noticed as damage; of 200 runs at least {least} were saved, on average {average}",
    )
    assert damaged > 5
    assert average > 150
