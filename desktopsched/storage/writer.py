"""The thread that writes the history. Everything queued goes into one transaction.

Promises: writes are done in the order in which they were put, each whole or not at all; none is lost while the
program lives, save one that the database refuses for what it is, and that one is reported. When the disk
refuses, everything stays queued and is tried again: when somebody waits, and every RETRY seconds.
"""

import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from desktopsched.model import StorageError
from desktopsched.storage import schema
from desktopsched.storage.reserve import Reserve

Write = Callable[[sqlite3.Connection], None]

DELAY = 0.05
"""Seconds for which a write that nobody waits for may lie, so that others join its transaction."""

RETRY = 5.0
"""Seconds after which a write that failed is tried again unasked."""

_REFUSED_KEPT = 1_000  # nobody waits for most of them; this only bounds the memory

log = logging.getLogger(__name__)


class Writer:
    """Owns the writing connection from `start` to `close`. Its methods may be called on any thread."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        on_error: Callable[[StorageError], None],
        on_recovery: Callable[[], None],
        reserve: Reserve,
    ) -> None:
        self._path, self._connection, self._reserve = path, connection, reserve
        self._on_error, self._on_recovery = on_error, on_recovery
        self._changed = threading.Condition()  # guards all below
        self._queue: deque[tuple[int, Write]] = deque()
        self._put = 0  # the number of the last write that was put
        self._done = 0  # up to this one all are committed or refused
        self._refused: dict[int, StorageError] = {}
        self._failures = 0  # how many transactions failed so far
        self._trouble: StorageError | None = None  # why the last transaction failed; None: it did not
        self._urgent = self._closing = False
        self._thread = threading.Thread(target=self._run, name="history", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    @property
    def trouble(self) -> StorageError | None:
        """Why nothing can be written at present."""
        return self._trouble

    def put(self, write: Write) -> int:
        """Queue a write, and return its number. Never blocks."""
        with self._changed:
            self._put += 1
            self._queue.append((self._put, write))
            if len(self._queue) == 1:
                self._changed.notify_all()
            return self._put

    def wait(self, number: int | None = None, seconds: float = 30.0) -> None:
        """Until this write, or all so far, are durable. Raises StorageError if they cannot be written."""
        with self._changed:
            number = self._put if number is None else number
            failures = self._failures
            self._urgent = True
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: self._done >= number or (self._failures > failures and bool(self._trouble)),
                timeout=seconds,
            )
            if number in self._refused:
                raise self._refused.pop(number)
            if self._done < number:
                raise self._trouble or StorageError(
                    f"{self._path} could not be written in {seconds:g} seconds."
                )

    def close(self) -> None:
        """Write what is left, and end. What cannot be written now is reported and lost."""
        with suppress(StorageError):  # it was reported when it happened
            self.wait()
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while batch := self._next_batch():
            self._settle(batch, self._write(batch))

    def _next_batch(self) -> Sequence[tuple[int, Write]]:
        """Everything queued, once it is time; nothing, once it is over. The queue keeps it until it is written."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            if self._trouble and self._closing:
                return self._give_up()
            self._changed.wait_for(
                lambda: self._urgent or self._closing, timeout=RETRY if self._trouble else DELAY
            )
            self._urgent = False
            return tuple(self._queue)

    def _give_up(self) -> Sequence[tuple[int, Write]]:
        if self._queue:
            log.error("%d changes of the history could not be written: %s", len(self._queue), self._trouble)
        return ()

    def _settle(self, batch: Sequence[tuple[int, Write]], failure: tuple[int, StorageError] | None) -> None:
        """Account for a batch, of which the first ones are written; `failure` says how many, if not all."""
        written = failure[0] if failure else len(batch)
        with self._changed:
            for _ in range(written):
                self._done = self._queue.popleft()[0]
            before, self._trouble = self._trouble, failure[1] if failure else None
            self._failures += bool(failure)
            self._changed.notify_all()
        if failure and not before:
            self._tell(partial(self._on_error, failure[1]))
        if before and not failure:
            self._reserve.keep()
            self._tell(self._on_recovery)

    def _write(self, batch: Sequence[tuple[int, Write]]) -> tuple[int, StorageError] | None:
        """One transaction for all. When something is refused, one for each, to find out what."""
        try:
            self._transact([write for _, write in batch])
        except Exception:  # told apart and reported below, one by one  # noqa: BLE001
            return self._write_singly(batch)
        return None

    def _write_singly(self, batch: Sequence[tuple[int, Write]]) -> tuple[int, StorageError] | None:
        for written, (number, write) in enumerate(batch):
            try:
                self._transact_with_reserve(write)
            except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.InterfaceError) as error:
                self._refuse(number, error)
            except sqlite3.Error as error:
                return written, schema.in_words(self._path, error)
            except Exception as error:  # a bug of ours must not end the thread that keeps everybody's results
                log.exception("A change of the history is wrong")
                self._refuse(number, error)
        return None

    def _transact_with_reserve(self, write: Write) -> None:
        try:
            self._transact([write])
        except sqlite3.Error as error:
            if not schema.is_full(error) or not self._reserve.give_back():
                raise
            self._transact([write])

    def _transact(self, writes: Sequence[Write]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for write in writes:
                write(self._connection)
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:  # something failed; SQLite itself ends it on some errors
                self._connection.execute("ROLLBACK")

    def _refuse(self, number: int, error: Exception) -> None:
        words = StorageError(f"{self._path} does not take this: {error}.")
        with self._changed:
            self._refused[number] = words
            for oldest in list(self._refused)[:-_REFUSED_KEPT]:
                del self._refused[oldest]
        self._tell(partial(self._on_error, words))

    def _tell(self, callback: Callable[[], None]) -> None:
        try:
            callback()
        except Exception:  # a listener's failure must not end the thread that keeps everybody's results
            log.exception("A listener of the history failed")
