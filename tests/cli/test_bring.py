"""`desktopsched import crontab`, with a program and without one."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.system.served import Home, shell

CRONTAB = """# m h dom mon dow command
MAILTO=me@example.org
30 2,14 * * * pg_dump -Fc shop > shop.dump
*/5 * * * * fetch-news
@reboot start-something
99 * * * * never
"""


@pytest.fixture
def at(tmp_path: Path) -> Home:
    return Home(tmp_path / "own")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "crontab"
    path.write_text(CRONTAB)
    return str(path)


def listed(at: Home) -> list[dict[str, Any]]:
    path = at.folder / "tasks.json"
    return json.loads(path.read_bytes())["tasks"] if path.exists() else []


def test_each_line_becomes_a_task_that_is_off_or_says_why_not(at: Home, file: str) -> None:
    said = at.run("import", "crontab", file)
    assert "2 of 4 lines added, switched off." in at.errors
    assert "pg_dump -Fc shop" in said
    assert "MAILTO" in said
    assert [(one["id"], one["enabled"]) for one in listed(at)] == [("pg-dump", False), ("fetch-news", False)]
    assert "99" in said


def test_a_dry_run_adds_nothing(at: Home, file: str) -> None:
    lines = [
        json.loads(line) for line in at.run("import", "crontab", file, "--dry-run", "--json").splitlines()
    ]
    assert "2 of 4 lines would be added." in at.errors
    assert [line["line"] for line in lines] == [3, 4, 5, 6]
    assert [line["task"] is not None for line in lines] == [True, True, False, False]
    assert all(line["told"] for line in lines[2:])
    assert listed(at) == []


def test_what_is_there_already_is_not_added_again_and_names_do_not_clash(at: Home, file: str) -> None:
    at.write(shell("fetch-news", "something else"))
    at.run("import", "crontab", file)
    assert [one["id"] for one in listed(at)] == ["fetch-news", "pg-dump", "fetch-news-2"]
    at.run("import", "crontab", file)
    assert "0 of 4 lines added" in at.errors
    assert len(listed(at)) == 3


def test_it_comes_through_the_running_program_and_from_standard_input(at: Home) -> None:
    at.write()
    with at.serve():
        done = subprocess.run(
            at.command("import", "crontab", "-"), input=CRONTAB, capture_output=True, text=True, check=True
        )
        assert "2 of 4 lines added" in done.stderr
        tasks = [json.loads(line) for line in at.run("list", "--json").splitlines()]
    assert {(one["id"], one["enabled"]) for one in tasks} == {("pg-dump", False), ("fetch-news", False)}


def test_a_file_that_is_not_there_is_said(at: Home) -> None:
    at.run("import", "crontab", "/no/such/file", code=3)
    assert "Cannot read /no/such/file" in at.errors
