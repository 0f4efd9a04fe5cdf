"""Corners where two rules of DESIGN §5 meet. Each was once wrong."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec import structs

from desktopsched.engine.events import RunFinished, RunSkipped, RunStarted
from desktopsched.model import (
    After,
    At,
    CatchUp,
    Cause,
    Cron,
    Edge,
    Join,
    On,
    OnFailure,
    Overlap,
    Reminder,
    Retry,
    State,
)
from tests.engine.world import FAIL, NOON, OK, World, after, cron, every, task

HOUR = 3600.0
REMIND = Reminder(message="m")


# --- workers


@pytest.mark.parametrize("actions", [(None, REMIND), (REMIND, None)], ids=["to a reminder", "to a command"])
def test_an_edit_of_the_action_during_a_run_leaves_the_count_of_busy_workers_right(
    actions: tuple[object, ...],
) -> None:
    before, later = ({} if action is None else {"action": action} for action in actions)
    world = World(every("a", 60, **before), workers=1)
    world.lasts["a"] = 30
    world.advance(70)
    world.dispatcher.replace(every("a", 60, **later))
    world.advance(30)
    assert world.dispatcher.statistics().busy == 0


# --- overlap and retries


def test_a_retry_that_falls_due_with_the_run_that_replaces_it_does_not_happen() -> None:
    world = World(every("a", 60, overlap=Overlap.REPLACE, retry=Retry(attempts=3, delay=50)))
    world.outcomes["a"] = [FAIL]
    world.lasts["a"] = 10
    world.advance(130)
    assert (1, 2) not in [(run.id, run.attempt) for run in world.performed]


def test_in_the_queue_the_latest_waits_also_behind_a_run_by_hand() -> None:
    world = World(every("a", 60, overlap=Overlap.QUEUE))
    world.advance(30)
    world.lasts["a"] = 160
    world.dispatcher.run_now("a")
    world.advance(165)
    assert world.starts("a")[-1] == "12:03:00"


# --- max_runs


@pytest.mark.parametrize("seconds", [70, 600])
def test_a_task_that_ran_as_often_as_it_may_misses_nothing_after_a_restart(seconds: float) -> None:
    world = World(every("a", 60, max_runs=1))
    world.advance(61)
    world = world.restart(after=seconds)
    world.advance(100)
    assert world.starts("a") == []
    assert world.status("a").missed == 0


def test_catching_up_ends_with_the_last_run_that_is_allowed_and_counts_the_rest() -> None:
    world = World(every("a", 60, max_runs=3, catch_up=CatchUp.ALL)).restart(after=600)
    world.advance(1000)
    assert len(world.starts("a")) == 3
    assert "it ran 3 times, as often as it may" in world.story()[-1]


def test_runs_that_wait_for_a_worker_count_for_max_runs() -> None:
    world = World(every("a", 60, max_runs=2, overlap=Overlap.PARALLEL), every("z", 30, max_runs=1), workers=1)
    world.lasts["z"] = 600
    world.advance(900)
    assert len(world.starts("a")) == 2


def test_after_the_last_run_nothing_is_skipped_any_more() -> None:
    world = World(every("a", 60, max_runs=1))
    world.lasts["a"] = 150
    world.advance(600)
    assert world.of(RunSkipped) == []


def test_a_run_by_hand_that_waits_behind_the_last_run_happens() -> None:
    world = World(every("a", 60, max_runs=1, overlap=Overlap.QUEUE))
    world.lasts["a"] = 30
    world.advance(70)
    world.dispatcher.run_now("a")
    world.advance(200)
    assert len(world.performed) == 2


# --- run now, with everything after it


def test_everything_after_a_task_that_is_running_is_decided() -> None:
    world = World(every("a", 60), after("b", "a"), after("c", "b"))
    world.lasts["a"] = 30
    world.advance(70)
    world.dispatcher.run_now("a", downstream=True)
    world.advance(10)
    assert [event.run.task_id for event in world.of(RunSkipped)] == ["a", "b", "c"]


def test_what_comes_after_a_member_that_is_running_is_decided() -> None:
    world = World(task("a"), after("b", "a"), after("c", "b"))
    world.lasts["b"] = 100
    world.dispatcher.run_now("b")
    world.run()
    world.dispatcher.run_now("a", downstream=True)
    world.advance(200)
    decided = [event.run for event in world.events if isinstance(event, RunStarted | RunSkipped)]
    assert any(run.task_id == "c" and run.cause is Cause.MANUAL for run in decided)


# --- edges over edits and restarts


@pytest.mark.parametrize(
    "edited",
    [
        after("b", "a", "p", enabled=False),
        after("b", "p"),
        task("b", waits_for=(Edge("a", On.FAILURE), Edge("p"))),
    ],
    ids=["disabled meanwhile", "edge taken out", "edge of another kind"],
)
def test_what_an_edit_made_the_edges_forget_stays_forgotten_over_a_restart(edited: object) -> None:
    world = World(task("a"), task("p"), after("b", "a", "p"))
    world.dispatcher.run_now("a")
    world.run()
    world.dispatcher.replace(edited)  # type: ignore[arg-type]
    world.dispatcher.replace(after("b", "a", "p"))
    world.run()
    world = world.restart(after=10)
    world.dispatcher.run_now("p")
    world.run()
    assert world.starts("b") == []


def test_another_join_starts_nothing_also_over_a_restart() -> None:
    world = World(task("a"), task("p"), after("b", "a", "p"))
    world.dispatcher.run_now("a")
    world.run()
    world.dispatcher.replace(after("b", "a", "p", join=Join.ANY))
    world = world.restart(after=10)
    world.run()
    assert world.starts("b") == []


def test_a_failed_parent_that_disables_itself_leaves_its_own_edges_empty_over_a_restart() -> None:
    world = World(task("a"), task("p"), after("b", "a", "p", on_failure=OnFailure.PAUSE))
    world.dispatcher.run_now("a")
    world.outcomes["b"] = [FAIL]
    world.dispatcher.run_now("b")
    world.run()
    assert not world.status("b").enabled
    world = world.restart()
    world.dispatcher.replace(after("b", "a", "p"))
    world.dispatcher.run_now("p")
    world.run()
    assert world.starts("b") == []


def test_a_clean_round_tells_its_own_skip_though_a_restart_came_between() -> None:
    world = World(every("a", 60), every("p", 60), after("b", "a", "p"))
    world.outcomes.update(a=[FAIL, OK], p=[OK])
    world.lasts["p"] = 10
    world.advance(123)
    assert world.story("b") == ["12:01:00 b skipped: a failed"]
    world = world.restart(after=1)
    assert world.story("b") == ["12:02:04 b skipped: p failed"]


@pytest.mark.parametrize("overlap", list(Overlap))
def test_the_child_of_an_interrupted_parent_starts_once(overlap: Overlap) -> None:
    world = World(every("a", HOUR), after("b", "a", on=On.FINISH, overlap=overlap))
    world.lasts["a"] = 100
    world.advance(3610)
    world = world.restart(after=5)
    world.advance(100)
    assert world.story("b") == ["13:00:15 b start 13:00:15 dependency", "13:00:15 b succeeded"]


# --- interrupted runs


def test_an_interrupted_run_of_a_task_that_pauses_on_failure_disables_it() -> None:
    world = World(every("a", 60, on_failure=OnFailure.PAUSE))
    world.lasts["a"] = 100
    world.advance(70)
    assert not world.restart(after=5).status("a").enabled


def test_an_interrupted_run_is_offered_until_its_second_run_has_begun() -> None:
    world = World(every("a", HOUR), task("z"), workers=1)
    world.lasts["a"] = 100
    world.advance(3610)
    world = world.restart(after=5, workers=1)
    world.lasts["z"] = 100
    world.dispatcher.run_now("z")
    world.run()
    world.dispatcher.decide("a", CatchUp.SKIP, rerun=True)
    world.run()
    assert world.performed[-1].task_id == "z"
    world = world.restart(after=5, workers=1)
    assert world.last["a"].interrupted is not None


# --- the clock and the zone


@pytest.mark.parametrize("make", [every("a", 60), cron("a", "* * * * *")], ids=["every", "cron"])
def test_a_clock_set_back_while_the_program_is_closed_does_not_silence_a_task(make: object) -> None:
    world = World(make)  # type: ignore[arg-type]
    world.advance(61)
    world = world.restart(after=-12 * HOUR)
    world.advance(200)
    assert len(world.starts("a")) >= 2


def test_a_fixed_time_is_not_repeated_by_a_clock_set_back_while_the_program_is_closed() -> None:
    world = World(cron("a", "0 13 * * *"))
    world.advance(1.5 * HOUR)
    world = world.restart(after=-HOUR)
    world.advance(2 * HOUR)
    assert world.starts("a") == []


def test_a_child_that_waits_for_an_instant_of_the_wall_clock_follows_the_zone() -> None:
    world = World(task("a"), after("b", "a", schedule=Cron("0 14 * * *")))
    world.dispatcher.run_now("a")
    world.run()
    assert world.status("b").due == NOON + 2 * HOUR
    world.clock.place = ZoneInfo("America/New_York")
    world.run()
    assert world.status("b").due == NOON + 6 * HOUR
    world.advance(6 * HOUR)
    assert len(world.starts("b")) == 1


def test_a_zone_change_during_a_random_delay_loses_nothing() -> None:
    world = World(cron("a", "30 12 * * *", random_delay=3600.0))
    due = world.status("a").due
    assert due > NOON + 1802
    world.until(NOON + 1801)
    world.clock.place = ZoneInfo("Etc/GMT")
    world.until(due + 10)
    assert len(world.starts("a")) == 1


def test_a_step_of_the_clock_is_no_part_of_a_retrys_delay() -> None:
    world = World(task("a", retry=Retry(attempts=2, delay=HOUR)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.run()
    world.set_clock(2 * HOUR)
    world.advance(HOUR - 1)
    assert len(world.performed) == 1
    world.advance(2)
    assert len(world.performed) == 2


def test_a_step_of_the_clock_is_no_part_of_a_childs_delay() -> None:
    world = World(task("a"), after("b", "a", schedule=After(delay=600)))
    world.dispatcher.run_now("a")
    world.run()
    world.advance(60)
    world.set_clock(-HOUR)
    world.advance(539)
    assert world.starts("b") == []
    world.advance(2)
    assert len(world.starts("b")) == 1


# --- new tasks


@pytest.mark.parametrize("schedule", [After(delay=0), At(datetime.fromtimestamp(NOON, UTC))])
def test_a_new_task_that_is_due_at_this_very_moment_runs(schedule: object) -> None:
    world = World(task("a", schedule=schedule))
    world.advance(1)
    assert len(world.starts("a")) == 1


def test_a_task_that_is_removed_and_put_back_while_it_runs_keeps_its_one_run() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 100
    world.advance(70)
    world.dispatcher.remove("a")
    world.dispatcher.schedule(every("a", 20))
    world.run()
    assert world.status("a").state is State.RUNNING
    live = most = 0
    world.advance(200)
    for event in world.events:
        live += isinstance(event, RunStarted) - isinstance(event, RunFinished)
        most = max(most, live)
    assert most == 1


def test_a_due_instant_is_not_counted_as_missed_and_run_as_well() -> None:
    missed = cron("a", "0 12 * * *", catch_up=CatchUp.LATEST)
    kept = World(missed, now=NOON - 60).last
    world = World(task("z"), now=NOON + 2 * HOUR, workers=1)
    world.lasts["z"] = 100
    world.dispatcher.run_now("z")
    world.run()
    world.dispatcher.schedule(missed, memory=kept)
    assert world.status("a").state is State.READY
    world.dispatcher.replace(structs.replace(missed, schedule=Cron("0 13 * * *")))
    world.advance(200)
    assert len(world.starts("a")) + sum(event.run.count for event in world.of(RunSkipped)) == 1
