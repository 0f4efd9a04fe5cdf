"""Nobody was there: the computer slept, the program was closed, the clock was set or is wrong. What waits, and why."""

from datetime import UTC, datetime

import pytest
from msgspec import structs

from desktopsched.engine.events import Absent, ClockDoubted, ClockTrusted, RunSkipped, RunsMissed
from desktopsched.model import At, CatchUp, Every
from tests.engine.world import NOON, World, cron, every, task

HOUR, DAY = 3600.0, 86_400.0
SETTLE = 30.0


def hourly(task_id: str, catch_up: CatchUp = CatchUp.LATEST, **more: object) -> object:
    return cron(task_id, "0 * * * *", catch_up=catch_up, **more)


def reasons(world: World) -> list[str]:
    return [event.outcome.reason for event in world.of(RunSkipped)]


# --- why


def test_what_was_missed_in_a_sleep_says_from_when_to_when_it_lasted() -> None:
    world = World(hourly("a", CatchUp.SKIP))  # type: ignore[arg-type]
    world.advance(600)
    world.suspend(2.5 * HOUR)
    assert reasons(world) == ["missed: the computer slept from 12:10 to 14:40"]
    assert world.of(Absent)[0].absence.ended - world.of(Absent)[0].absence.began == 2.5 * HOUR


def test_what_was_missed_while_the_program_was_closed_says_so_and_names_the_day() -> None:
    world = World(hourly("a", CatchUp.SKIP))  # type: ignore[arg-type]
    world = world.restart(after=DAY)
    assert reasons(world) == ["missed: Desktopsched was closed from Mon 12:00 to Tue 12:00"]


def test_what_was_missed_by_a_clock_that_was_set_forward_says_so() -> None:
    world = World(hourly("a", CatchUp.SKIP))  # type: ignore[arg-type]
    world.set_clock(3.5 * HOUR)
    assert reasons(world) == ["missed: the clock was set forward from 12:00 to 15:30"]


def test_the_answer_of_the_person_stands_beside_the_reason_over_a_restart() -> None:
    world = World(hourly("a", CatchUp.ASK))  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    assert world.of(RunsMissed)[0].absence.why == "the computer slept"
    world = world.restart(after=60)
    world.dispatcher.decide("a", CatchUp.SKIP)
    assert reasons(world) == ["missed: the computer slept from 12:00 to 14:30, skipped by you"]


def test_what_was_missed_while_nobody_was_away_gives_no_reason() -> None:
    world = World(hourly("a", CatchUp.SKIP))  # type: ignore[arg-type]
    world.clock.advance(2.5 * HOUR)  # nobody ran: a debugger, a machine at its limits
    world.run()
    assert reasons(world) == ["missed"]


# --- the delay after a sleep


def test_a_second_sleep_before_the_computer_has_settled_begins_the_wait_anew() -> None:
    world = World(hourly("a"), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    world.advance(10)
    world.suspend(0.25 * HOUR)
    world.advance(SETTLE - 1)
    assert world.starts("a") == []
    world.advance(1)
    assert world.starts("a") == ["14:00:00"]


def test_missed_runs_wait_until_the_computer_has_settled() -> None:
    world = World(hourly("a"), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    assert world.starts("a") == []
    world.advance(SETTLE)
    assert [line for line in world.story("a") if "start" in line] == ["14:30:30 a start 14:00:00 catch-up"]


def test_they_start_by_priority_and_one_after_the_other() -> None:
    world = World(*(hourly(name, priority=order) for order, name in enumerate("abc")), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    world.advance(SETTLE)
    assert [run.task_id for run in world.performed] == ["c"]
    world.advance(0.5)
    assert [run.task_id for run in world.performed] == ["c", "b"]
    world.advance(0.5)
    assert [run.task_id for run in world.performed] == ["c", "b", "a"]


def test_what_is_on_time_and_what_a_person_wants_is_not_held() -> None:
    world = World(hourly("a", CatchUp.ASK), every("b", 9_010), task("c"), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    world.dispatcher.run_now("c")
    world.dispatcher.decide("a", CatchUp.LATEST)
    world.advance(20)
    assert [run.task_id for run in world.performed] == ["a", "c", "b"]


def test_all_missed_runs_of_a_task_follow_each_other_after_the_delay() -> None:
    world = World(hourly("a", CatchUp.ALL), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(3.5 * HOUR)
    world.advance(SETTLE + 5)
    assert world.starts("a") == ["13:00:00", "14:00:00", "15:00:00"]


def test_a_task_that_is_removed_while_it_waits_holds_nobody_up() -> None:
    world = World(hourly("a", priority=9), hourly("b"), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    world.dispatcher.remove("a")
    world.advance(SETTLE)
    assert [run.task_id for run in world.performed] == ["b"]


def test_a_pause_in_the_delay_and_a_crash_in_it_lose_nothing() -> None:
    world = World(hourly("a"), settle=SETTLE)  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    world.dispatcher.pause()
    world.advance(SETTLE)
    assert world.starts("a") == []
    world.dispatcher.resume()
    world.run()
    assert world.starts("a") == ["14:00:00"]
    world.suspend(2 * HOUR)
    world = world.restart(after=1)
    world.advance(1)
    assert world.starts("a") == ["16:00:00"]


def test_without_a_delay_they_start_at_once() -> None:
    world = World(hourly("a"))  # type: ignore[arg-type]
    world.suspend(2.5 * HOUR)
    assert world.starts("a") == ["14:00:00"]


# --- a clock that is wrong: its battery is empty, it says 1 January 2000


YEAR_2000 = datetime(2000, 1, 1, tzinfo=UTC).timestamp()


def dead_battery(*tasks: object) -> World:
    """These tasks ran at noon; the computer starts again with a clock of long ago."""
    world = World(*tasks)  # type: ignore[arg-type]
    world.advance(HOUR + 60)
    return world.restart(after=YEAR_2000 - world.clock.time)


def test_a_clock_of_long_ago_is_not_believed_and_nothing_starts_by_it() -> None:
    world = dead_battery(hourly("a", CatchUp.ALL))
    assert [event.alive for event in world.of(ClockDoubted)] == [NOON + HOUR + 60]
    world.advance(3 * HOUR)
    assert world.performed == []
    assert world.of(RunsMissed) == []


def test_once_it_is_set_right_what_was_really_missed_follows_its_rule() -> None:
    world = dead_battery(hourly("a", CatchUp.ALL))
    world.advance(600)
    world.set_clock(NOON + 3 * HOUR + 300 - world.clock.time)
    assert len(world.of(ClockTrusted)) == 1
    world.advance(60)
    assert world.starts("a") == ["14:00:00", "15:00:00"]


@pytest.mark.parametrize("new", [every("new", 60, catch_up=CatchUp.ALL), hourly("new", CatchUp.ALL)])
def test_a_task_that_was_made_by_the_wrong_clock_has_not_missed_years(new: object) -> None:
    world = dead_battery(hourly("a"))
    world.dispatcher.schedule(new)  # type: ignore[arg-type]
    world.advance(5)
    world.set_clock(NOON + 3 * HOUR + 300 - world.clock.time)
    world.advance(120)
    assert len([run for run in world.performed if run.task_id == "new"]) <= 2
    assert all(event.task_id != "new" for event in world.of(RunsMissed))


def test_a_person_who_says_that_the_clock_is_right_is_believed() -> None:
    world = dead_battery(hourly("a", CatchUp.ALL), every("b", 600))
    world.dispatcher.trust_clock()
    assert world.dispatcher.doubted is None
    world.advance(HOUR)
    assert {run.task_id for run in world.performed} == {"a", "b"}
    world.dispatcher.trust_clock()
    assert len(world.of(ClockTrusted)) == 1


def test_a_single_time_that_is_long_past_for_the_right_clock_is_missed_and_not_lost() -> None:
    once = task("once", schedule=At(datetime.fromtimestamp(NOON + 2 * HOUR, UTC)), catch_up=CatchUp.LATEST)
    world = dead_battery(once)
    world.set_clock(NOON + 3 * HOUR - world.clock.time)
    world.advance(1)
    assert world.starts("once") == ["14:00:00"]


def test_a_few_hours_back_are_no_doubt() -> None:
    world = World(every("a", 600))
    world.advance(HOUR)
    world = world.restart(after=-5 * HOUR)
    assert world.of(ClockDoubted) == []
    assert world.dispatcher.doubted is None


def test_what_does_not_repeat_by_itself_is_not_touched_by_a_doubt() -> None:
    by_hand = structs.replace(every("a", 600), schedule=None)
    world = dead_battery(by_hand, task("b", schedule=Every(interval=60, start=None)))
    world.dispatcher.run_now("a")
    world.run()
    assert [run.task_id for run in world.performed] == ["a"]
