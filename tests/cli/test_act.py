"""Commands that do something, without a program that runs: in processes of their own."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.system.served import Home, every, shell, until

pytestmark = pytest.mark.system


@pytest.fixture
def at(tmp_path: Path) -> Home:
    return Home(tmp_path / "served")


def test_run_without_a_program_runs_the_task_here_and_nothing_else(at: Home) -> None:
    at.write(
        shell("a", "echo out; echo err >&2; exit 4"),
        shell("tick", "true", schedule=every(1)),
        shell("child", "echo child", waits_for=[{"task": "a", "on": "failure"}]),
    )
    assert at.run("run", "a", code=4) == "out\nerr\n"
    assert "a failed: exit code 4" in at.errors
    assert [run["task_id"] for run in at.history()] == ["a"]
    assert at.run("log", "1") == "out\nerr\n"
    assert at.run("run", "a", "--downstream", code=4) == "out\nerr\nchild\n"


def test_run_without_a_program_tries_again_as_the_task_says(at: Home) -> None:
    """It waited for the end of a pause that only this program itself was in."""
    done = at.folder / "done"
    again = f"echo try; test -e {done} && exit 0; touch {done}; exit 1"
    at.write(shell("a", again, retry={"attempts": 3, "delay": "0.1s"}))
    assert at.run("run", "a") == "try\ntry\n"


def test_run_by_name_and_success_ends_in_0(at: Home) -> None:
    at.write(shell("a", "echo hi", name="My task"))
    assert at.run("run", "My task") == "hi\n"


def test_what_a_run_by_hand_leads_to_goes_on_when_a_program_runs(at: Home) -> None:
    at.write(shell("a", "true"), shell("child", "true", waits_for=[{"task": "a"}]))
    at.run("run", "a")
    with at.serve() as served:
        served.says("child succeeded")


def test_run_of_nobody_is_wrong_use(at: Home) -> None:
    at.write()
    at.run("run", "nobody", code=2)
    assert at.errors == "There is no task 'nobody'.\n"


@pytest.mark.parametrize("command", ["stop x", "pause", "resume"])
def test_what_needs_a_program_says_that_none_runs(at: Home, command: str) -> None:
    at.write(shell("x", "true"))
    at.run(*command.split(), code=3)
    assert "No program runs for this home. Start one" in at.errors


def test_ctrl_c_stops_a_run_that_happens_here(at: Home) -> None:
    at.write(shell("long", "echo begun; sleep 300"))
    process = subprocess.Popen(
        at.command("run", "long"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "long cancelled: stopped by you" in errors
    assert at.history()[0]["state"] == "cancelled"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_end_of_the_terminal_stops_a_run_that_happens_here(at: Home, number: signal.Signals) -> None:
    at.write(shell("long", "echo begun; sleep 300"))
    process = subprocess.Popen(
        at.command("run", "long"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert at.history()[0]["state"] == "cancelled"


def test_run_on_an_unreadable_file_says_so_and_touches_nothing(at: Home) -> None:
    (at.folder / "tasks.json").write_text("{")
    at.run("run", "x", code=3)
    assert "tasks.json, line 1" in at.errors
    assert (at.folder / "tasks.json").read_text() == "{"


def test_run_says_what_is_wrong_in_the_file(at: Home) -> None:
    at.write(shell("a", "echo hi"), shell("bad", "true", schedule={"type": "every"}))
    assert at.run("run", "a") == "hi\n"
    assert "tasks[1].schedule" in at.errors


def test_list_of_a_file_of_another_form_says_so(at: Home) -> None:
    (at.folder / "tasks.json").write_text('{"format": 99, "tasks": []}')
    at.run("list", code=1)
    assert "format 99" in at.errors
    assert "There are no tasks yet" not in at.errors


def test_list_at_rest_shows_no_next_run_for_what_ran_often_enough(at: Home) -> None:
    at.write(shell("a", "true", schedule=every(1), max_runs=1))
    with at.serve() as served:
        served.says("a succeeded")
    row = json.loads(at.run("list", "--json"))
    assert (row["due"], row["state"]) == (None, "succeeded")


def test_ctrl_c_leaves_a_run_in_the_running_program_alone(at: Home) -> None:
    at.write(shell("long", "echo begun; sleep 300"))
    with at.serve() as served:
        process = subprocess.Popen(
            at.command("run", "long"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "The run goes on" in errors
        assert not any("long cancelled" in line for line in served.lines)


def test_init_examples_writes_the_list_once(at: Home) -> None:
    at.run("init-examples")
    before = (at.folder / "tasks.json").read_bytes()
    assert len(json.loads(before)["tasks"]) == 14
    at.run("init-examples", code=3)
    assert "has tasks already" in at.errors
    assert (at.folder / "tasks.json").read_bytes() == before
    assert "14 tasks, no problems" in at.run("check")


def test_init_examples_reaches_a_running_program(at: Home) -> None:
    with at.serve() as served:
        at.run("init-examples")
        until(lambda: len(at.run("list", "--json").splitlines()) == 14)
        assert served.process.poll() is None


def test_a_home_of_somebody_else_is_refused_in_plain_words(at: Home) -> None:
    at.write(shell("a", "true"))
    at.folder.chmod(0o777)
    at.run("run", "a", code=3)
    assert "chmod" in at.errors
