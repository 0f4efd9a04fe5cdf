"""Computers whose clocks are wrong: the store's clock alone says what is due, and when a lease is over."""

import time
from collections.abc import Callable

import pytest
from msgspec import structs

from desktopsched.sharing import zookeeper_session
from desktopsched.sharing.answers import Claimed, Taken, TooEarly, Unknown
from desktopsched.sharing.key import Key
from desktopsched.sharing.offset import Offset, measure
from desktopsched.sharing.persistence import insist
from desktopsched.sharing.store import Store
from tests.faultlines import Record
from tests.sharing.places import Place, known, row, wish

SKEW = 90.0


@pytest.fixture(params=[SKEW, -SKEW], ids=["ahead", "behind"])
def skewed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], float]:
    """A clock that is 90 s off, for all that runs in this process."""
    right, skew = time.time, float(request.param)
    monkeypatch.setattr(time, "time", lambda: right() + skew)
    return lambda: right() + skew


def test_a_wrong_clock_neither_starts_early_nor_bends_a_lease(
    store: Store, place: Place, list_id: str, skewed: Callable[[], float], report: Record
) -> None:
    key, skew = Key(list_id, "task", "1"), skewed() - known(store.now())
    wished = structs.replace(wish(key, place, due=skewed() - 1), lease=60.0)
    first = answer = store.claim(wished)
    if skew > 0:
        assert isinstance(answer, TooEarly)
        assert answer.wait == pytest.approx(SKEW - 1, abs=5)
        answer = store.claim(structs.replace(wished, due=skewed() - 1 - SKEW))
    assert isinstance(answer, Claimed)
    found = row(store, key)
    report(
        f"the clock of a computer is {skew:+.0f} s off ({place.kind})",
        1,
        "nothing starts before it is due by the store's clock, and a lease is as long as ever",
        f"{type(first).__name__}; {found.lease_left:.0f} s of {answer.hold.lease:.0f} s left",
    )
    assert found.lease_left == pytest.approx(place.lease if place.kind == "zookeeper" else 60.0, abs=5)
    assert found.claimed_at == pytest.approx(skewed() - skew, abs=5)


class SleptFor:
    """The time, after a sleep in which the monotonic clock stood still."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def monotonic(self) -> float:
        return time.monotonic() - self._seconds


@pytest.mark.parametrize("place", ["zookeeper"], indirect=True, scope="session")
def test_what_is_due_after_a_short_sleep_is_not_taken_for_early(
    store: Store, place: Place, list_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ZooKeeper's clock is looked at now and then, and reckoned in between."""
    now = known(store.now())
    monkeypatch.setattr(zookeeper_session, "time", SleptFor(50))
    assert isinstance(store.claim(wish(Key(list_id, "task", "1"), place, due=now - 1)), Claimed)


def test_how_far_a_clock_is_off_is_measured_and_told(store: Store, skewed: Callable[[], float]) -> None:
    known(store.now())  # connected
    offset = measure(store.now, skewed)
    assert isinstance(offset, Offset)
    assert abs(offset.seconds) == pytest.approx(SKEW, abs=1)
    assert ("ahead of" in offset.words) == (offset.seconds < 0)
    assert "90 s" in offset.words


def slept(seconds: float) -> bool:
    time.sleep(seconds)  # the server's clock is the subject
    return False


def test_of_a_computer_that_is_early_and_one_that_is_late_one_starts_it_and_not_before_it_is_due(
    store: Store, other: Store, place: Place, list_id: str
) -> None:
    for number in range(3):
        key = Key(list_id, "task", str(number))
        due = known(store.now()) + 0.1
        early = insist(
            lambda: store.claim(wish(key, place, "early", due)),  # noqa: B023
            until=time.monotonic() + 10,
            clock=time.monotonic,
            wait=slept,
        )
        late = other.claim(wish(key, place, "late", due))
        assert (type(early), type(late)) == (Claimed, Taken)
        assert row(store, key).claimed_at >= due


def test_a_small_difference_is_not_worth_a_word() -> None:
    assert Offset(1.9, 0.0).words == ""
    assert Offset(3.0, 1.5).words == ""
    assert Offset(3.0, 0.5).words == (
        "The clock of this computer is 3 s behind the clock of the shared list. Starts follow the shared list's; set"
        " this computer's clock."
    )


def test_nothing_is_measured_without_an_answer() -> None:
    assert measure(lambda: Unknown("down"), lambda: 0.0) == Unknown("down")
    readings = iter([100.0, 104.0])
    assert measure(lambda: 112.0, lambda: next(readings)) == Offset(10.0, 2.0)
