"""DESIGN §5, rule 9: the clock is set, the zone changes, the computer sleeps. (Rule 10, daylight saving: test_cron.)"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from desktopsched.engine.events import ClockChanged, ZoneChanged
from desktopsched.model import At, CatchUp, Cron, Every, Retry, State
from tests.engine.world import FAIL, NOON, World, cron, every, task

HOUR = 3600.0


def test_k01_after_a_clock_set_back_wildcard_cron_goes_on_within_a_minute() -> None:
    world = World(cron("a", "* * * * *"))
    world.advance(600)
    world.set_clock(-12 * HOUR)
    before = len(world.performed)
    world.advance(60)
    assert len(world.performed) == before + 1
    assert world.performed[-1].generation == 1


def test_i07_after_a_clock_set_back_an_interval_goes_on_by_the_new_clock() -> None:
    world = World(every("a", 5))
    world.advance(100)
    world.set_clock(-HOUR)
    before = len(world.performed)
    world.advance(5)
    assert len(world.performed) == before + 1


def test_i07_an_interval_goes_on_over_a_restart_though_its_start_lies_ahead_now() -> None:
    begin = datetime.fromtimestamp(NOON, UTC)
    world = World(task("a", schedule=Every(interval=300, start=begin)))
    world.advance(1000)
    world.set_clock(-HOUR)
    world.advance(600)
    world = world.restart(after=1)
    world.advance(600)
    assert world.starts("a") == ["11:30:00", "11:35:00"]


def test_a_start_that_is_still_to_come_waits_through_a_step_back() -> None:
    begin = datetime.fromtimestamp(NOON + 2 * HOUR, UTC)
    world = World(task("a", schedule=Every(interval=300, start=begin)))
    world.advance(100)
    world.set_clock(-HOUR)
    world.dispatcher.replace(task("a", schedule=Every(interval=60, start=begin)))
    world.advance(HOUR)
    assert world.performed == []
    assert world.due("a") == "14:00:00"


def test_starts_of_one_due_instant_before_and_after_a_step_back_are_distinct() -> None:
    world = World(every("a", 60))
    world.advance(600)
    world.set_clock(-300)
    world.advance(600)
    keys = [(run.scheduled_for, run.generation) for run in world.performed]
    assert len(keys) == len(set(keys))
    assert len({run.scheduled_for for run in world.performed}) < len(keys)


def test_a_fixed_time_is_not_repeated_after_a_step_back_of_up_to_three_hours() -> None:
    world = World(cron("a", "0 13 * * *"))
    world.advance(1.5 * HOUR)
    world.set_clock(-2 * HOUR)
    world.advance(4 * HOUR)
    assert world.starts("a") == ["13:00:00"]


def test_after_a_step_back_of_over_three_hours_the_old_clock_was_wrong() -> None:
    world = World(cron("a", "0 13 * * *"))
    world.advance(1.5 * HOUR)
    world.set_clock(-5 * HOUR)
    world.advance(6 * HOUR)
    assert world.starts("a") == ["13:00:00", "13:00:00"]


def test_a_small_step_back_repeats_nothing() -> None:
    world = World(every("a", 60))
    world.advance(61)
    world.set_clock(-1.5)
    world.advance(61)
    assert world.starts("a") == ["12:01:00", "12:02:00"]


def test_k02_a_jump_of_ten_years_gives_each_task_one_catch_up() -> None:
    world = World(*(every(f"t{i}", 1, catch_up=CatchUp.LATEST) for i in range(200)))
    world.set_clock(10 * 365 * 24 * HOUR)
    catch_ups = [run for run in world.performed if run.cause.value == "catch-up"]
    assert len(catch_ups) <= 200


def test_i05_ten_years_of_seconds_are_skipped_by_arithmetic() -> None:
    world = World(every("a", 1, catch_up=CatchUp.SKIP))
    world.set_clock(10 * 365 * 24 * HOUR)
    assert len(world.performed) <= 1
    assert "missed" in " ".join(world.story())


def test_k05_due_in_an_hour_and_asleep_for_eight_is_handled_on_waking() -> None:
    world = World(task("a", schedule=At(datetime.fromtimestamp(NOON + HOUR, UTC)), catch_up=CatchUp.LATEST))
    world.suspend(8 * HOUR)
    assert world.starts("a") == ["13:00:00"]


def test_k07_sleep_is_seen_by_the_clock_alone() -> None:
    world = World(cron("a", "0 * * * *", catch_up=CatchUp.LATEST))
    world.suspend(8.2 * HOUR)
    assert world.of(ClockChanged) == []
    assert world.starts("a") == ["20:00:00"]


def test_k09_when_the_computers_zone_changes_tasks_without_a_zone_are_re_armed() -> None:
    start = datetime(2025, 6, 1, 12, tzinfo=UTC).timestamp()
    world = World(
        cron("a", "0 7 * * *"),
        cron("fixed", "0 7 * * *", timezone="Europe/London"),
        now=start,
        zone="Europe/London",
    )
    due = world.status("a").due
    assert datetime.fromtimestamp(due, UTC) == datetime(2025, 6, 2, 6, tzinfo=UTC)
    world.clock.place = ZoneInfo("America/New_York")
    world.run()
    assert datetime.fromtimestamp(world.status("a").due, UTC) == datetime(2025, 6, 2, 11, tzinfo=UTC)
    assert datetime.fromtimestamp(world.status("fixed").due, UTC) == datetime(2025, 6, 2, 6, tzinfo=UTC)
    assert [event.zone for event in world.of(ZoneChanged)] == ["America/New_York"]


def test_a_one_shot_that_a_zone_change_puts_into_the_past_still_runs() -> None:
    world = World(
        task(
            "a",
            schedule=At(datetime(2025, 6, 2, 15, tzinfo=UTC).replace(tzinfo=None)),
            catch_up=CatchUp.LATEST,
        ),
        zone="UTC",
    )
    world.clock.place = ZoneInfo("Asia/Tokyo")
    world.run()
    assert len(world.performed) == 1


def test_m20_catching_up_over_a_change_to_winter_time_counts_both_passes() -> None:
    start = datetime(2025, 10, 25, 23, tzinfo=UTC).timestamp()
    tasks = [
        cron("fixed", "30 2 * * *", catch_up=CatchUp.ALL, timezone="Europe/Berlin"),
        cron("wild", "*/30 2 * * *", catch_up=CatchUp.ALL, timezone="Europe/Berlin"),
        cron("hourly", "0 * * * *", catch_up=CatchUp.ALL, timezone="Europe/Berlin"),
    ]
    world = World(*tasks, now=start).restart(after=9 * HOUR)
    counts = {name: len(world.starts(name)) for name in ("fixed", "wild", "hourly")}
    assert counts == {"fixed": 1, "wild": 4, "hourly": 9}


def test_k13_a_schedule_always_moves_forward_through_a_repeated_hour() -> None:
    start = datetime(2025, 10, 26, 0, tzinfo=UTC).timestamp()
    world = World(cron("a", "30 2 * * *", timezone="Europe/Berlin"), now=start)
    world.advance(3 * HOUR)
    assert len(world.performed) == 1


def test_a_retry_waits_for_a_span_of_time_whatever_the_clock_says() -> None:
    world = World(task("a", retry=Retry(attempts=2, delay=60)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.run()
    world.set_clock(-HOUR)
    world.advance(61)
    assert len(world.performed) == 2


def test_editing_the_name_leaves_the_next_start_where_it_is() -> None:
    world = World(every("a", 60))
    world.advance(30)
    world.dispatcher.replace(every("a", 60, name="new"))
    assert world.due("a") == "12:01:00"


def test_a_yearly_task_is_armed_once_and_runs_after_a_year() -> None:
    """K14: no timer that ends at 24.8 days."""
    world = World(task("a", schedule=Cron("0 0 1 1 *")))
    assert world.due("a") == "01-01T00:00:00"
    world.advance(366 * 24 * HOUR)
    assert len(world.performed) == 1


@pytest.mark.parametrize("seconds", [HOUR, -HOUR])
def test_a_step_of_the_clock_is_told(seconds: float) -> None:
    world = World(every("a", 60))
    world.set_clock(seconds)
    (event,) = world.of(ClockChanged)
    assert event.step == seconds
    assert world.status("a").state in {State.PENDING, State.SUCCEEDED}
