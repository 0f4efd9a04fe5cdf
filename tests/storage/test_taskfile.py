"""The task file: nothing of the person's is lost, whatever it looks like (F01 to F20)."""

import errno
import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from desktopsched.model import Every, InvalidTaskError, Reminder, StorageError, Task
from desktopsched.storage.errors import ChangedOutsideError, UnreadableFileError
from desktopsched.storage.migration import Raw
from desktopsched.storage.taskfile import TaskFile
from tests.faultlines import Record
from tests.storage.disk import failing, read_only_folder

NOON = 1_774_872_000.0  # 2026-03-30 12:00 UTC


def raw_task(id_: str, **changes: Any) -> Raw:
    return {"name": id_.upper(), "id": id_, "action": {"message": "Stand up", "type": "reminder"}, **changes}


def a_task(id_: str, **changes: Any) -> Task:
    return Task(id=id_, name=id_.upper(), action=Reminder(message="Stand up"), **changes)


def write(path: Path, *tasks: object, **head: object) -> bytes:
    path.write_text(json.dumps({"format": 1, "tasks": list(tasks), **head}), encoding="utf-8")
    return path.read_bytes()


def raw_of(path: Path) -> Any:
    return json.loads(path.read_bytes())["tasks"]


def names(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "tasks.json"


@pytest.fixture
def file(path: Path) -> TaskFile:
    return TaskFile(path, now=lambda: NOON)


def test_a_missing_file_is_an_empty_list(file: TaskFile) -> None:
    assert file.load().tasks == ()
    assert (file.notices, file.read_only, file.restored_from) == ((), "", None)


def test_what_was_saved_is_loaded(file: TaskFile, path: Path) -> None:
    file.load()
    tasks = (a_task("a"), a_task("b", schedule=Every(interval=60.0)))
    assert file.save(tasks).tasks == tasks
    assert TaskFile(path).load().tasks == tasks
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(path) == ["tasks.json"]


def test_a_missing_file_that_has_backups_is_told(file: TaskFile, path: Path) -> None:
    file.load()
    file.save((a_task("a"),))
    file.save((a_task("b"),))
    path.unlink()
    assert file.load().tasks == ()
    assert "An earlier copy of it is" in file.notices[0]


# What the person wrote


def test_unchanged_tasks_are_written_as_the_person_wrote_them(file: TaskFile, path: Path) -> None:
    ours = raw_task("a", grace="60s", enabled=None)
    write(path, ours, raw_task("b"))
    a, b = file.load().tasks
    file.save((a, structs.replace(b, priority=5)))
    first, second = raw_of(path)
    assert json.dumps(first) == json.dumps(ours)
    assert list(second) == ["id", "name", "action", "priority"]


def test_f15_bad_tasks_are_kept_unchanged_where_they_were(file: TaskFile, path: Path) -> None:
    bad_first, bad_last = (
        {"colour": "red", "id": 5},
        raw_task("bad", schedule={"type": "every", "interval": "x"}),
    )
    write(path, bad_first, raw_task("a"), bad_last, raw_task("b"))
    document = file.load()
    assert len(document.problems) == 5
    a, b = document.tasks
    after = file.save((b, structs.replace(a, name="Other"), a_task("new")))
    assert [raw.get("id") for raw in raw_of(path)] == [5, "b", "a", "bad", "new"]
    assert (raw_of(path)[0], raw_of(path)[3]) == (bad_first, bad_last)
    assert [task.id for task in after.tasks] == ["b", "a", "new"]


def test_f15_bad_tasks_stay_when_all_others_go(file: TaskFile, path: Path) -> None:
    write(path, raw_task("a"), 5, raw_task("b"), {"id": "bad"})
    file.load()
    file.save(())
    assert raw_of(path) == [5, {"id": "bad"}]


def test_a_bad_task_that_was_mended_or_dropped_is_gone(file: TaskFile, path: Path) -> None:
    write(path, raw_task("a", grace=5), raw_task("x"), raw_task("x"), "rubbish")
    mended, twin, rubbish = file.load().stand_ins
    assert (mended.id, twin.id) == ("a", "x-2")
    after = file.save((a_task("a"), a_task("x"), a_task("x-2")), drop={rubbish.id})
    assert after.problems == ()
    assert [raw["id"] for raw in raw_of(path)] == ["a", "x", "x-2"]


def test_a_file_with_a_mistake_outside_of_its_tasks_is_never_overwritten(file: TaskFile, path: Path) -> None:
    before = write(path, raw_task("a"), tsks=[])
    assert [str(problem) for problem in file.load().problems] == [
        "tsks: there is no such key here: 'tsks'. Take it out. Did you mean 'tasks'?"
    ]
    with pytest.raises(StorageError, match="until this is mended"):
        file.save((a_task("b"),))
    assert path.read_bytes() == before


def test_what_no_task_may_have_is_not_written(file: TaskFile, path: Path) -> None:
    file.load()
    with pytest.raises(InvalidTaskError, match=r"a\.name: must not be empty"):
        file.save((structs.replace(a_task("a"), name=""),))
    assert not path.exists()


def test_saving_the_same_again_touches_nothing(file: TaskFile, path: Path) -> None:
    file.load()
    file.save((a_task("a"),))
    before = path.stat()
    file.save((a_task("a"),))
    assert path.stat() == before
    assert names(path) == ["tasks.json"]


# What others wrote


def test_f12_a_file_that_was_changed_outside_is_not_overwritten(file: TaskFile, path: Path) -> None:
    write(path, raw_task("a"))
    file.load()
    assert not file.changed_outside()
    newer = write(path, raw_task("synced"))
    assert file.changed_outside()
    with pytest.raises(ChangedOutsideError):
        file.save((a_task("a"), a_task("b")))
    assert path.read_bytes() == newer
    assert [task.id for task in file.load().tasks] == ["synced"]
    assert not file.changed_outside()
    file.save((a_task("b"),))
    assert [raw["id"] for raw in raw_of(path)] == ["b"]


def test_f12_our_own_save_and_the_same_content_are_no_change(file: TaskFile, path: Path) -> None:
    file.load()
    file.save((a_task("a"),))
    assert not file.changed_outside()
    path.write_bytes(path.read_bytes())
    assert not file.changed_outside()
    path.unlink()
    assert file.changed_outside()


def test_f13_conflict_copies_and_leftovers_are_not_read(file: TaskFile, path: Path) -> None:
    """F13, F19."""
    for name in (
        "tasks.sync-conflict-20250101-120000-ABCDEFG.json",
        "tasks (conflicted copy).json",
        ".tasks.json.0123456789abcdef.tmp",
        "tasks.json~",
    ):
        write(path.with_name(name), raw_task("stray"))
    assert file.load().tasks == ()
    assert file.notices == ()
    file.remove_leftovers()
    assert ".tasks.json.0123456789abcdef.tmp" not in names(path)
    assert len(names(path)) == 3


# Unreadable files

UNREADABLE = [
    b"",
    b"{",
    b'{"format": 1, "tasks": [1,]}',
    b"\0" * 4096,
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"a": 1e999}',
]


@pytest.mark.parametrize("content", UNREADABLE, ids=lambda content: repr(content)[:20])
def test_f01_an_unreadable_file_is_put_aside_and_the_newest_good_copy_loaded(
    file: TaskFile, path: Path, content: bytes
) -> None:
    """F01, F03, F11, F16."""
    file.load()
    file.save((a_task("older"),))
    file.save((a_task("newer"),))
    file.save((a_task("newest"),))
    path.write_bytes(content)
    path.with_name("tasks.json.1").write_bytes(b"this one is bad too")

    assert [task.id for task in file.load().tasks] == ["older"]
    assert file.restored_from == path.with_name("tasks.json.2")
    assert not file.read_only
    aside = path.with_name("tasks.json.unreadable-20260330T120000Z")
    assert aside.read_bytes() == content
    assert [raw["id"] for raw in raw_of(path)] == ["older"]
    assert any(str(aside) in notice for notice in file.notices)


def test_f03_two_more_starts_lose_nothing(file: TaskFile, path: Path) -> None:
    path.write_bytes(b'{"format": 1, "tasks": [1,]}')
    assert file.load().tasks == ()
    assert "line 1, column 26" in file.notices[0]
    for _ in range(2):
        again = TaskFile(path)
        assert again.load().tasks == ()
        again.save(())
    kept = [one for one in path.parent.iterdir() if ".unreadable-" in one.name]
    assert [one.read_bytes() for one in kept] == [b'{"format": 1, "tasks": [1,]}']


def test_f03_a_good_backup_is_not_replaced_by_an_empty_list(file: TaskFile, path: Path) -> None:
    file.load()
    file.save((a_task("a"),))
    file.save((a_task("a"), a_task("b")))
    path.write_bytes(b"")
    for _ in range(3):
        assert [task.id for task in TaskFile(path).load().tasks] == ["a"]
    assert [raw["id"] for raw in raw_of(path.with_name("tasks.json.1"))] == ["a"]


def test_f11_a_reader_without_the_lock_leaves_an_unreadable_file_alone(file: TaskFile, path: Path) -> None:
    path.write_bytes(b'{"tasks": [\n1,]}')
    with pytest.raises(UnreadableFileError, match="line 2, column 2"):
        file.load(mend=False)
    assert names(path) == ["tasks.json"]


def test_a_file_that_others_made_unreadable_is_not_written_over_until_it_is_mended_or_gone(
    file: TaskFile, path: Path
) -> None:
    file.load()
    file.save((a_task("a"),))
    path.write_bytes(b'{"tasks": [')
    for _ in range(2):
        with pytest.raises(UnreadableFileError):
            file.load(mend=False)
        with pytest.raises(StorageError, match=r"line 1, column 12: .* Mend it, or remove it"):
            file.save((a_task("b"),))
    assert path.read_bytes() == b'{"tasks": ['
    assert not path.with_name("tasks.json.1").exists(), "an unreadable file is no good copy"
    write(path, raw_task("c"))
    assert [task.id for task in file.load(mend=False).tasks] == ["c"]
    file.save((a_task("d"),))
    assert [raw["id"] for raw in raw_of(path)] == ["d"]


def test_an_unreadable_file_that_was_removed_is_written_anew(file: TaskFile, path: Path) -> None:
    file.load()
    file.save((a_task("a"),))
    path.write_bytes(b"{")
    with pytest.raises(UnreadableFileError):
        file.load(mend=False)
    path.unlink()
    file.may_write_anew()
    file.save((a_task("b"),))
    assert [raw["id"] for raw in raw_of(path)] == ["b"]


def test_f08_start_up_works_in_a_read_only_folder(
    file: TaskFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path, raw_task("a"))
    read_only_folder(monkeypatch)
    assert [task.id for task in file.load().tasks] == ["a"]
    with pytest.raises(StorageError, match="Permission denied"):
        file.save((a_task("b"),))
    monkeypatch.undo()
    file.save((a_task("b"),))
    assert [raw["id"] for raw in raw_of(path)] == ["b"]


def test_f08_an_unreadable_file_that_cannot_be_put_aside_is_never_written_over(
    file: TaskFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.load()
    file.save((a_task("a"),))
    file.save((a_task("b"),))
    path.write_bytes(b"{")
    read_only_folder(monkeypatch)
    assert [task.id for task in file.load().tasks] == ["a"]
    monkeypatch.undo()
    with pytest.raises(StorageError, match="could not be put aside"):
        file.save((a_task("c"),))
    assert path.read_bytes() == b"{"


def test_f09_a_failed_save_can_be_tried_again(
    file: TaskFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write(path, raw_task("a"))
    file.load()
    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC, os.fsync))
    with pytest.raises(StorageError, match="Free some space"):
        file.save((a_task("b"),))
    assert path.read_bytes() == before
    monkeypatch.undo()
    file.save((a_task("b"),))
    assert [raw["id"] for raw in raw_of(path)] == ["b"]


def test_a_save_whose_folder_could_not_be_synced_is_still_ours(
    file: TaskFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.load()
    is_folder = lambda descriptor: stat.S_ISDIR(os.fstat(descriptor).st_mode)  # noqa: E731
    monkeypatch.setattr(os, "fsync", failing(errno.EIO, os.fsync, when=is_folder))
    with pytest.raises(StorageError, match="Input/output"):
        file.save((a_task("a"),))
    monkeypatch.undo()
    file.save((a_task("b"),))
    assert [raw["id"] for raw in raw_of(path)] == ["b"]


def test_every_cut_and_every_flipped_byte_is_read_or_put_aside(path: Path) -> None:
    good = write(path, raw_task("a"), raw_task("b", grace="5m"))
    path.with_name("tasks.json.1").write_bytes(good)
    broken = [good[:length] for length in range(len(good))]
    broken += [good[:at] + bytes([good[at] ^ 0x20]) + good[at + 1 :] for at in range(len(good))]
    for content in broken:
        path.write_bytes(content)
        file = TaskFile(path)
        document = file.load()
        assert document.tasks or document.problems
        if file.restored_from:
            assert path.read_bytes() == good


# Formats


def _add_names(raw: Raw) -> Raw:
    tasks = [{"name": "unnamed", **task} for task in raw["tasks"]]  # type: ignore[attr-defined]
    return {**raw, "tasks": tasks}


def _rename_key(raw: Raw) -> Raw:
    return {"tasks": raw["jobs"]}


STEPS = {-1: _rename_key, 0: _add_names}


@pytest.mark.parametrize("content", [{"format": 2}, {"format": 99, "tasks": 5}, {"format": 2, "tasks": []}])
def test_a_newer_format_is_left_untouched(
    file: TaskFile, path: Path, content: object, report: Record
) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")
    before = path.read_bytes()
    document = file.load()
    assert document.tasks == ()
    assert "knows formats up to 1" in str(document.problems[0])
    with pytest.raises(StorageError, match="Install the newer version"):
        file.save((a_task("a"),))
    report("a task file of a newer format", 1, "it is left untouched, and said", str(document.problems[0]))
    assert (path.read_bytes(), names(path)) == (before, ["tasks.json"])


def test_an_older_format_is_migrated_step_by_step_after_a_copy_was_kept(path: Path, report: Record) -> None:
    old = {"format": -1, "jobs": [{"id": "a", "action": {"type": "reminder", "message": "m"}}]}
    path.write_text(json.dumps(old), encoding="utf-8")
    before = path.read_bytes()
    file = TaskFile(path, now=lambda: NOON, steps=STEPS)
    assert [task.name for task in file.load().tasks] == ["unnamed"]
    assert path.with_name("tasks.json.format-1-20260330T120000Z").read_bytes() == before
    assert json.loads(path.read_bytes())["format"] == 1
    assert TaskFile(path).load().tasks == file.document.tasks
    report("a task file of an older format", 1, "a copy, then the new format", ", ".join(names(path)))
    file.save((a_task("b"),))


def test_a_reader_migrates_in_memory_alone(path: Path) -> None:
    path.write_text('{"format": 0, "tasks": []}', encoding="utf-8")
    assert TaskFile(path, steps=STEPS).load(mend=False).problems == ()
    assert names(path) == ["tasks.json"]
    assert json.loads(path.read_bytes())["format"] == 0


def test_an_old_format_without_steps_is_a_problem_not_a_guess(file: TaskFile, path: Path) -> None:
    path.write_text('{"format": 0, "tasks": []}', encoding="utf-8")
    assert [problem.place for problem in file.load().problems] == ["format"]
    assert file.read_only


def test_z02_10_000_tasks_load_and_save_in_a_few_seconds(file: TaskFile, path: Path) -> None:
    write(
        path,
        *(raw_task(f"t{index}", schedule={"type": "every", "interval": "1h"}) for index in range(10_000)),
    )
    begin = time.perf_counter()
    tasks = file.load().tasks
    assert len(tasks) == 10_000
    file.save((*tasks[:-1], structs.replace(tasks[-1], priority=1)))
    assert time.perf_counter() - begin < 60  # measured: under 2 s
