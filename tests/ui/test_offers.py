from desktopsched.engine.events import TaskStatus
from desktopsched.model import State
from desktopsched.ui.offers import Offer, offers
from desktopsched.ui.row import Row
from tests.ui.scenery import run, status, task


def row(name: str, shown: TaskStatus) -> Row:
    return Row(task=task(name.lower(), name), status=shown, schedule="", schedule_icon="")


IDLE = row("Idle", status())
BUSY = row("Busy", status(State.RUNNING, running=(run("busy"),)))


def test_without_a_target_each_button_is_off_and_says_why() -> None:
    found = offers([], tasks=0, paused=False)
    assert found.run == Offer("Choose a task to run it", enabled=False)
    assert found.stop == Offer("Choose a running task to stop it", enabled=False)
    assert found.pause == Offer("There are no tasks to pause", enabled=False)


def test_an_idle_task_can_be_run_and_not_stopped() -> None:
    found = offers([IDLE], tasks=1, paused=False)
    assert (found.run.enabled, found.stop.enabled, found.pause.enabled) == (True, False, True)
    assert found.run.tip == "Run Idle now (F5)"


def test_of_several_tasks_those_that_run_can_be_stopped() -> None:
    found = offers([IDLE, BUSY], tasks=2, paused=False)
    assert found.run.tip == "Run 2 tasks now (F5)"
    assert found.stop == Offer("Stop Busy (Shift+Esc)")


def test_while_paused_everything_can_be_resumed_even_without_tasks() -> None:
    assert offers([], tasks=0, paused=True).pause.enabled
