"""Computers that die or stand still while they own a start: real processes, killed and stopped."""

import signal

import pytest

from desktopsched.sharing.answers import Claimed, Lost
from desktopsched.sharing.claim import ClaimState
from desktopsched.sharing.key import Key
from desktopsched.sharing.rescue import Policy, rescue
from desktopsched.sharing.store import Store
from tests.sharing.computers import Computer, computer
from tests.sharing.places import Place, abandoned, row, until, wish


def told(computer: Computer, verb: str) -> str:
    """What comes of it, once the computer has a connection again."""
    return until(lambda: None if (answer := computer.do(verb, "1")) == "Unknown" else answer)


@pytest.mark.parametrize(("policy", "answer"), [(Policy.NEVER_TWICE, Lost), (Policy.RUN_AGAIN, Claimed)])
def test_when_the_owner_is_killed_its_start_is_lost_or_anothers_by_choice(
    store: Store, place: Place, list_id: str, policy: Policy, answer: type
) -> None:
    key = Key(list_id, "race", "1")
    with computer(place, list_id) as attic:
        assert attic.claim("1") == "Claimed"
        assert attic.do("start", "1") == "Started"
        attic.process.kill()
        attic.process.wait()
        found = abandoned(store, key)
        assert isinstance(rescue(store, found, wish(key, place, "heir"), policy), answer)
    now = row(store, key)
    assert (now.token, now.owner) == ((1, "attic") if policy is Policy.NEVER_TWICE else (2, "heir"))


def test_an_owner_that_stands_still_past_its_lease_knows_it_and_is_refused(
    store: Store, place: Place, list_id: str
) -> None:
    key = Key(list_id, "race", "1")
    with computer(place, list_id) as attic:
        attic.claim("1")
        attic.do("start", "1")
        assert (attic.do("beat", "1"), attic.do("fence", "1")) == ("Kept", "True")
        attic.process.send_signal(signal.SIGSTOP)
        try:
            heir = rescue(store, abandoned(store, key), wish(key, place, "heir"), Policy.RUN_AGAIN)
        finally:
            attic.process.send_signal(signal.SIGCONT)
        assert isinstance(heir, Claimed)
        assert attic.do("fence", "1") == "False"  # it need not ask anybody to know that
        assert told(attic, "finish") == "Refused"
        assert told(attic, "beat") == "Refused"
    assert (row(store, key).token, row(store, key).state) == (2, ClaimState.CLAIMED)
