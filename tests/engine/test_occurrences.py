"""When tasks are due: bounds, intervals without drift, what was missed, and wall times in the task's zone."""

import math
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from time import process_time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktopsched.engine.occurrences import (
    COUNTED,
    follows_clock,
    newest,
    next_after,
    random_delay,
    zone_of,
)
from desktopsched.engine.zones import LATEST
from desktopsched.model import After, At, Cron, Every, InvalidTaskError, Reminder, Schedule, Task

BERLIN = ZoneInfo("Europe/Berlin")
UTC_ZONE = ZoneInfo("UTC")
ROOT = Path(__file__).parents[2]


def task(schedule: Schedule | None = None, **values: Any) -> Task:
    return Task(id="t", name="T", action=Reminder(message="!"), schedule=schedule, **values)


def instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def later(of: Task, at: float, *, zone: ZoneInfo = UTC_ZONE, anchor: float = 0.0) -> float:
    found = next_after(of, at, zone=zone, anchor=anchor)
    assert found is not None
    return found


def due(of: Task, text: str, *, zone: ZoneInfo = BERLIN, anchor: float = 0.0) -> str | None:
    found = next_after(of, instant(text), zone=zone, anchor=anchor)
    return None if found is None else datetime.fromtimestamp(found, zone_of(of, zone)).isoformat()


NINE = datetime(2025, 6, 1, 9, tzinfo=UTC)


# --- every ---------------------------------------------------------------------------------------------------


def test_run_100_of_a_minutely_task_starts_at_the_99th_minute_i01() -> None:
    """Seven seconds of work each time move nothing: each next start is computed from the schedule."""
    noon = instant("2025-06-01T12:00+00:00")
    minutely, at = task(Every(interval=60, start=datetime(2025, 6, 1, 12, tzinfo=UTC))), noon - 1
    starts = []
    for _ in range(100):
        at = later(minutely, at)
        starts.append(at)
        at += 7
    assert starts[99] == instant("2025-06-01T13:39:00+00:00")


def test_a_late_start_does_not_shift_the_next_i11() -> None:
    hourly = task(Every(interval=3_600, start=NINE))
    assert due(hourly, "2025-06-01T09:00:40+00:00", zone=UTC_ZONE) == "2025-06-01T10:00:00+00:00"


def test_the_first_due_instant_is_the_start_and_never_earlier() -> None:
    hourly = task(Every(interval=3_600, start=NINE))
    assert due(hourly, "2020-01-01T00:00+00:00", zone=UTC_ZONE) == "2025-06-01T09:00:00+00:00"
    assert due(hourly, "2025-06-01T09:00+00:00", zone=UTC_ZONE) == "2025-06-01T10:00:00+00:00"
    assert next_after(hourly, -math.inf, zone=UTC_ZONE, anchor=0.0) == NINE.timestamp()


def test_an_interval_without_a_start_counts_from_when_the_task_was_first_seen() -> None:
    stretch = task(Every(interval=3_000))
    assert next_after(stretch, 1_000.5, zone=BERLIN, anchor=1_000.5) == 4_000.5


def test_an_interval_counts_elapsed_seconds_through_both_clock_changes() -> None:
    daily = task(Every(interval=86_400, start=datetime(2025, 3, 29, 2, 30)), timezone="Europe/Berlin")  # noqa: DTZ001
    assert due(daily, "2025-03-29T12:00+01:00") == "2025-03-30T03:30:00+02:00"
    assert due(daily, "2025-10-26T00:00+02:00") == "2025-10-26T02:30:00+01:00"


intervals = st.floats(1, 3_660 * 86_400.0) | st.sampled_from([1.0, 0.1, 1 / 3, 60.0, 3_600.0, 86_400.0])
starts = st.floats(0, 2e9)


@given(intervals, starts, st.integers(0, 10**6))
@example(1.1, 0.0, 167_379)  # just before, the quotient is rounded up to the next whole number
def test_due_instants_are_exactly_start_plus_k_intervals(interval: float, start: float, k: int) -> None:
    """I01: no drift in a million steps. Asked at a due instant, or just before it, the answer is the next one."""
    every = task(Every(interval=interval))
    at, following = start + k * interval, start + (k + 1) * interval
    if following > LATEST:
        return
    assert next_after(every, at, zone=UTC_ZONE, anchor=start) == following
    assert next_after(every, math.nextafter(following, 0), zone=UTC_ZONE, anchor=start) == following


@given(intervals, starts, st.floats(0, 4e9))
def test_a_next_due_instant_is_later_and_the_nearest(interval: float, start: float, at: float) -> None:
    found = later(task(Every(interval=interval)), at, anchor=start)
    assert found > at
    assert found == start or found - interval <= at + 1e-5


def test_ten_years_of_seconds_are_arithmetic_i05() -> None:
    secondly = task(Every(interval=1, start=NINE))
    start, later = NINE.timestamp(), NINE.timestamp() + 3_652 * 86_400 + 0.25
    begin = process_time()
    assert next_after(secondly, later, zone=UTC_ZONE, anchor=0.0) == math.ceil(later)
    found, older = newest(secondly, start, later, 1_000, zone=UTC_ZONE, anchor=0.0)
    assert process_time() - begin < 0.05
    assert len(found) == 1_000
    assert found[-1] == math.floor(later)
    assert older == 3_652 * 86_400 - 1_000


@pytest.mark.parametrize("interval", [0, -5, math.nan, math.inf, -math.inf])
def test_a_period_that_is_none_is_refused_by_name_i08(interval: float) -> None:
    with pytest.raises(InvalidTaskError, match="interval"):
        Every(interval=interval)


# --- at and after --------------------------------------------------------------------------------------------


def test_at_is_due_once() -> None:
    once = task(At(NINE))
    assert due(once, "2025-06-01T08:59:59+00:00", zone=UTC_ZONE) == "2025-06-01T09:00:00+00:00"
    assert due(once, "2025-06-01T09:00+00:00", zone=UTC_ZONE) is None


def test_eight_oclock_tomorrow_is_eight_on_the_wall_after_the_change_k10() -> None:
    tomorrow = task(At(datetime(2025, 10, 26, 8)))  # noqa: DTZ001 -- wall time is the point
    assert due(tomorrow, "2025-10-25T20:00+02:00") == "2025-10-26T08:00:00+01:00"
    abroad = task(At(datetime(2025, 10, 26, 8)), timezone="Asia/Tokyo")  # noqa: DTZ001
    assert due(abroad, "2025-10-25T20:00+02:00") == "2025-10-26T08:00:00+09:00"


@pytest.mark.parametrize(
    ("zone", "wall", "wanted"),
    [
        ("Europe/Berlin", "2025-03-30T02:30", "2025-03-30T03:00:00+02:00"),  # in a gap: when it ends
        ("Europe/Berlin", "2025-03-30T02:00", "2025-03-30T03:00:00+02:00"),
        ("Europe/Berlin", "2025-03-30T03:00", "2025-03-30T03:00:00+02:00"),
        ("Europe/Berlin", "2025-03-30T01:59:59.5", "2025-03-30T01:59:59.500000+01:00"),
        ("Europe/Berlin", "2025-10-26T02:30", "2025-10-26T02:30:00+02:00"),  # twice: the first time
        ("Australia/Lord_Howe", "2025-10-05T02:15", "2025-10-05T02:30:00+11:00"),
        ("Antarctica/Troll", "2025-03-30T01:30", "2025-03-30T03:00:00+02:00"),
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-31T00:00:00+14:00"),  # a day that was left out
    ],
)
def test_wall_times_become_instants_as_fixed_time_cron_has_them(zone: str, wall: str, wanted: str) -> None:
    once = task(At(datetime.fromisoformat(wall)), timezone=zone)
    assert due(once, "2000-01-01T00:00+00:00") == wanted


def test_after_counts_from_its_from_or_from_when_the_task_was_first_seen() -> None:
    assert next_after(task(After(delay=90)), 0.0, zone=BERLIN, anchor=1_000.0) == 1_090.0
    assert next_after(task(After(delay=90)), 1_090.0, zone=BERLIN, anchor=1_000.0) is None
    since = task(After(delay=90, since=NINE))
    assert due(since, "2025-06-01T08:00+00:00", zone=UTC_ZONE) == "2025-06-01T09:01:30+00:00"


def test_a_task_without_a_schedule_is_never_due() -> None:
    assert next_after(task(), 0.0, zone=BERLIN, anchor=0.0) is None
    assert newest(task(), 0.0, 1e9, 5, zone=BERLIN, anchor=0.0) == ([], 0)


# --- bounds and zones ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", [Every(interval=3_600, start=NINE), Cron("0 * * * *")])
def test_bounds_are_within_what_they_allow(schedule: Schedule) -> None:
    noon, three = datetime(2025, 6, 1, 12, tzinfo=UTC), datetime(2025, 6, 1, 15, tzinfo=UTC)
    bounded = task(schedule, not_before=noon, not_after=three)
    assert due(bounded, "2025-01-01T00:00+00:00", zone=UTC_ZONE) == "2025-06-01T12:00:00+00:00"
    assert due(bounded, "2025-06-01T14:00+00:00", zone=UTC_ZONE) == "2025-06-01T15:00:00+00:00"
    assert due(bounded, "2025-06-01T15:00+00:00", zone=UTC_ZONE) is None
    span = (noon.timestamp() - 86_400, three.timestamp() + 86_400)
    assert newest(bounded, *span, 2, zone=UTC_ZONE, anchor=0.0) == (
        [three.timestamp() - 3_600, three.timestamp()],
        2,
    )


def test_bounds_without_an_offset_are_wall_time_in_the_tasks_zone() -> None:
    bounded = task(Cron("0 * * * *"), timezone="Asia/Tokyo", not_before=datetime(2025, 6, 1, 12))  # noqa: DTZ001
    assert due(bounded, "2025-05-01T00:00+00:00") == "2025-06-01T12:00:00+09:00"


def test_noon_stays_noon_after_the_change_f21() -> None:
    noon = task(Cron("0 12 * * *"), timezone="Europe/Berlin")
    assert next_after(noon, instant("2025-10-26T11:00+00:00"), zone=UTC_ZONE, anchor=0.0) == instant(
        "2025-10-27T11:00+00:00"
    )


def test_a_task_follows_the_computers_zone_unless_it_has_its_own_k09() -> None:
    seven, at = task(Cron("0 7 * * *")), instant("2025-06-01T12:00+00:00")
    new_york = ZoneInfo("America/New_York")
    assert next_after(seven, at, zone=ZoneInfo("Europe/London"), anchor=0.0) == instant(
        "2025-06-02T06:00+00:00"
    )
    assert next_after(seven, at, zone=new_york, anchor=0.0) == instant("2025-06-02T11:00+00:00")
    fixed = task(Cron("0 7 * * *"), timezone="Europe/London")
    assert next_after(fixed, at, zone=new_york, anchor=0.0) == instant("2025-06-02T06:00+00:00")


@pytest.mark.parametrize("name", ["Mars/Phobos", "../x", "Europe", "/etc/passwd", "a\0b", "x" * 500])
def test_an_unknown_zone_is_named_k17(name: str) -> None:
    with pytest.raises(InvalidTaskError, match="There is no time zone"):
        zone_of(task(timezone=name), BERLIN)


def test_instants_order_and_subtract_by_elapsed_time_k15_d091() -> None:
    """Two wall times of one zone compare by the wall in Python: 02:45+02:00 is 'later' than 02:15+01:00 there."""
    quarter = task(Cron("*/15 * * * *"))
    first = instant("2025-10-26T02:45+02:00")
    following = later(quarter, first, zone=BERLIN)
    assert due(quarter, "2025-10-26T02:45+02:00") == "2025-10-26T02:00:00+01:00"
    assert following - first == 900
    assert len({first - 900, first - 900 + 3_600}) == 2  # 02:30, both times


# --- what was missed -----------------------------------------------------------------------------------------


SPRING = (instant("2025-03-30T01:00+01:00"), instant("2025-03-30T09:00+02:00"))
AUTUMN = (instant("2025-10-26T01:00+02:00"), instant("2025-10-26T09:00+01:00"))


@pytest.mark.parametrize(
    ("expression", "spring", "autumn"),
    [("30 2 * * *", 1, 1), ("*/30 2 * * *", 0, 4), ("0 * * * *", 7, 9), ("0 */2 * * *", 3, 5)],
)
def test_missed_runs_are_counted_over_a_clock_change_m20(expression: str, spring: int, autumn: int) -> None:
    off = task(Cron(expression))
    for span, wanted in ((SPRING, spring), (AUTUMN, autumn)):
        for limit in (0, 1, 3, 1_000):
            found, older = newest(off, *span, limit, zone=BERLIN, anchor=0.0)
            assert len(found) == min(limit, wanted)
            assert len(found) + older == wanted


def test_the_missed_run_of_the_gap_and_of_the_repeated_hour_are_the_right_ones_m20() -> None:
    nightly = task(Cron("30 2 * * *"))
    assert newest(nightly, *SPRING, 9, zone=BERLIN, anchor=0.0) == ([instant("2025-03-30T03:00+02:00")], 0)
    assert newest(nightly, *AUTUMN, 9, zone=BERLIN, anchor=0.0) == ([instant("2025-10-26T02:30+02:00")], 0)


def test_two_years_of_minutes_are_counted_in_well_under_a_second_m24() -> None:
    minutely, until = task(Cron("* * * * *")), instant("2025-06-01T09:00:30+02:00")
    begin = process_time()
    found, older = newest(minutely, until - 730 * 86_400, until, 1_000, zone=BERLIN, anchor=0.0)
    assert process_time() - begin < 0.5
    assert len(found) + older == 1_051_200
    assert found[-1] == until - 30


@pytest.mark.parametrize(
    "schedule", [Cron("*/20 * * * *"), Cron("30 2 * * *"), Every(interval=4_321.5, start=NINE), At(NINE)]
)
@given(st.floats(-30, 30), st.floats(0, 200), st.integers(0, 400))
def test_the_newest_are_those_that_next_would_give(
    schedule: Schedule, begin: float, hours: float, limit: int
) -> None:
    of = task(schedule)
    after = NINE.timestamp() + begin * 3_600
    until, wanted = after + hours * 3_600, [after]
    while (at := next_after(of, wanted[-1], zone=BERLIN, anchor=0.0)) is not None and at <= until:
        wanted.append(at)
    wanted.pop(0)
    found, older = newest(of, after, until, limit, zone=BERLIN, anchor=0.0)
    assert found == wanted[max(0, len(wanted) - limit) :]
    assert older == len(wanted) - len(found)


@pytest.mark.parametrize("schedule", [Cron("* * * * *"), Every(interval=1), At(NINE), After(delay=5)])
def test_a_span_of_all_time_or_none_is_answered_at_once(schedule: Schedule) -> None:
    of, begin = task(schedule), process_time()
    for after, until in ((-math.inf, math.inf), (0.0, 1e18), (5e9, 4e9), (1e18, 1e19)):
        found, older = newest(of, after, until, 10, zone=BERLIN, anchor=0.0)
        assert len(found) <= 10
        assert older <= max(COUNTED / 60, LATEST)
        assert next_after(of, until, zone=BERLIN, anchor=0.0) is None or until < 1e17
    assert process_time() - begin < 1


# --- the random delay, and the clock -------------------------------------------------------------------------


@given(st.floats(0, 4e9), st.just(0.0) | st.floats(1e-3, 1e6))
def test_a_random_delay_stays_below_its_limit(nominal: float, limit: float) -> None:
    delay = random_delay(task(random_delay=limit), nominal)
    assert delay == 0 if limit == 0 else 0 <= delay < limit


def test_a_random_delay_is_the_same_in_each_process() -> None:
    here = [random_delay(task(random_delay=600.0), nominal) for nominal in (1.75e9, 1.75e9 + 60)]
    code = (
        "from desktopsched.engine.occurrences import random_delay as d; from desktopsched.model import *;"
        "t = Task(id='t', name='other', action=Open(target='/'), random_delay=600.0);"
        "print(d(t, 1.75e9), d(t, 1.75e9 + 60))"
    )
    there = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert [float(text) for text in there.stdout.split()] == here
    assert here[0] != here[1]


def test_random_delays_spread_over_the_whole_span() -> None:
    delays = [random_delay(task(random_delay=1.0), 1.75e9 + 60 * k) for k in range(1_000)]
    assert 0.45 < sum(delays) / 1_000 < 0.55
    assert min(delays) < 0.01
    assert max(delays) > 0.99


@pytest.mark.parametrize(
    ("schedule", "follows"),
    [
        (Every(interval=60), True),
        (Cron("*/5 * * * *"), True),
        (Cron("0 */2 * * *"), True),
        (Cron("@hourly"), True),
        (Cron("30 2 * * *"), False),
        (Cron("30 0-23 * * *"), False),
        (Cron("@daily"), False),
        (At(NINE), False),
        (After(delay=1), False),
        (None, False),
    ],
)
def test_only_wildcards_and_intervals_follow_a_clock_that_was_set_back(
    schedule: Schedule | None, follows: bool
) -> None:
    assert follows_clock(task(schedule)) is follows


def test_an_offset_of_the_file_is_kept_whatever_the_zone() -> None:
    fixed = task(At(datetime(2025, 6, 1, 9, tzinfo=timezone(timedelta(hours=-4)))), timezone="Asia/Tokyo")
    assert due(fixed, "2025-06-01T00:00+00:00") == "2025-06-01T22:00:00+09:00"
