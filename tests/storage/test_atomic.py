"""Files are old or new, never in between (F04, F05, F07, F08, F09, F12, F19)."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent
from typing import Self

import pytest

from desktopsched.model import StorageError
from desktopsched.storage import atomic, backups
from desktopsched.storage.errors import ChangedOutsideError, UnreadableFileError
from tests.storage.disk import failing, read_only_folder

OLD, NEW = b"old content\n", b"new content\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "tasks.json"
    path.write_bytes(OLD)
    path.chmod(0o600)
    return path


def names(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir())


def test_a_new_file_is_its_owners_alone(file: Path) -> None:
    file.unlink()
    atomic.replace_file(file, NEW, expected={atomic.MISSING})
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_f07_a_file_of_mode_0600_keeps_it_and_a_wider_one_is_closed(file: Path) -> None:
    atomic.replace_file(file, NEW)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.chmod(0o644)
    atomic.replace_file(file, OLD)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_f07_a_read_only_file_is_refused_even_to_root(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(StorageError, match="is read-only"):
        atomic.replace_file(file, NEW)
    assert file.read_bytes() == OLD
    assert stat.S_IMODE(file.stat().st_mode) == 0o444
    assert names(file) == ["tasks.json"]


def test_f07_the_other_name_of_a_hard_link_keeps_the_old_content(file: Path) -> None:
    other = file.with_name("other")
    os.link(file, other)
    atomic.replace_file(file, NEW)
    assert (file.read_bytes(), other.read_bytes()) == (NEW, OLD)


def test_a_symbolic_link_is_neither_read_nor_replaced(file: Path) -> None:
    link = file.with_name("link.json")
    link.symlink_to(file)
    with pytest.raises(StorageError, match="symbolic link"):
        atomic.read_file(link)
    with pytest.raises(StorageError, match="symbolic link"):
        atomic.replace_file(link, NEW)
    assert file.read_bytes() == OLD
    assert link.is_symlink()


def test_a_folder_and_a_pipe_are_no_files(file: Path) -> None:
    pipe = file.with_name("pipe")
    os.mkfifo(pipe)
    for path in (file.parent, pipe):
        with pytest.raises(StorageError, match=r"is not a file|directory"):
            atomic.read_file(path)


def test_f16_a_file_of_over_100_mb_is_not_read(file: Path) -> None:
    os.truncate(file, atomic.LARGEST + 1)
    with pytest.raises(UnreadableFileError, match="104,857,601 bytes"):
        atomic.read_file(file)


def test_f12_what_another_program_wrote_is_not_overwritten(file: Path) -> None:
    read = atomic.digest_of(OLD)
    file.write_bytes(b"OLD CONTENT\n")
    with pytest.raises(ChangedOutsideError, match="was changed by another program"):
        atomic.replace_file(file, NEW, expected={read})
    assert file.read_bytes() == b"OLD CONTENT\n"
    assert names(file) == ["tasks.json"]


def test_f12_a_file_that_was_removed_or_made_meanwhile_was_changed(file: Path) -> None:
    with pytest.raises(ChangedOutsideError):
        atomic.replace_file(file, NEW, expected={atomic.MISSING})
    file.unlink()
    with pytest.raises(ChangedOutsideError):
        atomic.replace_file(file, NEW, expected={atomic.digest_of(OLD)})
    assert not file.exists()


def test_f12_the_same_content_under_another_inode_is_no_change(file: Path) -> None:
    copy = file.with_name("copy")
    copy.write_bytes(OLD)
    copy.replace(file)
    atomic.replace_file(file, NEW, expected={atomic.digest_of(OLD)})
    assert file.read_bytes() == NEW


@pytest.mark.parametrize(
    "error", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE, errno.EROFS, errno.EDQUOT]
)
@pytest.mark.parametrize("call", ["open", "fsync", "replace", "close"])
def test_f09_any_error_leaves_the_old_file_and_no_temporary_one(
    file: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: int
) -> None:
    """F08, F09. The descriptor of a file object closes by a call of its own, so `close` is tried through it."""
    if call == "close":
        monkeypatch.setattr(os, "fdopen", _Unclosable(error))
    else:
        temporary = lambda *a: call != "open" or str(a[0]).endswith(".tmp")  # noqa: E731
        monkeypatch.setattr(os, call, failing(error, getattr(os, call), when=temporary))
    with pytest.raises(StorageError, match="Cannot write"):
        atomic.replace_file(file, NEW)
    monkeypatch.undo()
    assert file.read_bytes() == OLD
    assert names(file) == ["tasks.json"]


class _Unclosable:
    """Opens files whose data is refused at the last moment, as network file systems do."""

    def __init__(self, error: int) -> None:
        self._error = error

    def __call__(self, descriptor: int, mode: str, **_: object) -> "_Unclosable":
        self._descriptor = descriptor
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
        raise OSError(self._error, os.strerror(self._error))

    def write(self, data: memoryview) -> int:
        return os.write(self._descriptor, data)


def test_f09_a_disk_that_is_really_full(file: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("only root can mount a small disk; the errors are injected in the test above")
    try:
        path = small / "tasks.json"
        atomic.replace_file(path, OLD)
        with pytest.raises(StorageError, match="Free some space"):
            atomic.replace_file(path, bytes(100_000))
        assert path.read_bytes() == OLD
        assert names(path) == ["tasks.json"]
        atomic.replace_file(path, NEW)
        assert path.read_bytes() == NEW
    finally:
        subprocess.run(["umount", small], check=True)


def test_f08_a_read_only_folder_is_reported_in_plain_words(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_only_folder(monkeypatch)
    with pytest.raises(StorageError, match=r"Cannot write .*Permission denied\. Check who owns"):
        atomic.replace_file(file, NEW)
    assert file.read_bytes() == OLD


def test_a_folder_that_cannot_be_synced_is_told_and_one_that_knows_no_sync_is_not(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_folder = lambda descriptor: stat.S_ISDIR(os.fstat(descriptor).st_mode)  # noqa: E731
    monkeypatch.setattr(os, "fsync", failing(errno.EINVAL, os.fsync, when=is_folder))
    atomic.replace_file(file, NEW)
    monkeypatch.undo()
    monkeypatch.setattr(os, "fsync", failing(errno.EIO, os.fsync, when=is_folder))
    with pytest.raises(StorageError, match="Input/output error"):
        atomic.replace_file(file, OLD)


def test_content_and_folder_are_synced_around_the_move(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Power loss: without the first the file is empty afterwards, without the second it is missing."""
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(descriptor: int) -> None:
        calls.append("sync folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "sync file")
        fsync(descriptor)

    def note_replace(old: Path, new: Path) -> None:
        calls.append("replace")
        replace(old, new)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    atomic.replace_file(file, NEW)
    assert calls == ["sync file", "replace", "sync folder"]


def test_a_temporary_name_that_is_taken_is_never_followed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "known")
    victim = file.with_name("victim")
    victim.write_bytes(OLD)
    file.with_name(".tasks.json.known.tmp").symlink_to(victim)
    with pytest.raises(StorageError, match="File exists"):
        atomic.replace_file(file, NEW)
    assert victim.read_bytes() == OLD


def test_f19_leftovers_are_removed_and_nothing_else(file: Path) -> None:
    file.with_name(".tasks.json.0123456789abcdef.tmp").write_bytes(b"half")
    file.with_name(".other.json.0123456789abcdef.tmp").write_bytes(b"half")
    file.with_name("tasks.json.1").write_bytes(OLD)
    atomic.remove_leftovers(file)
    assert names(file) == [".other.json.0123456789abcdef.tmp", "tasks.json", "tasks.json.1"]


def test_ten_backups_are_kept_and_the_first_is_the_newest(file: Path) -> None:
    for number in range(12):
        atomic.replace_file(file, b"%d" % number, before=lambda: backups.rotate(file))
    kept = [one.read_bytes() for one in backups.backups(file)]
    assert kept == [b"%d" % number for number in range(10, 0, -1)]
    assert file.read_bytes() == b"11"
    assert len(names(file)) == 11


def test_a_backup_is_a_copy_where_the_system_has_no_hard_links(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", failing(errno.EPERM, os.link))
    atomic.replace_file(file, NEW, before=lambda: backups.rotate(file))
    copy = backups.backup_path(file, 1)
    assert copy.read_bytes() == OLD
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_names_aside_do_not_collide(file: Path) -> None:
    first = backups.keep_aside(file, "unreadable", now=0.0)
    second = backups.keep_aside(file, "unreadable", now=0.0)
    assert first.name == "tasks.json.unreadable-19700101T000000Z"
    assert second.name == "tasks.json.unreadable-19700101T000000Z-2"
    assert file.read_bytes() == first.read_bytes() == second.read_bytes() == OLD


SAVE_FOR_EVER = """
    import sys
    from functools import partial
    from pathlib import Path
    from desktopsched.storage import atomic, backups
    path = Path(sys.argv[1])
    print("ready", flush=True)
    while True:
        for letter in b"ab":
            atomic.replace_file(path, bytes([letter]) * 200_000, before=partial(backups.rotate, path))
"""
KILLS = 60


def test_f04_killed_in_mid_save_the_file_is_old_or_new(file: Path) -> None:
    """60 kills, each after another fraction of a save."""
    file.write_bytes(b"a" * 200_000)
    seen = set()
    for number in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", dedent(SAVE_FOR_EVER), str(file)], stdout=subprocess.PIPE
        )
        with process:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            time.sleep(number * 0.0003)  # the real clock is the subject: where in the save the blow falls
            while number == KILLS - 1 and file.read_bytes()[:1] != b"b":
                time.sleep(0.001)  # on a slow computer none of the others came so far
            process.send_signal(signal.SIGKILL)
        for path in (file, *backups.backups(file)):
            content = path.read_bytes()
            assert content in (b"a" * 200_000, b"b" * 200_000)
            seen.add(content[:1])
    assert seen == {b"a", b"b"}
    atomic.remove_leftovers(file)
    assert not [name for name in names(file) if name.endswith(".tmp")]


SAVE_AND_DIE = """
    import os, signal, sys
    from functools import partial
    from pathlib import Path
    from desktopsched.storage import atomic, backups

    left = int(sys.argv[2])

    def dying(call):
        def instead(*arguments, **named):
            global left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **named)
        return instead

    for name in ("open", "fsync", "replace", "rename", "link", "close", "unlink", "lstat"):
        setattr(os, name, dying(getattr(os, name)))
    path = Path(sys.argv[1])
    atomic.replace_file(path, b"new content\\n", before=partial(backups.rotate, path))
"""


def test_f04_killed_before_each_step_of_a_save_in_turn(file: Path) -> None:
    """The first kill that comes too late ends the test; the control is that at least eight came in time."""
    for step in range(1, 40):
        file.write_bytes(OLD)
        ended = subprocess.run(
            [sys.executable, "-c", dedent(SAVE_AND_DIE), str(file), str(step)],
            check=False,
            capture_output=True,
        )
        assert file.read_bytes() in (OLD, NEW)
        assert all(one.read_bytes() in (OLD, NEW) for one in backups.backups(file))
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert file.read_bytes() == NEW
    assert step >= 8


def test_what_another_writes_while_the_backup_is_made_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_bytes(b"old")

    def back_up() -> None:
        path.write_bytes(b"of another")

    with pytest.raises(ChangedOutsideError):
        atomic.replace_file(path, b"new", expected={atomic.digest_of(b"old")}, before=back_up)
    assert path.read_bytes() == b"of another"
    assert list(tmp_path.glob("*.tmp")) == []
