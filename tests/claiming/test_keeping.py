"""What the history keeps of claims, and what the next program makes of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from desktopsched import keeping
from desktopsched.claiming.events import ClaimSettled, FinishRefused, HandedOver, TakenBack
from desktopsched.claiming.shared import Left
from desktopsched.engine.events import Event, Remembered, RunFinished, RunStarted, TaskStatus
from desktopsched.engine.memory import Memory
from desktopsched.model import Cause, IfLost, Outcome, Run, State
from desktopsched.storage.history import History
from tests.engine.world import NOON, OK, task

RUN = Run(id=1, task_id="a", scheduled_for=NOON, cause=Cause.SCHEDULE, nominal="noon", token=2)
STATUS = TaskStatus(state=State.PENDING)
TASKS = (task("a", if_lost=IfLost.RUN_AGAIN),)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    found = History(tmp_path / "history.sqlite3")
    found.open()
    yield found
    found.close()


def told(history: History, *events: Event) -> None:
    for event in events:
        keeping.keep(event, history)
    keeping.keep(Remembered(at=NOON, memories=()), history)
    history.flush()


def started() -> RunStarted:
    return RunStarted(at=NOON, run=RUN, status=STATUS)


def finished(outcome: Outcome = OK) -> RunFinished:
    return RunFinished(at=NOON + 5, run=RUN, outcome=outcome, status=STATUS)


def left(history: History, *live: Run) -> list[Left]:
    memory = Memory(first_seen=NOON, handled=NOON, live=live)
    return keeping.left_claims(history, {"a": memory}, TASKS)


def test_a_run_under_way_is_left_with_its_claim_and_its_promise(history: History) -> None:
    told(history, started())
    (one,) = left(history, RUN)
    assert (one.run.nominal, one.run.token, one.outcome) == ("noon", 2, None)
    assert one.if_lost is IfLost.RUN_AGAIN


def test_an_outcome_that_was_not_told_is_left_until_it_is(history: History) -> None:
    told(history, started(), finished(Outcome(State.FAILED, "exit code 3", 3)))
    (one,) = left(history)
    assert one.outcome == Outcome(State.FAILED, "exit code 3", 3)
    told(history, ClaimSettled(at=NOON, run_id=1))
    assert left(history) == []


def test_a_run_that_no_task_knows_of_is_left_as_ended(history: History) -> None:
    told(history, started())
    (one,) = left(history)
    assert one.outcome == Outcome(State.CANCELLED, keeping.UNLISTED)


def test_a_claim_whose_run_is_in_no_history_any_more_is_forgotten(history: History) -> None:
    told(history, started(), finished())
    later = structs.replace(RUN, id=2, scheduled_for=NOON + 60)
    told(history, RunStarted(at=NOON, run=later, status=STATUS))
    told(history, RunFinished(at=NOON + 9, run=later, outcome=OK, status=STATUS))
    history.prune(NOON + 100, 1)
    history.flush()
    assert [one.run.id for one in left(history)] == [2]
    history.flush()
    assert [hold.run_id for hold in history.records.holds()] == [2]


def test_that_an_outcome_does_not_count_is_kept_with_it(history: History) -> None:
    told(history, started(), finished(Outcome(State.FAILED, "exit code 3", 3)))
    told(
        history,
        FinishRefused(at=NOON, run=RUN, outcome=Outcome(State.FAILED, "exit code 3", 3), why="attic has it"),
    )
    (record,) = history.records.runs()
    assert record.reason == "exit code 3; it does not count: attic has it"
    assert record.state is State.FAILED


def test_handing_over_is_kept_until_it_is_taken_back(history: History) -> None:
    assert not keeping.has_handed_over(history)
    told(history, HandedOver(at=NOON))
    assert keeping.has_handed_over(history)
    told(history, TakenBack(at=NOON))
    assert not keeping.has_handed_over(history)


def test_the_secret_of_a_home_is_made_once(history: History) -> None:
    secret = keeping.home_secret(history)
    assert len(secret) == 64
    assert keeping.home_secret(history) == secret
