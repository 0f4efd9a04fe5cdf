"""The changes of the history, as SQL. Each runs in the writer's transaction and may come twice with the same result.

A commit whose answer was lost is tried again: hence "insert or update" everywhere.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence

from desktopsched.model import Outcome, Run, State

Memories = Iterable[tuple[str, bytes]]
Mark = tuple[str, str, bytes, bool]
"""What one edge remembers: child, parent, value, and whether a clean round of the child began with it."""

_RUN = """
INSERT INTO runs (id, task_id, scheduled_for, cause, generation, count, state, reason, exit_code, started, ended,
                  attempts, parents, repairs, first, owner, token)
VALUES (:id, :task_id, :scheduled_for, :cause, :generation, :count, :state, :reason, :exit_code, :started, :ended,
        :attempts, :parents, :repairs, :first, :owner, :token)
ON CONFLICT (id) DO UPDATE SET state = :state, reason = :reason, exit_code = :exit_code, ended = :ended,
                               started = coalesce(started, :started), attempts = :attempts, owner = :owner,
                               token = :token
"""

_ATTEMPT = """
INSERT INTO attempts (run_id, attempt, started, ended, state, reason, exit_code)
VALUES (:id, :attempts, :started, :ended, :state, :reason, :exit_code)
ON CONFLICT (run_id, attempt) DO UPDATE SET state = :state, reason = :reason, exit_code = :exit_code, ended = :ended,
                                            started = coalesce(started, :started)
"""

_MEMORY = "INSERT INTO memory (task_id, value) VALUES (?, ?) ON CONFLICT (task_id) DO UPDATE SET value = excluded.value"
_MARK = (
    "INSERT INTO marks (child, parent, value) VALUES (?, ?, ?)"
    " ON CONFLICT (child, parent) DO UPDATE SET value = excluded.value"
)
_SETTING = (
    "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)

_GOES_ON = Outcome(state=State.RUNNING)


def run_started(connection: sqlite3.Connection, run: Run, at: float) -> None:
    """An attempt begins."""
    row = _row(run, _GOES_ON, started=at, ended=None)
    connection.execute(_RUN, row)
    connection.execute(_ATTEMPT, row)
    if run.token:
        sql = "INSERT OR REPLACE INTO holds (run_id, nominal, token) VALUES (?, ?, ?)"
        connection.execute(sql, (run.id, run.nominal, run.token))


def hold_settled(connection: sqlite3.Connection, run_id: int) -> None:
    """The store of a shared list has the outcome of a run, or will not take it."""
    connection.execute("DELETE FROM holds WHERE run_id = ?", (run_id,))


def run_noted(connection: sqlite3.Connection, run_id: int, reason: str) -> None:
    """More is known of a run that ended."""
    connection.execute("UPDATE runs SET reason = ? WHERE id = ?", (reason, run_id))


def run_retrying(connection: sqlite3.Connection, run: Run, outcome: Outcome, at: float) -> None:
    """An attempt ended, the run goes on."""
    connection.execute(_ATTEMPT, _row(run, outcome, started=None, ended=at))
    waits = Outcome(State.PENDING, outcome.reason, outcome.exit_code)
    connection.execute(_RUN, _row(run, waits, started=None, ended=None))


def run_finished(
    connection: sqlite3.Connection, run: Run, outcome: Outcome, at: float, marks: Iterable[Mark]
) -> None:
    """A run, and with it its last attempt, ended."""
    row = _row(run, outcome, started=None, ended=at)
    connection.execute(_ATTEMPT, row)
    connection.execute(_RUN, row)
    _put_marks(connection, marks)


def run_skipped(
    connection: sqlite3.Connection, run: Run, outcome: Outcome, at: float, marks: Iterable[Mark]
) -> None:
    """Due instants passed without a run."""
    connection.execute(_RUN, _row(run, outcome, started=None, ended=at, attempts=0))
    _put_marks(connection, marks)


def remember(connection: sqlite3.Connection, memories: Memories) -> None:
    """What tasks must remember."""
    connection.executemany(_MEMORY, memories)


def set_marks(connection: sqlite3.Connection, child: str, marks: Iterable[Mark]) -> None:
    """What the edges of a task remember: this, and nothing else."""
    connection.execute("DELETE FROM marks WHERE child = ?", (child,))
    _put_marks(connection, marks)


def _put_marks(connection: sqlite3.Connection, marks: Iterable[Mark]) -> None:
    for child, parent, value, fresh in marks:
        if fresh:
            connection.execute("DELETE FROM marks WHERE child = ?", (child,))
        connection.execute(_MARK, (child, parent, value))


def forget(connection: sqlite3.Connection, task_id: str) -> None:
    """The task is gone; its runs stay."""
    connection.execute("DELETE FROM memory WHERE task_id = ?", (task_id,))
    connection.execute("DELETE FROM marks WHERE child = ?", (task_id,))


def set_setting(connection: sqlite3.Connection, key: str, value: str) -> None:
    """What the program must remember of itself."""
    connection.execute(_SETTING, (key, value))


def absent(connection: sqlite3.Connection, began: float, ended: float, why: str) -> None:
    """For a while nothing could start."""
    sql = "INSERT OR REPLACE INTO absences (began, ended, why) VALUES (?, ?, ?)"
    connection.execute(sql, (began, ended, why))


def changed(connection: sqlite3.Connection, task_id: str, what: str, at: float) -> None:
    """A task came, went, or was changed."""
    connection.execute("INSERT OR IGNORE INTO changes VALUES (?, ?, ?)", (at, task_id, what))


def forget_before(connection: sqlite3.Connection, instant: float) -> None:
    """Absences and changes that are of no more use than the runs of their time."""
    connection.execute("DELETE FROM absences WHERE ended < ?", (instant,))
    connection.execute("DELETE FROM changes WHERE at < ?", (instant,))


def delete_runs(connection: sqlite3.Connection, run_ids: Sequence[int]) -> None:
    """Outdated runs."""
    rows = [(run_id,) for run_id in run_ids]
    connection.executemany("DELETE FROM attempts WHERE run_id = ?", rows)
    connection.executemany("DELETE FROM runs WHERE id = ?", rows)


def _row(
    run: Run, outcome: Outcome, *, started: float | None, ended: float | None, attempts: int | None = None
) -> dict[str, object]:
    return {
        "id": run.id,
        "task_id": run.task_id,
        "scheduled_for": run.scheduled_for,
        "cause": run.cause.value,
        "generation": run.generation,
        "count": run.count,
        "state": outcome.state.value,
        "reason": outcome.reason,
        "exit_code": outcome.exit_code,
        "started": started,
        "ended": ended,
        "attempts": run.attempt if attempts is None else attempts,
        "parents": json.dumps(run.parents),
        "repairs": run.repairs,
        "first": run.first,
        "owner": run.owner,
        "token": run.token,
    }
