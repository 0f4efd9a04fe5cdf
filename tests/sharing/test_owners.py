"""Computers that die or stand still while they own a start: real processes, killed and stopped."""

import signal

import pytest

from desktopsched.model import Outcome, State
from desktopsched.sharing.answers import Claimed, Finished, Lost, Refused
from desktopsched.sharing.claim import ClaimState, Hold
from desktopsched.sharing.key import Key
from desktopsched.sharing.rescue import Policy, rescue
from desktopsched.sharing.store import Store
from tests.faultlines import Record
from tests.sharing.computers import Computer, computer
from tests.sharing.places import Place, abandoned, nonce, row, until, wish


def told(computer: Computer, verb: str) -> str:
    """What comes of it, once the computer has a connection again."""
    return until(lambda: None if (answer := computer.do(verb, "1")) == "Unknown" else answer)


@pytest.mark.parametrize("policy", Policy)
def test_when_the_owner_is_killed_its_start_is_lost_or_anothers_by_choice(
    store: Store, place: Place, list_id: str, policy: Policy, report: Record
) -> None:
    key = Key(list_id, "race", "1")
    with computer(place, list_id) as attic:
        assert attic.claim("1") == "Claimed"
        assert attic.do("start", "1") == "Started"
        attic.process.kill()
        attic.process.wait()
        found = abandoned(store, key)
        came = rescue(store, found, wish(key, place, "heir"), policy)
    now = row(store, key)
    report(
        f"the owner is killed in the middle of its run ({policy.value}, {place.kind})",
        1,
        "lost" if policy is Policy.NEVER_TWICE else "another has it, under the next token",
        f"{now.state.value}, of {now.owner}, token {now.token}",
    )
    assert isinstance(came, Lost if policy is Policy.NEVER_TWICE else Claimed)
    assert (now.token, now.owner) == ((1, "attic") if policy is Policy.NEVER_TWICE else (2, "heir"))


def test_an_owner_that_stands_still_past_its_lease_knows_it_and_is_refused(
    store: Store, place: Place, list_id: str, report: Record
) -> None:
    key = Key(list_id, "race", "1")
    with computer(place, list_id) as attic:
        attic.claim("1")
        attic.do("start", "1")
        until(lambda: True if (attic.do("beat", "1"), attic.do("fence", "1")) == ("Kept", "True") else None)
        attic.process.send_signal(signal.SIGSTOP)
        try:
            heir = rescue(store, abandoned(store, key), wish(key, place, "heir"), Policy.RUN_AGAIN)
        finally:
            attic.process.send_signal(signal.SIGCONT)
        trusts = attic.do("fence", "1")  # it need not ask anybody to know that
        finish, beat = told(attic, "finish"), told(attic, "beat")
    now = row(store, key)
    report(
        f"the owner stands still past its lease ({place.kind})",
        1,
        "another has it; the first trusts itself no more, and its end is refused",
        f"trusts itself: {trusts}; end: {finish}; of {now.owner}, token {now.token}",
    )
    assert isinstance(heir, Claimed)
    assert (trusts, finish, beat) == ("False", "Refused", "Refused")
    assert (now.token, now.state) == (2, ClaimState.CLAIMED)


def test_an_engine_that_does_its_work_once_more_may_not_start_it(
    store: Store, place: Place, list_id: str, report: Record
) -> None:
    """A worker was killed, in the middle of the run or after its end, and the engine gives another the same work."""
    key = Key(list_id, "race", "1")
    with computer(place, list_id) as worker:
        worker.claim("1")
        worker.do("start", "1")
        worker.process.kill()
        worker.process.wait()
    given = row(store, key)
    hold = Hold(key, given.token, given.nonce, place.lease)
    during = store.start(hold, nonce())
    ended = store.finish(hold, Outcome(State.SUCCEEDED, "", 0))
    after = store.start(hold, nonce())
    report(
        f"an engine does work again whose worker was killed ({place.kind})",
        2,
        "the second start is refused, during the run and after its end",
        f"{type(during).__name__}, {type(after).__name__}",
    )
    assert (type(during), type(ended), type(after)) == (Refused, Finished, Refused)
