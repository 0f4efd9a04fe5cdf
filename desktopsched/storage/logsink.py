"""One run's output on its way to the disk, bounded in memory, and on the disk while it is written."""

import errno
import os
from pathlib import Path
from typing import BinaryIO

from desktopsched.model import StorageError
from desktopsched.storage import logparts

SEGMENT = 1024 * 1024
"""Bytes after which a new segment begins: so much more than the tail lies on the disk at most."""


class LogSink:
    """Takes the output of a run. Belongs to one thread.

    What cannot be kept raises StorageError, once; from then on nothing more is kept, and `problem` says why in plain
    words. A later attempt opens the same log and goes on where the earlier one ended.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._file: BinaryIO | None = None
        self._end = 0  # of the stream so far
        self._limit = 0  # where in the stream the open file ends
        try:
            self._begin()
        except OSError as error:
            raise self._failure(error) from error

    def write(self, data: bytes) -> None:
        """Keep the data: of the beginning and of the end of all, what fits."""
        rest = memoryview(data)
        try:
            while rest and self._file:
                rest = rest[self._write_some(self._file, rest) :]
        except OSError as error:
            raise self._failure(error) from error

    def close(self) -> None:
        """Make head and tail one file. Again: nothing."""
        if not self._file:
            return
        self._stop()
        try:
            logparts.join(self.path)
        except OSError as error:
            raise self._failure(error) from error

    def _begin(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.path.parent.is_symlink():
            raise OSError(errno.ELOOP, "its folder is a symbolic link")
        logparts.split(self.path)
        last = logparts.parts(self.path)[-1]
        self._open(last.file, last.start, logparts.HEAD if last.file == self.path else last.start + SEGMENT)

    def _write_some(self, file: BinaryIO, rest: memoryview) -> int:
        if self._end >= self._limit:
            file = self._next_segment(file)
        written = file.write(rest[: self._limit - self._end])
        self._end += written
        return written

    def _next_segment(self, file: BinaryIO) -> BinaryIO:
        file.close()
        segment = self.path.with_name(f"{self.path.name}.{self._end}")
        opened = self._open(segment, self._end, self._end + SEGMENT)
        logparts.drop_oldest(self.path, self._end)
        return opened

    def _open(self, file: Path, start: int, limit: int) -> BinaryIO:
        self._file = opened = logparts.open_private(file, os.O_APPEND)
        self._end, self._limit = start + file.stat().st_size, limit
        return opened

    def _stop(self) -> None:
        if self._file:
            self._file.close()
            self._file = None

    def _failure(self, error: OSError) -> StorageError:
        words = (
            "no space is left"
            if error.errno in (errno.ENOSPC, errno.EDQUOT)
            else error.strerror or str(error)
        )
        self.problem = f"The log was cut: {words}."
        self._stop()
        return StorageError(self.problem)
