"""Salvage: what can still be read of a damaged history goes into the new one, row by row.

It works on copies, so what was put aside stays as it is. A row that cannot be read, or says what no row says, is left
out; a page that is destroyed costs its own rows and no others, where its table is ordered by number.
"""

import json
import logging
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from desktopsched.model import Cause, State

log = logging.getLogger(__name__)

_LARGEST = 2**36  # bytes; a first page that says more is wrong itself
_FARTHEST = 2**40
"""Row numbers behind a destroyed place that are looked for: more runs than anybody has."""

_LATEST = 253_402_300_800.0
"""The end of the year 9999: an instant is before it. Infinity and what is no number are not."""

Row = tuple[Any, ...]


class _Table(Struct, frozen=True, kw_only=True):
    """A table, and what a whole row of it is made of."""

    name: str
    columns: Mapping[str, type | tuple[type, ...]]
    key: str  # the column that its rows are ordered by

    @property
    def names(self) -> str:
        """All columns, for SQL."""
        return ", ".join(self.columns)

    @property
    def least(self) -> object:
        """What no key is less than."""
        return "" if self.columns[self.key] is str else -_FARTHEST

    @property
    def numbered(self) -> bool:
        """Whether one can go on behind a destroyed place, by guessing numbers."""
        return self.columns[self.key] is int


_NUMBER, _MAYBE = (int, float), (int, float, type(None))
_TABLES = (
    _Table(
        name="runs",
        columns={
            "id": int,
            "task_id": str,
            "scheduled_for": _NUMBER,
            "cause": str,
            "generation": int,
            "count": int,
            "state": str,
            "reason": str,
            "exit_code": (int, type(None)),
            "started": _MAYBE,
            "ended": _MAYBE,
            "attempts": int,
            "parents": str,
            "repairs": int,
            "first": _MAYBE,
            "owner": str,
            "token": int,
        },
        key="id",
    ),
    _Table(
        name="attempts",
        columns={
            "run_id": int,
            "attempt": int,
            "started": _MAYBE,
            "ended": _MAYBE,
            "state": str,
            "reason": str,
            "exit_code": (int, type(None)),
        },
        key="run_id",
    ),
    _Table(name="memory", columns={"task_id": str, "value": bytes}, key="task_id"),
    _Table(name="marks", columns={"child": str, "parent": str, "value": bytes}, key="child"),
    _Table(name="settings", columns={"key": str, "value": str}, key="key"),
    _Table(name="absences", columns={"began": _NUMBER, "ended": _NUMBER, "why": str}, key="began"),
    _Table(name="holds", columns={"run_id": int, "nominal": str, "token": int}, key="run_id"),
    _Table(name="changes", columns={"at": _NUMBER, "task_id": str, "what": str}, key="task_id"),
)


def salvage(damaged: Path, into: sqlite3.Connection) -> int:
    """Copy what can be read of a history that was put aside, its -wal beside it. How many runs. Raises nothing.

    `into` is the new history, and empty.
    """
    saved = 0
    try:
        into.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with tempfile.TemporaryDirectory(prefix=".salvage-", dir=damaged.parent) as folder:
            copy = Path(folder) / "history"
            for tail in ("", "-wal"):
                part = damaged.with_name(damaged.name + tail)
                if part.exists():
                    shutil.copyfile(part, copy.with_name(copy.name + tail))
            _fill_up(copy)
            saved = _copy_all(copy, into)
            if not saved:
                _lend_first_page(copy, into)
                saved = _copy_all(copy, into)
    except (OSError, sqlite3.Error) as error:  # the disk is full, or not even its first page can be read
        log.info("Nothing more can be salvaged from %s: %s", damaged, error)
    return saved


def _fill_up(copy: Path) -> None:
    """SQLite reads nothing of a file that is shorter than its first page says: what was cut off are empty pages."""
    with copy.open("r+b") as file:
        head = file.read(100)
        size = int.from_bytes(head[16:18], "big") * int.from_bytes(head[28:32], "big")
        if head.startswith(b"SQLite format 3") and file.seek(0, 2) < size <= _LARGEST:
            file.truncate(size)


def _lend_first_page(copy: Path, into: sqlite3.Connection) -> None:
    """The first page says what tables there are, and where: a new history of this program says the same."""
    (_, _, path) = into.execute("PRAGMA database_list").fetchone()
    (size,) = into.execute("PRAGMA page_size").fetchone()
    if path and copy.stat().st_size >= size:
        copy.with_name(copy.name + "-wal").unlink(missing_ok=True)
        with Path(path).open("rb") as fresh, copy.open("r+b") as file:
            first = bytearray(fresh.read(size))
            first[28:32] = (copy.stat().st_size // size).to_bytes(4, "big")
            file.write(first)


def _copy_all(copy: Path, into: sqlite3.Connection) -> int:
    """Every table, as far as it can be read. How many runs."""
    saved = 0
    with closing(sqlite3.connect(copy)) as source:
        for table in _TABLES:
            with suppress(sqlite3.DatabaseError):  # not one row of this one
                count = _copy(source, _as_of_then(source, table), into)
                saved += count if table.name == "runs" else 0
    return saved


def _as_of_then(source: sqlite3.Connection, table: _Table) -> _Table:
    """The table with the columns that an older history has."""
    there = {row[1] for row in source.execute(f"PRAGMA table_info({table.name})")}
    columns = {name: kinds for name, kinds in table.columns.items() if name in there}
    return structs.replace(table, columns=columns) if columns else table


def _copy(source: sqlite3.Connection, table: _Table, into: sqlite3.Connection) -> int:
    places = ", ".join("?" for _ in table.columns)
    sql = f"INSERT OR IGNORE INTO {table.name} ({table.names}) VALUES ({places})"  # noqa: S608 - our own names
    before = into.total_changes
    into.execute("BEGIN")
    try:
        into.executemany(sql, (row for row in _read(source, table) if _whole(table, row)))
    finally:  # what came before a row that nobody foresaw is as good as ever
        into.execute("COMMIT")
    return into.total_changes - before


def _read(source: sqlite3.Connection, table: _Table) -> Iterator[Row]:
    """Every row that can be read, forward; behind a destroyed place on by number, or else backward from the end."""
    at: object = table.least
    place = list(table.columns).index(table.key)
    while at is not None:
        try:
            for row in _ordered(source, table, at):
                yield row
                at = row[place]
        except (sqlite3.Error, UnicodeDecodeError, OverflowError):
            at = _beyond(source, table, at) if table.numbered and isinstance(at, int) else None
        else:
            return
    if not table.numbered:
        with suppress(sqlite3.Error, UnicodeDecodeError):
            yield from _ordered(source, table, None)


def _ordered(source: sqlite3.Connection, table: _Table, after: object) -> Iterable[Row]:
    """The rows at and behind a key; None: all, from the last to the first. A row may come twice."""
    if after is None:
        return source.execute(f"SELECT {table.names} FROM {table.name} ORDER BY {table.key} DESC")  # noqa: S608
    return source.execute(
        f"SELECT {table.names} FROM {table.name} WHERE {table.key} >= ? ORDER BY {table.key}",  # noqa: S608
        (after,),
    )


def _beyond(source: sqlite3.Connection, table: _Table, at: int) -> int | None:
    """The first number behind `at` from which one can read on; None where there is nothing more."""
    near, step = at, 1
    while not _readable(source, table, at + step):
        near, step = at + step, step * 2
        if step > _FARTHEST * 4:
            return None
    far = at + step
    while far - near > 1:
        middle = (near + far) // 2
        if _readable(source, table, middle):
            far = middle
        else:
            near = middle
    return far


def _readable(source: sqlite3.Connection, table: _Table, at: int) -> bool:
    try:
        next(iter(_ordered(source, table, at)), None)
    except (sqlite3.Error, UnicodeDecodeError, OverflowError):
        return False
    return True


def _whole(table: _Table, row: Sequence[object]) -> bool:
    """Whether a row is what such rows are: damage may have written anything."""
    values = dict(zip(table.columns, row, strict=True))
    if not all(isinstance(values[name], kinds) for name, kinds in table.columns.items()):
        return False
    if not all(_possible(name, value) for name, value in values.items()):
        return False
    try:
        State(str(values.get("state", State.FAILED)))
        Cause(str(values.get("cause", Cause.MANUAL)))
        parents = json.loads(str(values.get("parents", "[]")))
    except ValueError:
        return False
    return isinstance(parents, list) and all(isinstance(one, int) for one in parents)


def _possible(name: str, value: object) -> bool:
    """Whether a number can be what its column says. From the largest of some the program goes on counting."""
    if name in {"id", "run_id"}:
        return isinstance(value, int) and 0 < value <= _FARTHEST
    return not isinstance(value, float) or 0.0 <= value < _LATEST
