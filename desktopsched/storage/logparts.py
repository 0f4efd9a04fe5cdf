"""How one run's output lies on the disk: a head, and segments with the tail, which become one file at the end.

The first HEAD bytes are in `<run>.log`. What follows goes to segments beside it, named by where in the stream they
begin: `<run>.log.1048576` (`supervisor.logfile` writes them). Joined, the file has the head, a line that says how much
was dropped, and the tail.
Functions raise OSError.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from desktopsched.supervisor import logfile
from desktopsched.supervisor.logfile import HEAD, TAIL

_MARK = re.compile(r"\n… ([\d,]{1,40}) bytes dropped …\n".encode())
_MARK_MOST = 80  # bytes
_CHUNK = 256 * 1024


class Part(Struct, frozen=True):
    """A piece of the stream and where it is kept."""

    start: int  # in the stream
    length: int
    file: Path
    at: int  # in the file


def mark(dropped: int) -> bytes:
    """The line that stands for what was dropped."""
    return f"\n… {dropped:,} bytes dropped …\n".encode()


def parts(path: Path) -> list[Part]:
    """What there is of a run's output, in order, also while it is written."""
    size = path.stat().st_size if path.exists() else 0
    if size > HEAD:  # joined: segments that are left say nothing new
        return _joined_parts(path, size)
    return [Part(0, size, path, 0), *(Part(at, file.stat().st_size, file, 0) for at, file in segments(path))]


def segments(path: Path) -> list[tuple[int, Path]]:
    """The segments of a log, each with where it begins."""
    own = f"{path.name}."
    try:
        names = [file.name for file in path.parent.iterdir()]  # `glob` would keep a pattern of every run
    except FileNotFoundError:
        return []
    ends = [name.removeprefix(own) for name in names if name.startswith(own)]
    return sorted((int(end), path.with_name(own + end)) for end in ends if end.isdecimal())


def join(path: Path) -> None:
    """Make head and segments one file. Who reads, or dies, meanwhile sees it before or after."""
    rest = segments(path)  # looks at the whole folder
    if not rest:
        return
    if path.stat().st_size <= HEAD:
        _write_whole(path, _head_and_tail(path, rest))
    for _, segment in rest:
        segment.unlink(missing_ok=True)


def finish(path: Path) -> None:
    """Join what was just written. Of what is all in the head nothing is, and nobody looks at the whole folder."""
    try:
        short = path.stat().st_size < HEAD
    except FileNotFoundError:  # somebody deleted it
        short = not segments(path)
    if not short:
        join(path)


def split(path: Path) -> None:
    """Take a joined file apart again, to go on with it."""
    if not path.exists() or path.stat().st_size <= HEAD:
        return
    for _, segment in segments(path):  # left by a join that died at its very end
        segment.unlink(missing_ok=True)
    tail = parts(path)[-1]
    start = max(tail.start, HEAD)
    _write_whole(path.with_name(f"{path.name}.{start}"), _chunks(path, tail.at + start - tail.start))
    os.truncate(path, HEAD)


def open_private(path: Path, flags: int) -> BinaryIO:
    """A file to write to, for its owner alone."""
    return os.fdopen(logfile.open_private(path, flags), "wb", buffering=0)


def _joined_parts(path: Path, size: int) -> list[Part]:
    with path.open("rb") as file:
        file.seek(HEAD)
        found = _MARK.match(file.read(_MARK_MOST))
    if not found:
        return [Part(0, size, path, 0)]
    start = HEAD + int(found[1].replace(b",", b""))
    at = HEAD + len(found[0])
    return [Part(0, HEAD, path, 0), Part(start, size - at, path, at)]


def _head_and_tail(path: Path, rest: list[tuple[int, Path]]) -> Iterator[bytes]:
    skip = max(0, sum(file.stat().st_size for _, file in rest) - TAIL)
    dropped = rest[0][0] - HEAD + skip
    yield from _chunks(path, 0)
    if dropped:
        yield mark(dropped)
    for _, segment in rest:
        size = segment.stat().st_size
        yield from _chunks(segment, min(skip, size))
        skip -= min(skip, size)


def _chunks(path: Path, at: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(at)
        while chunk := file.read(_CHUNK):
            yield chunk


def _write_whole(path: Path, chunks: Iterator[bytes]) -> None:
    """Beside it, then over it."""
    beside = path.with_name(f"{path.name}.new")
    try:
        with open_private(beside, os.O_TRUNC) as file:
            for chunk in chunks:
                write_all(file, chunk)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_all(file: BinaryIO, data: bytes | memoryview) -> None:
    """Write all of it: the system may take less at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
