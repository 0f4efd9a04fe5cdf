"""The diagnosis: what it looks at, what it advises, and what it never says."""

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from desktopsched import diagnosis
from desktopsched.claiming.identity import Identity
from desktopsched.diagnosis import Line, diagnose, diagnose_running
from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.model import Outcome, State
from desktopsched.storage import schema
from desktopsched.storage.home import Home, find_home


@pytest.fixture
def place(home: Path) -> Home:
    found = find_home()
    found.prepare()
    return found


def line(lines: list[Line], section: str, name: str) -> Line:
    (found,) = [one for one in lines if (one.section, one.name) == (section, name)]
    return found


def advised(place: Home, *sections: str) -> list[str]:
    return [one.name for one in diagnose(place) if one.advice and one.section in sections]


FILES = ("Home", "Task file", "History", "Preferences")


def test_a_fresh_home_needs_nothing(place: Home) -> None:
    assert advised(place, *FILES) == []
    assert line(diagnose(place), "History", "Runs").value == "none yet"


def test_a_home_that_is_not_there_is_looked_at_and_not_made(home: Path) -> None:
    place = find_home()
    assert line(diagnose(place), "Home", "Tasks").value == f"{place.folder}, not there yet"
    assert not place.folder.exists()


def test_mistakes_in_the_task_file_are_counted_and_the_first_is_said(place: Home) -> None:
    entries = [
        {"id": "a", "name": "A", "enabled": False, "action": {"type": "open", "target": "/"}},
        {"id": "b"},
    ]
    place.tasks.write_text(json.dumps({"format": 1, "tasks": entries}))
    found = diagnose(place)
    assert line(found, "Task file", "Tasks").value.startswith("1, 1 of them disabled")
    mistakes = line(found, "Task file", "Mistakes")
    assert "tasks[1]" in mistakes.value
    assert mistakes.advice == "See: desktopsched check"


def test_a_file_that_cannot_be_read_costs_its_section_alone(place: Home) -> None:
    place.tasks.write_text("{")
    assert advised(place, *FILES) == ["Trouble"]
    assert place.tasks.read_text() == "{"


def test_a_damaged_history_is_said(place: Home) -> None:
    with closing(schema.open_database(place.history, 0.0)) as connection:
        connection.execute("INSERT INTO settings VALUES ('paused', 'yes')")
    with place.history.open("r+b") as file:
        file.seek(4_096)
        file.write(b"\xa5" * 4_096)
    assert advised(place, "History")


def test_a_network_drive_little_space_and_root_are_advised_against(
    place: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "_file_system", lambda _: "nfs4")
    monkeypatch.setattr(diagnosis, "our_uid", lambda: 0)
    found = diagnose(place)
    assert "network drive" in line(found, "Home", "Tasks").advice
    assert line(found, "Program", "User").value == "root"
    monkeypatch.setattr(diagnosis, "_LITTLE", 2**70)
    assert "Little space" in line(diagnose(place), "Home", "Tasks").advice


def test_preferences_are_told_where_they_differ_and_where_they_are_unsafe(place: Home) -> None:
    place.preferences.write_text('{"settle_delay": "0s", "workers": 3, "what": 1}')
    told = {one.name: one for one in diagnose(place) if one.section == "Preferences"}
    assert any(one.value.startswith("3 ") and not one.advice for one in told.values())
    assert any("network is often not there yet" in one.advice for one in told.values())
    assert told["Mistake"].advice


def test_the_password_of_a_shared_list_is_in_no_report(place: Home) -> None:
    place.preferences.write_text(
        '{"shared_list": "mysql://ann:s3cret@db/sched?password=s3cret", "computer": "desk-1"}'
    )
    said = [one.value for one in diagnose(place) if one.section == "Preferences"]
    assert said == ["mysql://ann:***@db/sched (else none)", "desk-1 (else none)"]


class Running:
    """As much of a program as is looked at."""

    kind = "serve"
    shared: object = None

    class history:  # noqa: N801
        trouble: Exception | None = None

    def __init__(self) -> None:
        self.notices = ["one", "two", "three", "four"]
        self.dispatcher = Dispatcher(lambda _task, _run: Outcome(State.SUCCEEDED), ThreadPoolExecutor(1))


@pytest.fixture
def running() -> Iterator[Running]:
    found = Running()
    yield found
    found.dispatcher.close()


def test_a_running_program_says_when_it_woke_up_and_what_is_next(running: Running) -> None:
    found = diagnose_running(running)  # type: ignore[arg-type]
    assert line(found, "Running", "Next start").value == "none"
    assert line(found, "Running", "Workers").value.startswith("0 of 8 busy")
    assert [one.value for one in found if one.name == "Notice"] == ["two", "three", "four"]


def test_a_history_that_cannot_be_written_is_advised_about(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running.history, "trouble", sqlite3.OperationalError("The disk is full"))
    found = line(diagnose_running(running), "Running", "History")  # type: ignore[arg-type]
    assert (found.value, bool(found.advice)) == ("The disk is full", True)


class Shared:
    """As much of a shared list as is looked at."""

    identity = Identity(list_id="home", computer="desk-1", secret="")
    silent_since: float | None = None
    trouble = ""
    handed_over = False


def test_a_shared_list_says_whether_this_computer_takes_part(running: Running) -> None:
    def told() -> Line:
        return line(diagnose_running(running), "Running", "Shared list")  # type: ignore[arg-type]

    running.shared = shared = Shared()
    assert (told().value, told().advice) == ("'home', here as 'desk-1'", "")
    shared.handed_over = True
    assert told().value == "'home', here as 'desk-1', handed over to the other computers"
    shared.silent_since, shared.trouble = 0.0, "No server answers at db:5433."
    assert "out of reach since 1970-01-01T" in told().value
    assert told().value.endswith(" No server answers at db:5433.")
    assert told().advice == "Nothing starts here until it answers."
