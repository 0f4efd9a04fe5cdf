"""A program takes over what an earlier one left under way. Real files, real processes, in one test's process."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktopsched.actions.start import can_supervise
from desktopsched.clearing import Clearing
from desktopsched.engine.events import RunFinished, RunGoesOn, RunOutput, RunStarted
from desktopsched.model import Cause, Outcome, Run, State, StorageError
from desktopsched.program import Program
from desktopsched.storage.home import Home, find_home
from desktopsched.storage.runfolders import RunFolders
from tests.actions.conftest import MARK, fetching, is_supervisor, processes_of, until
from tests.test_program import Opened, task

linux = pytest.mark.skipif(not can_supervise(), reason="supervisors are for Linux")


@pytest.fixture
def place(home: Path) -> Iterator[Home]:
    with fetching():
        yield find_home()


def begun(place: Home, shell: str, **more: object) -> Opened:
    """A program with one run under way, which has said something."""
    opened = Opened(place, **more)
    opened.program.task_list.add(task("a", shell))
    opened.program.dispatcher.run_now("a")
    opened.wait(lambda event: isinstance(event, RunOutput))
    return opened


def leave(opened: Opened) -> None:
    opened.program.dispatcher.stop()
    opened._loop.join()
    opened.program.close(keep_running=True)


def is_running(opened: Opened) -> bool:
    ((_, status),) = opened.program.dispatcher.tasks()
    return status.state is State.RUNNING


@linux
def test_what_is_left_running_goes_on_in_the_next_program(place: Home, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    first = begun(place, f"echo one; until test -e {gate}; do sleep 0.02; done; echo two; exit 3")
    leave(first)
    assert not any(isinstance(event, RunFinished) for event in first.events)
    second = Opened(place)
    assert is_running(second)
    goes_on = second.wait(lambda event: isinstance(event, RunGoesOn))
    started = first.wait(lambda event: isinstance(event, RunStarted))
    assert goes_on.run.id == started.run.id
    assert abs(goes_on.at - started.at) < 5
    gate.touch()
    assert second.ended("a") == Outcome(State.FAILED, "exit code 3", 3)
    assert "two" in second.wait(lambda event: isinstance(event, RunOutput)).text
    second.close()
    assert b"".join(second.program.logs.whole("a", 1)) == b"one\ntwo\n"
    (record,) = second.program.history.records.runs()
    assert record.started is not None
    assert abs(record.started - started.at) < 0.001
    assert list(place.runs.iterdir()) == []


@linux
def test_closing_as_ever_stops_what_was_taken_over(place: Home) -> None:
    leave(begun(place, "echo one; sleep 300"))
    second = Opened(place)
    assert is_running(second)
    second.close()
    assert second.ended("a") == Outcome(State.CANCELLED, "the program was closed")
    until(lambda: not processes_of(os.environ[MARK]))  # its supervisor says the outcome, and then ends


@linux
def test_left_twice_it_still_goes_on(place: Home, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    leave(begun(place, f"echo one; until test -e {gate}; do sleep 0.02; done"))
    leave(Opened(place))
    third = Opened(place)
    gate.touch()
    assert third.ended("a") == Outcome(State.SUCCEEDED, exit_code=0)
    third.close()


@linux
def test_when_the_history_is_lost_nobody_can_own_what_goes_on_and_it_is_stopped(place: Home) -> None:
    leave(begun(place, "echo one; sleep 300"))
    for file in place.folder.glob("history.sqlite3*"):
        file.unlink()
    second = Opened(place)
    until(lambda: not processes_of(os.environ[MARK]))
    assert not is_running(second)
    second.close()


@linux
def test_a_run_whose_folder_says_nothing_of_it_any_more_is_stopped(place: Home) -> None:
    leave(begun(place, "echo one; sleep 300"))
    (place.runs / "1-1" / "about.json").write_bytes(b"{")
    second = Opened(place)
    until(lambda: not processes_of(os.environ[MARK]))
    assert second.ended("a").reason.startswith("interrupted")
    second.close()


def test_without_supervisors_a_run_is_the_programs_own_and_ends_with_it(place: Home) -> None:
    opened = begun(place, "echo one; sleep 300", supervised=False)
    assert not any(map(is_supervisor, processes_of(os.environ[MARK])))
    leave(opened)
    assert opened.ended("a") == Outcome(State.CANCELLED, "the program was closed")


@linux
def test_a_program_without_supervisors_of_its_own_follows_those_of_others(
    place: Home, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    leave(begun(place, f"echo one; until test -e {gate}; do sleep 0.02; done"))
    second = Opened(place, supervised=False)
    gate.touch()
    assert second.ended("a").state is State.SUCCEEDED
    second.close()


# --- the folders -------------------------------------------------------------------------------------------


def a_run(number: int) -> Run:
    return Run(id=number, task_id="a", scheduled_for=0, cause=Cause.MANUAL)


def test_folders_go_when_the_history_has_the_outcome_and_not_before(tmp_path: Path, home: Path) -> None:
    folders = RunFolders(tmp_path / "runs")
    program = Program(find_home(), "serve")
    handed: list[object] = []
    clearing = Clearing(folders, program.history, handed.append)
    for number in (1, 2, 3):
        folders.new(number, 1)
        clearing.ended(a_run(number))
        assert len(handed) == (number > 1), "the change is not whole yet; and one call clears all"
        clearing.remembered()
    with pytest.raises(StorageError):
        program.history.flush()  # it is not open
    handed[0]()  # type: ignore[operator]
    assert len(list(folders.all())) == 3
    clearing.ended(a_run(4))
    clearing.remembered()
    program.home.prepare()
    program.history.open()
    handed[1]()  # type: ignore[operator]
    assert [key for key, _ in folders.all()] == [(1, 1), (2, 1), (3, 1)], "left for the next launch"
    program.history.close()


@linux
@pytest.mark.parametrize("ends", ["stopped", "by itself", "cut off"])
def test_a_run_whose_task_was_removed_while_it_ran_has_an_end_though_the_program_died(
    place: Home, tmp_path: Path, ends: str
) -> None:
    gate = tmp_path / "gate"
    first = begun(place, f"echo one; until test -e {gate}; do sleep 0.02; done; exit 3")
    first.program.task_list.remove("a")
    leave(first)
    mark = os.environ[MARK]
    if ends == "by itself":
        gate.touch()
        until(lambda: not processes_of(mark))
    elif ends == "cut off":
        next(one for one in processes_of(mark) if is_supervisor(one)).kill()
        until(lambda: not any(is_supervisor(one) for one in processes_of(mark)))
    second = Opened(place)
    until(lambda: not processes_of(mark))
    second.close()
    (record,) = second.program.history.records.runs()
    assert record.ended is not None
    told = ["Run 1 of 'a' went on, but no task knows of it any more. It is stopped."]
    assert ends != "stopped" or second.program.notices == told
    off = (State.CANCELLED, "its task was taken off the list before it ended")
    assert (record.state, record.reason) == ((State.FAILED, "exit code 3") if ends == "by itself" else off)
    assert list(place.runs.iterdir()) == []


def test_a_run_whose_memory_was_lost_has_an_end(place: Home) -> None:
    first = Opened(place)
    first.program.task_list.add(task("a"))
    run = Run(id=7, task_id="a", scheduled_for=1_700_000_000.0, cause=Cause.SCHEDULE)
    first.program.history.run_started(run, 1_700_000_000.0)
    first.program.history.remember([("a", b"nonsense")])
    first.close()
    second = Opened(place)
    second.close()
    (record,) = second.program.history.records.runs()
    assert record.state is State.CANCELLED
    assert record.ended is not None
