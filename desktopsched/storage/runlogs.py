"""The output of runs: `<logs>/<task id>/<run id>.log`. Ids are checked before they become a path."""

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from desktopsched.model import InvalidTaskError
from desktopsched.model.fields import task_id as check_task_id
from desktopsched.storage import logparts
from desktopsched.storage.logsink import LogSink, begun

_LOG = re.compile(r"([1-9][0-9]{0,18})\.log(?:\..*)?")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?|.*\.")
"""Names that Windows keeps for devices, or would shorten. No id has a `~`, so `con~` is nobody else's folder."""

_READ = 64 * 1024
_TRIES = 5  # a segment may be dropped or joined between the look at it and the reading


class RunLogs:
    """The logs of a home. Any thread may call; one sink per run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, task_id: str, run_id: int) -> Path:
        """Where a run's log is, or would be. Raises InvalidTaskError for what is no id."""
        checked = check_task_id(task_id)
        if not 0 < run_id < 10**19:
            raise InvalidTaskError(f"{run_id!r} is not the number of a run.")
        return self.folder / (f"{checked}~" if _RESERVED.fullmatch(checked) else checked) / f"{run_id}.log"

    def open(self, task_id: str, run_id: int) -> LogSink:
        """Where the run's output goes to."""
        return LogSink(self.path(task_id, run_id))

    def begin(self, task_id: str, run_id: int) -> Path:
        """Make a run's log ready for a supervisor to write, or go on with. Raises OSError; `end` when it is done."""
        path = self.path(task_id, run_id)
        begun(path, lambda: logparts.open_private(path, os.O_APPEND)).close()
        return path

    def end(self, task_id: str, run_id: int) -> None:
        """Make one file of what a supervisor wrote. Raises OSError."""
        logparts.finish(self.path(task_id, run_id))

    def read(self, task_id: str, run_id: int, start: int = 0, most: int = _READ) -> tuple[bytes, int]:
        """At most `most` bytes of the output from `start` on, and from where to read next.

        Positions are those of the whole output, so following goes on when something is dropped, which a line
        in the bytes then says, and when the run ends. No bytes: there are no more yet. Raises OSError.
        """
        path = self.path(task_id, run_id)
        for _ in range(_TRIES):
            with suppress(FileNotFoundError):
                return _read_parts(logparts.parts(path), start, most)
        return b"", start

    def whole(self, task_id: str, run_id: int) -> Iterator[bytes]:
        """All that there is, piece by piece."""
        data, place = self.read(task_id, run_id)
        while data:
            yield data
            data, place = self.read(task_id, run_id, place)

    def highest_run_id(self) -> int:
        """The highest id that a log has; 0 if there is none. Ids go on from it when the history was lost."""
        return max((run_id for folder in self._folders() for run_id, _ in _logs(folder)), default=0)

    def tidy(self, spare: Collection[int] = ()) -> None:
        """Finish the logs of runs under which the program died; not those of `spare`, which go on.

        Only for the holder of the home's lock.
        """
        for folder in self._folders():
            with suppress(OSError):  # it can still be read in pieces
                for left in folder.glob("*.new"):
                    left.unlink()
                for path in {folder / f"{run_id}.log" for run_id, _ in _logs(folder) if run_id not in spare}:
                    logparts.join(path)

    def prune(self, before: float, per_task: int, spare: Collection[int] = ()) -> int:
        """Delete logs that were last written before an instant, or have `per_task` newer ones; not those of `spare`.

        `spare` are the runs under way. Returns how many runs lost their log.
        """
        gone = 0
        for folder in self._folders():
            newest = sorted({run_id for run_id, _ in _logs(folder)}, reverse=True)
            for place, run_id in enumerate(newest):
                if run_id not in spare and (place >= per_task or _written(folder, run_id) < before):
                    _delete(folder, run_id)
                    gone += 1
            with suppress(OSError):  # it is not empty
                folder.rmdir()
        return gone

    def _folders(self) -> Iterator[Path]:
        with suppress(OSError):
            yield from (one for one in self.folder.iterdir() if one.is_dir() and not one.is_symlink())


def _logs(folder: Path) -> Iterator[tuple[int, Path]]:
    for file in folder.iterdir():
        if match := _LOG.fullmatch(file.name):
            yield int(match[1]), file


def _written(folder: Path, run_id: int) -> float:
    """When a log was last written, in seconds since 1970."""
    files = [file for own, file in _logs(folder) if own == run_id]
    return max((file.stat().st_mtime for file in files), default=0.0)


def _delete(folder: Path, run_id: int) -> None:
    for own, file in tuple(_logs(folder)):
        if own == run_id:
            with suppress(OSError):
                file.unlink()


def _read_parts(parts: list[logparts.Part], start: int, most: int) -> tuple[bytes, int]:
    for part in parts:
        if part.start > start and part.length:
            return logparts.mark(part.start - start), part.start
        if start < part.start + part.length:
            return _read_part(part, start, most)
    return b"", start


def _read_part(part: logparts.Part, start: int, most: int) -> tuple[bytes, int]:
    with part.file.open("rb") as file:
        file.seek(part.at + start - part.start)
        data = file.read(min(most, part.start + part.length - start))
    return data, start + len(data)
