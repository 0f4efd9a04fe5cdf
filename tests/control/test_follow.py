import queue
from types import SimpleNamespace
from typing import cast

import pytest

from desktopsched.control.requests import Events, Requests, follow
from desktopsched.engine.events import (
    Away,
    ClaimsWithheld,
    Event,
    RunFinished,
    RunOutput,
    TaskChanged,
    TaskStatus,
)
from desktopsched.engine.words import OUT_OF_REACH, waits_for_list
from desktopsched.model import Cause, Command, InvalidTaskError, Outcome, Run, State, Task
from desktopsched.program import Program

TASK = Task(id="a", name="A", action=Command(argv=("true",)))
RUN = Run(id=7, task_id="a", scheduled_for=0.0, cause=Cause.MANUAL)
OUTPUT = RunOutput(at=0.0, run=RUN, text="begun\n")
END = RunFinished(
    at=1.0,
    run=RUN,
    outcome=Outcome(State.CANCELLED, reason="the program was closed"),
    status=TaskStatus(state=State.PENDING),
)


def changed(waiting: str) -> TaskChanged:
    return TaskChanged(at=0.0, task_id="a", status=TaskStatus(state=State.PENDING, waiting=waiting))


def told(*events: Event | None) -> list[dict[str, object]]:
    """What a follower hears of a program in which this happens."""
    waiting: Events = queue.SimpleQueue()
    for event in events:
        waiting.put(event)
    program = SimpleNamespace(
        task_list=SimpleNamespace(find=lambda _name: TASK),
        listen=lambda _hear: lambda: None,
        dispatcher=SimpleNamespace(run_now=lambda _task_id, *, downstream: RUN.id),
        shared=SimpleNamespace(trouble="No server answers at db:5433."),
    )
    return list(follow(cast("Program", program), "a", waiting, downstream=False))


def test_the_last_end_says_that_it_was_the_last() -> None:
    """Nothing can come between the two."""
    assert [("ended" in one, "done" in one) for one in told(OUTPUT, END)] == [(False, False), (True, True)]


def test_who_is_let_go_before_the_end_is_not_told_that_it_was_all() -> None:
    assert [("ended" in one, "done" in one) for one in told(OUTPUT, None)] == [(False, False)]


def test_who_asks_while_the_program_ends_is_let_go_too() -> None:
    """It was accepted before, and is looked at after all others were let go: nobody would wake it any more."""
    program = SimpleNamespace(
        task_list=SimpleNamespace(find=lambda _name: TASK),
        listen=lambda _hear: lambda: None,
        dispatcher=SimpleNamespace(run_now=lambda _task_id, *, downstream: RUN.id),
    )
    requests = Requests(cast("Program", program))
    requests.end()
    assert list(requests.answer({"do": "run", "task": "a"})) == []


def test_what_waits_for_the_shared_list_says_so_once_and_why() -> None:
    waits = changed(waits_for_list(OUT_OF_REACH))
    asks = changed("asks the shared list")
    said = told(asks, waits, waits, asks, waits, changed(""), OUTPUT, None)
    assert said == [
        {"waits": "the shared list is out of reach", "why": "No server answers at db:5433."},
        {"output": "begun\n", "task": "a"},
    ]


def test_a_run_that_goes_on_does_not_wait_though_nothing_new_starts() -> None:
    withheld = ClaimsWithheld(at=0.0, reason="this computer has handed over to the others")
    assert [one for one in told(OUTPUT, changed(""), withheld, END) if "waits" in one] == []


def test_who_wants_to_stop_what_runs_on_another_computer_is_told_which() -> None:
    there = TaskStatus(state=State.RUNNING, elsewhere=(Away(RUN, "desk-2", 1),))
    program = SimpleNamespace(
        task_list=SimpleNamespace(find=lambda _name: TASK),
        dispatcher=SimpleNamespace(cancel=lambda _task_id: False, tasks=lambda: [(TASK, there)]),
    )
    answers = list(Requests(cast("Program", program)).answer({"do": "stop", "task": "a"}))
    assert answers == [{"stopped": False, "elsewhere": ["desk-2"]}]


@pytest.mark.parametrize("at", ["x", [1], float("nan"), 1e300, -1.0])
def test_what_is_no_instant_is_refused_in_words(at: object) -> None:
    requests = Requests(
        cast("Program", SimpleNamespace(task_list=SimpleNamespace(find=lambda _name: TASK), why=None))
    )
    with pytest.raises(InvalidTaskError, match="is not an instant"):
        list(requests.answer({"do": "why", "task": "a", "at": at}))
