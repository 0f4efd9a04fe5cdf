"""Salvage: a destroyed page costs its own rows and no others."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktopsched.storage import schema
from desktopsched.storage.salvage import salvage

NOON = 1_774_872_000.0
RUNS, TASKS = 3_000, 40
PAGE = 4_096


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history of 3,000 runs, each with an attempt, of 40 tasks with memories and marks."""
    path = tmp_path_factory.mktemp("good") / "history.sqlite3"
    with closing(schema.open_database(path, NOON)) as connection:
        connection.execute("BEGIN")
        for number in range(1, RUNS + 1):
            connection.execute(
                "INSERT INTO runs"
                " VALUES (?, ?, ?, 'schedule', 0, 1, 'failed', 'code 1', 1, 1, 2, 1, '[1]', 0, NULL, '', 0)",
                (number, f"task{number % TASKS}", NOON + number),
            )
            connection.execute("INSERT INTO attempts VALUES (?, 1, 1, 2, 'failed', '', 1)", (number,))
        for number in range(TASKS):
            connection.execute("INSERT INTO memory VALUES (?, ?)", (f"task{number}", b"m" * 300))
            connection.execute("INSERT INTO marks VALUES (?, 'task0', ?)", (f"task{number}", b"k"))
        connection.execute("INSERT INTO settings VALUES ('paused', 'yes')")
        connection.execute("COMMIT")
    return path


@pytest.fixture
def new(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(schema.open_database(tmp_path / "new.sqlite3", NOON)) as connection:
        yield connection


def count(connection: sqlite3.Connection, table: str) -> int:
    (found,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(found)


def counts(connection: sqlite3.Connection) -> list[int]:
    return [count(connection, name) for name in ("runs", "attempts", "memory", "marks", "settings")]


def test_a_whole_history_is_copied_whole(good: Path, new: sqlite3.Connection) -> None:
    assert salvage(good, new) == RUNS
    assert counts(new) == [RUNS, RUNS, TASKS, TASKS, 1]
    again = new.execute("SELECT * FROM runs ORDER BY id").fetchall()
    with closing(sqlite3.connect(good)) as connection:
        assert again == connection.execute("SELECT * FROM runs ORDER BY id").fetchall()


def test_each_destroyed_page_costs_a_page_of_rows_at_most(good: Path, tmp_path: Path) -> None:
    """Each page overwritten in turn, the first one, which says where the tables are, too."""
    damaged = tmp_path / "damaged.sqlite3"
    content = good.read_bytes()
    lost = []
    for at in range(0, len(content), PAGE):
        damaged.write_bytes(content[:at] + b"\xa5" * PAGE + content[at + PAGE :])
        new = tmp_path / f"new{at}.sqlite3"
        with closing(schema.open_database(new, NOON)) as into:
            lost.append(RUNS - salvage(damaged, into))
    assert lost[0] == min(lost) == 0
    assert sorted(lost)[-2] < 100  # a leaf; only the root of the table's tree costs more
    assert not list(tmp_path.glob(".salvage-*"))


def test_rows_that_say_what_no_row_says_are_left_out(
    good: Path, tmp_path: Path, new: sqlite3.Connection
) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    shutil.copyfile(good, damaged)
    with closing(sqlite3.connect(damaged)) as connection:
        for number, (column, value) in enumerate(
            [
                ("state", "flying"),
                ("cause", "none"),
                ("parents", "[1"),
                ("parents", '["a"]'),
                ("started", "x"),
            ],
            1,
        ):
            connection.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, number))
        connection.commit()
    assert salvage(damaged, new) == RUNS - 5
    assert new.execute("SELECT min(id) FROM runs").fetchone() == (6,)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"not a database" * 1_000])
def test_where_nothing_can_be_read_nothing_is_saved(
    content: bytes, tmp_path: Path, new: sqlite3.Connection
) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(content)
    assert salvage(damaged, new) == 0
    assert counts(new) == [0, 0, 0, 0, 0]


def test_a_cut_file_gives_what_is_before_the_cut(good: Path, tmp_path: Path, new: sqlite3.Connection) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    content = good.read_bytes()
    damaged.write_bytes(content[: len(content) // 2 // PAGE * PAGE])
    assert 0 < salvage(damaged, new) < RUNS


def test_a_history_of_an_older_version_is_salvaged_too(tmp_path: Path, new: sqlite3.Connection) -> None:
    old = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.executescript(schema.STEPS[0])
        connection.execute(
            "INSERT INTO runs VALUES (7, 'a', 1, 'manual', 0, 1, 'failed', '', 1, 1, 1, 1, '[]', 0)"
        )
        connection.execute("INSERT INTO memory VALUES ('a', x'00')")
    assert salvage(old, new) == 1
    assert counts(new) == [1, 0, 1, 0, 0]


@pytest.mark.parametrize(
    ("column", "value"),
    [("id", 2**62), ("id", -1), ("started", float("inf")), ("ended", 1e300), ("scheduled_for", -1e300)],
)
def test_a_number_that_no_row_has_is_left_out(
    good: Path, tmp_path: Path, new: sqlite3.Connection, column: str, value: float
) -> None:
    """The next run's number is counted from the largest, and the last sign of life is the latest instant."""
    damaged = tmp_path / "damaged.sqlite3"
    shutil.copyfile(good, damaged)
    with closing(sqlite3.connect(damaged)) as connection:
        connection.execute(f"UPDATE runs SET {column} = ? WHERE id = 7", (value,))
        connection.commit()
    assert salvage(damaged, new) == RUNS - 1
    assert new.execute("SELECT max(id) FROM runs").fetchone() == (RUNS,)
