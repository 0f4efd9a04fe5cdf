"""One run's output on its way to the disk, bounded there while it is written.

The first HEAD bytes are in the log itself. What follows goes to segments beside it, named by where in the stream they
begin: `<log>.1048576`; the oldest are dropped. `storage.logparts` reads them, and makes them one file at the end.
"""

from __future__ import annotations

import os

HEAD = 1024 * 1024
TAIL = 9 * 1024 * 1024
SEGMENT = 1024 * 1024
"""Bytes after which a new segment begins: so much more than the tail lies on the disk at most."""

_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def open_private(path: str | os.PathLike[str], flags: int) -> int:
    """A file to write to, for its owner alone. Raises OSError."""
    return os.open(path, _FLAGS | flags, 0o600)


class LogFile:
    """Takes output, and keeps the beginning and the end of all of it. All raise OSError; belongs to one thread.

    It goes on at the end of what there is, which is not joined.
    """

    def __init__(self, path: str, *, head: int = HEAD, tail: int = TAIL, segment: int = SEGMENT) -> None:
        self._path = path
        self._tail = tail
        self._segment = segment
        self._segments: list[int] = []  # where in the stream each begins, the oldest first
        self._file = -1
        self._open(path, 0, head)
        if self._end >= head:  # only then there may be any: the folder of a task has many logs
            self._go_on()

    def write(self, data: bytes) -> None:
        """Keep the data: of the beginning and of the end of all, what fits."""
        rest = memoryview(data)
        while rest and self._file >= 0:
            if self._end >= self._limit:
                self._next_segment()
            written = os.write(self._file, rest[: self._limit - self._end])
            self._end += written
            rest = rest[written:]

    def close(self) -> None:
        """Nothing more comes. Again: nothing."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def _go_on(self) -> None:
        """At the end of the newest segment."""
        self._segments = _segments(self._path)
        if self._segments:
            start = self._segments[-1]
            self.close()
            self._open(f"{self._path}.{start}", start, start + self._segment)

    def _open(self, file: str, start: int, limit: int) -> None:
        self._file = open_private(file, os.O_APPEND)
        self._end, self._limit = start + os.fstat(self._file).st_size, limit

    def _next_segment(self) -> None:
        self.close()
        self._open(f"{self._path}.{self._end}", self._end, self._end + self._segment)
        self._segments.append(self._end)
        while len(self._segments) > 1 and self._end - self._segments[1] >= self._tail:
            self._drop(self._segments.pop(0))

    def _drop(self, start: int) -> None:
        try:
            os.unlink(f"{self._path}.{start}")
        except FileNotFoundError:
            return  # somebody tidied up


def _segments(path: str) -> list[int]:
    folder, name = os.path.split(path)
    tails = [entry[len(name) + 1 :] for entry in os.listdir(folder) if entry.startswith(f"{name}.")]
    return sorted([int(tail) for tail in tails if tail.isdecimal()])
