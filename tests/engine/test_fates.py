"""Runs that did not die with the program: they go on, or ended while it was away (rules 4 to 7)."""

import pytest
from msgspec import structs

from desktopsched.engine.events import RunFinished, RunGoesOn
from desktopsched.engine.fates import Ended, Lost, StillRunning
from desktopsched.model import (
    After,
    CatchUp,
    LeftRunning,
    On,
    OnFailure,
    Outcome,
    Overlap,
    Retry,
    Run,
    State,
    Task,
)
from tests.engine.world import FAIL, NOON, OK, World, after, every, task

GOES_ON = StillRunning(NOON + 60)


def killed(*tasks: Task, lasts: float = 1000.0, at: float = 70.0) -> World:
    """A world in which `a` was started at 12:01:00, and which is killed ten seconds later."""
    world = World(*tasks)
    world.lasts["a"] = lasts
    world.until(NOON + at)
    assert world.status("a").state is State.RUNNING
    return world


# --- it goes on --------------------------------------------------------------------------------------------


def test_a_run_that_goes_on_is_followed_and_its_children_start_when_it_ends() -> None:
    again = killed(every("a", 60), after("b", "a")).restart(after=10, fates={1: GOES_ON})
    assert again.status("a").state is State.RUNNING
    assert [run.id for run in again.status("a").running] == [1]
    again.advance(1000)
    assert again.story()[:5] == [
        "12:01:00 a goes on",
        "12:18:00 a skipped ×17: the run before it was still under way",
        "12:18:00 a succeeded",
        "12:18:00 b start 12:18:00 dependency",
        "12:18:00 b succeeded",
    ]
    assert again.performed[0].id == 1


def test_what_came_due_during_a_run_that_went_on_was_overlapped_and_not_missed() -> None:
    world = killed(every("a", 60, catch_up=CatchUp.ALL), lasts=20)
    again = world.restart(after=600, fates={1: GOES_ON})
    assert again.performed[0].id == 1
    assert again.starts("a") == ["12:01:00"]
    again.advance(60)
    assert again.story("a") == [
        "12:01:00 a goes on",
        "12:11:30 a skipped ×10: the run before it was still under way",
        "12:11:30 a succeeded",
        "12:12:00 a start 12:12:00",
    ]


def test_a_start_that_queues_happens_when_the_run_that_went_on_has_ended() -> None:
    world = killed(every("a", 60, overlap=Overlap.QUEUE), lasts=20)
    again = world.restart(after=600, fates={1: GOES_ON})
    again.advance(20)
    assert again.story("a")[-1] == "12:11:30 a start 12:11:00 queued"


def test_a_newer_start_replaces_a_run_that_went_on() -> None:
    again = killed(every("a", 60, overlap=Overlap.REPLACE)).restart(after=600, fates={1: GOES_ON})
    again.run()
    assert again.story() == [
        "12:01:00 a goes on",
        "12:11:10 a cancelled: replaced by the 12:11 run",
        "12:11:10 a start 12:11:00 queued",
    ]


def test_runs_that_go_on_hold_their_workers() -> None:
    world = killed(every("a", 60), every("b", 130))
    again = world.restart(after=70, workers=1, fates={1: GOES_ON})
    assert again.status("b").state is State.READY
    assert again.dispatcher.statistics().busy == 1
    again.advance(1000)
    assert "12:02:10" in again.starts("b")


def test_a_run_that_goes_on_can_be_stopped() -> None:
    again = killed(every("a", 60)).restart(fates={1: GOES_ON})
    assert again.dispatcher.cancel("a")
    again.run()
    assert again.story("a")[-1] == "12:01:10 a cancelled: stopped by you"


def test_a_run_that_goes_on_survives_any_number_of_restarts() -> None:
    world = killed(every("a", 3600), at=3610, lasts=1000)
    for _ in range(3):
        world = world.restart(after=5, fates={1: GOES_ON})
        assert len(world.of(RunGoesOn)) == 1
    world = world.restart(after=60, fates={1: Ended(OK, NOON + 3650)})
    assert world.status("a").ended == NOON + 3650


def test_a_paused_program_follows_what_goes_on() -> None:
    world = killed(every("a", 60), lasts=20)
    again = world.restart(fates={1: GOES_ON})
    again.dispatcher.pause()
    again.advance(30)
    assert again.story("a")[1] == "12:01:30 a succeeded"


def test_a_task_that_was_edited_meanwhile_is_armed_when_its_run_has_ended() -> None:
    world = killed(every("a", 60), lasts=20)
    again = world.restart(every("a", 90), fates={1: GOES_ON})
    assert again.due("a") is None
    again.advance(21)
    assert again.due("a") == "12:03:00"


def test_a_run_that_is_left_running_stays_in_the_memory() -> None:
    world = World(every("a", 60))

    def leave(given: Task, run: Run) -> Outcome:
        world.dispatcher.stop()
        raise LeftRunning

    world.dispatcher._hands._perform = leave  # type: ignore[assignment]
    world.until(NOON + 60)
    assert [run.id for run in world.last["a"].live] == [1]
    assert world.of(RunFinished) == []
    assert world.restart(fates={1: GOES_ON}).performed[0].id == 1


# --- it ended while the program was away -------------------------------------------------------------------


def test_a_run_that_ended_meanwhile_has_its_true_end_and_its_children_start_now() -> None:
    world = killed(every("a", 3600), after("b", "a"), at=3610)
    again = world.restart(after=600, fates={1: Ended(OK, NOON + 3700)})
    assert again.story()[0] == "13:01:40 a succeeded"
    assert again.status("a").ended == NOON + 3700
    assert [run.task_id for run in again.performed] == ["b"]
    assert again.performed[0].parents == (1,)


def test_the_delay_of_a_child_counts_from_the_true_end() -> None:
    world = killed(every("a", 7200), after("b", "a", schedule=After(delay=900)), at=7210)
    again = world.restart(after=600, fates={1: Ended(OK, NOON + 7300)})
    assert again.due("b") == again.at(NOON + 7300 + 900)


def test_a_child_whose_delay_was_over_before_the_program_came_back_starts_at_once() -> None:
    world = killed(every("a", 7200), after("b", "a", schedule=After(delay=30)), at=7210)
    again = world.restart(after=600, fates={1: Ended(OK, NOON + 7300)})
    again.run()
    assert [run.task_id for run in again.performed] == ["b"]


def test_a_failure_meanwhile_skips_children_and_starts_those_that_wait_for_it() -> None:
    world = killed(every("a", 3600), after("b", "a"), after("c", "a", on=On.FAILURE), at=3610)
    again = world.restart(after=60, fates={1: Ended(FAIL, NOON + 3620)})
    assert again.story("b") == ["13:01:10 b skipped: a failed"]
    assert [run.task_id for run in again.performed] == ["c"]


def test_what_came_due_before_the_true_end_was_overlapped_and_what_came_after_was_missed() -> None:
    world = killed(every("a", 60, catch_up=CatchUp.ALL))
    world.lasts["a"] = 0
    again = world.restart(after=300, fates={1: Ended(OK, NOON + 190)})
    again.advance(1)
    assert again.starts("a") == ["12:06:00", "12:04:00", "12:05:00"]
    assert again.story("a")[0] == "12:03:10 a skipped ×2: the run before it was still under way"


def test_a_start_that_queued_before_the_true_end_is_the_latest_one() -> None:
    world = killed(every("a", 60, overlap=Overlap.QUEUE, catch_up=CatchUp.SKIP, grace=1.0), at=130)
    again = world.restart(after=120, fates={1: Ended(OK, NOON + 190)})
    again.lasts["a"] = 0
    again.advance(1)
    assert again.starts("a") == ["12:03:00"]


@pytest.mark.parametrize(("away", "due"), [(30, "13:02:00"), (600, None)])
def test_a_retry_counts_from_the_true_end(away: float, due: str | None) -> None:
    world = killed(every("a", 3600, retry=Retry(attempts=2, delay=90)), at=3610)
    again = world.restart(after=away, fates={1: Ended(FAIL, NOON + 3630)})
    assert again.story("a")[0] == "13:00:30 a failed, again at 13:02:00"
    assert again.due("a") == due
    again.advance(100)
    assert (again.performed[0].id, again.performed[0].attempt) == (1, 2)


def test_a_failure_meanwhile_disables_a_task_that_asks_for_it() -> None:
    world = killed(every("a", 60, on_failure=OnFailure.PAUSE))
    again = world.restart(after=60, fates={1: Ended(FAIL, NOON + 80)})
    assert not again.status("a").enabled


def test_an_end_that_the_clock_has_not_reached_counts_as_now() -> None:
    again = killed(every("a", 60)).restart(fates={1: Ended(OK, NOON + 9_000)})
    assert again.status("a").ended == NOON + 70


def test_a_disabled_task_records_the_end_and_starts_nothing() -> None:
    world = killed(every("a", 60))
    again = world.restart(every("a", 60, enabled=False), after=300, fates={1: Ended(OK, NOON + 80)})
    again.advance(300)
    assert again.story("a") == ["12:01:20 a succeeded"]


# --- it was cut off ----------------------------------------------------------------------------------------


def test_a_lost_run_says_why_and_is_offered_again() -> None:
    again = killed(every("a", 3600), at=3610).restart(fates={1: Lost("interrupted: its end cannot be read")})
    assert again.story("a") == ["13:00:10 a failed: interrupted: its end cannot be read"]
    assert again.status("a").interrupted.id == 1


def test_between_two_attempts_a_fate_means_nothing() -> None:
    world = World(task("a", retry=Retry(attempts=2, delay=100)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.run()
    again = world.restart(fates={1: Ended(OK, NOON)})
    assert again.due("a") == "12:01:40"
    assert structs.asdict(again.status("a"))["outcome"] is None
