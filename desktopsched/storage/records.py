"""What the history says: runs and their attempts as frozen values, read through connections that cannot write.

Each question opens a connection of its own and closes it, so any thread may ask, also in a program that only looks.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from desktopsched.model import Cause, State, StorageError
from desktopsched.storage import schema

_SELECT_RUNS = (
    "SELECT id, task_id, scheduled_for, cause, generation, count, state, reason, exit_code, started, ended,"
    " attempts, parents, repairs, first, owner, token FROM runs "
)
_SELECT_ATTEMPTS = "SELECT attempt, started, ended, state, reason, exit_code FROM attempts "
_NEWEST_OF_TASK = _SELECT_RUNS + "WHERE task_id = ? AND ended IS NOT NULL ORDER BY id DESC LIMIT ?"

EVERYBODY = ""
"""In place of a task's id: a change that is about all tasks."""

Row = tuple[Any, ...]


class RunRecord(Struct, frozen=True, kw_only=True):
    """One run as the history has it. Instants are seconds since 1970, UTC."""

    id: int
    task_id: str
    scheduled_for: float
    cause: Cause
    generation: int
    count: int  # of a SKIPPED record: how many due instants it stands for
    state: State
    reason: str
    exit_code: int | None
    started: float | None  # None: it never ran
    ended: float | None  # None: it goes on, or was interrupted
    attempts: int
    parents: tuple[int, ...]
    repairs: bool
    first: float | None = None  # of a SKIPPED record that stands for several due instants
    owner: str = ""  # the other computer that performed it; empty: this one
    token: int = 0  # of its claim on a shared list; 0: it had none


class HoldRecord(Struct, frozen=True):
    """A claim on a shared list that the store has no outcome for, as far as this computer knows."""

    run_id: int
    nominal: str  # what the start is called there
    token: int


class AttemptRecord(Struct, frozen=True, kw_only=True):
    """One attempt of a run."""

    attempt: int
    started: float | None
    ended: float | None
    state: State
    reason: str
    exit_code: int | None


class Records:
    """Questions to the history. A history that does not exist yet answers with nothing. All raise StorageError."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def runs(
        self, task_id: str | None = None, limit: int = 20, before: int | None = None
    ) -> tuple[RunRecord, ...]:
        """The newest runs, of one task or of all; `before` a run's id for the page after it."""
        conditions: list[str] = ["1"]
        values: list[object] = []
        if task_id is not None:
            conditions.append("task_id = ?")
            values.append(task_id)
        if before is not None:
            conditions.append("id < ?")
            values.append(before)
        where = " AND ".join(conditions)
        return self._runs(f"WHERE {where} ORDER BY id DESC LIMIT ?", (*values, limit))

    def run(self, run_id: int) -> RunRecord | None:
        """One run."""
        return next(iter(self._runs("WHERE id = ?", (run_id,))), None)

    def latest_begun(self, task_id: str) -> RunRecord | None:
        """The newest run of a task that began: what was skipped did not."""
        where = "WHERE task_id = ? AND started IS NOT NULL ORDER BY id DESC LIMIT 1"
        return next(iter(self._runs(where, (task_id,))), None)

    def of_instant(self, task_id: str, due: float) -> RunRecord | None:
        """What became of a due instant: the start for it, or else the record that counts it with others.

        A run that a person started at that very moment is not for it; and one that began says more than a second one,
        after an interruption, that did not.
        """
        found = self._runs(
            "WHERE task_id = ? AND scheduled_for = ? AND cause <> 'manual'"
            " ORDER BY started IS NULL, id DESC LIMIT 1",
            (task_id, due),
        )
        if not found:
            found = self._runs(
                "WHERE task_id = ? AND first <= ? AND scheduled_for >= ? ORDER BY id DESC LIMIT 1",
                (task_id, due, due),
            )
        return next(iter(found), None)

    def absences(self, since: float = 0.0) -> tuple[tuple[float, float, str], ...]:
        """Spans in which nothing could start, and why; those that ended after an instant, the earliest first."""
        return tuple(
            self._rows("SELECT began, ended, why FROM absences WHERE ended >= ? ORDER BY began", (since,))
        )

    def changes(self, task_id: str) -> tuple[tuple[float, str], ...]:
        """When a task came, went, or was changed, the earliest first."""
        return tuple(self._rows("SELECT at, what FROM changes WHERE task_id = ? ORDER BY at", (task_id,)))

    def attempts(self, run_id: int) -> tuple[AttemptRecord, ...]:
        """The attempts of a run, in order."""
        rows = self._rows(_SELECT_ATTEMPTS + "WHERE run_id = ? ORDER BY attempt", (run_id,))
        return tuple(_attempt(row) for row in rows)

    def open_runs(self) -> tuple[RunRecord, ...]:
        """The runs that started and have no end: at launch, those that were interrupted."""
        return self._runs("WHERE ended IS NULL ORDER BY id", ())

    def holds(self) -> tuple[HoldRecord, ...]:
        """Claims that were not settled."""
        return tuple(HoldRecord(*row) for row in self._rows("SELECT run_id, nominal, token FROM holds", ()))

    def last_run_id(self) -> int:
        """The highest id so far; 0 before the first run."""
        return next((row[0] for row in self._rows("SELECT max(id) FROM runs", ())), 0) or 0

    def last_instant(self) -> float:
        """When the newest run began or ended; 0 before the first run."""
        rows = self._rows("SELECT max(max(coalesce(started, 0), coalesce(ended, 0))) FROM runs", ())
        return next((row[0] for row in rows), 0.0) or 0.0

    def last_outcomes(self, per_task: int = 20) -> dict[str, tuple[RunRecord, ...]]:
        """By task: its latest runs that ended, newest first."""
        with self._connection() as connection:
            tasks = _rows(connection, "SELECT DISTINCT task_id FROM runs", ())
            return {
                task_id: tuple(map(_run, _rows(connection, _NEWEST_OF_TASK, (task_id, per_task))))
                for (task_id,) in tasks
            }

    def durations(self, task_id: str, limit: int = 20) -> tuple[float, ...]:
        """How many seconds its latest successful runs took, newest first."""
        rows = self._rows(
            "SELECT ended - started FROM runs WHERE task_id = ? AND state = ? AND started IS NOT NULL"
            " ORDER BY id DESC LIMIT ?",
            (task_id, State.SUCCEEDED.value, limit),
        )
        return tuple(seconds for (seconds,) in rows)

    def memories(self) -> dict[str, bytes]:
        """What each task must remember, as it was handed in."""
        return dict(self._rows("SELECT task_id, value FROM memory", ()))

    def marks(self) -> dict[str, dict[str, bytes]]:
        """By child and parent: what the edges remember, as it was handed in."""
        found: dict[str, dict[str, bytes]] = {}
        for child, parent, value in self._rows("SELECT child, parent, value FROM marks", ()):
            found.setdefault(child, {})[parent] = value
        return found

    def settings(self) -> dict[str, str]:
        """What the program must remember of itself."""
        return dict(self._rows("SELECT key, value FROM settings", ()))

    def outdated(self, before: float, per_task: int) -> tuple[int, ...]:
        """Runs that ended before an instant, or have `per_task` newer ones; never the last one of a task."""
        rows = self._rows(
            "SELECT id FROM (SELECT id, ended, row_number() OVER (PARTITION BY task_id ORDER BY id DESC) AS place"
            " FROM runs) WHERE place > 1 AND ended IS NOT NULL AND (ended < ? OR place > ?)",
            (before, per_task),
        )
        return tuple(run_id for (run_id,) in rows)

    def _runs(self, where: str, values: Sequence[object]) -> tuple[RunRecord, ...]:
        return tuple(map(_run, self._rows(_SELECT_RUNS + where, values)))

    def _rows(self, sql: str, values: Sequence[object]) -> list[Row]:
        with self._connection() as connection:
            return _rows(connection, sql, values)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(_connect(self._path)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise schema.in_words(self._path, error) from error
        except ValueError as error:  # a state that there is not: somebody wrote into it
            raise StorageError(f"{self._path} is damaged: {error}.") from error


def _connect(path: Path) -> sqlite3.Connection:
    if path.exists():
        how = "mode=ro"
        if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
            how += "&immutable=1"  # nobody can write it, and SQLite cannot make the index by which it looks
        return sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True)
    empty = sqlite3.connect(":memory:")
    empty.executescript("".join(schema.STEPS.values()))
    return empty


def _rows(connection: sqlite3.Connection, sql: str, values: Sequence[object]) -> list[Row]:
    return connection.execute(sql, values).fetchall()


def _run(row: Row) -> RunRecord:
    id_, task_id, scheduled_for, cause, generation, count, state, reason, code, started, ended, *rest = row
    attempts, parents, repairs, first, owner, token = rest
    return RunRecord(
        id=id_,
        task_id=task_id,
        scheduled_for=scheduled_for,
        cause=Cause(cause),
        generation=generation,
        count=count,
        state=State(state),
        reason=reason,
        exit_code=code,
        started=started,
        ended=ended,
        attempts=attempts,
        parents=tuple(json.loads(parents)),
        repairs=bool(repairs),
        first=first,
        owner=owner,
        token=token,
    )


def _attempt(row: Row) -> AttemptRecord:
    attempt, started, ended, state, reason, code = row
    return AttemptRecord(
        attempt=attempt, started=started, ended=ended, state=State(state), reason=reason, exit_code=code
    )
