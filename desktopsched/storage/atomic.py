"""Files that are old or new and never in between, whatever dies in the middle. Contents are bytes here.

A file is written beside, made durable, and moved over the old one. Any thread may call; one writer per file.
"""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from desktopsched.model import StorageError
from desktopsched.storage.errors import ChangedOutsideError, UnreadableFileError

LARGEST = 100 * 1024 * 1024
"""Bytes. 100,000 tasks take about 40 MB; what is larger is not a task list."""

MISSING = ""
"""The digest of a file that is not there."""

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has neither this
_CLOSE_ON_EXEC = getattr(os, "O_CLOEXEC", 0)  # nor this; Python's files are not inherited there either
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # opening a pipe must not wait for its writer
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _CLOSE_ON_EXEC | getattr(os, "O_BINARY", 0)


def digest_of(data: bytes) -> str:
    """What tells one content from another."""
    return hashlib.sha256(data).hexdigest()


def read_file(path: Path) -> bytes | None:
    """The content; None if there is no such file. Raises StorageError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | _CLOSE_ON_EXEC | _NO_WAIT)
        with os.fdopen(descriptor, "rb") as file:
            _check_kind(path, os.fstat(descriptor))
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _in_words("read", path, error) from error


def replace_file(
    path: Path,
    data: bytes,
    *,
    expected: Collection[str] | None = None,
    before: Callable[[], None] | None = None,
) -> None:
    """Make `data` the content of the file, durably, with mode 0600.

    `expected`: the digests that the file may have now; None: any. `before` is called right before the file
    is replaced, for the backup. Raises ChangedOutsideError, StorageError: the old file is as it was.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        check_replaceable(path)
        _write_new(temporary, data)
        _check_unchanged(path, expected)
        if before:  # which takes its time
            before()
            _check_unchanged(path, expected)
        # Between this look and the move lies a moment in which another program's write would be lost; no
        # system call closes it everywhere.
        os.replace(temporary, path)  # noqa: PTH105 - the call that is atomic, by its own name
    except OSError as error:
        raise _in_words("write", path, error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _check_unchanged(path: Path, expected: Collection[str] | None) -> None:
    if expected is not None and current_digest(path) not in expected:
        raise ChangedOutsideError(path)


def current_digest(path: Path) -> str:
    """The digest of what is in the file now; MISSING if there is none."""
    data = read_file(path)
    return MISSING if data is None else digest_of(data)


def check_replaceable(path: Path) -> None:
    """Refuse to replace a link, a folder, or a file that was made read-only. Raises StorageError."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(status.st_mode):
        raise StorageError(_LINK.format(path))
    _check_kind(path, status)
    if not status.st_mode & stat.S_IWUSR:  # root could write it all the same: the wish counts, not the power
        raise StorageError(f"{path} is read-only, so it was not changed. Make it writable to save.")


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable. Raises StorageError when the disk says that it could not."""
    if os.name == "nt":
        return  # Windows has no such call; its file system keeps names in order
    try:
        descriptor = os.open(folder, os.O_RDONLY | _CLOSE_ON_EXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems do not know how
            raise _in_words("write", folder, error) from error


def remove_leftovers(path: Path) -> None:
    """Remove what a program that died left half-written beside `path`. Only for whoever holds the home's lock."""
    for left in path.parent.glob(f".{path.name}.*.tmp"):
        with suppress(OSError):  # a read-only folder: it harms nobody, it is never read
            left.unlink()


def _write_new(path: Path, data: bytes) -> None:
    descriptor = os.open(path, _NEW, 0o600)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(descriptor)


def _check_kind(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise StorageError(f"{path} is not a file. Move it away.")
    if status.st_size > LARGEST:
        raise UnreadableFileError(path, f"has {status.st_size:,} bytes; at most {LARGEST:,} are read.")


def _in_words(verb: str, path: Path, error: OSError) -> StorageError:
    if error.errno == errno.ELOOP:
        return StorageError(_LINK.format(path))
    why = error.strerror or str(error)
    hint = _HINTS.get(error.errno or 0, "")
    return StorageError(f"Cannot {verb} {path}: {why}.{hint}")


_LINK = "{} is a symbolic link. Put the file itself there; links are not followed."
_HINTS = {
    errno.ENOSPC: " Free some space and try again; nothing was lost.",
    errno.EDQUOT: " Free some space and try again; nothing was lost.",
    errno.EACCES: " Check who owns the file and its folder.",
    errno.EROFS: " The disk is read-only.",
    errno.EMFILE: " Too many files are open; try again.",
}
