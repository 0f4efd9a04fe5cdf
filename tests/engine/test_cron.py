"""The walk in time against cases from public reports, a simulated cron daemon, and croniter's naive matching."""

import io
import json
import math
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from croniter import croniter
from hypothesis import assume, given
from hypothesis import strategies as st

from desktopsched.engine.cron import cron_walk
from desktopsched.engine.zones import LATEST
from desktopsched.model import InvalidCronError

CASES = json.loads((Path(__file__).parents[1] / "data/cron_cases.json").read_text(encoding="utf-8"))
TIMED = [case for case in CASES if "expected_error" not in case and case["id"] != "C094"]

BERLIN = ZoneInfo("Europe/Berlin")
UTC_ZONE = ZoneInfo("UTC")
MINUTES_A_DAY = 1_440


def some(found: float | None) -> float:
    assert found is not None
    return found


def instant(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def shown(instants: list[float], zone: ZoneInfo) -> list[str]:
    return [datetime.fromtimestamp(each, zone).isoformat() for each in instants]


@pytest.mark.parametrize("case", TIMED, ids=lambda case: case["id"])
def test_due_instants_are_those_of_debian_cron(case: dict[str, Any]) -> None:
    zone = ZoneInfo(case["zone"])
    walk = cron_walk(case["expr"], zone)
    step = walk.after if case["direction"] == "next" else walk.before
    at, found = instant(case["start"]), list[float]()
    for _ in case["expected"]:
        at = some(step(at))
        found.append(at)
    assert shown(found, zone) == [datetime.fromisoformat(text).isoformat() for text in case["expected"]]


# --- a simulated daemon: cron(8) by the minute, sharing nothing with the walk --------------------------------


def numbers(text: str, least: int, most: int) -> set[int]:
    """What a field of plain numbers means."""
    found: set[int] = set()
    for item in text.split(","):
        span, _, step = item.partition("/")
        low, _, high = (f"{least}-{most}" if span == "*" else span).partition("-")
        found.update(range(int(low), int(high or low) + 1, int(step or 1)))
    return found


class Rules:
    """An expression of plain numbers, asked minute by minute. A wall minute is counted from 1970-01-01 on the wall."""

    def __init__(self, expression: str) -> None:
        minute, hour, day, month, weekday = self._texts = expression.split()
        self._minutes, self._hours = numbers(minute, 0, 59), numbers(hour, 0, 23)
        self._days, self._months = numbers(day, 1, 31), numbers(month, 1, 12)
        self._weekdays = {number % 7 for number in numbers(weekday, 0, 7)}
        self.wildcard = "*" in (minute[0], hour[0])
        self.on_day = cache(self._on_day)

    def _on_day(self, number: int) -> bool:
        day = datetime(1970, 1, 1) + timedelta(days=number)  # noqa: DTZ001 -- a date on the wall
        in_month, in_week = day.day in self._days, day.isoweekday() % 7 in self._weekdays
        starred = "*" in (self._texts[2][0], self._texts[4][0])
        return day.month in self._months and (in_month and in_week if starred else in_month or in_week)

    def match(self, wall: int) -> bool:
        day, minute = divmod(wall, MINUTES_A_DAY)
        return minute % 60 in self._minutes and minute // 60 in self._hours and self.on_day(day)


@cache
def wall_minutes(zone: ZoneInfo, start: int, end: int) -> list[tuple[int, int]]:
    """Each minute of [start, end) as (instant in seconds, wall minute)."""
    offsets = {
        at: (datetime.fromtimestamp(at, zone).utcoffset() or timedelta(0)) // timedelta(minutes=1)
        for at in range(start, end, 300)
    }
    return [(at, at // 60 + offsets[at - (at - start) % 300]) for at in range(start, end, 60)]


def daemon(rules: Rules, zone: ZoneInfo, start: int, end: int) -> list[float]:
    """When cron starts the job in [start, end): its main loop, woken at each minute of the real clock.

    `virtual` is the wall minute up to which fixed-time jobs are handled. Jumps of up to three hours are taken for
    the season's; after longer ones it just follows the clock.
    """
    ticks = wall_minutes(zone, start, end)
    virtual = ticks[0][1] - 1
    started = []
    for at, wall in ticks:
        ahead = wall - virtual
        if ahead == 1 or not -180 < ahead <= 181:
            due = rules.match(wall)
            virtual = wall
        elif (
            ahead > 1
        ):  # over a gap: wildcard jobs for this minute only, the others for each that was left out
            due = rules.match(wall) if rules.wildcard else any(map(rules.match, range(virtual + 1, wall + 1)))
            virtual = wall
        else:  # back again: wildcard jobs go on, the others wait until the wall is where it was
            due = rules.wildcard and rules.match(wall)
        if due:
            started.append(float(at))
    return started


def walked(expression: str, zone: ZoneInfo, start: int, end: int) -> list[float]:
    walk, found = cron_walk(expression, zone), []
    at = walk.after(start - 1)
    while at is not None and at < end:
        found.append(at)
        at = walk.after(at)
    return found


def walked_back(expression: str, zone: ZoneInfo, start: int, end: int) -> list[float]:
    walk, found = cron_walk(expression, zone), []
    at = walk.before(end)
    while at is not None and at >= start:
        found.append(at)
        at = walk.before(at)
    return found[::-1]


def changes(zone: ZoneInfo, first_year: int, last_year: int) -> Iterator[int]:
    """The starts of the quarter hours in which the zone's offset is a new one."""
    step, at = 900, int(datetime(first_year, 1, 1, tzinfo=UTC).timestamp())
    end = int(datetime(last_year + 1, 1, 1, tzinfo=UTC).timestamp())
    while at < end:
        far = min(at + 86_400, end)
        if datetime.fromtimestamp(at, zone).utcoffset() != datetime.fromtimestamp(far, zone).utcoffset():
            offset = datetime.fromtimestamp(at, zone).utcoffset()
            yield next(
                each
                for each in range(at, far + step, step)
                if datetime.fromtimestamp(each, zone).utcoffset() != offset
            )
        at = far


EXPRESSIONS = [
    "* * * * *",
    "*/7 * * * *",
    "0 */2 * * *",
    "*/30 0-4 * * *",
    "30 0-23 * * *",
    "0,15,30,45 0,1,2,3,4,22,23 * * *",
    "30 2 * * *",
    "0 0 * * *",
    "45 23,1 * * 0,6",
    "10 0-3 1-31/2 * 1",
    "59 1-3/2 */2 * *",
]

ZONES = [
    "Europe/Berlin",
    "America/New_York",
    "Europe/Dublin",  # winter time is the "daylight saving"
    "Africa/Casablanca",  # a month of it in Ramadan
    "Africa/Cairo",  # at midnight
    "America/Havana",
    "America/Santiago",
    "America/Nuuk",  # the day before, in the last hour
    "America/Scoresbysund",
    "Atlantic/Azores",
    "Asia/Beirut",
    "Asia/Almaty",  # once, for good
    "Australia/Lord_Howe",  # half an hour
    "Antarctica/Troll",  # two hours
    "Antarctica/Casey",
    "Pacific/Apia",
    "Asia/Kathmandu",  # +05:45, never changes
]


@pytest.mark.parametrize("name", ZONES)
def test_every_change_of_the_clocks_2024_to_2030_goes_as_the_daemon_has_it(name: str) -> None:
    zone = ZoneInfo(name)
    spots = [*changes(zone, 2024, 2030), 1_735_689_600]  # and an ordinary day, 2025-01-01
    for spot in spots:
        start, end = spot - 86_400, spot + 86_400
        for expression in EXPRESSIONS:
            wanted = daemon(Rules(expression), zone, start, end)
            assert walked(expression, zone, start, end) == wanted, (expression, spot)
            assert walked_back(expression, zone, start, end) == wanted, (expression, spot)
            assert cron_walk(expression, zone).count(start - 1, end - 1) == len(wanted), (expression, spot)


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("Antarctica/Casey", "2009-10-17T18:00+00:00"),  # three hours forward
        ("Antarctica/Casey", "2010-03-04T15:00+00:00"),  # three hours back
        ("Antarctica/Vostok", "1994-01-31T17:00+00:00"),  # seven hours back: no repair
        ("Antarctica/Vostok", "1994-11-01T00:00+00:00"),  # seven hours forward: no repair
        ("Pacific/Apia", "2011-12-30T10:00+00:00"),  # a whole day left out
        ("Pacific/Kwajalein", "1993-08-21T12:00+00:00"),
        ("Asia/Pyongyang", "2018-05-04T15:00+00:00"),
        ("Asia/Kathmandu", "1985-12-31T18:30+00:00"),  # fifteen minutes
    ],
)
def test_changes_of_other_sizes_go_as_the_daemon_has_them(name: str, around: str) -> None:
    zone, spot = ZoneInfo(name), int(instant(around))
    for expression in EXPRESSIONS:
        wanted = daemon(Rules(expression), zone, spot - 172_800, spot + 172_800)
        assert walked(expression, zone, spot - 172_800, spot + 172_800) == wanted, expression
        assert walked_back(expression, zone, spot - 172_800, spot + 172_800) == wanted, expression


def made_up_zone(rule: str) -> ZoneInfo:
    """A zone that follows a POSIX rule for all time: a TZif file of version 2 with nothing but its last line."""
    header = (
        b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 4) + struct.pack(">lbb", 0, 0, 0) + b"XXX\0"
    )
    return ZoneInfo.from_file(io.BytesIO(header * 2 + b"\n" + rule.encode() + b"\n"))


@pytest.mark.parametrize(
    "rule",
    [
        "XXX0YYY-1,M3.5.0/0,M10.5.0/1",  # forward and back at 00:00 UTC
        "XXX0YYY-1,M3.5.0/23:55,M10.5.0/0:30",  # back at 23:30 UTC: the second pass lies in two UTC days
        "XXX0YYY-3,M3.5.0/23,M10.5.0/1",  # three hours, back at 22:00 UTC
        "XXX12YYY-12,M3.5.0/12,M10.5.0/12",  # a whole day
        "XXX3:30YYY4:30,M3.5.0/20,M10.5.0/20:05",  # off the hour, and first back, then forward
    ],
)
def test_changes_about_utc_midnight_go_as_the_daemon_has_them(rule: str) -> None:
    """No zone has such a change yet; the walk's tables are kept by UTC day."""
    zone = made_up_zone(rule)
    for spot in changes(zone, 2025, 2026):
        for expression in EXPRESSIONS:
            wanted = daemon(Rules(expression), zone, spot - 172_800, spot + 172_800)
            assert walked(expression, zone, spot - 172_800, spot + 172_800) == wanted, (expression, spot)
            assert walked_back(expression, zone, spot - 172_800, spot + 172_800) == wanted, (expression, spot)


# --- random expressions --------------------------------------------------------------------------------------


@st.composite
def fields(draw: st.DrawFn, least: int, most: int) -> str:
    def item() -> str:
        low = draw(st.integers(least, most))
        high = draw(st.integers(low, most))
        step = draw(st.integers(1, 9))
        return draw(
            st.sampled_from([str(low), f"{low}-{high}", f"{low}-{high}/{step}", f"*/{step}", "*", "*"])
        )

    return ",".join(item() for _ in range(draw(st.integers(1, 3))))


random_expressions = st.tuples(fields(0, 59), fields(0, 23), fields(1, 31), fields(1, 12), fields(0, 7)).map(
    " ".join
)
random_zones = st.sampled_from([ZoneInfo(name) for name in (*ZONES, "UTC", "Asia/Tokyo")])
random_instants = st.floats(0, instant("2037-12-31T00:00+00:00"), allow_nan=False)


@given(random_expressions, random_zones, random_instants)
def test_the_walk_rises_strictly_and_leads_back_the_same_way(
    expression: str, zone: ZoneInfo, start: float
) -> None:
    try:
        walk = cron_walk(expression, zone)
    except InvalidCronError:
        assume(False)  # such as 31 February
    steps = [start]
    for _ in range(5):
        steps.append(some(walk.after(steps[-1])))
    assert all(a < b for a, b in pairwise(steps))
    last = steps[-1]
    assert walk.after(math.nextafter(last, 0)) == last
    assert walk.before(math.nextafter(last, math.inf)) == last
    assert walk.before(last) == steps[-2]
    assert walk.count(start, last) == 5


@given(random_expressions, random_zones, st.data())
def test_random_expressions_go_as_the_daemon_has_them(
    expression: str, zone: ZoneInfo, data: st.DataObject
) -> None:
    try:
        cron_walk(expression, zone)
    except InvalidCronError:
        assume(False)
    spots = spots_of(zone)
    start = data.draw(st.sampled_from(spots)) - 43_200
    wanted = daemon(Rules(expression), zone, start, start + 86_400)
    assert walked(expression, zone, start, start + 86_400) == wanted


@cache
def spots_of(zone: ZoneInfo) -> list[int]:
    return [*changes(zone, 2024, 2026), 1_735_689_600, 1_750_000_020]


def without_ranges(text: str, least: int, most: int) -> str:
    items = (item if item[0] == "*" else numbers(item, least, most) for item in text.split(","))
    return ",".join(item if isinstance(item, str) else ",".join(map(str, item)) for item in items)


@given(random_expressions, random_instants)
def test_matching_in_utc_is_that_of_croniter_on_naive_times(expression: str, start: float) -> None:
    """croniter is right where no zone is in play and no range is equal; `13,*` it reads otherwise (C012)."""
    texts = expression.split()
    assume(not any("*" in text[1:] for text in texts))
    try:
        walk = cron_walk(expression, UTC_ZONE)
    except InvalidCronError:
        assume(False)
    bounds = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
    plain = " ".join(without_ranges(text, *bound) for text, bound in zip(texts, bounds, strict=True))
    naive = datetime(1970, 1, 1) + timedelta(seconds=int(start))  # noqa: DTZ001
    peer = croniter(plain, naive, implement_cron_bug=True)
    at = float(int(start))
    for _ in range(4):
        at = some(walk.after(at))
        wanted = peer.get_next(datetime)
        assert at == (wanted - datetime(1970, 1, 1)).total_seconds()  # noqa: DTZ001


# --- the ends of time, and what must not take long -----------------------------------------------------------


def test_the_walk_through_a_repeated_hour_always_advances_k13_d084() -> None:
    walk, now = cron_walk("*/30 * * * *", BERLIN), instant("2025-10-26T04:00+01:00")
    at, found = instant("2025-10-26T01:45+02:00"), list[float]()
    while at <= now:
        assert len(found) < 20
        at = some(walk.after(at))
        found.append(at)
    assert len(found) == 8
    assert found == sorted(set(found))


def test_a_yearly_expression_is_found_at_any_distance_k14() -> None:
    walk = cron_walk("0 0 29 feb */7", BERLIN)
    assert shown([some(walk.after(instant("2060-03-01T00:00+01:00")))], BERLIN) == [
        "2088-02-29T00:00:00+01:00"
    ]
    assert shown([some(walk.after(instant("2088-03-01T00:00+01:00")))], BERLIN) == [
        "2128-02-29T00:00:00+01:00"
    ]
    yearly = cron_walk("@yearly", BERLIN)
    assert shown([some(yearly.after(instant("2025-01-01T00:00+01:00")))], BERLIN) == [
        "2026-01-01T00:00:00+01:00"
    ]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"])
@pytest.mark.parametrize("expression", ["* * * * *", "59 23 31 12 *", "0 2 29 2 */7", "30 2 * * *"])
def test_time_ends_without_an_exception_z10(zone: str, expression: str) -> None:
    walk = cron_walk(expression, ZoneInfo(zone))
    late: float | None = instant("9999-12-01T00:00+00:00")
    while late is not None:
        last, late = late, walk.after(late)
    assert last < LATEST
    datetime.fromtimestamp(last, ZoneInfo(zone))  # can still be shown
    for beyond in (LATEST - 1, LATEST, 1e18, math.inf, math.nan):
        assert walk.after(beyond) is None
    assert some(walk.before(math.inf)) <= LATEST
    early: float | None = instant("1970-02-01T00:00+00:00")
    while early is not None:
        first, early = early, walk.before(early)
    assert first >= 0
    for before in (0.0, -1.0, -1e18, -math.inf, math.nan):
        assert walk.before(before) is None
    assert 0 <= some(walk.after(-math.inf)) <= instant("2012-01-01T00:00+00:00") + 40 * 366 * 86_400
    assert walk.count(-math.inf, 0) in (0, 1)


def test_2038_is_a_year_like_any_other_z10() -> None:
    walk = cron_walk("* * * * *", BERLIN)
    assert walk.after(instant("2038-01-19T03:14:08+00:00")) == instant("2038-01-19T03:15:00+00:00")


def test_a_task_in_utc_does_not_know_the_computers_zone_d078(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Australia/Sydney")
    walk = cron_walk("0 * * * *", UTC_ZONE)
    assert walk.after(instant("2025-10-05T02:00+00:00")) == instant("2025-10-05T03:00+00:00")


def test_one_walk_serves_equal_questions() -> None:
    assert cron_walk("1 1 * * *", BERLIN) is cron_walk("1 1 * * *", ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
@pytest.mark.parametrize("expression", ["* * * * *", "30 2,14 * * *", "0 9 * * 1-5"])
def test_a_next_due_instant_takes_microseconds(expression: str, zone: str) -> None:
    """Measured 1 to 2; the bound is ten times that, for a busy machine."""
    walk, at = cron_walk(expression, ZoneInfo(zone)), instant("2025-01-01T00:00+00:00")
    start = process_time()
    for _ in range(5_000):
        at = some(walk.after(at))
    assert (process_time() - start) / 5_000 < 20e-6
