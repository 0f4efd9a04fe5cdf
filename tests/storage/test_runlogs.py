"""The output of runs: bounded, readable while it is written, and filed by ids alone (L13, L15, L20)."""

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from desktopsched.model import InvalidTaskError, StorageError
from desktopsched.storage import logparts, logsink
from desktopsched.storage.runlogs import RunLogs
from desktopsched.supervisor import logfile
from tests.storage.disk import failing

HEAD, TAIL, SEGMENT = 100, 900, 100


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes that a test can count."""
    for module in (logparts, logsink):
        monkeypatch.setattr(module, "HEAD", HEAD)
        monkeypatch.setattr(module, "TAIL", TAIL)
    monkeypatch.setattr(logsink, "SEGMENT", SEGMENT)


@pytest.fixture
def logs(tmp_path: Path) -> RunLogs:
    return RunLogs(tmp_path / "logs")


def numbered(count: int, begin: int = 0) -> bytes:
    """Lines of ten bytes that say where in the stream they are."""
    return b"".join(b"%9d\n" % (begin + number) for number in range(count))


def whole(logs: RunLogs) -> bytes:
    return b"".join(logs.whole("a", 1))


def on_disk(logs: RunLogs) -> int:
    return sum(one.stat().st_size for one in (logs.folder / "a").iterdir())


def test_the_real_bounds_are_one_and_nine_mebibytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert (logfile.HEAD, logfile.TAIL) == (1024**2, 9 * 1024**2)


def test_a_short_output_is_kept_as_it_came(logs: RunLogs) -> None:
    sink = logs.open("a", 1)
    sink.write(b"one\n")
    sink.write(b"\x00\xff\r\n")
    sink.close()
    sink.close()
    assert sink.problem == ""
    assert logs.path("a", 1).read_bytes() == b"one\n\x00\xff\r\n"
    assert stat.S_IMODE(logs.path("a", 1).stat().st_mode) == 0o600
    assert stat.S_IMODE(logs.path("a", 1).parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("lines", [1, 9, 10, 11, 20, 99, 100])
@pytest.mark.parametrize("piece", [1, 7, 10_000])
def test_what_fits_is_kept_whole(logs: RunLogs, lines: int, piece: int) -> None:
    data = numbered(lines)
    sink = logs.open("a", 1)
    for at in range(0, len(data), piece):
        sink.write(data[at : at + piece])
    assert whole(logs) == data
    sink.close()
    assert logs.path("a", 1).read_bytes() == whole(logs) == data
    assert len(list((logs.folder / "a").iterdir())) == 1


def test_of_a_flood_head_and_tail_are_kept_with_a_line_between(logs: RunLogs) -> None:
    sink = logs.open("a", 1)
    most = 0
    for begin in range(0, 100_000, 100):
        sink.write(numbered(100, begin))
        most = max(most, on_disk(logs))
    assert most <= HEAD + TAIL + SEGMENT
    sink.close()
    dropped = 1_000_000 - HEAD - TAIL
    expected = numbered(10) + f"\n… {dropped:,} bytes dropped …\n".encode() + numbered(90, 99_910)
    assert logs.path("a", 1).read_bytes() == expected
    assert whole(logs) == expected


def test_l20_a_log_is_followed_while_it_is_written_dropped_and_joined(logs: RunLogs) -> None:
    sink = logs.open("a", 1)
    followed, place = b"", 0

    def follow() -> None:
        nonlocal followed, place
        data, place = logs.read("a", 1, place)
        while data:
            followed += data
            data, place = logs.read("a", 1, place)

    for begin in range(50):
        sink.write(numbered(1, begin))
        follow()
    assert followed == numbered(50)
    sink.write(numbered(1_000, 50))  # far more than is kept: the follower was too slow
    follow()
    assert followed.startswith(numbered(50))
    assert followed.endswith(numbered(90, 960))
    assert "bytes dropped" in followed.decode()
    sink.write(numbered(5, 1_050))
    before = followed
    sink.close()
    follow()
    assert followed == before + numbered(5, 1_050)
    assert place == 10_550


def test_l20_a_multibyte_character_cut_by_a_read_is_whole_in_the_bytes(logs: RunLogs) -> None:
    sink = logs.open("a", 1)
    sink.write("né".encode()[:2])
    first, place = logs.read("a", 1)
    sink.write("né".encode()[2:])
    second, _ = logs.read("a", 1, place)
    sink.close()
    assert (first + second).decode() == "né"


def test_a_later_attempt_goes_on_where_the_earlier_one_ended(logs: RunLogs) -> None:
    for begin in (0, 3, 30):
        sink = logs.open("a", 1)
        sink.write(numbered(3 if begin == 0 else 27, begin))
        sink.close()
    assert whole(logs) == numbered(57)
    sink = logs.open("a", 1)
    sink.write(numbered(1_000, 57))
    sink.close()
    assert whole(logs).startswith(numbered(10))
    assert whole(logs).endswith(numbered(90, 967))
    again = logs.open("a", 1)
    again.write(numbered(1, 1_057))
    assert whole(logs).endswith(numbered(91, 967))
    again.close()
    assert f"{10_580 - HEAD - TAIL:,} bytes dropped" in whole(logs).decode()


def test_the_logs_of_a_program_that_died_are_finished_at_the_next_start(logs: RunLogs) -> None:
    sink = logs.open("a", 1)
    sink.write(numbered(500))
    (logs.folder / "a" / "1.log.new").write_bytes(b"half")
    logs.tidy()
    sink.close()
    joined = numbered(10) + logparts.mark(4_000) + numbered(90, 410)
    assert logs.path("a", 1).read_bytes() == joined
    assert [one.name for one in (logs.folder / "a").iterdir()] == ["1.log"]


def test_l13_a_full_disk_cuts_the_log_and_nothing_else(
    logs: RunLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = logs.open("a", 1)
    sink.write(b"before\n")
    monkeypatch.setattr(logfile, "open_private", failing(errno.ENOSPC, logfile.open_private))
    with pytest.raises(StorageError, match="no space is left"):
        sink.write(numbered(1_000))
    sink.write(b"said once, then dropped")
    sink.close()
    assert sink.problem == "The log was cut: no space is left."
    with pytest.raises(StorageError, match="no space is left"):
        logs.open("a", 2)
    monkeypatch.undo()
    after = logs.open("a", 3)
    after.write(b"fine\n")
    after.close()
    assert after.problem == ""
    assert logs.path("a", 1).read_bytes().startswith(b"before\n")


def test_l13_a_folder_that_cannot_be_made_is_told_by_the_sink(
    logs: RunLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "mkdir", failing(errno.EACCES, os.mkdir))
    with pytest.raises(StorageError, match="The log was cut: Permission denied"):
        logs.open("a", 1)


@pytest.mark.parametrize(
    "task_id",
    ["a/b", "..", ".", "", "/etc", "e" * 240, "\U0001f600" * 64, "a\nb", "a\0b", "CON", "a b", "-a", "é"],
)
def test_l15_z04_what_is_no_id_never_becomes_a_path(logs: RunLogs, task_id: str) -> None:
    for use in (logs.path, logs.open, logs.read):
        with pytest.raises(InvalidTaskError):
            use(task_id, 1)
    assert not logs.folder.exists()


@pytest.mark.parametrize("run_id", [0, -1, 10**19])
def test_l15_what_is_no_run_never_becomes_a_path(logs: RunLogs, run_id: int) -> None:
    with pytest.raises(InvalidTaskError):
        logs.path("a", run_id)


def test_l15_ids_that_windows_keeps_for_devices_get_another_folder(logs: RunLogs) -> None:
    for id_ in ("con", "nul.x", "com1", "a."):
        assert logs.path(id_, 1).parent.name == f"{id_}~"
    assert logs.path("console", 1).parent.name == "console"


def test_a_folder_that_is_a_link_is_not_written_into(logs: RunLogs, tmp_path: Path) -> None:
    logs.folder.mkdir()
    (tmp_path / "elsewhere").mkdir()
    (logs.folder / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="symbolic link"):
        logs.open("a", 1)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_log_of_a_run_that_has_none_is_empty(logs: RunLogs) -> None:
    assert logs.read("a", 1) == (b"", 0)
    assert list(logs.whole("a", 1)) == []
    assert logs.highest_run_id() == 0


def _written(logs: RunLogs, task: str, run: int, at: float, data: bytes = b"x") -> None:
    sink = logs.open(task, run)
    sink.write(data)
    sink.close()
    os.utime(logs.path(task, run), (at, at))


def _kept(logs: RunLogs) -> list[str]:
    return sorted(str(one.relative_to(logs.folder)) for one in logs.folder.rglob("*.log*"))


def test_logs_are_pruned_by_age_and_by_count_but_for_runs_under_way(logs: RunLogs) -> None:
    for run in range(1, 7):
        _written(logs, "a", run, at=run * 100.0)
    _written(logs, "old", 7, at=1.0)
    assert logs.highest_run_id() == 7
    (logs.folder / "a" / "notes.txt").write_text("not ours", encoding="utf-8")
    assert logs.prune(before=250.0, per_task=3, spare={1}) == 3
    assert _kept(logs) == ["a/1.log", "a/4.log", "a/5.log", "a/6.log"]
    assert not (logs.folder / "old").exists()
    assert (logs.folder / "a" / "notes.txt").exists()


def test_a_log_that_is_being_read_may_lose_its_segments(
    logs: RunLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race of a reader with the writer: what it saw is gone when it looks; it looks again."""
    sink = logs.open("a", 1)
    sink.write(numbered(50))
    parts, calls = logparts.parts, 0

    def parts_then_flood(path: Path) -> Any:
        nonlocal calls
        found = parts(path)
        calls += 1
        if calls == 1:
            sink.write(numbered(1_000, 50))
        return found

    monkeypatch.setattr(logparts, "parts", parts_then_flood)
    data, place = logs.read("a", 1, start=150)
    sink.close()
    assert calls == 2
    assert b"bytes dropped" in data
    assert place > 150


def test_a_log_begins_though_its_empty_folder_is_pruned_just_before(
    logs: RunLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race of a task's first run with the pruning at a launch."""
    prepare, pruned = logsink.prepare, set()

    def prepare_then_prune(path: Path) -> None:
        prepare(path)
        if path not in pruned:
            pruned.add(path)
            logs.prune(before=0.0, per_task=10)

    monkeypatch.setattr(logsink, "prepare", prepare_then_prune)
    sink = logs.open("a", 1)
    sink.write(b"kept\n")
    sink.close()
    assert whole(logs) == b"kept\n"
    assert logs.begin("b", 2).exists()
    assert len(pruned) == 2


def test_a_short_log_ends_without_a_look_at_the_others_of_its_task(
    logs: RunLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, look in ((logparts, "segments"), (logfile, "_segments")):
        monkeypatch.setattr(module, look, None)
    sink = logs.open("a", 1)
    sink.write(b"short\n")
    sink.close()
    logs.begin("a", 2)
    logs.end("a", 2)
    assert logs.path("a", 1).read_bytes() == b"short\n"


def test_a_log_that_was_deleted_while_it_was_written_ends_without_a_word(logs: RunLogs) -> None:
    sink = logs.open("a", 1)
    sink.write(b"gone\n")
    logs.path("a", 1).unlink()
    sink.close()
    logs.end("a", 1)
    assert sink.problem == ""
