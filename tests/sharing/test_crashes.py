"""Servers that crash, come back, and come back without what they knew. Each test has a server of its own."""

import itertools
import threading
import time
from collections.abc import Iterator

import pytest
from msgspec import structs

from desktopsched.sharing.answers import ClaimAnswer, Claimed, Taken, Unknown
from desktopsched.sharing.claim import Wish
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.key import Key
from desktopsched.sharing.persistence import insist
from desktopsched.sharing.safety import Promise
from desktopsched.sharing.store import Store
from tests.faultlines import Record
from tests.sharing.places import SERVERS, Place, claimed, known, started, until, wish
from tests.sharing.servers import ForgetfulRedis, Server, UnsafePostgres


@pytest.fixture(params=SERVERS)
def own(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A server that may be killed."""
    server = started(SERVERS[request.param])
    yield Place(request.param, server.url, server)
    server.close()


def reached(store: Store) -> float:
    """The store's time, once it answers."""
    return until(lambda: None if isinstance(now := store.now(), Unknown) else now, within=60)


def test_what_a_server_confirmed_survives_its_crash_and_what_it_did_not_is_settled_by_asking_again(
    own: Place, list_id: str, report: Record
) -> None:
    assert own.server is not None
    store = own.open()
    reached(store)
    asked, confirmed, down = list[Wish](), list[Wish](), threading.Event()

    def claim_until_it_is_down() -> None:
        for number in itertools.count():
            asked.append(structs.replace(wish(Key(list_id, "task", str(number)), own), lease=60.0))
            if not isinstance(store.claim(asked[-1]), Claimed):
                break
            confirmed.append(asked[-1])
        down.set()

    claiming = threading.Thread(target=claim_until_it_is_down)
    claiming.start()
    until(lambda: len(confirmed) > 50 or None)
    own.server.kill()
    assert down.wait(30)
    claiming.join()
    unanswered = asked[-1]
    assert isinstance(store.claim(unanswered), Unknown)  # it is down: nothing starts
    late = own.open()
    assert isinstance(late.check(), Unknown)
    own.server.start()
    reached(store)
    reached(late)  # it was down when this one was opened, and is used now
    late.close()
    rows = [store.claim(wish(one.key, own, "cellar")) for one in confirmed]
    kept = sum(
        isinstance(row, Taken) and row.claim.nonce == one.nonce
        for row, one in zip(rows, confirmed, strict=True)
    )
    report(
        f"the server is killed while it is asked ({own.kind})",
        1,
        f"all of {len(confirmed)} confirmed claims are there",
        f"{kept} are there",
    )
    assert kept == len(confirmed)
    assert isinstance(insisted(store, unanswered), Claimed)
    store.close()


def insisted(store: Store, wished: Wish) -> ClaimAnswer:
    def wait(seconds: float) -> bool:
        time.sleep(seconds)
        return False

    return insist(lambda: store.claim(wished), until=time.monotonic() + 30, clock=time.monotonic, wait=wait)


@pytest.fixture
def forgetful() -> Iterator[Server]:
    server = started(ForgetfulRedis)
    yield server
    server.close()


def test_a_server_that_keeps_nothing_says_so_and_its_loss_can_be_told(
    forgetful: Server, list_id: str, report: Record
) -> None:
    store, place = open_store(forgetful.url), Place("redis", forgetful.url, forgetful)
    safety = known(store.check())
    assert safety.promise is Promise.NONE
    assert "append-only" in safety.words
    wishes = [wish(Key(list_id, "task", str(n)), place) for n in range(100)]
    for one in wishes:
        claimed(store, one)
    forgetful.kill()
    forgetful.start()
    again = [store.claim(wish(one.key, place, "cellar")) for one in wishes]
    lost = sum(isinstance(answer, Claimed) for answer in again)
    report(
        "Redis without its file is killed",
        1,
        "claims are gone: the control must fail, and it is noticed",
        f"{lost} of 100 could be claimed again",
    )
    assert lost == 100
    assert known(store.check()).identity != safety.identity
    store.close()


@pytest.fixture
def careless() -> Iterator[Server]:
    server = started(UnsafePostgres)
    yield server
    server.close()


def test_a_database_that_does_not_wait_for_its_disk_is_not_to_be_used(careless: Server) -> None:
    store = open_store(careless.url)
    safety = known(store.check())
    assert safety.promise is Promise.NONE
    assert "fsync is off" in safety.words
    store.close()
