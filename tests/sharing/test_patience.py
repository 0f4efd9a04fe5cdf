"""How long is asked again, how long a lease is trusted, and what can name a start: decisions without any store."""

import math
from collections.abc import Iterator

import pytest
from msgspec import Struct

from desktopsched.model import State
from desktopsched.sharing.answers import Claimed, TooEarly, Unknown
from desktopsched.sharing.claim import ClaimState, Hold
from desktopsched.sharing.errors import SharingError
from desktopsched.sharing.fence import BEATS, MARGIN, Fence
from desktopsched.sharing.key import NOMINAL_MOST, Key
from desktopsched.sharing.persistence import FIRST_PAUSE, LONGEST_PAUSE, insist

DOWN = Unknown("down")
MINE = Claimed(Hold(Key("list", "task", "1"), 1, "nonce", 60.0))


class Waits(Struct):
    """A clock that goes on only while somebody waits, and remembers for how long."""

    waited: list[float]
    most: int = 1000

    def clock(self) -> float:
        return sum(self.waited)

    def wait(self, seconds: float) -> bool:
        self.waited.append(seconds)
        return len(self.waited) >= self.most


def answers(*given: object) -> Iterator[object]:
    yield from given
    while True:
        yield given[-1]


def test_what_has_an_answer_is_not_asked_again() -> None:
    waits, said = Waits([]), answers(MINE, DOWN)
    assert insist(lambda: next(said), until=100.0, clock=waits.clock, wait=waits.wait) is MINE
    assert waits.waited == []


def test_what_has_none_is_asked_again_ever_more_slowly() -> None:
    waits, said = Waits([]), answers(*[DOWN] * 9, MINE)
    assert insist(lambda: next(said), until=100.0, clock=waits.clock, wait=waits.wait) is MINE
    assert waits.waited[0] == FIRST_PAUSE
    assert waits.waited == sorted(waits.waited)
    assert waits.waited[-1] == LONGEST_PAUSE


def test_when_the_time_is_over_nobody_knows() -> None:
    waits, said = Waits([]), answers(DOWN)
    assert insist(lambda: next(said), until=60.0, clock=waits.clock, wait=waits.wait) is DOWN
    assert 60 - LONGEST_PAUSE <= waits.clock() <= 60


def test_who_does_not_want_to_wait_any_longer_gets_the_last_answer() -> None:
    waits, said = Waits([], most=2), answers(DOWN)
    assert insist(lambda: next(said), until=math.inf, clock=waits.clock, wait=waits.wait) is DOWN
    assert len(waits.waited) == 2


def test_what_is_too_early_waits_until_it_is_due_if_that_is_in_time() -> None:
    waits, said = Waits([]), answers(TooEarly(1.5), MINE)
    assert insist(lambda: next(said), until=60.0, clock=waits.clock, wait=waits.wait) is MINE
    assert waits.waited == [1.5]
    assert insist(lambda: TooEarly(90.0), until=60.0, clock=waits.clock, wait=waits.wait) == TooEarly(90.0)


def test_what_is_too_early_by_nothing_does_not_spin() -> None:
    waits, said = Waits([]), answers(TooEarly(0.0))
    insist(lambda: next(said), until=1.0, clock=waits.clock, wait=waits.wait)
    assert len(waits.waited) <= 100


# --- the fence ---------------------------------------------------------------------------------------------


def test_a_lease_is_trusted_from_when_it_was_asked_for_and_a_margin_less() -> None:
    fence = Fence(60.0, asked=100.0)
    assert fence.holds(100.0 + 60.0 - MARGIN - 0.001)
    assert not fence.holds(100.0 + 60.0 - MARGIN)
    assert fence.next_heartbeat == 100.0 + 60.0 / BEATS


def test_a_short_lease_is_trusted_for_half_of_it() -> None:
    assert Fence(4.0, asked=0.0).trusted_until == 2.0


def test_answers_out_of_order_take_no_trust_back() -> None:
    assert Fence(60.0, 100.0).renewed(120.0).renewed(110.0) == Fence(60.0, 120.0)


# --- names -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("list_id", "task_id", "nominal"),
    [
        ("", "task", "1"),
        ("List", "task", "1"),
        ("a/b", "task", "1"),
        ("list\n", "task", "1"),
        ("list", "", "1"),
        ("list", "../task", "1"),
        ("list", "t" * 65, "1"),
        ("list", "task", ""),
        ("list", "task", " 1"),
        ("list", "task", "1 "),
        ("list", "task", "1\n"),
        ("list", "task", "é"),
        ("list", "task", "1" * (NOMINAL_MOST + 1)),
    ],
)
def test_what_a_store_could_not_hold_to_the_letter_names_no_start(
    list_id: str, task_id: str, nominal: str
) -> None:
    with pytest.raises(SharingError):
        Key(list_id, task_id, nominal)


@pytest.mark.parametrize("state", State)
def test_only_what_has_ended_has_an_end(state: State) -> None:
    if state.final:
        assert ClaimState.of(state).value == state.value
        assert not ClaimState.of(state).open
    else:
        with pytest.raises(ValueError, match="has not ended"):
            ClaimState.of(state)
