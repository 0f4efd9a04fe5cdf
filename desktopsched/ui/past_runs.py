"""Past runs: their logs, read and written off the UI thread. Lives on the UI thread; its work does not.

A thread of its own: reading the log of a day must not hold up a stop.
"""

from collections import deque
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktopsched.actions.text import Line, TextReader
from desktopsched.storage.runlogs import RunLogs
from desktopsched.ui.background import Background

LINES_MOST = 20_000
"""Lines of a log that are shown: its last ones. The file has them all."""


class PastRuns(QObject):
    """Reads one log after the other; the last one that was asked for counts."""

    read = Signal(int, tuple)
    """The number of a run, and its lines."""

    failed = Signal(str)
    """What could not be read or written, in words for the person."""

    def __init__(self, logs: RunLogs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._logs = logs
        self._background = Background(self)
        self._wanted = 0

    def ask(self, task_id: str, run: int) -> None:
        """Read the log of a run; then `read`, or `failed`."""
        self._wanted = run
        self._background.do(
            lambda: self._lines(task_id, run),
            lambda lines: self._tell(run, lines),
            lambda error: self.failed.emit(f"The log of run {run} cannot be read: {error}."),
        )

    def forget(self) -> None:
        """What was asked for is not wanted any more."""
        self._wanted = 0

    def save(self, path: Path, text: str) -> None:
        """Write a text into a file that the person chose."""
        self._background.do(
            lambda: path.write_text(text, encoding="utf-8"),
            failed=lambda error: self.failed.emit(f"{path} cannot be written: {error}."),
        )

    def close(self) -> None:
        """Wait for what is under way, and end."""
        self._wanted = 0
        self._background.close()

    def _lines(self, task_id: str, run: int) -> tuple[Line, ...]:
        reader, found = TextReader(), deque[Line](maxlen=LINES_MOST)
        data, place = self._logs.read(task_id, run)
        while data and self._wanted == run:
            found += reader.feed(data)
            data, place = self._logs.read(task_id, run, place)
        found += reader.finish()
        return tuple(found)

    def _tell(self, run: int, lines: tuple[Line, ...]) -> None:
        if run == self._wanted:
            self.read.emit(run, lines)
