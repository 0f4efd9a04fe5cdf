"""The history: runs and their outcomes, and what tasks must remember over a restart.

The record methods gather the parts of one change, until `remember` ends it: it is queued then, and kept whole or not at
all. They are called by one thread at a time, and return at once. They know nothing of the engine: memories come and go
as bytes.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

from desktopsched.model import Outcome, Run, StorageError
from desktopsched.storage import schema, writes
from desktopsched.storage.records import Records
from desktopsched.storage.reserve import Reserve
from desktopsched.storage.writer import Write, Writer

_PATIENCE = 30.0
"""Seconds. A disk that takes longer to keep one row is as good as none."""

_CHUNK = 500  # rows deleted in one write, so that a start never waits long behind it


def _all(parts: Sequence[Write], connection: sqlite3.Connection) -> None:
    for part in parts:
        part(connection)


def _nothing(*_: object) -> None:
    pass


class Salvaged(Struct, frozen=True):
    """What became of a damaged history."""

    aside: Path  # where it is now
    runs: int  # that could be read, and are in the new one


class History:
    """The writing side; questions go to `records`. Nothing is opened and no thread runs before `open`.

    `on_error` is told, on the writing thread, when changes cannot be written; they are kept and tried again.
    `on_recovery` is told when they are written at last.
    """

    def __init__(
        self,
        path: Path,
        *,
        on_error: Callable[[StorageError], None] = _nothing,
        on_recovery: Callable[[], None] = _nothing,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self.records = Records(path)
        self._on_error, self._on_recovery, self._now = on_error, on_recovery, now
        self._writer: Writer | None = None
        self._gathered: list[Write] = []  # the parts of the change that is being told
        self._gathered_starts: list[tuple[int, int]] = []
        self._starts_changed = threading.Condition()
        self._starts: dict[tuple[int, int], int] = {}  # by run and attempt: the number of its write

    def open(self) -> Salvaged | None:
        """Open, bring up to date, and begin to write.

        A damaged history is moved aside, and a new one begun with what can be read of it; else returns None.
        Raises NewerFormatError, StorageError.
        """
        found = None
        try:
            connection = schema.open_database(self.path, self._now())
        except schema.DamagedError:
            from desktopsched.storage.salvage import salvage  # hardly ever needed

            aside = schema.put_aside(self.path, self._now())
            connection = schema.open_database(self.path, self._now())
            found = Salvaged(aside, salvage(aside, connection))
        reserve = Reserve(self.path.with_name(f"{self.path.name}.reserve"))
        reserve.keep()
        self._writer = Writer(self.path, connection, self._on_error, self._on_recovery, reserve)
        self._writer.start()
        return found

    def close(self) -> None:
        """Write what is queued and end. Again: nothing."""
        if self._writer:
            self._writer.close()
            self._writer = None

    @property
    def trouble(self) -> StorageError | None:
        """Why nothing can be written at present; None: it can."""
        return self._writer.trouble if self._writer else None

    def run_started(self, run: Run, at: float) -> None:
        """An attempt of a run begins."""
        self._gather(partial(writes.run_started, run=run, at=at))
        self._gathered_starts.append((run.id, run.attempt))

    def run_retrying(self, run: Run, outcome: Outcome, at: float) -> None:
        """An attempt of a run failed, and another one follows."""
        self._gather(partial(writes.run_retrying, run=run, outcome=outcome, at=at))
        self._forget_start(run)

    def run_finished(self, run: Run, outcome: Outcome, at: float, marks: Sequence[writes.Mark] = ()) -> None:
        """A run has its final outcome; `marks` is what the edges to the children remember of it."""
        self._gather(partial(writes.run_finished, run=run, outcome=outcome, at=at, marks=tuple(marks)))
        self._forget_start(run)

    def run_skipped(self, run: Run, outcome: Outcome, at: float, marks: Sequence[writes.Mark] = ()) -> None:
        """`run.count` due instants passed without a run."""
        self._gather(partial(writes.run_skipped, run=run, outcome=outcome, at=at, marks=tuple(marks)))

    def set_marks(self, child: str, marks: Sequence[writes.Mark]) -> None:
        """What the edges of a task remember: this, and nothing else."""
        self._gather(partial(writes.set_marks, child=child, marks=tuple(marks)))

    def remember(self, memories: Sequence[tuple[str, bytes]]) -> None:
        """What tasks must remember, whole. It ends a change: all that was gathered for it is kept, or none of it."""
        self._gather(partial(writes.remember, memories=tuple(memories)))
        parts, self._gathered = self._gathered, []
        starts, self._gathered_starts = self._gathered_starts, []
        number = self._put(partial(_all, parts))
        if starts:
            with self._starts_changed:
                self._starts.update(dict.fromkeys(starts, number))
                self._starts_changed.notify_all()

    def forget(self, task_id: str) -> None:
        """The task is not on the list any more. Its runs stay."""
        self._gather(partial(writes.forget, task_id=task_id))

    def absent(self, began: float, ended: float, why: str) -> None:
        """For a while nothing could start a task."""
        self._put(partial(writes.absent, began=began, ended=ended, why=why))

    def changed(self, task_id: str, what: str, at: float) -> None:
        """A task came, went, or was changed, in one word."""
        self._put(partial(writes.changed, task_id=task_id, what=what, at=at))

    def hold_settled(self, run_id: int) -> None:
        """The claim of a run need not be remembered any more."""
        self._put(partial(writes.hold_settled, run_id=run_id))

    def run_noted(self, run_id: int, reason: str) -> None:
        """More is known of a run that ended than when it did."""
        self._put(partial(writes.run_noted, run_id=run_id, reason=reason))

    def set_setting(self, key: str, value: str) -> None:
        """What the program must remember of itself, such as that it is paused."""
        self._put(partial(writes.set_setting, key=key, value=value))

    def prune(self, before: float, per_task: int) -> int:
        """Delete runs that ended before an instant, or have `per_task` newer ones; the last run of a task stays.

        Returns how many. Reads on the caller's thread, which is not the window's.
        """
        self._put(partial(writes.forget_before, instant=before))
        outdated = self.records.outdated(before, per_task)
        for begin in range(0, len(outdated), _CHUNK):
            self._put(partial(writes.delete_runs, run_ids=outdated[begin : begin + _CHUNK]))
        return len(outdated)

    def wait_recorded(self, run_id: int, attempt: int = 1, seconds: float = _PATIENCE) -> None:
        """Block until this attempt's start is durable; it may not even be queued yet.

        Raises StorageError if it cannot be: then the run must not start.
        """
        key = (run_id, attempt)
        with self._starts_changed:
            if not self._starts_changed.wait_for(lambda: key in self._starts, timeout=seconds):
                raise StorageError(f"The start of run {run_id} was not recorded within {seconds:g} seconds.")
            number = self._starts[key]
        self._open_writer().wait(number, seconds)

    def flush(self) -> None:
        """Block until everything so far is durable. Raises StorageError if it cannot be."""
        self._open_writer().wait()

    def _gather(self, write: Write) -> None:
        self._gathered.append(write)

    def _put(self, write: Write) -> int:
        return self._open_writer().put(write)

    def _open_writer(self) -> Writer:
        if self._writer is None:
            raise StorageError(f"{self.path} is not open.")
        return self._writer

    def _forget_start(self, run: Run) -> None:
        with self._starts_changed, suppress(KeyError):
            del self._starts[run.id, run.attempt]
