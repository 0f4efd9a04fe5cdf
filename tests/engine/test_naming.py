"""What a start is called on all computers of a shared list."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.engine import naming
from desktopsched.engine.occurrences import next_after
from desktopsched.model import After, At, Cron, Every, Task
from desktopsched.sharing.key import Key
from tests.engine.world import NOON, task

BERLIN, NEW_YORK, UTC_ZONE = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("UTC")
START = datetime(2025, 6, 2, 11, 59, 30, tzinfo=UTC)


def a_task(schedule: object, zone: str = "") -> Task:
    return task("a", schedule=schedule, timezone=zone)


@pytest.mark.parametrize(
    ("one", "name"),
    [
        (a_task(Cron("* * * * *"), "Europe/Berlin"), "2025-06-02T14:00:00 Europe/Berlin"),
        (a_task(Cron("* * * * *")), "2025-06-02T12:00:00+00:00"),
        (a_task(At(START)), "2025-06-02T12:00:00+00:00"),
        (a_task(Every(interval=30.0, start=START)), "every 30.0 s from 2025-06-02T11:59:30+00:00, 1"),
        (
            a_task(Every(interval=60.0, start=datetime(2025, 6, 2, 13)), "Europe/Berlin"),  # noqa: DTZ001 - wall time
            "every 60.0 s from 2025-06-02T13:00:00 Europe/Berlin, 60",
        ),
        (a_task(Every(interval=60.0)), "every 60.0 s, 29147760"),
        (a_task(After(delay=5.0)), "5.0 s after it was first seen"),
        (a_task(After(delay=5.0, since=START)), "2025-06-02T12:00:00+00:00"),
    ],
)
def test_a_due_instant_is_called_by_what_the_schedule_says(one: Task, name: str) -> None:
    assert naming.scheduled(one, NOON, NEW_YORK) == name
    Key("list", "a", name)  # every store can hold it


def test_computers_in_other_zones_call_an_instant_the_same() -> None:
    for one in (a_task(Cron("0 * * * *")), a_task(Every(interval=60.0)), a_task(At(START))):
        assert len({naming.scheduled(one, NOON, zone) for zone in (BERLIN, NEW_YORK, UTC_ZONE)}) == 1


def test_an_hour_that_comes_twice_has_two_names() -> None:
    first = datetime(2025, 10, 26, 0, 30, tzinfo=UTC).timestamp()
    one = a_task(Cron("30 * * * *"), "Europe/Berlin")
    assert naming.scheduled(one, first, UTC_ZONE) == "2025-10-26T02:30:00 Europe/Berlin"
    assert naming.scheduled(one, first + 3600, UTC_ZONE) == "2025-10-26T02:30:00 again Europe/Berlin"


def test_a_start_whose_interval_was_changed_is_another_start() -> None:
    names = {
        naming.scheduled(a_task(Every(interval=interval, start=START)), NOON, UTC_ZONE)
        for interval in (10.0, 30.0)
    }
    assert len(names) == 2


@given(
    interval=st.floats(1.0, 1e6),
    anchor=st.floats(0, 1.8e9),  # before all that is asked for: nothing is due before an anchor
    other=st.floats(0, 1e6),
    instant=st.floats(1.9e9, 2e9),
)
def test_an_interval_that_each_computer_counts_from_another_instant_has_one_name_in_each_interval(
    interval: float, anchor: float, other: float, instant: float
) -> None:
    one = a_task(Every(interval=interval))
    due = next_after(one, instant, zone=UTC_ZONE, anchor=anchor)
    assert due is not None
    following = next_after(one, due, zone=UTC_ZONE, anchor=anchor)
    assert following is not None
    assert naming.scheduled(one, due, UTC_ZONE) != naming.scheduled(one, following, UTC_ZONE)
    theirs = next_after(one, due - interval * 1.5, zone=UTC_ZONE, anchor=anchor + other % interval)
    assert theirs is not None
    names = set()
    for _ in range(4):
        names.add(naming.scheduled(one, theirs, UTC_ZONE))
        theirs = next_after(one, theirs, zone=UTC_ZONE, anchor=anchor + other % interval)
        assert theirs is not None
    assert naming.scheduled(one, due, UTC_ZONE) in names


@given(
    minutes=st.integers(-12 * 60, 14 * 60),
    zone=st.sampled_from(["", "UTC", "Europe/Berlin", "America/Argentina/ComodRivadavia"]),
    interval=st.floats(0.001, 1e8),
)
def test_every_name_is_one_that_every_store_can_hold(minutes: int, zone: str, interval: float) -> None:
    start = START.astimezone(timezone(timedelta(minutes=minutes)))
    for schedule in (Every(interval=interval, start=start), Every(interval=interval), Cron("* * * * *")):
        name = naming.scheduled(a_task(schedule, zone), NOON + 0.123456, BERLIN)
        Key("list", "a", name)
        Key("list", "a", naming.following("x" * 64, name))
        Key("list", "a", naming.swept("x" * 64, name))


def test_what_follows_one_start_of_a_parent_is_one_start() -> None:
    assert naming.following("a", "noon") == naming.following("a", "noon")
    assert (
        len({naming.following("a", "noon"), naming.following("b", "noon"), naming.following("a", "one")}) == 3
    )


def test_a_start_names_the_one_that_it_descends_from_however_far_that_is() -> None:
    assert naming.origin("noon") is None
    child = naming.following("a", "noon")
    grandchild = naming.following("b", child)
    assert (
        naming.origin(child) == naming.origin(grandchild) == naming.origin(naming.following("c", grandchild))
    )
    assert naming.origin(child) != naming.origin(naming.following("a", "one"))
    assert naming.origin(child) != naming.origin(naming.following("b", "noon"))
    longest = naming.following("x" * 64, naming.following("y" * 64, "noon"))
    Key("list", "a", naming.following("z" * 64, longest))
