"""The door of the room: every kind of action, and no exception gets out."""

import subprocess
import sys

import pytest

from desktopsched.actions.perform import Performer
from desktopsched.model import Action, Command, Open, Outcome, Reminder, Run, State, StorageError, Task
from desktopsched.model.standin import stand_in
from tests.actions.conftest import Log, a_run

SKIPPED = Outcome(State.SKIPPED, "There is no desktop to show it on")


def a_task(action: Action) -> Task:
    return Task(id="task", name="Task", action=action)


def log(task_id: str, run_id: int) -> Log:
    return Log()


def test_reminder_succeeds_when_it_was_shown() -> None:
    shown: list[tuple[Task, Run]] = []
    task, run = a_task(Reminder(message="Stretch")), a_run()
    performer = Performer(log, remind=lambda *given: not shown.append(given))  # type: ignore[func-returns-value]
    assert performer.perform(task, run) == Outcome(State.SUCCEEDED)
    assert shown == [(task, run)]


def test_what_stands_in_for_a_task_with_a_mistake_does_nothing_and_says_so() -> None:
    shown: list[tuple[Task, Run]] = []
    performer = Performer(log, remind=lambda *given: not shown.append(given))  # type: ignore[func-returns-value]
    outcome = performer.perform(stand_in({"name": "Bad"}, "bad", 0), a_run())
    assert outcome == Outcome(State.SKIPPED, "There is a mistake in it: mend it in the task file first")
    assert not shown


@pytest.mark.parametrize("action", [Reminder(message="Stretch"), Open(target="http://a")])
def test_without_a_desktop_it_is_skipped(action: Action) -> None:
    assert Performer(log, open_target=None).perform(a_task(action), a_run()) == SKIPPED
    performer = Performer(log, remind=lambda task, run: False, open_target=lambda target: False)
    assert performer.perform(a_task(action), a_run()) == SKIPPED


def test_open_hands_the_checked_target_over() -> None:
    targets: list[str] = []
    performer = Performer(log, open_target=lambda target: not targets.append(target))  # type: ignore[func-returns-value]
    assert performer.perform(a_task(Open(target="~")), a_run()) == Outcome(State.SUCCEEDED)
    assert targets[0].startswith("/")
    assert performer.perform(a_task(Open(target="gone")), a_run()).state is State.FAILED


@pytest.mark.parametrize("action", [Reminder(message="x"), Open(target="http://a"), Command(argv=("true",))])
def test_stop_that_came_first_cancels_every_kind(action: Action) -> None:
    run = a_run()
    run.stop.request("replaced by the 10:15 run")
    outcome = Performer(log, remind=lambda task, run: True).perform(a_task(action), run)
    assert outcome == Outcome(State.CANCELLED, "replaced by the 10:15 run")


def test_error_of_the_world_is_the_reason() -> None:
    def remind(task: Task, run: Run) -> bool:
        raise StorageError("The sound file is gone.")

    outcome = Performer(log, remind=remind).perform(a_task(Reminder(message="x")), a_run())
    assert outcome == Outcome(State.FAILED, "The sound file is gone.")


def test_mistake_of_ours_is_logged_and_kills_what_was_started(caplog: pytest.LogCaptureFixture) -> None:
    def open_log(task_id: str, run_id: int) -> Log:
        raise KeyError("a bug")

    outcome = Performer(open_log).perform(a_task(Command(shell="sleep 300")), a_run())
    assert outcome.state is State.FAILED
    assert "KeyError('a bug')" in outcome.reason
    assert caplog.records[0].exc_info is not None
    caplog.clear()


def test_importing_the_room_loads_neither_qt_nor_the_keychain() -> None:
    code = "import sys, desktopsched.actions.perform; print(*(n for n in ('PySide6', 'keyring') if n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
