"""What every store keeps to: one suite, on SQLite and on real servers. Two stores are two computers."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import structs

from desktopsched.model import Outcome, State
from desktopsched.sharing.answers import (
    Claimed,
    Finished,
    Kept,
    Lost,
    Pruned,
    Refused,
    Released,
    Started,
    Taken,
    TooEarly,
)
from desktopsched.sharing.claim import OWNER_MOST, REASON_MOST, Claim, ClaimState, Wish
from desktopsched.sharing.key import Key
from desktopsched.sharing.rescue import Policy, rescue
from desktopsched.sharing.safety import Promise
from desktopsched.sharing.store import KEEP, Store
from tests.sharing.conftest import Join
from tests.sharing.places import Place, abandoned, begun, claimed, known, nonce, row, until, wish

OK = Outcome(State.SUCCEEDED, "", 0)
LONG_AGO = KEEP + 86_400


@pytest.fixture
def key(list_id: str) -> Key:
    return Key(list_id, "db-dump", "2026-11-30T02:30 Europe/Berlin")


def owned_by(answer: object) -> str:
    assert isinstance(answer, (Taken, Refused)), answer
    assert answer.claim is not None
    return answer.claim.owner


def finished(store: Store, wished: Wish) -> None:
    assert isinstance(store.finish(begun(store, wished), OK), Finished)


# --- claiming ----------------------------------------------------------------------------------------------


def test_the_first_has_it_and_the_second_is_told_who(
    store: Store, other: Store, key: Key, place: Place
) -> None:
    assert isinstance(store.claim(wish(key, place, "attic")), Claimed)
    assert owned_by(other.claim(wish(key, place, "cellar"))) == "attic"


def test_a_claim_whose_answer_was_lost_is_had_by_asking_again(store: Store, key: Key, place: Place) -> None:
    wished = wish(key, place)
    assert store.claim(wished) == store.claim(wished)
    assert row(store, key).token == 1


def test_the_same_try_is_nobodys_any_more_once_it_was_started(store: Store, key: Key, place: Place) -> None:
    wished = wish(key, place)
    begun(store, wished)
    assert isinstance(store.claim(wished), Taken)


def test_a_claim_stays_when_it_is_over_so_that_a_late_computer_is_refused(
    store: Store, other: Store, key: Key, place: Place
) -> None:
    finished(store, wish(key, place, "attic"))
    assert owned_by(other.claim(wish(key, place, "cellar"))) == "attic"


def test_what_is_due_later_by_the_stores_clock_is_refused_and_leaves_nothing(
    store: Store, key: Key, place: Place
) -> None:
    due = known(store.now()) + 90
    answer = store.claim(wish(key, place, due=due))
    assert isinstance(answer, TooEarly)
    assert answer.wait == pytest.approx(90, abs=5)
    assert store.read(key) is None


def test_what_is_started_by_hand_is_due_when_the_store_hears_of_it(
    store: Store, key: Key, place: Place
) -> None:
    claimed(store, wish(key, place, due=None))
    assert row(store, key).due == pytest.approx(known(store.now()), abs=5)


def test_starts_are_told_apart_by_list_task_and_nominal_to_the_letter(
    store: Store, list_id: str, place: Place
) -> None:
    nominals = [
        "1",
        "01",
        "a",
        "A",
        "a/b",
        "a%2Fb",
        ".",
        "..",
        "=",
        "a b",
        "a+b",
        "x" * 200,
        "{n}",
        "é".encode().hex(),
    ]
    keys = [Key(list_id, "one", nominal) for nominal in nominals]
    keys += [Key(list_id, "two", "1"), Key(list_id + "x", "one", "1")]
    assert [type(store.claim(wish(key, place))) for key in keys] == [Claimed] * len(keys)
    assert [row(store, key).key for key in keys] == keys


def test_of_threads_that_claim_at_once_one_has_it(store: Store, key: Key, place: Place) -> None:
    threads = 6
    barrier = threading.Barrier(threads)

    def claim() -> bool:
        barrier.wait()
        return isinstance(store.claim(wish(key, place)), Claimed)

    with ThreadPoolExecutor(threads) as pool:
        assert sum(pool.map(lambda _: claim(), range(threads))) == 1


# --- starting, living, ending ------------------------------------------------------------------------------


def test_a_start_is_confirmed_to_one_process_alone(store: Store, key: Key, place: Place) -> None:
    hold, stamp = claimed(store, wish(key, place)), nonce()
    assert isinstance(store.start(hold, stamp), Started)
    assert isinstance(store.start(hold, stamp), Started)  # its answer was lost
    assert isinstance(store.start(hold, nonce()), Refused)  # another process of the same claim


def test_a_start_that_is_confirmed_again_has_its_whole_lease_from_then_on(
    store: Store, key: Key, place: Place
) -> None:
    hold, stamp = claimed(store, structs.replace(wish(key, place), lease=60.0)), nonce()
    assert isinstance(store.start(hold, stamp), Started)
    first = row(store, key)
    until(lambda: True if known(store.now()) > first.read_at + 0.01 else None)
    assert isinstance(store.start(hold, stamp), Started)
    again = row(store, key)
    assert again.lease_end > first.lease_end
    assert again.started_at == first.started_at


def test_only_who_claimed_it_may_start_it(store: Store, other: Store, key: Key, place: Place) -> None:
    hold = claimed(store, wish(key, place))
    assert isinstance(other.start(structs.replace(hold, nonce=nonce()), nonce()), Refused)
    assert isinstance(other.start(structs.replace(hold, token=2), nonce()), Refused)
    assert isinstance(
        other.start(structs.replace(hold, key=structs.replace(key, nominal="2")), nonce()), Refused
    )
    assert row(store, key).state is ClaimState.CLAIMED


def test_signs_of_life_keep_the_lease_before_and_after_the_start(
    store: Store, key: Key, place: Place
) -> None:
    hold = claimed(store, wish(key, place))
    ends = [row(store, key).lease_end]
    for _ in range(3):
        assert isinstance(store.heartbeat(hold), Kept)
        ends.append(row(store, key).lease_end)
    assert isinstance(store.start(hold, nonce()), Started)
    assert isinstance(store.heartbeat(hold), Kept)
    ends.append(row(store, key).lease_end)
    assert ends == sorted(ends)
    assert ends[-1] > ends[0]


def test_signs_of_life_of_others_and_of_what_is_over_are_refused(
    store: Store, other: Store, key: Key, place: Place
) -> None:
    hold = begun(store, wish(key, place))
    assert isinstance(other.heartbeat(structs.replace(hold, nonce=nonce())), Refused)
    assert isinstance(store.finish(hold, OK), Finished)
    assert isinstance(store.heartbeat(hold), Refused)


def test_the_outcome_is_read_by_the_other_computers(
    store: Store, other: Store, key: Key, place: Place
) -> None:
    hold = begun(store, wish(key, place, "Büro"))
    assert row(other, key).outcome is None
    assert isinstance(store.finish(hold, Outcome(State.FAILED, "exit code 3 – „kaputt“", 3)), Finished)
    found = row(other, key)
    assert (found.owner, found.outcome) == ("Büro", Outcome(State.FAILED, "exit code 3 – „kaputt“", 3))
    assert found.started_at is not None
    assert found.finished_at is not None
    assert found.claimed_at <= found.started_at <= found.finished_at


def test_only_who_started_it_may_end_it(store: Store, other: Store, key: Key, place: Place) -> None:
    hold = begun(store, wish(key, place))
    assert isinstance(other.finish(structs.replace(hold, nonce=nonce()), OK), Refused)
    assert isinstance(other.finish(structs.replace(hold, token=2), OK), Refused)
    assert row(store, key).state is ClaimState.STARTED


def test_a_reason_without_end_is_cut(store: Store, key: Key, place: Place) -> None:
    hold = begun(store, wish(key, place))
    assert isinstance(store.finish(hold, Outcome(State.CANCELLED, "ä" * 5000)), Finished)
    assert row(store, key).reason == "ä" * REASON_MOST


def test_whatever_a_program_said_can_be_kept(store: Store, key: Key, place: Place) -> None:
    hold = begun(store, wish(key, place, "b\udcfcro\0" + "x" * 300))
    assert isinstance(
        store.finish(hold, Outcome(State.FAILED, "no \udcff\0 \U0001f4a5 \u202e'\"\\{}", 1)), Finished
    )
    found = row(store, key)
    assert found.owner == "b?ro\ufffd" + "x" * (OWNER_MOST - 5)
    assert found.reason == "no ?\ufffd \U0001f4a5 \u202e'\"\\{}"


@pytest.mark.parametrize("code", [None, 0, -9, 3_221_225_786])
def test_exit_codes_of_all_systems_can_be_kept(
    store: Store, key: Key, place: Place, code: int | None
) -> None:
    assert isinstance(store.finish(begun(store, wish(key, place)), Outcome(State.FAILED, "", code)), Finished)
    assert row(store, key).outcome == Outcome(State.FAILED, "", code)


def test_what_did_not_start_cannot_end(store: Store, key: Key, place: Place) -> None:
    assert isinstance(store.finish(claimed(store, wish(key, place)), OK), Refused)
    assert row(store, key).state is ClaimState.CLAIMED


def test_an_end_is_accepted_once_however_often_it_is_told(store: Store, key: Key, place: Place) -> None:
    hold = begun(store, wish(key, place))
    assert isinstance(store.finish(hold, OK), Finished)
    assert isinstance(store.finish(hold, OK), Finished)  # its answer was lost
    assert isinstance(store.finish(hold, Outcome(State.FAILED, "exit code 1", 1)), Refused)
    assert row(store, key).outcome == OK


# --- owners that are gone ----------------------------------------------------------------------------------


def leave(store: Store, place: Place) -> None:
    """The computer goes: no sign of life any more. ZooKeeper's sessions live by themselves, so this one is ended."""
    if place.kind == "zookeeper":
        store.close()


def test_what_is_alive_is_neither_taken_over_nor_given_up(
    store: Store, other: Store, key: Key, place: Place
) -> None:
    hold = begun(store, structs.replace(wish(key, place), lease=60.0))
    assert isinstance(other.take_over(wish(key, place), 1, started=True), Refused)
    assert isinstance(other.lose(key, 1), Refused)
    assert isinstance(store.heartbeat(hold), Kept)


@pytest.mark.parametrize("policy", Policy)
def test_what_was_claimed_and_not_started_is_taken_over_and_its_late_owner_may_not_start_it(
    join: Join, key: Key, place: Place, policy: Policy
) -> None:
    gone, back, heir = join(), join(), join()
    hold = claimed(gone, wish(key, place, "attic"))
    leave(gone, place)
    answer = rescue(heir, abandoned(heir, key), wish(key, place, "cellar"), policy)
    assert isinstance(answer, Claimed)
    assert answer.hold.token == 2
    assert owned_by(back.start(hold, nonce())) == "cellar"
    assert isinstance(heir.start(answer.hold, nonce()), Started)


def test_never_twice_what_was_started_is_lost_and_its_late_end_is_refused(
    join: Join, key: Key, place: Place
) -> None:
    gone, back, heir = join(), join(), join()
    hold = begun(gone, wish(key, place, "attic"))
    leave(gone, place)
    claim = abandoned(heir, key)
    answer = rescue(heir, claim, wish(key, place, "cellar"), Policy.NEVER_TWICE)
    assert isinstance(answer, Lost)
    assert answer.claim.state is ClaimState.LOST
    assert isinstance(heir.lose(key, 1), Lost)  # the answer was lost, or another computer gave it up as well
    assert isinstance(back.heartbeat(hold), Refused)
    assert isinstance(back.finish(hold, OK), Refused)
    assert isinstance(back.start(hold, nonce()), Refused)
    assert isinstance(back.claim(wish(key, place, "attic")), Taken)
    assert isinstance(heir.take_over(wish(key, place), 1, started=True), Refused)
    assert row(heir, key).outcome == Outcome(State.FAILED, "lost: attic gave no sign of life any more")


def test_run_again_what_was_started_is_anothers_and_only_his_end_counts(
    join: Join, key: Key, place: Place
) -> None:
    gone, back, heir = join(), join(), join()
    hold = begun(gone, wish(key, place, "attic"))
    leave(gone, place)
    claim, again = abandoned(heir, key), wish(key, place, "cellar")
    answer = rescue(heir, claim, again, Policy.RUN_AGAIN)
    assert isinstance(answer, Claimed)
    assert rescue(heir, claim, again, Policy.RUN_AGAIN) == answer  # its answer was lost
    assert isinstance(back.heartbeat(hold), Refused)
    assert isinstance(heir.start(answer.hold, nonce()), Started)
    assert owned_by(back.finish(hold, Outcome(State.FAILED, "late", 1))) == "cellar"
    assert isinstance(heir.finish(answer.hold, OK), Finished)
    found = row(back, key)
    assert (found.token, found.owner, found.outcome) == (2, "cellar", OK)


def test_of_two_heirs_one_has_it(join: Join, key: Key, place: Place) -> None:
    gone, one, two = join(), join(), join()
    begun(gone, wish(key, place))
    leave(gone, place)
    claim = abandoned(one, key)
    first = rescue(one, claim, wish(key, place, "one"), Policy.RUN_AGAIN)
    second = rescue(two, claim, wish(key, place, "two"), Policy.RUN_AGAIN)
    assert isinstance(first, Claimed)
    assert owned_by(second) == "one"


def test_what_was_seen_under_an_old_token_gives_no_right_to_what_changed_hands_since(
    join: Join, key: Key, place: Place
) -> None:
    gone, first, second = join(), join(), join()
    begun(gone, wish(key, place))
    leave(gone, place)
    seen = abandoned(second, key)
    assert isinstance(first.take_over(wish(key, place, "first"), seen.token, started=True), Claimed)
    leave(first, place)
    again = abandoned(second, key)
    assert isinstance(second.lose(key, seen.token), Refused)
    assert isinstance(second.take_over(wish(key, place), seen.token, started=True), Refused)
    answer = second.take_over(wish(key, place, "second"), again.token, started=True)
    assert isinstance(answer, Claimed)
    assert (answer.hold.token, row(second, key).token) == (3, 3)


def test_an_owner_who_comes_back_before_anybody_came_has_it_still(join: Join, key: Key, place: Place) -> None:
    gone, back, heir = join(), join(), join()
    hold = begun(gone, wish(key, place))
    leave(gone, place)
    claim = abandoned(heir, key)
    assert isinstance(back.heartbeat(hold), Kept)
    assert isinstance(rescue(heir, claim, wish(key, place), Policy.RUN_AGAIN), Refused)
    assert isinstance(back.finish(hold, OK), Finished)


def test_who_leaves_may_have_what_goes_on_for_longer_than_a_lease(join: Join, key: Key, place: Place) -> None:
    gone, heir = join(), join()
    hold = begun(gone, wish(key, place))
    assert isinstance(gone.heartbeat(hold, lasts=900.0), Kept)
    leave(gone, place)
    assert row(heir, key).lease_left == pytest.approx(900.0, abs=60.0)
    assert isinstance(heir.lose(key, 1), Refused)
    assert isinstance(heir.take_over(wish(key, place), 1, started=True), Refused)
    back = join()
    assert isinstance(back.heartbeat(hold), Kept)
    assert row(heir, key).lease_left < 60.0
    leave(back, place)
    abandoned(heir, key)


def test_what_a_store_calls_a_lease_is_told_with_each_sign_of_life(
    store: Store, key: Key, place: Place
) -> None:
    hold = begun(store, wish(key, place))
    answer = store.heartbeat(
        structs.replace(hold, lease=hold.lease if place.kind != "zookeeper" else 3_600.0)
    )
    assert answer == Kept(hold)


def test_what_is_released_may_be_taken_over_at_once(
    store: Store, other: Store, key: Key, place: Place
) -> None:
    hold = claimed(store, structs.replace(wish(key, place), lease=60.0))
    assert isinstance(store.release(hold), Released)
    assert isinstance(other.take_over(wish(key, place, "cellar"), 1, started=False), Claimed)
    assert owned_by(store.release(hold)) == "cellar"


def test_what_was_started_is_not_released(store: Store, key: Key, place: Place) -> None:
    assert isinstance(store.release(begun(store, wish(key, place))), Refused)


# --- looking, and tidying ----------------------------------------------------------------------------------


def test_what_is_under_way_is_listed_with_its_owners(
    store: Store, other: Store, list_id: str, place: Place
) -> None:
    first, second, third = (Key(list_id, "task", nominal) for nominal in "123")
    begun(store, wish(first, place, "attic"))
    claimed(other, wish(second, place, "cellar"))
    finished(store, wish(third, place))
    claimed(store, wish(Key(f"{list_id}-2", "task", "1"), place))
    found = known(store.unfinished(list_id))
    assert [(one.key, one.owner, one.state.value) for one in found] == [
        (first, "attic", "started"),
        (second, "cellar", "claimed"),
    ]
    assert all(0 <= one.lease_left <= place.lease for one in found)


def test_a_list_that_nobody_used_has_nothing(store: Store, list_id: str) -> None:
    assert store.unfinished(list_id) == ()
    assert store.prune(list_id) == 0
    assert store.read(Key(list_id, "task", "1")) is None


def test_old_rows_go_and_what_was_due_until_then_is_claimed_no_more(
    store: Store, other: Store, list_id: str, place: Place
) -> None:
    now = known(store.now())
    old, older, unknown = (Key(list_id, "task", nominal) for nominal in ("old", "older", "unknown"))
    recent, open_ = Key(list_id, "task", "recent"), Key(list_id, "task", "open")
    elsewhere = Key(f"{list_id}-2", "task", "old")
    begun(store, wish(open_, place, due=now - LONG_AGO - 5))
    finished(store, wish(old, place, due=now - LONG_AGO))
    finished(store, wish(older, place, due=now - LONG_AGO - 10))
    finished(store, wish(recent, place, due=now - 100))
    finished(store, wish(elsewhere, place, due=now - LONG_AGO))
    assert store.prune(list_id, settle=0) == 2
    assert [isinstance(store.read(key), Claim) for key in (old, older, recent, open_, elsewhere)] == [
        False,
        False,
        True,
        True,
        True,
    ]
    for late in (old, older, unknown):
        assert isinstance(other.claim(wish(late, place, due=now - LONG_AGO)), Pruned)
    assert isinstance(other.claim(wish(unknown, place, due=now - LONG_AGO + 1)), Claimed)
    assert isinstance(other.claim(wish(Key(list_id, "task-2", "old"), place, due=now - LONG_AGO)), Claimed)
    assert store.prune(list_id, settle=0) == 0


def test_a_row_goes_only_after_others_had_time_to_see_the_floor(
    store: Store, list_id: str, place: Place
) -> None:
    due = known(store.now()) - LONG_AGO
    finished(store, wish(Key(list_id, "task", "old"), place, due=due))
    store.prune(list_id)
    store.prune(list_id)
    assert isinstance(store.claim(wish(Key(list_id, "task", "older"), place, due=due - 1)), Pruned)
    assert not isinstance(store.claim(wish(Key(list_id, "task", "old"), place, due=due)), Claimed)


def test_rows_go_in_the_end_however_often_they_are_looked_at(
    store: Store, list_id: str, place: Place
) -> None:
    now, settle = known(store.now()), 0.6
    finished(store, wish(Key(list_id, "task", "old"), place, due=now - LONG_AGO))
    pruned = known(store.prune(list_id, settle=settle))
    finished(store, wish(Key(list_id, "task", "less old"), place, due=now - LONG_AGO + 1))
    half = known(store.now()) + settle / 2
    until(lambda: True if known(store.now()) > half else None)
    pruned += known(store.prune(list_id, settle=settle))  # finds more that may go
    until(lambda: True if known(store.now()) > half + settle / 2 else None)
    pruned += known(store.prune(list_id, settle=settle))
    assert pruned >= 1
    assert store.read(Key(list_id, "task", "old")) is None


def test_rows_of_the_last_week_cannot_be_pruned(store: Store, list_id: str) -> None:
    with pytest.raises(ValueError, match="604800"):
        store.prune(list_id, keep=KEEP - 1)


def test_a_server_is_asked_what_it_promises_and_which_it_is(store: Store, other: Store, place: Place) -> None:
    safety = known(store.check())
    promised = {"redis": Promise.BEST_EFFORT, "memory": Promise.NONE}.get(place.kind, Promise.STRICT)
    assert (safety.promise, len(safety.identity)) == (promised, 32)
    assert known(other.check()).identity == safety.identity
