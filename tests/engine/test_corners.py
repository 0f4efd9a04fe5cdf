"""Corners where two rules of DESIGN §5 meet. Each was once wrong."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec import structs

from desktopsched.engine.events import RunFinished, RunSkipped, RunStarted, TaskAdded
from desktopsched.model import (
    After,
    At,
    CatchUp,
    Cause,
    Cron,
    CycleError,
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


# --- cancelled starts


@pytest.mark.parametrize("make", [every("a", HOUR), cron("a", "0 13 * * *")], ids=["every", "cron"])
def test_a_cancelled_start_stays_cancelled_over_a_restart_and_a_step_of_the_clock(make: object) -> None:
    world = World(make)  # type: ignore[arg-type]
    world.advance(600)
    world.dispatcher.cancel("a")
    world.set_clock(-5)
    world = world.restart(after=600)
    world.advance(HOUR)
    assert world.starts("a") == []


# --- a crash between two records: what a store kept of the first n events is enough


def died_before(world: World, kind: type) -> World:
    """A store that heard everything up to the first event of a kind, and not that event."""
    kept = World()
    events = list(world.events)
    for event in events[: next(i for i, event in enumerate(events) if isinstance(event, kind))]:
        kept.hear(event)
    return kept


def test_a_run_is_never_between_its_end_and_its_record() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 100
    world.advance(165)
    assert died_before(world, RunFinished).last["a"].live


def test_a_run_that_disables_its_task_is_not_lost_before_it_is_recorded() -> None:
    world = World(every("a", 60, on_failure=OnFailure.PAUSE))
    world.outcomes["a"] = [FAIL]
    world.advance(65)
    assert died_before(world, RunFinished).last["a"].live


def test_a_retry_that_an_edit_ends_is_not_lost_before_it_is_recorded() -> None:
    world = World(every("a", 60, retry=Retry(attempts=2, delay=100)))
    world.outcomes["a"] = [FAIL]
    world.advance(65)
    world.dispatcher.replace(every("a", 60, enabled=False))
    assert died_before(world, RunFinished).last["a"].live


def test_a_start_that_waits_for_a_worker_survives_a_crash_whatever_was_recorded_since() -> None:
    parallel = every("a", 60, overlap=Overlap.PARALLEL, catch_up=CatchUp.ALL)
    world = World(parallel, task("z"), workers=1)
    world.lasts["z"] = 100_000
    world.dispatcher.run_now("z")
    world.advance(65)
    world.suspend(300)
    world = world.restart(parallel, after=1)
    world.advance(10)
    assert sorted(world.starts("a")) == [f"12:0{minute}:00" for minute in range(1, 7)]


def test_a_start_that_waits_for_a_worker_survives_an_edit_and_a_crash() -> None:
    world = World(every("a", 60, catch_up=CatchUp.ALL), task("z"), workers=1)
    world.lasts["z"] = 100_000
    world.dispatcher.run_now("z")
    world.advance(65)
    edited = every("a", 90, catch_up=CatchUp.ALL)
    world.dispatcher.replace(edited)
    world.run()
    world = world.restart(edited, after=1)
    world.advance(5)
    assert world.starts("a") == ["12:01:00"]


def test_a_new_one_shot_of_a_moment_ago_survives_a_crash_before_it_begins() -> None:
    moment_ago = task("a", schedule=At(datetime.fromtimestamp(NOON - 10, UTC)))
    world = World(task("z"), workers=1)
    world.lasts["z"] = 1000
    world.dispatcher.run_now("z")
    world.run()
    world.dispatcher.schedule(moment_ago)
    world.run()
    world = world.restart(after=5)
    world.advance(5)
    assert world.starts("a") == ["11:59:50"]


def test_a_repair_goes_on_over_a_crash_between_the_parent_and_its_child() -> None:
    tasks = (every("a", HOUR, action=REMIND), task("p", action=REMIND), after("b", "a"), after("c", "b", "p"))
    world = World(*tasks, task("z"), workers=1)
    world.lasts["z"] = 100_000
    world.dispatcher.run_now("z")
    world.dispatcher.run_now("p")
    world.outcomes["a"] = [FAIL]
    world.advance(3601)
    world.dispatcher.run_now("a")
    world.run()
    assert world.status("b").state is State.READY
    world = world.restart(*tasks, after=1)
    assert world.starts("c"), "the chain goes on repairing"


def test_an_armed_child_starts_neither_early_nor_twice_after_a_restart() -> None:
    child = after("b", "a", on=On.FINISH, schedule=Cron("0 14 * * *"), overlap=Overlap.PARALLEL)
    world = World(task("a"), child)
    world.dispatcher.run_now("a")
    world.run()
    world.lasts["a"] = 100
    world.dispatcher.run_now("a")
    world.run()
    world = world.restart(after=5)
    world.advance(60)
    assert world.starts("b") == []
    world.advance(2 * HOUR)
    assert world.starts("b") == ["14:00:00"]


def test_the_armed_start_of_a_former_child_does_not_come_back() -> None:
    world = World(task("a"), after("b", "a", schedule=Cron("0 14 * * *")))
    world.dispatcher.run_now("a")
    world.run()
    world = world.restart(task("a"), cron("b", "0 14 * * *"), after=60)
    world.advance(2 * HOUR + 60)
    assert world.starts("b") == ["14:00:00"]
    world = world.restart(after=60)
    world.advance(60)
    assert world.starts("b") == []


# --- missed runs, once more


def test_a_catch_up_that_is_hurried_runs_once_and_leaves_the_interrupted_run_on_offer() -> None:
    hourly = cron("a", "0 * * * *", catch_up=CatchUp.ALL)
    world = World(hourly, now=NOON - 60)
    world.lasts["a"] = 100
    world.advance(70)
    kept = world.last
    world.kill()
    world = World(task("z"), now=NOON + HOUR + 600, workers=1)
    world.lasts["z"] = 100
    world.dispatcher.run_now("z")
    world.run()
    world.dispatcher.schedule(hourly, memory=kept)
    assert world.status("a").state is State.READY
    world.dispatcher.run_now("a")
    world.advance(200)
    assert world.starts("a") == ["13:00:00"]
    assert world.last["a"].interrupted is not None


def test_deciding_again_while_a_catch_up_is_ready_counts_nothing_twice() -> None:
    hourly = cron("a", "0 * * * *")
    kept = World(hourly, now=NOON - 60).last
    world = World(task("z"), now=NOON + 4 * HOUR + 600, workers=1)
    world.lasts["z"] = 100
    world.dispatcher.run_now("z")
    world.run()
    world.dispatcher.schedule(hourly, memory=kept)
    missed = world.status("a").missed
    world.dispatcher.decide("a", CatchUp.ALL)
    world.dispatcher.decide("a", CatchUp.LATEST)
    world.advance(200)
    assert len(world.starts("a")) + sum(event.run.count for event in world.of(RunSkipped)) == missed == 5


def test_what_was_missed_by_a_clock_that_went_back_runs_neither_early_nor_twice() -> None:
    world = World(every("a", 60)).restart(after=1800)
    world.set_clock(-1200)
    world.dispatcher.decide("a", CatchUp.ALL)
    world.advance(1500)
    keys = [(run.scheduled_for, run.generation) for run in world.performed]
    assert len(keys) == len(set(keys))
    assert not [event for event in world.of(RunStarted) if event.run.scheduled_for > event.at]


def test_a_start_that_was_decided_by_the_old_clock_is_no_second_start_by_the_new_one() -> None:
    catching_up = every("a", 60, catch_up=CatchUp.ALL)
    world = World(catching_up, task("z"), workers=1)
    world.lasts["z"] = 100_000
    world.dispatcher.run_now("z")
    world.advance(65)
    world.suspend(600)
    world.set_clock(-1200)
    world = world.restart(catching_up, after=1)
    world.advance(1800)
    keys = [(run.scheduled_for, run.generation) for run in world.performed]
    assert len(keys) == len(set(keys))
    assert len({run.generation for run in world.performed}) == 2


def test_a_round_that_ends_at_the_instant_of_the_armed_start_is_no_second_start_of_it() -> None:
    child = after("b", "a", schedule=At(datetime.fromtimestamp(NOON + 120, UTC)), overlap=Overlap.PARALLEL)
    world = World(every("a", 60), child)
    world.advance(300)
    instants = [run.scheduled_for for run in world.performed if run.task_id == "b"]
    assert len(instants) == len(set(instants)) >= 4


def test_a_pause_over_a_restart_is_a_pause_all_the_same() -> None:
    paused = every("a", 60, catch_up=CatchUp.LATEST)
    world = World(paused)
    world.dispatcher.pause()
    world.advance(30)
    kept = world.last
    world.kill()
    world = World(now=NOON + 600)
    world.dispatcher.pause()
    world.dispatcher.schedule(paused, memory=kept)
    world.advance(100)
    world.dispatcher.resume()
    world.run()
    assert world.starts("a") == []


def test_random_delays_longer_than_the_interval_double_nothing_over_a_restart() -> None:
    delayed = every("a", 10, random_delay=100.0, overlap=Overlap.PARALLEL, catch_up=CatchUp.ALL, grace=0.0)
    world = World(delayed).restart(after=600)
    world.advance(300)
    assert len(world.starts("a")) == len(set(world.starts("a")))


def test_a_zone_change_arms_a_task_that_had_no_next_start() -> None:
    world = World(cron("a", "0 * * * *", not_after=datetime.fromtimestamp(NOON + 3000, UTC)))
    assert world.due("a") is None
    world.clock.place = ZoneInfo("Asia/Kolkata")
    world.run()
    assert world.status("a").due == NOON + 1800


# --- max_runs and sweeps, once more


def test_of_several_late_starts_no_more_happen_than_max_runs_allows() -> None:
    world = World(every("a", 60, max_runs=1, overlap=Overlap.PARALLEL, grace=600.0)).restart(after=300)
    world.advance(10)
    assert len(world.starts("a")) == 1


def test_starts_that_were_taken_back_do_not_count_for_max_runs() -> None:
    world = World(every("a", 60, max_runs=2, overlap=Overlap.REPLACE), task("z"), workers=1)
    world.lasts["z"] = 300
    world.dispatcher.run_now("z")
    world.advance(900)
    assert len(world.starts("a")) == 2


@pytest.mark.parametrize("change", ["root removed", "edge taken away"])
def test_a_sweep_comes_to_its_end_whatever_is_done_to_its_members(change: str) -> None:
    world = World(task("a"), after("b", "a"), after("c", "b"))
    world.lasts["a"] = 30
    world.dispatcher.run_now("a", downstream=True)
    world.run()
    if change == "root removed":
        world.dispatcher.remove("a")
    else:
        world.dispatcher.replace(task("b"))
    world.advance(60)
    decided = {event.run.task_id for event in world.events if isinstance(event, RunStarted | RunSkipped)}
    assert {"b", "c"} <= decided


def test_run_now_on_what_waits_for_its_next_attempt_makes_that_attempt_now() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=600)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.advance(10)
    world.dispatcher.run_now("a")
    world.run()
    assert [(run.id, run.attempt) for run in world.performed] == [(1, 1), (1, 2)]
    assert world.story()[-1] == "12:00:10 a succeeded"


def test_following_another_list_is_all_or_nothing() -> None:
    world = World(task("a"), after("b", "a"), task("gone"))
    with pytest.raises(CycleError):
        world.dispatcher.follow([after("a", "b"), after("b", "a")])
    assert sorted(one.id for one, _ in world.dispatcher.tasks()) == ["a", "b", "gone"]
    world.dispatcher.follow([after("a", "b"), task("b"), task("c")])
    assert sorted(one.id for one, _ in world.dispatcher.tasks()) == ["a", "b", "c"]
    world.dispatcher.run_now("b")
    world.run()
    assert len(world.starts("a")) == 1


def test_tasks_are_told_in_the_order_of_the_list_remembered_or_not() -> None:
    world = World(every("b", 60))
    later = world.restart(*[every(name, 60) for name in "abc"])
    assert [event.task.id for event in later.of(TaskAdded)] == ["a", "b", "c"]


def test_a_child_hears_that_a_parent_is_back_that_remembers_its_past() -> None:
    parent, child = every("p", 60), task("c", waits_for=(Edge("p"),))
    world = World(parent, child)
    gone = world.dispatcher.follow([child])
    assert world.status("c").waiting == "waits for 'p', which is not on the list any more"
    world.dispatcher.follow([parent, child], memory=gone)
    assert world.status("c").waiting == "waits for 1 task"
