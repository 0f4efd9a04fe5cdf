"""Past runs: their logs, read and written off the UI thread. Lives on the UI thread; its work does not.

A thread of its own: reading the log of a day must not hold up a stop.
"""

import itertools
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from desktopsched.actions.style import Style
from desktopsched.actions.text import Line, Span, TextReader
from desktopsched.ui.background import Background

if TYPE_CHECKING:
    from desktopsched.storage.runlogs import RunLogs

LINES_MOST = 20_000
"""Lines of a log that are shown: its last ones. The file has them all."""

ROUND = 32
"""Portions of a run that goes on that are read before they are told: one that prints without end is shown too."""


class _Told(NamedTuple):
    """What a round of reading gave."""

    lines: tuple[Line, ...]
    open_line: Line | None  # has no end yet
    is_all: bool  # nothing more was there
    before: int  # so many lines came before these


class _Reading:
    """One log that is read, and where in it the reading is. `reader` and `place` belong to the background."""

    def __init__(self, task_id: str, run: int) -> None:
        self.task_id, self.run = task_id, run
        self.reader, self.place = TextReader(), 0
        self.busy = True  # it is read at this moment
        self.again = self.ends = False  # there was more meanwhile, or the end
        self.ended = False  # nothing more comes


class PastRuns(QObject):
    """Reads one log after the other; the last one that was asked for counts."""

    read = Signal(int, tuple)
    """The number of a run, and its lines."""

    more = Signal(int, tuple, object)
    """The number of a run that goes on, the lines that came since, and the `Line` that has no end yet, or None."""

    failed = Signal(str)
    """What could not be read, in words for the person."""

    written = Signal()
    """A text is in the file that was chosen for it."""

    not_saved = Signal(str)
    """Why it is not, in words for the person."""

    def __init__(self, logs: "Callable[[], RunLogs]", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._logs = logs
        self._background = Background(self)
        self._reading: _Reading | None = None

    def ask(self, task_id: str, run: int, *, live: bool = False) -> None:
        """Read the log of a run; then `read`, or `failed`. One that is `live` is read on by `go_on`."""
        reading = self._reading = _Reading(task_id, run)
        reading.ended = not live
        self._read(reading, ended=not live, first=True)

    def go_on(self, *, ended: bool) -> None:
        """The run has printed more, or `ended`: read what came; then `more`."""
        reading = self._reading
        if reading is None or reading.ended:
            return
        if reading.busy:
            reading.again, reading.ends = True, reading.ends or ended
            return
        reading.ended = ended
        self._read(reading, ended=ended, first=False)

    def forget(self) -> None:
        """What was asked for is not wanted any more."""
        self._reading = None

    def save(self, path: Path, text: str) -> None:
        """Write a text into a file that the person chose."""
        self._save(path, lambda: path.write_text(text, encoding="utf-8"))

    def save_run(self, path: Path, task_id: str, run: int) -> None:
        """Write all lines of a run, as they are shown, into a file that the person chose."""

        def write() -> None:
            reader = TextReader()
            with path.open("w", encoding="utf-8") as file:
                for data in self._logs().whole(task_id, run):
                    file.writelines(f"{line.plain}\n" for line in reader.feed(data))
                file.writelines(f"{line.plain}\n" for line in reader.finish())

        self._save(path, write)

    def _save(self, path: Path, write: Callable[[], object]) -> None:
        self._background.do(
            write,
            lambda _: self.written.emit(),
            lambda error: self.not_saved.emit(f"{path} cannot be written: {error}."),
        )

    def close(self) -> None:
        """Wait for what is under way, and end."""
        self._reading = None
        self._background.close()

    def _read(self, reading: _Reading, *, ended: bool, first: bool) -> None:
        reading.busy = True
        self._background.do(
            lambda: self._lines(reading, ended=ended),
            lambda told: self._tell(reading, told, first=first),
            lambda error: self._fail(reading, error),
        )

    def _lines(self, reading: _Reading, *, ended: bool) -> _Told:
        """In the background: all of a log that has its end, of another one a round."""
        reader, found, is_all = reading.reader, deque[Line](maxlen=LINES_MOST), False
        count = 0
        rounds = itertools.count() if ended else range(ROUND)
        for _ in rounds:
            data, reading.place = self._logs().read(reading.task_id, reading.run, reading.place)
            if not data or self._reading is not reading:
                is_all = True
                break
            found += (lines := reader.feed(data))
            count += len(lines)
        if ended:
            found += (lines := reader.finish())
            count += len(lines)
        open_line = reader.open_line()
        return _Told(tuple(found), open_line if open_line.spans else None, is_all, count - len(found))

    def _tell(self, reading: _Reading, told: _Told, *, first: bool) -> None:
        reading.busy = False
        if reading is not self._reading:
            return
        lines = told.lines
        if first:
            self.read.emit(reading.run, _with_mark(lines, told.before))
            lines = ()
        if lines or told.open_line is not None:
            self.more.emit(reading.run, lines, told.open_line)
        if reading.again or not told.is_all:
            reading.again = False
            self.go_on(ended=reading.ends)

    def _fail(self, reading: _Reading, error: Exception) -> None:
        reading.busy = False
        self.failed.emit(f"The log of run {reading.run} cannot be read: {error}.")


def _with_mark(lines: tuple[Line, ...], before: int) -> tuple[Line, ...]:
    """Where lines are left out, the first of the others gives way to saying so."""
    if not before:
        return lines
    words = f"… {before + 1:,} earlier lines are not shown here. “Save as…” writes them all."
    return (Line((Span(words, Style(faint=True)),)), *lines[1:])
