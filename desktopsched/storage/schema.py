"""The history's database: its tables, its versions, and what happens to one that is damaged. SQLite, WAL.

A step brings a database from one version to the next and imports nothing of the living program.
"""

import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

from desktopsched.model import StorageError
from desktopsched.storage.backups import aside_path
from desktopsched.storage.errors import NewerFormatError

_VERSION_1 = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    task_id TEXT NOT NULL,
    scheduled_for REAL NOT NULL,
    cause TEXT NOT NULL,
    generation INTEGER NOT NULL,
    count INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    exit_code INTEGER,
    started REAL,
    ended REAL,
    attempts INTEGER NOT NULL,
    parents TEXT NOT NULL,
    repairs INTEGER NOT NULL
);
CREATE INDEX runs_of_task ON runs (task_id, id);
CREATE INDEX open_runs ON runs (id) WHERE ended IS NULL;
CREATE UNIQUE INDEX one_start ON runs (task_id, scheduled_for, generation)
    WHERE started IS NOT NULL AND cause IN ('schedule', 'queued');
CREATE TABLE attempts (
    run_id INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    started REAL,
    ended REAL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    exit_code INTEGER,
    PRIMARY KEY (run_id, attempt)
) WITHOUT ROWID;
CREATE TABLE memory (task_id TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE marks (child TEXT NOT NULL, parent TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (child, parent))
    WITHOUT ROWID;
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

_VERSION_2 = """
ALTER TABLE runs ADD COLUMN first REAL;
CREATE TABLE absences (began REAL NOT NULL, ended REAL NOT NULL, why TEXT NOT NULL, PRIMARY KEY (began, why))
    WITHOUT ROWID;
CREATE TABLE changes (at REAL NOT NULL, task_id TEXT NOT NULL, what TEXT NOT NULL, PRIMARY KEY (task_id, at, what))
    WITHOUT ROWID;
"""

# SQLite before 3.41 takes a NOT NULL column that stands between two of the key for NULL, when it checks a table without
# row numbers, and so the whole history for damaged: what is of no key stands last.
_VERSION_3 = """
CREATE TABLE absences_in_order (began REAL NOT NULL, why TEXT NOT NULL, ended REAL NOT NULL, PRIMARY KEY (began, why))
    WITHOUT ROWID;
INSERT INTO absences_in_order (began, why, ended) SELECT began, why, ended FROM absences;
DROP TABLE absences;
ALTER TABLE absences_in_order RENAME TO absences;
"""

_VERSION_4 = """
ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN token INTEGER NOT NULL DEFAULT 0;
CREATE TABLE holds (run_id INTEGER PRIMARY KEY, nominal TEXT NOT NULL, token INTEGER NOT NULL);
"""

STEPS: Mapping[int, str] = {0: _VERSION_1, 1: _VERSION_2, 2: _VERSION_3, 3: _VERSION_4}
"""SQL by the version that it starts from."""

TABLES = frozenset({"runs", "attempts", "memory", "marks", "settings", "absences", "changes", "holds"})
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DamagedError(StorageError):
    """A database that SQLite cannot read."""


def open_database(path: Path, now: float, steps: Mapping[int, str] = STEPS) -> sqlite3.Connection:
    """The one writing connection, its database up to date. Any thread may use it, one at a time.

    Raises DamagedError, NewerFormatError, StorageError.
    """
    if path.is_symlink():
        raise StorageError(f"{path} is a symbolic link. Put the file itself there; links are not followed.")
    try:
        _create_private(path)
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(f"Cannot open {path}: {error}.") from error
    try:
        _bring_up_to_date(connection, path, now, steps)
        _check(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise in_words(path, error) from error
    except StorageError:
        connection.close()
        raise
    return connection


def in_words(path: Path, error: sqlite3.Error) -> StorageError:
    """An error of SQLite for the person."""
    if is_damage(error):
        return DamagedError(f"{path} is damaged: {error}.")
    return StorageError(
        f"Cannot use {path}: {error}. Check that the disk has space and that the file is yours."
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is at fault, not the disk or its owner."""
    return _code(error) in _DAMAGED


def is_full(error: sqlite3.Error) -> bool:
    """Whether the disk has no space left."""
    return _code(error) == sqlite3.SQLITE_FULL


def put_aside(path: Path, now: float) -> Path:
    """Move a damaged database away, with its -wal and -shm, which mean nothing without it. Raises StorageError."""
    aside = aside_path(path, "damaged", now)
    try:
        for tail in (
            "-wal",
            "-shm",
            "",
        ):  # the database last: until then the next start finds the same damage
            part = path.with_name(path.name + tail)
            if part.exists():
                part.rename(aside.with_name(aside.name + tail))
    except OSError as error:
        raise StorageError(f"{path} is damaged and cannot be moved away: {error.strerror}.") from error
    return aside


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the extended part


def _create_private(path: Path) -> None:
    """SQLite gives -wal and -shm the mode of the database itself."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _bring_up_to_date(
    connection: sqlite3.Connection, path: Path, now: float, steps: Mapping[int, str]
) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    newest = max(steps) + 1
    if version > newest:
        raise NewerFormatError(path, version, newest)
    connection.execute("PRAGMA journal_mode = WAL")  # from here on the file is written
    connection.execute("PRAGMA synchronous = FULL")  # NORMAL loses commits when the power fails
    if 0 < version < newest:
        _keep_copy(connection, aside_path(path, f"format{version}", now))
    for step in range(version, newest):
        connection.executescript(f"BEGIN;{steps[step]};PRAGMA user_version = {step + 1};COMMIT;")


def _keep_copy(connection: sqlite3.Connection, to: Path) -> None:
    _create_private(to)
    with closing(sqlite3.connect(to)) as copy:
        connection.backup(copy)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raises DamagedError if pages, or whole tables, are not what they should be."""
    (words,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if words != "ok":
        raise DamagedError(f"{path} is damaged: {words}.")
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not found >= TABLES:
        raise DamagedError(f"{path} is damaged: it lacks {', '.join(sorted(TABLES - found))}.")
