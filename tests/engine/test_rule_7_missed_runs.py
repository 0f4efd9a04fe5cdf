"""DESIGN §5, rule 7: missed runs all / latest / skip / ask, with grace; interrupted runs; restarts."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktopsched.engine.events import RunsMissed
from desktopsched.model import At, CatchUp, Cause, Overlap, State
from tests.engine.world import NOON, World, after, cron, every, task

HOUR = 3600.0


def off(hours: float, *tasks: object) -> World:
    """A program that knew the tasks, was closed at noon and is started some hours later."""
    return World(*tasks).restart(after=hours * HOUR)  # type: ignore[arg-type]


def test_catch_up_all_runs_each_oldest_first_one_at_a_time() -> None:
    world = World(every("a", HOUR, catch_up=CatchUp.ALL))
    world.lasts["a"] = 10
    world = world.restart(after=4.5 * HOUR)
    world.advance(60)
    assert [line for line in world.story() if "start" in line] == [
        "16:30:00 a start 13:00:00 catch-up",
        "16:30:10 a start 14:00:00 catch-up",
        "16:30:20 a start 15:00:00 catch-up",
        "16:30:30 a start 16:00:00 catch-up",
    ]


def test_a_catch_up_that_is_cut_off_goes_on_at_the_next_launch_with_what_is_left() -> None:
    world = World(every("a", HOUR, catch_up=CatchUp.ALL))
    world.lasts["a"] = 10
    world = world.restart(after=3.5 * HOUR).restart(after=1)
    world.advance(60)
    assert world.starts("a") == ["14:00:00", "15:00:00"]
    assert world.story()[0] == (
        "15:30:01 a failed: interrupted: the program or the computer stopped while it ran"
    )


def test_m05_catch_up_latest_runs_once_for_the_last_and_counts_the_rest() -> None:
    world = off(8.5, every("a", HOUR, catch_up=CatchUp.LATEST))
    assert world.story() == [
        "20:30:00 a skipped ×7: missed: Desktopsched was closed from 12:00 to 20:30, a later one runs instead",
        "20:30:00 a start 20:00:00 catch-up",
        "20:30:00 a succeeded",
    ]
    assert world.due("a") == "21:00:00"


def test_catch_up_latest_is_content_with_a_late_start() -> None:
    world = off(8.001, every("a", HOUR, catch_up=CatchUp.LATEST))
    assert world.story() == [
        "20:00:03 a skipped ×7: missed: Desktopsched was closed from 12:00 to 20:00, a later one runs instead",
        "20:00:03 a start 20:00:00",
        "20:00:03 a succeeded",
    ]


def test_without_any_grace_a_start_on_time_is_not_missed() -> None:
    world = World(every("a", 60, catch_up=CatchUp.SKIP, grace=0.0))
    for _ in range(5):
        world.advance(59.9)
        world.suspend(0.1003)
    assert len(world.performed) == 5


def test_m22_catch_up_skip_leaves_one_record_that_counts() -> None:
    world = off(3.5, every("a", HOUR, catch_up=CatchUp.SKIP))
    assert world.story() == ["15:30:00 a skipped ×3: missed: Desktopsched was closed from 12:00 to 15:30"]


def test_ask_loses_nothing_until_it_is_answered_and_future_runs_go_on() -> None:
    world = off(3.5, every("a", HOUR))
    assert world.performed == []
    assert world.status("a").missed == 3
    (asked,) = world.of(RunsMissed)
    assert (world.at(asked.first), world.at(asked.last), asked.count) == ("13:00:00", "15:00:00", 3)
    world.advance(HOUR)
    assert world.starts("a") == ["16:00:00"]
    assert world.status("a").missed == 3
    world = world.restart(after=2 * HOUR)
    assert world.status("a").missed == 5
    world.dispatcher.decide("a", CatchUp.ALL)
    world.run()
    assert world.starts("a") == ["13:00:00", "14:00:00", "15:00:00", "17:00:00", "18:00:00"]


@pytest.mark.parametrize(
    ("choice", "starts"),
    [(CatchUp.ALL, ["13:00:00", "14:00:00", "15:00:00"]), (CatchUp.LATEST, ["15:00:00"]), (CatchUp.SKIP, [])],
)
def test_the_answer_decides(choice: CatchUp, starts: list[str]) -> None:
    world = off(3.5, every("a", HOUR))
    world.dispatcher.decide("a", choice)
    world.run()
    assert world.starts("a") == starts
    assert world.status("a").missed == 0
    assert world.restart(after=60).status("a").missed == 0


def test_late_within_grace_is_not_missed() -> None:
    world = World(every("a", HOUR, catch_up=CatchUp.SKIP)).restart(after=HOUR + 60)
    assert world.story() == ["13:01:00 a start 13:00:00", "13:01:00 a succeeded"]
    world = World(every("a", HOUR, catch_up=CatchUp.SKIP)).restart(after=HOUR + 61)
    assert world.story() == ["13:01:01 a skipped: missed: Desktopsched was closed from 12:00 to 13:01"]


def test_of_several_late_ones_the_latest_starts_and_the_earlier_follow_overlap() -> None:
    world = World(every("a", 60, grace=600.0), every("p", 60, grace=600.0, overlap=Overlap.PARALLEL))
    world = world.restart(after=190)
    assert world.story("a") == [
        "12:03:10 a skipped ×2: a later start was due as well",
        "12:03:10 a start 12:03:00",
        "12:03:10 a succeeded",
    ]
    assert world.starts("p") == ["12:01:00", "12:02:00", "12:03:00"]


def test_m01_asleep_over_the_time_gives_one_run_after_waking() -> None:
    world = World(cron("a", "42 3 * * *", catch_up=CatchUp.LATEST))
    world.advance(13.9 * HOUR)
    world.suspend(7 * HOUR)
    assert world.starts("a") == ["06-03T03:42:00"]
    assert world.performed[0].cause is Cause.CATCH_UP
    assert world.due("a") == "06-04T03:42:00"


def test_k11_three_weeks_of_hibernation_give_one_run() -> None:
    world = World(cron("a", "42 3 * * *", catch_up=CatchUp.LATEST))
    world.suspend(21 * 24 * HOUR)
    assert world.starts("a") == ["06-23T03:42:00"]
    slept = "the computer slept from 02 Jun 2025 12:00 to 23 Jun 2025 12:00"
    assert world.story()[0].endswith(f"a skipped ×20: missed: {slept}, a later one runs instead")
    assert world.due("a") == "06-24T03:42:00"


def test_m02_missed_at_start_runs() -> None:
    world = off(9.7, cron("a", "0 16 * * *", catch_up=CatchUp.LATEST))
    assert world.starts("a") == ["16:00:00"]


@pytest.mark.parametrize(("policy", "runs"), [(CatchUp.LATEST, 1), (CatchUp.SKIP, 0)])
def test_m04_many_missed_do_not_all_run_on_waking(policy: CatchUp, runs: int) -> None:
    world = World(every("a", 60, catch_up=policy, grace=0.0))
    world.suspend(110 * 60 + 30)
    assert len(world.performed) == runs


def test_m06_a_failed_catch_up_is_not_caught_up_again() -> None:
    from tests.engine.world import FAIL

    world = World(cron("a", "5 * * * *", catch_up=CatchUp.ALL))
    world.suspend(3 * HOUR)
    world.outcomes["a"] = [FAIL] * 9
    world = world.restart(after=60)
    world.advance(60)
    assert world.starts("a") == []


def test_m09_asleep_before_the_time_runs_when_it_wakes() -> None:
    world = World(cron("a", "30 20 * * *", catch_up=CatchUp.LATEST))
    world.advance(8 * HOUR)
    world.suspend(12 * HOUR)
    assert world.starts("a") == ["20:30:00"]
    assert world.performed[0].scheduled_for == NOON + 8.5 * HOUR


def test_m10_a_task_that_suspends_the_computer_does_not_run_again_at_each_wake() -> None:
    world = World(cron("a", "0 2 * * *", catch_up=CatchUp.SKIP))
    world.advance(14 * HOUR)
    world.suspend(5 * HOUR)
    assert world.starts("a") == ["06-03T02:00:00"]
    world.suspend(24 * HOUR)
    assert len(world.starts("a")) == 1
    assert "skipped: missed" in world.story()[-1]


def test_m12_an_edit_of_the_schedule_never_runs_what_the_new_one_would_have_had() -> None:
    world = World(cron("a", "0 6 * * *", catch_up=CatchUp.ALL), now=NOON - 2 * HOUR)
    world.dispatcher.replace(cron("a", "0 * * * *", catch_up=CatchUp.ALL))
    world.run()
    assert world.performed == []
    assert world.due("a") == "11:00:00"


def test_m12_an_edit_while_the_program_is_closed_never_runs_what_the_new_one_would_have_had() -> None:
    world = World(cron("a", "0 6 * * *", catch_up=CatchUp.ALL), now=NOON - 2 * HOUR)
    world = world.restart(cron("a", "*/5 * * * *", name="new", catch_up=CatchUp.ALL), after=2 * HOUR)
    assert world.performed == []
    assert world.due("a") == "12:05:00"


def test_another_name_while_the_program_is_closed_changes_nothing() -> None:
    world = World(every("a", HOUR, catch_up=CatchUp.ALL))
    world = world.restart(every("a", HOUR, name="new", catch_up=CatchUp.ALL), after=2.5 * HOUR)
    assert world.starts("a") == ["13:00:00", "14:00:00"]


def test_m13_enabling_never_runs_what_it_would_have_run() -> None:
    world = World(cron("a", "@daily", catch_up=CatchUp.ALL, enabled=False))
    world.advance(59 * HOUR)
    world.dispatcher.replace(cron("a", "@daily", catch_up=CatchUp.ALL))
    world.run()
    assert world.performed == []
    assert world.due("a") == "06-05T00:00:00"


def test_m13_enabled_by_hand_in_the_file_while_closed_runs_nothing() -> None:
    world = World(cron("a", "@hourly", catch_up=CatchUp.ALL, enabled=False))
    world = world.restart(cron("a", "@hourly", catch_up=CatchUp.ALL), after=5 * HOUR)
    assert world.performed == []


def test_m14_a_start_a_little_late_is_never_lost() -> None:
    world = World(cron("a", "0 16 * * *", catch_up=CatchUp.SKIP))
    world.advance(4 * HOUR - 0.1)
    world.suspend(1.0)
    world.advance(5)
    assert world.starts("a") == ["16:00:00"]


def test_m16_a_run_cut_off_is_recorded_interrupted_and_offered_again() -> None:
    world = World(every("a", HOUR), after("b", "a"))
    world.lasts["a"] = 600
    world.advance(HOUR + 10)
    world = world.restart(after=10)
    assert world.story() == [
        "13:00:20 a failed: interrupted: the program or the computer stopped while it ran",
        "13:00:20 b skipped: a failed",
    ]
    assert world.performed == []
    world.dispatcher.decide("a", CatchUp.SKIP, rerun=True)
    world.run()
    assert world.starts("a") == ["13:00:00"]


def test_m17_a_missed_run_and_a_punctual_one_are_two_runs_of_two_instants() -> None:
    world = World(every("a", HOUR, catch_up=CatchUp.ALL)).restart(after=2 * HOUR)
    assert world.starts("a") == ["14:00:00", "13:00:00"]
    world.advance(HOUR)
    assert world.starts("a") == ["14:00:00", "13:00:00", "15:00:00"]


def test_m18_a_run_that_ends_after_the_next_instant_does_not_hide_it() -> None:
    world = World(every("a", HOUR, overlap=Overlap.QUEUE))
    world.lasts["a"] = HOUR + 5
    world.advance(2 * HOUR + 10)
    assert world.starts("a") == ["13:00:00", "14:00:00"]


def test_m21_a_one_shot_in_the_past_runs_once_by_policy_and_never_twice() -> None:
    one = task("a", schedule=At(datetime.fromtimestamp(NOON + HOUR, UTC)), catch_up=CatchUp.LATEST)
    world = World(one).restart(after=2 * HOUR)
    assert world.starts("a") == ["13:00:00"]
    world = world.restart(after=300)
    world.advance(HOUR)
    assert world.performed == []
    assert world.status("a").state is State.SUCCEEDED


def test_a_new_one_shot_whose_time_is_over_says_so() -> None:
    world = World(task("a", schedule=At(datetime.fromtimestamp(NOON - HOUR, UTC)), catch_up=CatchUp.ALL))
    assert world.story() == ["12:00:00 a skipped: its time was over when the task was first seen"]


def test_the_first_run_of_a_new_task_is_never_missed() -> None:
    world = World(every("a", HOUR, catch_up=CatchUp.ALL), cron("b", "0 * * * *", catch_up=CatchUp.ALL))
    assert world.performed == []
    assert world.of(RunsMissed) == []


def test_m24_two_years_of_minutes_are_counted_quickly_and_at_most_a_thousand_run() -> None:
    began = time.process_time()
    world = World(cron("a", "* * * * *", catch_up=CatchUp.ALL)).restart(after=2 * 365 * 24 * HOUR)
    assert time.process_time() - began < 20
    assert len(world.performed) <= 1001
    assert "more than 1,000 are not run" in world.story()[0]


def test_m25_a_jump_of_a_day_gives_each_of_fifty_daily_tasks_one_run() -> None:
    world = World(*(cron(f"t{i}", f"{i} 3 * * *", catch_up=CatchUp.LATEST) for i in range(50)))
    world.set_clock(24 * HOUR)
    world.advance(60)
    assert sorted(run.task_id for run in world.performed) == sorted(f"t{i}" for i in range(50))


def test_catch_up_never_moves_the_schedule() -> None:
    world = off(3.5, every("a", HOUR, catch_up=CatchUp.ALL))
    world.advance(HOUR)
    assert world.starts("a") == ["13:00:00", "14:00:00", "15:00:00", "16:00:00"]
    assert world.due("a") == "17:00:00"


def test_an_edit_drops_what_was_owed_with_a_record() -> None:
    world = off(3.5, every("a", HOUR))
    world.dispatcher.replace(every("a", 2 * HOUR))
    assert world.status("a").missed == 0
    assert world.story() == [
        "15:30:00 a skipped ×3: missed: Desktopsched was closed from 12:00 to 15:30, and the task was changed"
    ]


def test_a_random_delay_moves_the_start_and_not_the_due_instant() -> None:
    world = World(every("a", HOUR, random_delay=600.0, catch_up=CatchUp.SKIP, grace=0.0))
    for _ in range(24):
        world.advance(HOUR)
    assert [run.scheduled_for for run in world.performed] == [
        NOON + HOUR * k for k in range(1, len(world.performed) + 1)
    ]
    assert len(world.performed) >= 23


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(["advance", "suspend", "restart"]), st.integers(1, 20_000)), max_size=8
    ),
    st.sampled_from(list(CatchUp)),
    st.sampled_from(list(Overlap)),
    st.integers(0, 900),
)
def test_every_due_instant_ends_in_exactly_one_way(
    steps: list[tuple[str, int]], policy: CatchUp, overlap: Overlap, lasts: int
) -> None:
    """Started, counted in a record, or still to be decided: no due instant is lost, and none starts twice."""
    world = World(every("a", 600, catch_up=policy, overlap=overlap))
    started: list[float] = []
    skipped = 0
    for step, seconds in steps:
        world.lasts["a"] = lasts
        if step == "restart":
            started += [run.scheduled_for for run in world.performed]
            skipped += sum(_counted(world))
            world = world.restart(after=seconds)
        else:
            getattr(world, step)(seconds)
    started += [run.scheduled_for for run in world.performed]
    skipped += sum(_counted(world))
    assert len(started) == len(set(started))
    due = int((world.clock.time - NOON) // 600)
    open_ = _still_open(world)
    assert len(started) + skipped + open_ == due


def _counted(world: World) -> list[int]:
    from desktopsched.engine.events import RunFinished, RunSkipped

    never_started = [
        e
        for e in world.of(RunFinished)
        if e.outcome.state is State.CANCELLED and e.run not in world.performed
    ]
    never_started = [e for e in never_started if all(e.run.id != run.id for run in world.performed)]
    return [event.run.count for event in world.of(RunSkipped)] + [1 for _ in never_started]


def _still_open(world: World) -> int:
    """Due instants that are owed, wait for a worker or in the queue, or passed during the run under way."""
    slot = world.dispatcher._agenda.board.slots["a"]
    owed = sum(one.count for one in slot.owed) - sum(
        not live.begun for live in slot.live if live.run.cause is Cause.CATCH_UP
    )
    waiting = sum(not live.begun for live in slot.live)
    passed = 0 if slot.ticket else int((world.clock.time - NOON) // 600) - round((slot.cursor - NOON) / 600)
    queued = slot.queued is not None and slot.queued.run.scheduled_for <= slot.cursor
    return owed + waiting + passed + queued


def test_what_waits_for_an_answer_says_its_first_and_last_due_instant() -> None:
    world = off(8.5, every("a", HOUR)).restart(after=2 * HOUR)
    status = world.status("a")
    assert status.missed == 10
    assert world.at(status.missed_first) == "13:00:00"
    assert world.at(status.missed_last) == "22:00:00"
    world.dispatcher.decide("a", CatchUp.SKIP)
    assert (world.status("a").missed_first, world.status("a").missed_last) == (None, None)


def test_the_first_of_more_than_is_looked_at_is_the_true_first() -> None:
    world = off(1_500, every("a", HOUR))
    assert world.at(world.status("a").missed_first) == world.at(NOON + HOUR)


def test_an_interrupted_run_is_told_with_the_last_sign_of_life_before_it() -> None:
    world = World(every("a", HOUR), every("b", HOUR / 2))
    world.lasts["a"] = 10_000
    world.advance(1.75 * HOUR)
    world = world.restart(after=8 * HOUR)
    status = world.status("a")
    assert (status.interrupted.task_id, world.at(status.interrupted_at)) == ("a", "13:30:00")
    world.dispatcher.decide("a", CatchUp.ASK)
    assert (world.status("a").interrupted, world.status("a").interrupted_at) == (None, None)
