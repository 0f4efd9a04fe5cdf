"""Two computers and one list: each start happens on one of them, and both know it."""

import math
from typing import Any

import pytest

from desktopsched.claiming.away import EVERY as LOOK
from desktopsched.claiming.claimant import FORGOTTEN, HEAD_START, TOO_OLD
from desktopsched.claiming.shared import HANDED_OVER
from desktopsched.engine.asking import LAG
from desktopsched.engine.events import RunElsewhere, RunFinished, RunRetrying, RunSkipped
from desktopsched.model import CatchUp, Cause, Edge, On, Overlap, Retry, State
from desktopsched.sharing.claim import LEASE, Claim
from desktopsched.sharing.store import KEEP
from tests.claiming.town import LIST, Computer, Town
from tests.engine.world import FAIL, NOON, OK, after, cron, every, task


def minutely(**fields: object) -> Town:
    """Two computers with a task that is due each minute."""
    town = Town()
    one = cron("a", "* * * * *", **fields)
    town.computer("desk", one)
    town.computer("attic", one)
    return town


def both(town: Town) -> tuple[Computer, Computer]:
    desk, attic = town.computers
    return desk, attic


def ends(one: Computer, task_id: str) -> list[str]:
    return [
        f"{event.outcome.state}: {event.outcome.reason}"
        for event in one.events
        if isinstance(event, RunFinished | RunSkipped) and event.run.task_id == task_id
    ]


def test_each_due_instant_is_performed_on_one_computer_and_ends_once_on_both() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.lasts["a"] = attic.now.lasts["a"] = 7
    town.advance(320)
    assert sorted([*desk.starts("a"), *attic.starts("a")]) == [f"12:0{n}:00" for n in range(1, 6)]
    for one in (desk, attic):
        finished = [event.run.scheduled_for for event in one.events if isinstance(event, RunFinished)]
        assert finished == [NOON + 60 * n for n in range(1, 6)]
    assert [claim.state for claim in town.rows()] == ["succeeded"] * 5


def test_what_another_computer_performs_is_shown_with_its_name_and_holds_no_worker() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.lasts["a"] = 30
    town.advance(65)
    status = attic.now.status("a")
    assert (status.state, status.running, status.waiting) == (State.RUNNING, (), "")
    assert [(one.owner, one.token) for one in status.elsewhere] == [("desk", 1)]
    assert attic.now.dispatcher.statistics().busy == 0
    assert [event.owner for event in attic.events if isinstance(event, RunElsewhere)] == ["desk"]
    assert desk.now.status("a").elsewhere == ()
    town.advance(30 + LOOK)
    status = attic.now.status("a")
    assert (status.state, status.elsewhere) == (State.PENDING, ())
    assert (status.outcome.state, status.outcome.reason) == (State.SUCCEEDED, "ran on desk")


def test_its_failure_is_told_as_it_was_there() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.outcomes["a"] = [FAIL]
    town.advance(65)
    assert ends(attic, "a") == ["failed: ran on desk: exit code 1"]
    assert attic.now.status("a").outcome.exit_code == 1


def test_stopping_here_what_runs_elsewhere_stops_nothing() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.lasts["a"] = 30
    town.advance(65)
    assert not attic.now.dispatcher.cancel("a")
    town.run()
    assert [one.owner for one in attic.now.status("a").elsewhere] == ["desk"]
    attic.now.dispatcher.stop_runs("the program was closed")
    town.advance(40)
    assert ends(attic, "a") == ["succeeded: ran on desk"]


def test_children_follow_parents_across_computers_and_run_once() -> None:
    town = Town()
    tasks = (
        cron("a", "* * * * *"),
        after("b", "a"),
        after("c", "a", "b"),
        after("d", "c", on=On.FAILURE),
    )
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    for one in (desk, attic):
        one.now.lasts.update(a=5, b=4, c=3)
        one.now.outcomes["c"] = [FAIL] * 9
    town.advance(295)
    town.advance(30)
    for name in "abcd":
        names = [claim.key.nominal for claim in town.rows() if claim.key.task_id == name]
        assert len(names) == len(set(names)) == 5
        assert len(desk.starts(name)) + len(attic.starts(name)) == 5, name
        for one in (desk, attic):
            assert len([end for end in ends(one, name) if not end.startswith("skipped")]) == 5, name


@pytest.mark.parametrize("long_way", [False, True], ids=["parents side by side", "one parent further down"])
def test_a_child_of_two_waits_for_both_also_after_a_round_that_was_lost_half(long_way: bool) -> None:
    town = Town()
    side: dict[str, Any] = {"overlap": Overlap.PARALLEL}
    between = (after("x", "a", **side),) if long_way else ()
    tasks = (
        cron("a", "* * * * *", **side),
        *between,
        after("b", "x" if long_way else "a", **side),
        after("c", "a", **side),
        after("d", "b", "c", **side),
    )
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    desk.now.lasts.update(a=3, b=2, c=30)
    attic.now.lasts.update(a=3, b=2, c=20)
    town.advance(85)
    desk.die()  # under c, which is lost a minute later: after the end of the next round
    town.advance(500)
    rows = town.rows()
    late = [row for row in rows if row.key.task_id == "d" and row.due > NOON + 240]
    assert len(late) > 4
    for child in late:
        going = [row for row in rows if row.key.task_id == "c" and _goes_on(row, child.started_at or 0.0)]
        assert not going, f"{child.key} began while {going[0].key} ran"


def _goes_on(row: Claim, at: float) -> bool:
    return row.started_at is not None and row.started_at < at < (row.finished_at or math.inf)


def test_a_child_runs_where_somebody_is_when_the_parents_computer_dies_after_it() -> None:
    town = Town()
    tasks = (cron("a", "* * * * *"), after("b", "a"))
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    desk.now.lasts.update(a=5, b=50)
    town.advance(64)
    desk.line.cut = lambda step: (
        "before" if step == "claim" else ""
    )  # it can tell the end of a, and claim no b
    town.advance(2)
    desk.die()
    town.advance(10)
    assert (desk.starts("b"), len(attic.starts("b"))) == ([], 1)


def test_a_run_that_goes_on_elsewhere_counts_as_running_here() -> None:
    town = minutely(overlap=Overlap.SKIP)
    desk, attic = both(town)
    desk.now.lasts["a"] = attic.now.lasts["a"] = 150
    town.advance(60 * 6 + 30)
    starts = sorted([*desk.starts("a"), *attic.starts("a")])
    assert starts == ["12:01:00", "12:04:00"]
    for one in (desk, attic):
        assert "skipped: the run before it was still under way" in ends(one, "a")


@pytest.mark.parametrize("overlap", [Overlap.SKIP, Overlap.QUEUE])
def test_who_comes_later_starts_nothing_beside_what_goes_on_elsewhere(overlap: Overlap) -> None:
    town = Town()
    one = cron("a", "* * * * *", overlap=overlap, grace=20.0)
    desk = town.computer("desk", one)
    desk.now.lasts["a"] = 150
    town.advance(65)
    desk.line.cut = lambda step: "before" if step == "claim" else ""
    attic = town.computer("attic", one)
    attic.now.lasts["a"] = 1
    town.advance(70)  # the next one is due, and the first goes on
    assert attic.starts("a") == []
    if overlap is Overlap.SKIP:
        town.advance(30)
        assert ends(attic, "a") == ["skipped: the run before it is still under way"]
    else:
        assert attic.now.status("a").waiting == "waits: the run before it goes on on desk"


def test_a_start_that_replaces_another_stops_it_where_it_runs() -> None:
    town = minutely(overlap=Overlap.REPLACE)
    desk, attic = both(town)
    desk.now.lasts["a"] = attic.now.lasts["a"] = 70
    town.advance(65)
    assert len(desk.starts("a")) == 1
    town.advance(65)
    assert ends(desk, "a") == ["cancelled: replaced by the 12:02 run"]
    assert ends(attic, "a") == ["cancelled: ran on desk: replaced by the 12:02 run"]
    assert sorted([*desk.starts("a"), *attic.starts("a")]) == ["12:01:00", "12:02:00"]


def test_a_child_whose_run_before_ended_elsewhere_a_moment_ago_is_not_taken_for_overlapped() -> None:
    town = Town()
    tasks = (cron("a", "* * * * *"), task("b"), after("c", "a", "b", join="any"))
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    desk.now.lasts["c"] = 8
    town.advance(65)
    (away,) = attic.now.status("c").elsewhere
    assert away.owner == "desk"
    town.advance(3.5)  # it has ended there, and nobody has looked
    assert attic.now.status("c").elsewhere != ()
    attic.now.dispatcher.run_now("b")
    town.advance(20)
    assert (len(desk.starts("c")), len(attic.starts("c"))) == (1, 1)
    assert ends(attic, "c") == ["succeeded: ", "succeeded: ran on desk"]


def test_a_child_whose_run_before_goes_on_elsewhere_is_skipped_and_soon_says_so() -> None:
    town = Town()
    tasks = (cron("a", "* * * * *"), task("b"), after("c", "a", "b", join="any", overlap=Overlap.SKIP))
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    desk.now.lasts["c"] = 50
    town.advance(65)
    attic.now.dispatcher.run_now("b")
    town.advance(2)
    assert attic.now.status("c").waiting == "waits: the run before it goes on on desk"
    town.advance(LAG)
    assert ends(attic, "c") == ["skipped: the run before it is still under way"]


def test_parallel_runs_go_on_side_by_side_on_both() -> None:
    town = minutely(overlap=Overlap.PARALLEL)
    desk, attic = both(town)
    desk.now.lasts["a"] = attic.now.lasts["a"] = 150
    town.advance(60 * 3 + 30)
    assert sorted([*desk.starts("a"), *attic.starts("a")]) == ["12:01:00", "12:02:00", "12:03:00"]


def test_attempts_of_one_start_are_under_one_claim() -> None:
    town = minutely(retry=Retry(attempts=3, delay=5.0))
    desk, attic = both(town)
    desk.now.outcomes["a"] = [FAIL, FAIL, OK]
    town.advance(90)
    assert [run.attempt for run in desk.now.performed] == [1, 2, 3]
    assert attic.now.performed == []
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "succeeded")]
    assert len([event for event in desk.events if isinstance(event, RunRetrying)]) == 2
    assert desk.line.asked.count("claim") == 1


def test_a_start_by_hand_is_only_of_the_computer_where_it_was_asked_for() -> None:
    town = Town()
    desk, attic = town.computer("desk", task("a")), town.computer("attic", task("a"))
    desk.now.dispatcher.run_now("a")
    town.run()
    attic.now.dispatcher.run_now("a")
    town.run()
    assert (len(desk.now.performed), len(attic.now.performed)) == (1, 1)
    assert [claim.owner for claim in town.rows()] == ["desk", "attic"]
    assert len({claim.key.nominal for claim in town.rows()}) == 2


def test_run_now_runs_here_though_what_waited_was_performed_elsewhere_meanwhile() -> None:
    town = minutely()
    desk, attic = both(town)
    attic.line.down = True
    town.advance(65)
    asked_for = attic.now.dispatcher.run_now("a")  # its start of 12:01 waits for the list
    attic.line.down = False
    town.advance(30)
    assert desk.starts("a") == ["12:01:00"]
    assert [(run.id, run.cause) for run in attic.now.performed] == [(asked_for, Cause.MANUAL)]
    assert sorted(ends(attic, "a")) == ["succeeded: ", "succeeded: ran on desk"]
    assert len(town.rows()) == 2


def test_run_now_of_what_another_computer_performs_at_this_moment_is_that_run() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.lasts["a"] = 50
    attic.line.down = True
    town.advance(65)
    attic.now.dispatcher.run_now("a")
    attic.line.down = False
    town.advance(50)
    assert attic.now.performed == []
    assert ends(attic, "a") == ["succeeded: ran on desk"]


def test_run_now_with_everything_after_it_stays_here() -> None:
    town = Town()
    tasks = (cron("a", "* * * * *"), after("b", "a"), after("c", "b"))
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    desk.now.dispatcher.run_now("a", downstream=True)
    town.advance(5)
    assert [run.task_id for run in desk.now.performed] == ["a", "b", "c"]
    assert attic.now.performed == []
    assert {claim.state for claim in town.rows()} == {"succeeded"}


def test_what_was_missed_here_and_ran_there_is_learnt_and_not_run_again() -> None:
    town = minutely(catch_up=CatchUp.ALL, grace=5.0)
    desk, attic = both(town)
    town.advance(65)
    attic.die()
    town.advance(180)
    attic.come_back()
    town.advance(20)
    assert attic.starts("a") == []
    assert ends(attic, "a") == ["succeeded: ran on desk"] * 4
    assert len(desk.starts("a")) == 4


def test_a_clock_that_is_ahead_starts_nothing_early_and_one_that_is_behind_nothing_twice() -> None:
    town = Town()
    one = cron("a", "* * * * *")
    ahead, behind = town.computer("ahead", one, skew=90.0), town.computer("behind", one, skew=-90.0)
    for computer in (ahead, behind):
        computer.now.lasts["a"] = 5
    town.advance(40)
    assert ahead.now.status("a").waiting == "waits: this computer's clock is ahead of the shared list's"
    town.advance(560)
    claims = town.rows()
    assert {claim.due for claim in claims} >= {NOON + 60 * n for n in range(1, 9)}
    assert all(claim.started_at is not None and claim.started_at >= claim.due for claim in claims)
    performed = [run.nominal for one in (ahead, behind) for run in one.now.performed]
    assert len(performed) == len(set(performed)) == len(claims)


def test_others_let_the_preferred_computer_go_first() -> None:
    town = Town()
    one = cron("a", "* * * * *", prefers="attic")
    desk = town.computer("desk", one)
    attic = town.computer("attic", one)
    town.advance(60)
    assert desk.now.status("a").waiting == "waits: attic goes first"
    town.advance(250)
    assert (desk.starts("a"), len(attic.starts("a"))) == ([], 5)
    attic.die()
    town.advance(60)
    assert desk.starts("a") == ["12:06:00"]
    assert desk.now.performed[-1].scheduled_for + HEAD_START <= town.time


def test_who_has_handed_over_claims_nothing_until_he_takes_it_back() -> None:
    town = minutely(grace=30.0, catch_up=CatchUp.SKIP)
    desk, attic = both(town)
    shared = desk.now.shared
    assert shared is not None
    desk.now.lasts["a"] = 90
    town.advance(65)
    shared.hand_over()
    town.advance(60)
    assert desk.starts("a") == ["12:01:00"], "what runs goes on"
    assert next(claim.state for claim in town.rows()) == "started"
    town.advance(120)
    assert desk.starts("a") == ["12:01:00"]
    assert attic.starts("a") == ["12:03:00", "12:04:00"]
    assert desk.now.dispatcher.withheld == HANDED_OVER
    attic.die()
    town.advance(60)
    assert f"skipped: missed: {HANDED_OVER}" not in ends(desk, "a")
    town.advance(35)
    assert f"skipped: missed: {HANDED_OVER}" in ends(desk, "a")
    shared.take_back()
    town.advance(60)
    assert desk.now.dispatcher.withheld == ""
    assert desk.starts("a")[1:] == ["12:06:00"] or desk.starts("a")[1:] == ["12:07:00"]


def test_who_has_handed_over_still_runs_what_a_person_starts_there() -> None:
    town = minutely()
    desk, _ = both(town)
    assert desk.now.shared is not None
    desk.now.shared.hand_over()
    desk.now.dispatcher.run_now("a")
    town.run()
    assert [run.cause for run in desk.now.performed] == [Cause.MANUAL]


def test_nothing_is_asked_and_nobody_wakes_up_while_nothing_is_held_or_open() -> None:
    town = minutely()
    desk, attic = both(town)
    town.advance(90)
    for one in (desk, attic):
        assert one.now.shared is not None
        assert one.now.shared.keeper.turn() is None
        one.line.asked.clear()
    town.advance(25)
    assert desk.line.asked == attic.line.asked == []


def test_a_start_that_is_so_old_that_its_row_was_pruned_is_not_begun() -> None:
    town = minutely(catch_up=CatchUp.ALL, grace=5.0)
    desk, attic = both(town)
    town.advance(65)
    attic.die()
    town.advance(60)
    town.time += 2 * KEEP
    desk.die()
    assert town.store.prune(LIST) == 2
    town.time -= 2 * KEEP
    attic.come_back()
    town.advance(20)
    assert attic.starts("a") == []
    assert ends(attic, "a")[-1] == f"skipped: {TOO_OLD}"


def test_a_row_that_is_gone_is_no_reason_to_begin_again() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.lasts["a"] = 30
    town.advance(65)
    town.store._claims.clear()
    town.advance(10)
    assert ends(attic, "a") == [f"failed: {FORGOTTEN}"]
    assert attic.starts("a") == []


def test_pruning_gives_up_what_was_abandoned_for_as_long() -> None:
    town = Town()
    desk, attic = town.computer("desk", task("a")), town.computer("attic", task("a"))
    desk.now.lasts["a"] = 100
    desk.now.dispatcher.run_now("a")
    town.run()
    desk.die()
    town.time += 2 * KEEP
    assert attic.now.shared is not None
    assert attic.now.shared.prune() == 1
    assert town.rows() == []


def test_the_program_can_tell_who_has_what() -> None:
    town = minutely()
    desk, attic = both(town)
    desk.now.lasts["a"] = 30
    town.advance(65)
    shared = attic.now.shared
    assert shared is not None
    (claim,) = shared.claims()  # type: ignore[misc]  # the store answers
    assert (claim.owner, claim.token, claim.lease_left) == ("desk", 1, LEASE - 5)
    (away,) = attic.now.status("a").elsewhere
    assert shared.claim_of(away.run) == claim
    assert shared.offset().words == ""  # type: ignore[union-attr]  # as above


def test_a_child_that_waits_for_any_of_its_parents_runs_once_for_each() -> None:
    town = Town()
    tasks = (
        cron("a", "* * * * *"),
        cron("b", "*/2 * * * *"),
        task("c", waits_for=(Edge("a"), Edge("b")), join="any"),
    )
    desk, attic = town.computer("desk", *tasks), town.computer("attic", *tasks)
    for one in (desk, attic):
        one.now.lasts.update(a=3, b=9)
    town.advance(60 * 4 + 40)
    assert len(desk.starts("c")) + len(attic.starts("c")) == 4 + 2


def test_an_interval_without_a_start_of_its_own_starts_once_in_each_interval() -> None:
    town = Town()
    one = every("a", 60.0)
    desk = town.computer("desk", one)
    town.advance(25)
    attic = town.computer("attic", one)
    town.advance(60 * 5)
    starts = [*desk.now.performed, *attic.now.performed]
    assert len({run.nominal for run in starts}) == len(starts)
    assert len(starts) in {5, 6}
