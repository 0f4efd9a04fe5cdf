"""One run's output on its way to the disk, bounded in memory, and on the disk while it is written."""

import errno
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from desktopsched.model import StorageError
from desktopsched.storage import logparts
from desktopsched.supervisor.logfile import HEAD, SEGMENT, TAIL, LogFile

_T = TypeVar("_T")
_TRIES = 3  # folders are pruned now and then, and not three times in a row


class LogSink:
    """Takes the output of a run. Belongs to one thread.

    What cannot be kept raises StorageError, once; from then on nothing more is kept, and `problem` says why in plain
    words. A later attempt opens the same log and goes on where the earlier one ended.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._file: LogFile | None = None
        try:
            begin = partial(LogFile, str(path), head=HEAD, tail=TAIL, segment=SEGMENT)
            self._file = begun(path, begin)
        except OSError as error:
            raise self._failure(error) from error

    def write(self, data: bytes) -> None:
        """Keep the data: of the beginning and of the end of all, what fits."""
        try:
            if self._file:
                self._file.write(data)
        except OSError as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Make head and tail one file. Again: nothing."""
        if not self._file:
            return
        self._stop()
        try:
            logparts.finish(self.path)
        except OSError as error:
            raise self._failure(error) from error

    def _stop(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _failure(self, error: OSError) -> StorageError:
        words = why_cut(error)
        self.problem = f"The log was cut: {words}."
        self._stop()
        return StorageError(self.problem)


def begun(path: Path, begin: Callable[[], _T]) -> _T:
    """Make a log ready, and begin it; again where its folder was pruned in between, being empty. Raises OSError."""
    for _ in range(_TRIES - 1):
        prepare(path)
        with suppress(FileNotFoundError):
            return begin()
    prepare(path)
    return begin()


def prepare(path: Path) -> None:
    """Make a log ready to go on with: its folder is there, and its parts are not joined. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.parent.is_symlink():
        raise OSError(errno.ELOOP, "its folder is a symbolic link")
    logparts.split(path)


def why_cut(error: OSError) -> str:
    """In plain words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "no space is left"
    return error.strerror or str(error)
