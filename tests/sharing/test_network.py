"""Networks that fail: answers that are lost after the server did what was asked, and connections that are half open."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from msgspec import Struct, structs

from desktopsched.model import Outcome, State
from desktopsched.sharing import mysql, postgres, redis_store, zookeeper_session
from desktopsched.sharing.answers import Claimed, Finished, Started, Taken, Unknown
from desktopsched.sharing.claim import ClaimState
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.key import Key
from desktopsched.sharing.persistence import insist
from desktopsched.sharing.store import ANSWER_WITHIN, CONNECT_WITHIN, REPLY_WITHIN, Store
from tests.faultlines import Record
from tests.sharing.places import SIZE, Place, claimed, known, nonce, row, until, wish
from tests.sharing.proxy import Proxy

STARTS = 3_000 if SIZE else 15
CUT = 0.05 if SIZE else 0.1

SOON = 20.0
"""Seconds in which a store gives up here that has a fifth of its patience. Without any it would wait for good."""

_T = TypeVar("_T")

OK = Outcome(State.SUCCEEDED, "", 0)


class Line(Struct, frozen=True):
    """A store behind a network that can be told to fail."""

    store: Store
    proxy: Proxy


@pytest.fixture
def line(place: Place) -> Iterator[Line]:
    """Between a store and its server."""
    assert place.server is not None
    with Proxy(place.server.port) as proxy:
        store = open_store(place.server.url_at(proxy.port), lease=10.0)
        yield Line(store, proxy)
        store.close()


def patient(step: Callable[..., _T | Unknown], *given: object) -> _T | Unknown:
    """As a program asks, only with shorter pauses."""

    def wait(seconds: float) -> bool:
        time.sleep(min(seconds, 0.1) / 5)
        return False

    return insist(lambda: step(*given), until=time.monotonic() + 60, clock=time.monotonic, wait=wait)


def performed(store: Store, key: Key, place: Place) -> bool:
    """From the claim to the end, each step asked until it is answered."""
    had = patient(store.claim, structs.replace(wish(key, place), lease=60.0))
    if not isinstance(had, Claimed):
        return False
    begun = patient(store.start, had.hold, nonce())
    ended = patient(store.finish, had.hold, OK)
    return isinstance(begun, Started) and isinstance(ended, Finished)


@pytest.mark.timeout(3600)
def test_answers_that_are_lost_after_the_commit_lose_no_start_and_double_none(
    line: Line, list_id: str, place: Place, report: Record
) -> None:
    keys = [Key(list_id, "task", str(number)) for number in range(STARTS)]
    known(line.store.now())
    line.proxy.cut_replies = CUT
    done = sum(performed(line.store, key, place) for key in keys)
    line.proxy.cut_replies = 0.0
    rows = [row(line.store, key) for key in keys]
    report(
        f"answers cut after the commit, {CUT:.0%} of all ({place.kind})",
        line.proxy.cuts,
        f"of {STARTS} starts none is lost, none has two owners",
        f"{STARTS - done} lost, {sum(one.token != 1 for one in rows)} with two owners",
    )
    assert line.proxy.cuts > STARTS * CUT / 2
    assert done == STARTS
    assert {(one.token, one.state) for one in rows} == {(1, ClaimState.SUCCEEDED)}


def test_without_the_nonce_such_answers_would_lose_starts(
    line: Line, list_id: str, place: Place, report: Record
) -> None:
    starts, lost = 5, 0
    for number in range(starts):
        key = Key(list_id, "task", str(number))
        warm = structs.replace(key, nominal=f"{number}-warm")
        assert isinstance(patient(line.store.claim, wish(warm, place)), (Claimed, Taken))
        # Connected, and mostly all is there that a claim asks for: then its own answer is the next one.
        line.proxy.cut_replies = 1.0
        assert isinstance(line.store.claim(wish(key, place)), Unknown)
        line.proxy.cut_replies = 0.0
        lost += isinstance(patient(line.store.claim, wish(key, place)), Taken)
    report(
        f"the same, and each try is taken for a new one ({place.kind})",
        line.proxy.cuts,
        "some starts are lost: the control must fail",
        f"{lost} of {starts} lost",
    )
    assert lost > 0


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code, with less time: nobody wants to wait for as long as a program does."""
    for module in (postgres, mysql, redis_store, zookeeper_session):
        monkeypatch.setattr(module, "REPLY_WITHIN", 0.8)
        # PostgreSQL's library takes no less than 2 s.
        monkeypatch.setattr(module, "CONNECT_WITHIN", 2.0 if module is postgres else 0.8)


@pytest.mark.usefixtures("impatient")
def test_a_connection_that_is_half_open_gives_no_answer_in_bounded_time(
    line: Line, store: Store, list_id: str, place: Place, report: Record
) -> None:
    key = Key(list_id, "task", "1")
    known(patient(line.store.now))  # connected
    hold = claimed(line.store, wish(key, place))
    line.proxy.swallow = True
    begun = time.monotonic()
    answer = line.store.start(hold, nonce())
    took = time.monotonic() - begun
    line.proxy.heal()
    report(
        f"a connection that is half open ({place.kind})",
        1,
        f"no answer, within {ANSWER_WITHIN:g} s (here with a fifth of the patience), and nothing starts",
        f"{type(answer).__name__} after {took:.1f} s",
    )
    assert isinstance(answer, Unknown)
    assert took < SOON
    assert isinstance(patient(store.start, hold, nonce()), Started)  # nothing had come through


@pytest.mark.usefixtures("impatient")
def test_a_server_that_accepts_and_says_nothing_gives_no_answer_in_bounded_time(
    line: Line, list_id: str, place: Place
) -> None:
    line.proxy.swallow = True
    begun = time.monotonic()
    assert isinstance(line.store.claim(wish(Key(list_id, "task", "1"), place)), Unknown)
    assert time.monotonic() - begun < SOON
    line.proxy.heal()


@pytest.mark.usefixtures("impatient")
def test_a_connection_that_was_lost_is_made_anew(line: Line, list_id: str, place: Place) -> None:
    known(patient(line.store.now))
    line.proxy.cut_replies = 1.0
    assert isinstance(line.store.claim(wish(Key(list_id, "task", "1"), place)), Unknown)
    line.proxy.cut_replies = 0.0
    wished = wish(Key(list_id, "task", "2"), place)
    until(lambda: answer if isinstance(answer := line.store.claim(wished), Claimed) else None)


def test_an_answer_comes_within_ten_seconds_however_the_time_is_spent() -> None:
    assert CONNECT_WITHIN + REPLY_WITHIN < ANSWER_WITHIN <= 10
