"""Networks that fail: answers that are lost after the server did what was asked, and connections that are half open."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from msgspec import structs

from desktopsched.model import Outcome, State
from desktopsched.sharing import mysql, postgres, redis_store, zookeeper_session
from desktopsched.sharing.answers import Claimed, Finished, Started, Taken, Unknown
from desktopsched.sharing.claim import ClaimState
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.key import Key
from desktopsched.sharing.persistence import insist
from desktopsched.sharing.store import ANSWER_WITHIN, CONNECT_WITHIN, REPLY_WITHIN, Store
from tests.faultlines import Record
from tests.sharing.places import SIZE, Place, claimed, nonce, row, until, wish
from tests.sharing.proxy import Proxy

STARTS = 3_000 if SIZE else 15
CUT = 0.05 if SIZE else 0.1

_T = TypeVar("_T")

OK = Outcome(State.SUCCEEDED, "", 0)


@pytest.fixture
def proxy(place: Place) -> Iterator[Proxy]:
    """Between the store and its server."""
    if place.server is None:
        pytest.fail("a file has no network")
    with Proxy(place.server.port) as one:
        yield one


@pytest.fixture
def far(place: Place, proxy: Proxy) -> Iterator[Store]:
    """A store behind the proxy."""
    assert place.server is not None
    one = open_store(place.server.url_at(proxy.port), lease=10.0)
    yield one
    one.close()


def patient(step: Callable[[], _T | Unknown]) -> _T | Unknown:
    """As a program asks, only with shorter pauses."""

    def wait(seconds: float) -> bool:
        time.sleep(min(seconds, 0.1) / 5)
        return False

    return insist(step, until=time.monotonic() + 60, clock=time.monotonic, wait=wait)


@pytest.mark.timeout(1800)
def test_answers_that_are_lost_after_the_commit_lose_no_start_and_double_none(
    far: Store, store: Store, proxy: Proxy, list_id: str, place: Place, report: Record
) -> None:
    keys = [Key(list_id, "task", str(number)) for number in range(STARTS)]
    known_before = far.now()
    assert not isinstance(known_before, Unknown)
    proxy.cut_replies = CUT
    ends = []
    for key in keys:
        wished, stamp = structs.replace(wish(key, place), lease=60.0), nonce()
        had = patient(lambda: far.claim(wished))
        if isinstance(had, Claimed):
            begun = patient(lambda: far.start(had.hold, stamp))
            ended = patient(lambda: far.finish(had.hold, OK))
            ends.append((type(begun), type(ended)))
    proxy.cut_replies = 0.0
    rows = [row(store, key) for key in keys]
    report(
        f"answers cut after the commit, {CUT:.0%} of all ({place.kind})",
        proxy.cuts,
        f"of {STARTS} starts none is lost, none has two owners",
        f"{STARTS - len(ends)} lost, {sum(one.token != 1 for one in rows)} with two owners",
    )
    assert proxy.cuts > STARTS * CUT / 2
    assert ends == [(Started, Finished)] * STARTS
    assert {(one.token, one.state) for one in rows} == {(1, ClaimState.SUCCEEDED)}


def test_without_the_nonce_such_answers_would_lose_starts(
    far: Store, proxy: Proxy, list_id: str, place: Place, report: Record
) -> None:
    starts, lost = 5, []
    for number in range(starts):
        key = Key(list_id, "task", str(number))
        warm = structs.replace(key, nominal=f"{number}-warm")
        assert isinstance(patient(lambda: far.claim(wish(warm, place))), (Claimed, Taken))  # noqa: B023
        # Connected, and all is known that a claim asks for: its own answer is the next one.
        proxy.cut_replies = 1.0
        assert isinstance(far.claim(wish(key, place)), Unknown)
        proxy.cut_replies = 0.0
        if isinstance(patient(lambda: far.claim(wish(key, place))), Taken):  # noqa: B023
            lost.append(key)
    report(
        f"the same, and each try is taken for a new one ({place.kind})",
        proxy.cuts,
        "some starts are lost: the control must fail",
        f"{len(lost)} of {starts} lost",
    )
    assert lost


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code, with less time: nobody wants to wait for as long as a program does."""
    for module in (postgres, mysql, redis_store, zookeeper_session):
        monkeypatch.setattr(module, "REPLY_WITHIN", 0.8)
        # PostgreSQL's library takes no less than 2 s.
        monkeypatch.setattr(module, "CONNECT_WITHIN", 2.0 if module is postgres else 0.8)


def test_a_connection_that_is_half_open_gives_no_answer_in_bounded_time(
    impatient: None, far: Store, store: Store, proxy: Proxy, list_id: str, place: Place
) -> None:
    key = Key(list_id, "task", "1")
    hold = claimed(far, wish(key, place))
    proxy.swallow = True
    begun = time.monotonic()
    assert isinstance(far.start(hold, nonce()), Unknown)
    assert time.monotonic() - begun < 3 * 0.8
    proxy.heal()
    assert isinstance(store.start(hold, nonce()), Started)  # nothing had come through


def test_a_server_that_accepts_and_says_nothing_gives_no_answer_in_bounded_time(
    impatient: None, far: Store, proxy: Proxy, list_id: str, place: Place
) -> None:
    proxy.swallow = True
    begun = time.monotonic()
    assert isinstance(far.claim(wish(Key(list_id, "task", "1"), place)), Unknown)
    assert time.monotonic() - begun < 2 * 2.0
    proxy.heal()


def test_a_connection_that_was_lost_is_made_anew(
    impatient: None, far: Store, proxy: Proxy, list_id: str, place: Place
) -> None:
    assert not isinstance(far.now(), Unknown)
    proxy.cut_replies = 1.0
    assert isinstance(far.claim(wish(Key(list_id, "task", "1"), place)), Unknown)
    proxy.cut_replies = 0.0
    wished = wish(Key(list_id, "task", "2"), place)
    assert until(lambda: answer if isinstance(answer := far.claim(wished), Claimed) else None)


def test_an_answer_comes_within_ten_seconds_however_the_time_is_spent() -> None:
    assert CONNECT_WITHIN + REPLY_WITHIN < ANSWER_WITHIN <= 10
