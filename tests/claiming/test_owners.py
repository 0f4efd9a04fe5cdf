"""Computers that die, stand still or are cut off while they own a start; and what they do when they are back."""

import pytest

from desktopsched.claiming.events import ClaimSettled, FinishRefused, HoldLost
from desktopsched.claiming.reach import ALL_BACK, LONGEST_PAUSE
from desktopsched.engine import words
from desktopsched.engine.events import RunFinished, RunRetrying, RunSkipped
from desktopsched.engine.fates import Ended, StillRunning
from desktopsched.model import IfLost, Retry, State
from desktopsched.sharing.claim import LEASE
from desktopsched.sharing.fence import MARGIN
from tests.claiming.town import Computer, Town
from tests.engine.world import FAIL, OK, cron, task

LOST = "failed: ran on desk: lost: desk gave no sign of life any more"


def pair(lasts: float = 500, **fields: object) -> tuple[Town, Computer, Computer]:
    """Two computers; a long run goes on on the first."""
    town = Town()
    one = cron("a", "1 12 * * *", **fields)
    desk, attic = town.computer("desk", one), town.computer("attic", one)
    desk.now.lasts["a"] = lasts
    attic.now.lasts["a"] = 30
    town.advance(70)
    assert desk.starts("a") == ["12:01:00"]
    return town, desk, attic


def ends(one: Computer) -> list[str]:
    return [
        f"{event.outcome.state}: {event.outcome.reason}"
        for event in one.events
        if isinstance(event, RunFinished | RunSkipped)
    ]


def tokens(town: Town) -> list[int]:
    return [token for _, token in town.ledger.started]


def test_a_sign_of_life_keeps_a_start_for_as_long_as_its_run_lasts() -> None:
    town, desk, attic = pair()
    town.advance(300)
    assert desk.line.asked.count("heartbeat") == 300 // (LEASE / 3)
    assert [claim.lease_left > LEASE / 2 for claim in town.rows()] == [True]
    assert attic.now.performed == []


def test_a_start_whose_computer_dies_is_lost_and_never_begun_again() -> None:
    town, desk, attic = pair()
    desk.die()
    town.advance(LEASE - 15)
    assert attic.now.status("a").state is State.RUNNING
    town.advance(20)
    assert ends(attic) == [LOST]
    assert attic.now.performed == []
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "lost")]


def test_a_start_that_is_run_again_if_lost_is_taken_over_under_the_next_token() -> None:
    town, desk, attic = pair(if_lost=IfLost.RUN_AGAIN)
    desk.die()
    town.advance(LEASE + 50)
    assert attic.starts("a") == ["12:01:00"]
    assert ends(attic) == ["succeeded: "]
    assert [(claim.token, claim.owner, claim.state) for claim in town.rows()] == [(2, "attic", "succeeded")]


def test_one_of_two_heirs_takes_it_over() -> None:
    town = Town()
    one = cron("a", "1 12 * * *", if_lost=IfLost.RUN_AGAIN)
    desk, attic, cellar = (town.computer(name, one) for name in ("desk", "attic", "cellar"))
    desk.now.lasts["a"] = 500
    town.advance(70)
    desk.die()
    town.advance(LEASE + 20)
    assert len(attic.now.performed) + len(cellar.now.performed) == 1
    assert tokens(town) == [1, 2]
    assert sum(end == "succeeded: " for end in (*ends(attic), *ends(cellar))) == 1


def test_what_was_interrupted_is_finished_as_such_when_its_computer_is_back_in_time() -> None:
    town, desk, attic = pair()
    desk.die()
    town.advance(20)
    desk.come_back()
    town.advance(5)
    assert ends(desk) == [f"failed: {words.INTERRUPTED}"]
    assert ends(attic) == [f"failed: ran on desk: {words.INTERRUPTED}"]
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "failed")]
    assert [event.run_id for event in desk.now.of(ClaimSettled)] == [1]


def test_a_run_that_outlived_its_program_goes_on_under_the_same_claim() -> None:
    town, desk, attic = pair()
    desk.die()
    town.advance(20)
    desk.come_back(fates={1: StillRunning(town.time - 20)})
    town.advance(200)
    assert desk.line.asked.count("heartbeat") >= 200 / 20
    assert [claim.state for claim in town.rows()] == ["started"]
    town.advance(310)
    assert ends(desk) == ["succeeded: "]
    assert ends(attic) == ["succeeded: ran on desk"]
    assert tokens(town) == [1]


def test_a_run_that_ended_while_its_program_was_away_is_finished_when_it_is_back() -> None:
    town, desk, attic = pair()
    desk.die()
    town.advance(20)
    desk.come_back(fates={1: Ended(OK, town.time - 10)})
    town.advance(5)
    assert [claim.state for claim in town.rows()] == ["succeeded"]
    assert ends(attic) == ["succeeded: ran on desk"]


def test_an_outcome_that_was_not_told_before_the_program_died_is_told_by_the_next() -> None:
    town, desk, attic = pair()
    desk.now.lasts["a"] = 1
    desk.now.dispatcher.cancel("a")
    desk.line.down = True
    town.advance(5)
    assert ends(desk) == ["cancelled: stopped by you"]
    desk.die()
    town.advance(10)
    desk.line.down = False
    desk.come_back()
    town.advance(5)
    assert [claim.state for claim in town.rows()] == ["cancelled"]
    assert ends(attic) == ["cancelled: ran on desk: stopped by you"]


def test_who_stood_still_past_his_lease_is_refused_and_says_so() -> None:
    town, desk, attic = pair()
    desk.stop()
    town.advance(LEASE + 20)
    assert ends(attic) == [LOST]
    desk.resume()
    town.advance(600)
    assert ends(desk) == ["succeeded: "], "the run is over here all the same"
    (lost,) = desk.now.of(HoldLost)
    (refused,) = desk.now.of(FinishRefused)
    assert "has given it up" in lost.words
    assert refused.why == "desk had given no sign of life for too long (token 1, lost)"
    assert [claim.state for claim in town.rows()] == ["lost"]


def test_who_cannot_trust_his_lease_stops_before_another_may_begin() -> None:
    town, desk, attic = pair(if_lost=IfLost.RUN_AGAIN)
    desk.line.down = True
    town.advance(LEASE - MARGIN - 11)
    assert desk.now.status("a").running != ()
    town.advance(LEASE / 3)
    assert desk.now.status("a").running == ()
    (stopped,) = desk.now.of(RunRetrying)
    assert (stopped.outcome.state, stopped.outcome.reason) == (State.CANCELLED, words.FENCED)
    (row,) = town.rows()
    assert stopped.at < row.lease_end
    town.advance(20)
    assert attic.starts("a") == ["12:01:00"]
    desk.line.down = False
    town.advance(60)
    assert ends(desk) == ["succeeded: ran on attic"]
    assert ends(attic) == ["succeeded: "]
    assert tokens(town) == [1, 2]


def test_what_another_computer_took_over_is_settled_here_when_it_has_ended_there() -> None:
    town, desk, _ = pair(if_lost=IfLost.RUN_AGAIN)
    desk.line.down = True
    town.advance(LEASE + 20)
    desk.line.down = False
    town.advance(60)
    assert ends(desk) == ["succeeded: ran on attic"]
    assert [event.run_id for event in desk.now.of(ClaimSettled)] == [1]
    desk.die()
    desk.come_back()
    town.advance(5)
    assert desk.now.of(FinishRefused) == [], "nothing is left to be told"


@pytest.mark.parametrize("if_lost", IfLost)
def test_who_could_not_be_reached_by_anybody_is_waited_for_when_the_list_is_back(if_lost: IfLost) -> None:
    """The server was away for longer than a lease. Nobody could give a sign of life, and nobody died."""
    town, desk, attic = pair(lasts=60, if_lost=if_lost)
    town.advance(20)
    desk.line.down = attic.line.down = True
    town.advance(LEASE + 40)
    attic.line.down = False
    town.advance(20)
    desk.line.down = False
    town.advance(30)
    assert attic.now.performed == []
    assert [claim.owner for claim in town.rows()] == ["desk"]
    assert ends(attic) == ["succeeded: ran on desk"]
    assert ends(desk) == ["succeeded: "]


def test_who_died_while_the_list_was_out_of_reach_is_given_up_soon_after_it_is_back() -> None:
    town, desk, attic = pair()
    attic.line.down = True
    desk.die()
    town.advance(LEASE + 60)
    attic.line.down = False
    town.advance(20)
    assert attic.now.status("a").state is State.RUNNING
    town.advance(LONGEST_PAUSE + ALL_BACK)
    assert ends(attic) == [LOST]


def test_who_dies_after_he_was_cut_off_keeps_no_claim_alive_that_nobody_performs() -> None:
    town, desk, attic = pair(if_lost=IfLost.RUN_AGAIN)
    attic.die()
    desk.line.down = True
    town.advance(LEASE + 20)
    assert desk.now.status("a").running == ()
    desk.die()
    desk.line.down = False
    desk.come_back()
    town.advance(5 * LEASE)
    assert ends(desk) == [f"failed: {words.INTERRUPTED}"]
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "failed")]


def test_who_was_cut_off_alone_claims_his_own_start_anew() -> None:
    town, desk, attic = pair(if_lost=IfLost.RUN_AGAIN)
    attic.die()
    desk.line.down = True
    town.advance(120)
    desk.now.lasts["a"] = 10
    desk.line.down = False
    town.advance(60)
    assert ends(desk) == ["succeeded: "]
    assert [(claim.token, claim.owner, claim.state) for claim in town.rows()] == [(2, "desk", "succeeded")]


def test_the_first_thing_after_standing_still_is_to_look_whether_the_lease_holds() -> None:
    town, desk, attic = pair(if_lost=IfLost.RUN_AGAIN)
    desk.stop()
    town.advance(LEASE + 10)
    assert attic.now.status("a").state is State.RUNNING
    asked = len(desk.line.asked)
    desk.resume()
    desk.now.shared.keeper.turn()  # type: ignore[union-attr]
    assert desk.now.dispatcher._agenda.board.slots["a"].live[0].run.stop.reason == words.FENCED
    assert desk.line.asked[asked:] in ([], ["unfinished"], ["heartbeat"])


def test_no_further_attempt_is_made_of_what_was_given_up_meanwhile() -> None:
    town = Town()
    one = cron("a", "1 12 * * *", retry=Retry(attempts=3, delay=100.0))
    desk, attic = town.computer("desk", one), town.computer("attic", one)
    desk.now.lasts["a"] = 5
    desk.now.outcomes["a"] = [FAIL, OK]
    town.advance(70)
    assert len(desk.now.performed) == 1
    desk.stop()
    town.advance(150)
    assert ends(attic) == [LOST]
    desk.resume()
    town.advance(20)
    assert len(desk.now.performed) == 1
    assert ends(desk) == [LOST]


def test_who_comes_back_after_another_took_over_does_not_end_its_run() -> None:
    town = Town()
    one = cron("a", "1 12 * * *", if_lost=IfLost.RUN_AGAIN)
    desk, attic = town.computer("desk", one), town.computer("attic", one)
    desk.now.lasts["a"] = 40
    attic.now.lasts["a"] = 400
    town.advance(70)
    desk.die()
    town.advance(LEASE + 20)
    assert [(claim.token, claim.owner, claim.state) for claim in town.rows()] == [(2, "attic", "started")]
    desk.come_back()
    town.advance(5)
    assert ends(desk) == [f"failed: {words.INTERRUPTED}"]
    (refused,) = desk.now.of(FinishRefused)
    assert refused.why == "attic has it (token 2, started)"
    assert "does not count on the shared list" in refused.words
    town.advance(400)
    assert ends(attic) == ["succeeded: "]
    assert [claim.token for claim in town.rows()] == [2]


def test_what_another_computer_took_over_is_not_offered_to_be_run_again() -> None:
    town, desk, attic = pair(if_lost=IfLost.RUN_AGAIN)
    desk.die()
    town.advance(LEASE + 10)
    desk.come_back()
    town.advance(5)
    assert attic.starts("a") == ["12:01:00"]
    assert desk.now.status("a").interrupted is None
    desk.die()
    desk.come_back()
    assert desk.now.status("a").interrupted is None


def test_what_is_lost_for_all_is_offered_to_be_run_again_where_it_was_interrupted() -> None:
    town, desk, _ = pair()
    desk.die()
    town.advance(LEASE + 20)
    desk.come_back()
    town.advance(5)
    assert desk.now.status("a").interrupted is not None


def test_a_run_that_is_never_twice_is_not_stopped_because_the_list_is_out_of_reach() -> None:
    town, desk, _ = pair()
    desk.line.down = True
    town.advance(300)
    assert desk.now.status("a").running != ()


def test_a_start_that_was_claimed_and_not_started_is_taken_over_under_both_promises() -> None:
    for promise in IfLost:
        town = Town()
        one = cron("a", "1 12 * * *", if_lost=promise, grace=300.0)
        desk = town.computer("desk", one)
        attic = town.computer("attic", one)
        desk.line.cut = lambda step: "before" if step == "start" else ""
        town.advance(65)
        assert [claim.state for claim in town.rows()] == ["claimed"]
        desk.die()
        town.advance(LEASE + 10)
        assert attic.starts("a") == ["12:01:00"]
        assert tokens(town) == [2]


def test_a_claim_without_an_answer_is_found_again_by_the_next_program() -> None:
    town = Town()
    one = cron("a", "1 12 * * *", grace=300.0)
    desk = town.computer("desk", one)
    desk.line.cut = lambda step: "after" if step == "claim" else ""
    town.advance(65)
    assert [claim.state for claim in town.rows()] == ["claimed"]
    desk.die()
    desk.line.cut = lambda _: ""
    desk.come_back()
    town.advance(5)
    assert desk.starts("a") == ["12:01:00"]
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "succeeded")]


@pytest.mark.parametrize(
    ("promise", "end", "token"), [(IfLost.NEVER_TWICE, LOST, 1), (IfLost.RUN_AGAIN, "succeeded: ", 2)]
)
def test_a_start_whose_program_died_before_its_history_had_it_is_settled_by_the_promise(
    promise: IfLost, end: str, token: int
) -> None:
    town = Town()
    desk = town.computer("desk", cron("a", "1 12 * * *", if_lost=promise, grace=300.0))
    desk.line.cut = lambda step: "after" if step == "start" else ""
    town.advance(65)
    assert [claim.state for claim in town.rows()] == ["started"]
    desk.die()
    desk.line.cut = lambda _: ""
    desk.come_back()
    town.advance(LEASE + 10)
    assert ends(desk) == [end]
    assert [claim.token for claim in town.rows()] == [token]
    assert len(desk.starts("a")) == token - 1


def test_a_hold_is_remembered_until_the_store_has_the_outcome() -> None:
    town = Town()
    desk = town.computer("desk", task("a"))
    desk.now.dispatcher.run_now("a")
    town.run()
    desk.die()
    assert desk.left == {}
