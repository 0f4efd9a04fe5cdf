"""The small sentences of DESIGN §5 that no larger test would miss: each was found by taking it away."""

from datetime import UTC, datetime

import pytest
from msgspec import structs

from desktopsched.engine.events import RunFinished, RunSkipped, TaskChanged
from desktopsched.model import (
    After,
    At,
    CatchUp,
    Cause,
    Command,
    Cron,
    Join,
    On,
    OnFailure,
    Outcome,
    Overlap,
    Retry,
    State,
)
from tests.engine.world import FAIL, NOON, World, after, cron, every, task

HOUR = 3600.0


def busy_world(*tasks: object, seconds: float = 100.0) -> World:
    """One worker, and it is taken."""
    world = World(task("busy"), *tasks, workers=1)  # type: ignore[arg-type]
    world.lasts["busy"] = seconds
    world.dispatcher.run_now("busy")
    world.run()
    return world


# --- rules 2 and 3


def test_of_equal_priority_what_was_due_earlier_starts_earlier() -> None:
    world = busy_world(every("late", 20), every("early", 10, overlap=Overlap.PARALLEL))
    world.advance(25)
    world.advance(80)
    started = [run.task_id for run in world.performed if run.task_id != "busy"]
    assert started[:3] == ["early", "late", "early"]


def test_a_new_priority_counts_for_the_start_that_is_armed() -> None:
    world = World(every("a", 10), every("b", 10), workers=1)
    world.dispatcher.replace(every("b", 10, priority=5))
    world.suspend(10)
    assert [run.task_id for run in world.performed] == ["b", "a"]


def test_a_pause_holds_what_is_ready_and_leaves_what_was_started_by_hand() -> None:
    world = busy_world(every("a", 10), task("b"))
    world.advance(10)
    world.dispatcher.run_now("b")
    world.run()
    world.dispatcher.pause()
    world.advance(200)
    assert world.starts("a") == []
    assert len(world.starts("b")) == 1
    world.dispatcher.resume()
    world.run()
    assert world.starts("a") == ["12:00:10"]


def test_a_single_start_that_came_due_in_a_pause_happens_at_its_end() -> None:
    world = World(task("a", schedule=At(datetime.fromtimestamp(NOON + 10, UTC)), catch_up=CatchUp.LATEST))
    world.dispatcher.pause()
    world.advance(HOUR)
    world.dispatcher.resume()
    world.run()
    assert world.starts("a") == ["12:00:10"]


def test_a_stop_ends_the_start_that_waits_in_the_queue_too() -> None:
    world = World(every("a", 60, overlap=Overlap.QUEUE))
    world.lasts["a"] = 90
    world.advance(65)
    world.dispatcher.run_now("a")
    world.advance(60)
    world.dispatcher.cancel("a")
    world.advance(30)
    assert [line for line in world.story() if "cancelled" in line] == [
        "12:02:05 a cancelled: stopped by you",
        "12:02:05 a cancelled: stopped by you",
    ]
    assert world.starts("a") == ["12:01:00"]


def test_removing_a_task_drops_what_waits_and_leaves_what_runs() -> None:
    world = World(every("a", 60, overlap=Overlap.QUEUE))
    world.lasts["a"] = 90
    world.advance(125)
    world.dispatcher.remove("a")
    world.advance(200)
    assert [type(event) for event in world.events if isinstance(event, RunFinished)] == [RunFinished]
    assert world.starts("a") == ["12:01:00"]


def test_a_run_of_a_removed_task_is_stopped_with_all_others() -> None:
    world = World(task("a"), task("b"))
    world.lasts |= {"a": 300, "b": 300}
    for one in ("a", "b"):
        world.dispatcher.run_now(one)
    world.run()
    world.dispatcher.remove("a")
    world.dispatcher.stop_runs("the program was closed")
    world.run()
    ends = {event.run.task_id: event.outcome for event in world.events if isinstance(event, RunFinished)}
    closed = Outcome(State.CANCELLED, "the program was closed")
    assert ends == {"a": closed, "b": closed}


def test_a_failed_run_of_a_removed_task_is_neither_retried_nor_disables_anything() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=1), on_failure=OnFailure.PAUSE))
    world.lasts["a"] = 10
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.run()
    world.dispatcher.remove("a")
    world.advance(60)
    assert world.story()[-1] == "12:00:10 a failed: exit code 1"
    assert world.last == {}


# --- rule 5


def test_an_attempt_that_fails_after_the_task_was_disabled_is_the_last() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=1)))
    world.lasts["a"] = 10
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.run()
    world.dispatcher.replace(task("a", enabled=False, retry=Retry(attempts=3, delay=1)))
    world.advance(60)
    assert len(world.performed) == 1


def test_what_a_performer_calls_a_failure_after_a_stop_is_cancelled() -> None:
    world = World(task("a"))
    world.dispatcher._hands._perform = lambda task, run: (run.stop.request("stopped by you"), FAIL)[1]
    world.dispatcher.run_now("a")
    world.run()
    assert world.story()[-1] == "12:00:00 a cancelled: stopped by you"


def test_a_pending_retry_of_a_task_that_was_disabled_meanwhile_is_not_recalled() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=60)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.advance(10)
    world = world.restart(task("a", enabled=False, retry=Retry(attempts=3, delay=60)), after=5)
    world.advance(100)
    assert world.story() == ["12:00:15 a cancelled: the task was disabled"]


def test_retries_count_once_for_max_runs() -> None:
    world = World(every("a", 60, max_runs=2, retry=Retry(attempts=2, delay=1)))
    world.outcomes["a"] = [FAIL, FAIL]
    world.advance(600)
    assert world.starts("a") == ["12:01:00", "12:02:00"]


# --- rule 6


def test_a_disabled_child_is_told_nothing() -> None:
    world = World(every("a", 60), after("b", "a", enabled=False))
    world.outcomes["a"] = [FAIL]
    world.advance(200)
    assert world.story("b") == []


def test_a_child_that_is_armed_is_not_armed_twice() -> None:
    world = World(every("a", 60), after("b", "a", schedule=Cron("*/30 * * * *")))
    world.advance(HOUR + 30)
    assert world.starts("b") == ["12:30:00", "13:00:00"]


def test_disabling_a_child_forgets_the_start_that_it_was_armed_for() -> None:
    child = after("b", "a", schedule=After(delay=100))
    world = World(task("a"), child)
    world.dispatcher.run_now("a")
    world.run()
    world.dispatcher.replace(structs.replace(child, enabled=False))
    assert world.last["b"].armed == ()
    world.dispatcher.replace(child)
    world.advance(200)
    assert world.starts("b") == []


def test_two_rounds_that_end_at_one_reading_of_the_clock_are_two_starts() -> None:
    world = World(task("a"), after("b", "a", overlap=Overlap.PARALLEL))
    for _ in range(2):
        world.dispatcher.run_now("a")
        world.run()
    instants = [run.scheduled_for for run in world.performed if run.task_id == "b"]
    assert len(set(instants)) == 2


@pytest.mark.parametrize(("policy", "runs"), [(CatchUp.SKIP, 0), (CatchUp.LATEST, 1), (CatchUp.ASK, 1)])
def test_the_start_of_a_child_that_sleep_made_late_follows_its_policy(policy: CatchUp, runs: int) -> None:
    world = World(task("a"), after("b", "a", schedule=Cron("0 13 * * *"), catch_up=policy))
    world.dispatcher.run_now("a")
    world.run()
    world.suspend(2 * HOUR)
    assert len(world.starts("b")) == runs
    assert len(world.of(RunSkipped)) == 1 - runs


def test_run_now_with_everything_after_it_leaves_disabled_tasks_out() -> None:
    world = World(task("a"), after("b", "a", enabled=False), after("c", "b"), after("d", "a"))
    world.dispatcher.run_now("a", downstream=True)
    world.run()
    assert [run.task_id for run in world.performed] == ["a", "d"]


def test_in_a_downstream_run_join_any_runs_once_and_skips_only_when_none_fits() -> None:
    tasks = (task("a"), after("b", "a"), after("c", "a", on=On.FAILURE))
    world = World(*tasks, after("any", "b", "c", join=Join.ANY))
    world.dispatcher.run_now("a", downstream=True)
    world.run()
    assert [run.task_id for run in world.performed] == ["a", "b", "any"]
    world = World(*tasks, after("any", "b", "c", on=On.FAILURE, join=Join.ANY))
    world.dispatcher.run_now("a", downstream=True)
    world.run()
    assert world.story("any")[0].split(" ", 1)[1].startswith("any skipped")


def test_after_a_restart_a_skip_that_was_not_told_is_told() -> None:
    """The marks of a round were stored by an older program that died before it told what follows from them."""
    world = World(task("a"), task("p"), after("b", "a", "p"))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.run()
    marks = {"b": {"a": structs.replace(world.marks["b"]["a"], told=False)}}
    tasks = [one for one, _ in world.dispatcher.tasks()]
    again = World(*tasks, memory=world.last, marks=marks, first_run=100)
    assert again.story("b") == ["12:00:00 b skipped: a failed"]


def test_a_child_outside_its_bounds_is_skipped_with_the_reason() -> None:
    ended = datetime.fromtimestamp(NOON + 100, UTC)
    world = World(task("a"), after("b", "a", not_after=ended), after("c", "a", max_runs=1))
    for _ in range(2):
        world.dispatcher.run_now("a")
        world.advance(101)
    assert [line.split(" ", 1)[1] for line in world.story("b", "c") if "skipped" in line] == [
        "b skipped: its last day is over",
        "c skipped: it ran 1 times, as often as it may",
    ]


# --- rules 7 and 9


def test_exactly_a_thousand_missed_runs_are_run() -> None:
    world = World(every("a", 60, catch_up=CatchUp.ALL)).restart(after=1000 * 60 + 120 + 1)
    assert len([run for run in world.performed if run.cause is Cause.CATCH_UP]) == 1000


def test_a_disabled_task_catches_nothing_up_and_its_answer_is_kept_for_the_history() -> None:
    hourly = every("a", HOUR)
    world = World(hourly).restart(after=3.5 * HOUR)
    world.dispatcher.replace(structs.replace(hourly, enabled=False))
    world.dispatcher.decide("a", CatchUp.ALL)
    world.advance(60)
    assert world.performed == []
    assert world.story() == [
        "15:30:00 a skipped ×3: missed: Desktopsched was closed from 12:00 to 15:30, and the task was changed"
    ]


def test_a_start_whose_random_delay_is_not_over_has_not_passed() -> None:
    delayed = cron("a", "0 13 * * *", random_delay=HOUR, catch_up=CatchUp.SKIP)
    world = World(delayed)
    due = world.status("a").due
    world = world.restart(delayed, after=HOUR + 1)
    assert world.status("a").due == due
    assert world.story() == []


def test_a_zone_change_starts_nothing_that_the_other_zone_would_have_had() -> None:
    from zoneinfo import ZoneInfo

    world = World(cron("a", "0 13 * * *"))
    world.clock.place = ZoneInfo("Asia/Tokyo")  # it is 21:00 there: 13:00 was eight hours ago
    world.advance(60)
    assert world.performed == []
    assert world.due("a") == "06-03T13:00:00"


@pytest.mark.parametrize(("step", "told"), [(1.9, 0), (2.1, 1), (-1.9, 0), (-2.1, 1)])
def test_a_clock_that_drifts_was_not_set(step: float, told: int) -> None:
    world = World(every("a", HOUR))
    world.set_clock(step)
    assert sum(type(event).__name__ == "ClockChanged" for event in world.events) == told


def test_an_edit_of_a_bound_is_an_edit_of_the_timing() -> None:
    world = World(every("a", 60))
    world.dispatcher.replace(every("a", 60, not_before=datetime.fromtimestamp(NOON + 600, UTC)))
    assert world.due("a") == "12:10:00"


def test_a_skipped_start_does_not_hide_how_the_run_before_it_goes() -> None:
    world = World(every("a", 60))
    world.lasts["a"] = 90
    world.advance(150)
    world.dispatcher.run_now("a")
    world.advance(45)
    world.dispatcher.run_now("a")
    world.run()
    status = world.status("a")
    assert status.state is State.RUNNING
    assert status.outcome == Outcome(State.SUCCEEDED)


def test_what_is_only_ready_was_not_interrupted() -> None:
    world = busy_world(every("a", 10, catch_up=CatchUp.SKIP))
    world.advance(12)
    assert [event.status.state for event in world.of(TaskChanged) if event.task_id == "a"][-1] is State.READY
    world = world.restart(after=1)
    world.advance(2)
    assert not any("interrupted" in line for line in world.story("a"))


# --- a run by hand that performs something else


def test_a_run_with_other_arguments_performs_them_in_each_attempt_and_once() -> None:
    other = Command(argv=("other",))
    hourly = every("a", 60, retry=Retry(attempts=2, delay=5))
    world = World(hourly)
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a", instead=other)
    world.advance(61)
    assert world.actions["a"] == [other, other, hourly.action]


def test_a_run_with_other_arguments_is_not_the_one_that_waits_already() -> None:
    world = busy_world(task("a", overlap=Overlap.PARALLEL))
    first = world.dispatcher.run_now("a")
    second = world.dispatcher.run_now("a", instead=Command(argv=("other",)))
    assert first != second
    world.advance(200)
    assert [run.instead is None for run in world.performed if run.task_id == "a"] == [True, False]


def test_an_interrupted_run_with_other_arguments_starts_again_with_them() -> None:
    other = Command(argv=("other",))
    world = World(task("a"))
    world.lasts["a"] = 100
    world.dispatcher.run_now("a", instead=other)
    world.advance(10)
    world = world.restart(after=60)
    world.dispatcher.decide("a", CatchUp.SKIP, rerun=True)
    world.advance(10)
    assert world.performed[-1].instead == other
