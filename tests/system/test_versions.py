"""Upgrade and downgrade: what another version of the program left is opened, or refused politely."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from desktopsched.storage import schema
from tests.system.served import Home, shell

_NEWER = "Install the newer version of Desktopsched."


@pytest.fixture
def at(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def database(at: Home, script: str) -> None:
    with closing(sqlite3.connect(at.folder / "history.sqlite3", isolation_level=None)) as connection:
        connection.executescript(script)


def contents(at: Home) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in at.folder.iterdir() if path.is_file()}


def test_after_an_upgrade_the_runs_of_the_first_format_are_there_and_counting_goes_on(at: Home) -> None:
    now = time.time() - 60  # older ones would be cleared away by age
    at.write(shell("a", "echo hello"))
    (at.folder / "preferences.json").write_text(json.dumps({"format": 1, "of_another_version": True}))
    database(
        at,
        f"{schema.STEPS[0]};PRAGMA user_version = 1;"
        f"INSERT INTO runs VALUES (7, 'a', {now}, 'manual', 0, 1, 'failed', '', 3, {now}, {now}, 1, '[]', 0)",
    )
    assert at.run("run", "a") == "hello\n"
    assert [(run["id"], run["state"]) for run in at.history()] == [(7, "failed"), (8, "succeeded")]
    assert [path.name[:23] for path in at.folder.glob("*.format1-*")] == ["history.sqlite3.format1"]


@pytest.mark.parametrize("arguments", [("list",), ("run", "a"), ("init-examples",), ("check",)])
def test_a_task_file_of_a_newer_version_is_refused_and_left_as_it_is(
    at: Home, arguments: tuple[str, ...]
) -> None:
    (at.folder / "tasks.json").write_text('{"format": 99, "tasks": {"a": {}}}')
    before = (at.folder / "tasks.json").read_bytes()
    said = at.run(*arguments, code=None)
    assert _NEWER in at.errors + said
    assert "There are no tasks yet" not in at.errors
    assert (at.folder / "tasks.json").read_bytes() == before


@pytest.mark.parametrize("arguments", [("serve",), ("run", "a")])
def test_where_the_history_is_of_a_newer_version_nothing_starts_and_nothing_of_it_is_changed(
    at: Home, arguments: tuple[str, ...]
) -> None:
    at.write(shell("a", "echo hello"))
    database(at, "CREATE TABLE runs (id); PRAGMA user_version = 99")
    before = contents(at)
    assert "hello" not in at.run(*arguments, code=3)
    assert _NEWER in at.errors
    after = contents(at)
    assert {name: after[name] for name in before} == before
