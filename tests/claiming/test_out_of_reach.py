"""The store does not answer, or its answers are lost: nothing starts that is not confirmed, and nothing is held up."""

import pytest

from desktopsched.engine.events import ClaimsGoOn, ClaimsWithheld, RunFinished, RunSkipped, RunsMissed
from desktopsched.engine.words import OUT_OF_REACH
from desktopsched.model import CatchUp, Retry, State
from tests.claiming.town import LIST, Computer, Town
from tests.engine.world import FAIL, NOON, OK, after, cron, every, task

WAITS = "waits: the shared list is out of reach"


def alone(**fields: object) -> tuple[Town, Computer]:
    """One computer of a shared list, with a task that is due each minute."""
    town = Town()
    return town, town.computer("desk", cron("a", "* * * * *", **fields))


def ends(one: Computer, task_id: str = "a") -> list[str]:
    return [
        f"{event.outcome.state}: {event.outcome.reason}"
        for event in one.events
        if isinstance(event, RunFinished | RunSkipped) and event.run.task_id == task_id
    ]


def test_what_nobody_can_be_asked_about_waits_without_a_worker_and_says_why() -> None:
    town, desk = alone()
    desk.line.down = True
    town.advance(65)
    status = desk.now.status("a")
    assert (status.state, status.waiting) == (State.PENDING, WAITS)
    assert desk.now.dispatcher.statistics().busy == 0
    assert desk.now.performed == []
    assert desk.now.dispatcher.withheld == OUT_OF_REACH


def test_it_starts_as_soon_as_the_list_is_back_within_its_grace() -> None:
    town, desk = alone(grace=60.0)
    desk.line.down = True
    town.advance(80)
    desk.line.down = False
    town.advance(16)
    assert desk.starts("a") == ["12:01:00"]
    said = [event for event in desk.events if isinstance(event, ClaimsWithheld | ClaimsGoOn)]
    assert [type(event) for event in said] == [ClaimsWithheld, ClaimsGoOn]
    assert said[1].at < NOON + 96


def test_a_store_that_is_down_is_asked_less_and_less_often() -> None:
    town, desk = alone()
    desk.line.down = True
    town.advance(60)
    desk.line.asked.clear()
    town.advance(600)
    assert 600 / 15 <= len(desk.line.asked) < 100


@pytest.mark.parametrize(("refused", "times"), [({"claim", "check"}, 2), ({"claim"}, 900 / 15 + 2)])
def test_a_list_that_answers_and_takes_nothing_is_not_said_to_be_back_all_the_time(
    refused: set[str], times: float
) -> None:
    """Its disk is full, or its memory. What is written a little is refused as well, or is not."""
    town, desk = alone()
    desk.line.cut = lambda step: "before" if step in refused else ""
    town.advance(900)
    assert 1 <= len([event for event in desk.events if isinstance(event, ClaimsGoOn)]) <= times
    shared = desk.now.shared
    assert shared is not None
    assert shared.silent_since in {NOON + 60, None}
    desk.line.cut = lambda _: ""
    town.advance(90)
    assert (desk.starts("a") != [], shared.silent_since) == (True, None)
    assert not shared.doubtful


def test_since_when_it_is_silent_does_not_depend_on_who_handed_over_meanwhile() -> None:
    town, desk = alone()
    shared = desk.now.shared
    assert shared is not None

    def since(seconds: float) -> float | None:
        town.advance(seconds)
        return shared.silent_since

    shared.hand_over()
    assert since(30) is None
    desk.line.down = True
    assert since(60) == NOON + 60
    shared.take_back()
    assert since(60) == NOON + 60
    desk.line.down = False
    assert since(60) is None


def test_when_its_grace_is_over_it_is_missed_and_the_person_is_asked() -> None:
    town, desk = alone(grace=20.0, catch_up=CatchUp.ASK)
    desk.line.down = True
    town.advance(79)
    assert desk.now.status("a").missed == 0
    town.advance(2)
    status = desk.now.status("a")
    assert (status.missed, status.missed_first) == (1, NOON + 60)
    assert [event.first for event in desk.events if isinstance(event, RunsMissed)] == [NOON + 60]
    town.advance(120)
    assert desk.now.status("a").missed == 3
    desk.line.down = False
    town.advance(30)
    desk.now.dispatcher.decide("a", CatchUp.ALL)
    town.advance(1)
    assert desk.starts("a")[:3] == ["12:01:00", "12:02:00", "12:03:00"]


def test_what_is_not_caught_up_is_skipped_with_the_reason() -> None:
    town, desk = alone(grace=20.0, catch_up=CatchUp.SKIP)
    desk.line.down = True
    town.advance(85)
    assert ends(desk) == [f"skipped: missed: {OUT_OF_REACH}"]


@pytest.mark.parametrize(
    ("policy", "caught_up"),
    [(CatchUp.ALL, ["12:01:00", "12:02:00", "12:03:00"]), (CatchUp.LATEST, ["12:03:00"])],
)
def test_what_is_caught_up_runs_when_the_list_is_back_and_not_before(
    policy: CatchUp, caught_up: list[str]
) -> None:
    town, desk = alone(grace=20.0, catch_up=policy)
    desk.line.down = True
    town.advance(205)
    assert desk.now.performed == []
    desk.line.down = False
    town.advance(20)
    assert desk.starts("a") == caught_up


def test_an_answer_to_catching_up_waits_for_the_list_and_is_not_forgotten() -> None:
    town, desk = alone(grace=20.0, catch_up=CatchUp.ASK)
    desk.line.down = True
    town.advance(85)
    desk.now.dispatcher.decide("a", CatchUp.ALL)
    town.advance(20)
    assert desk.now.performed == []
    desk.die()
    desk.line.down = False
    desk.come_back()
    town.advance(5)
    assert desk.starts("a") == ["12:01:00"]


def test_a_child_waits_for_the_list_as_long_as_it_takes() -> None:
    town = Town()
    desk = town.computer("desk", task("p"), after("c", "p", grace=5.0))
    desk.now.lasts["p"] = 10
    desk.now.dispatcher.run_now("p")
    town.advance(5)
    desk.line.down = True
    town.advance(100)
    assert desk.now.status("c").waiting == WAITS
    desk.line.down = False
    town.advance(20)
    assert len(desk.starts("c")) == 1


def test_a_start_by_hand_that_nobody_could_confirm_says_so() -> None:
    town = Town()
    desk = town.computer("desk", task("a", grace=10.0))
    desk.line.down = True
    desk.now.dispatcher.run_now("a")
    town.advance(9)
    assert desk.now.status("a").waiting == WAITS
    town.advance(2)
    assert ends(desk) == [f"skipped: missed: {OUT_OF_REACH}"]
    assert desk.now.performed == []


def test_what_is_stopped_or_disabled_while_it_waits_does_not_start() -> None:
    town = Town()
    desk = town.computer("desk", task("a", grace=60.0))
    desk.line.down = True
    desk.now.dispatcher.run_now("a")
    town.advance(1)
    desk.now.dispatcher.cancel("a")
    town.run()
    desk.line.down = False
    town.advance(60)
    assert ends(desk) == ["cancelled: stopped by you"]
    assert desk.now.performed == []


@pytest.mark.parametrize("cut", ["before", "after"])
def test_nothing_is_spawned_until_its_start_is_confirmed(cut: str) -> None:
    town, desk = alone(grace=60.0)
    desk.line.cut = lambda step: cut if step == "start" else ""
    town.advance(80)
    assert desk.now.performed == []
    assert desk.now.status("a").waiting == WAITS
    desk.line.cut = lambda _: ""
    town.advance(20)
    assert desk.starts("a") == ["12:01:00"]
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "succeeded")]


@pytest.mark.parametrize("step", ["claim", "start"])
def test_an_answer_that_was_lost_after_it_happened_costs_no_start_and_makes_no_second(step: str) -> None:
    town, desk = alone()
    lost: list[str] = []

    def cut(name: str) -> str:
        if name == step and not lost:
            lost.append(name)
            return "after"
        return ""

    desk.line.cut = cut
    desk.now.lasts["a"] = 5
    attic = town.computer("attic", *desk.tasks)
    town.advance(90)
    assert lost == [step]
    assert (desk.starts("a"), attic.starts("a")) == (["12:01:00"], [])
    assert [len(stamps) for stamps in town.ledger.started.values()] == [1]
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "succeeded")]


def test_an_outcome_is_told_until_the_store_has_it_and_the_run_is_over_at_once() -> None:
    town, desk = alone()
    desk.now.lasts["a"] = 10
    town.advance(65)
    desk.line.down = True
    town.advance(10)
    assert ends(desk) == ["succeeded: "]
    assert [claim.state for claim in town.rows()] == ["started"]
    desk.line.down = False
    town.advance(20)
    assert [claim.state for claim in town.rows()] == ["succeeded"]
    assert desk.line.asked.count("finish") == 2, "while it is known to be down it is not told"


def test_steps_that_fail_alone_do_not_keep_others_from_being_told() -> None:
    town, desk = alone()
    desk.now.lasts["a"] = 10
    town.advance(65)
    desk.line.cut = lambda step: "before" if step == "unfinished" else ""
    town.advance(10)
    assert [claim.state for claim in town.rows()] == ["succeeded"]


def test_retries_go_on_when_the_list_is_back() -> None:
    town = Town()
    desk = town.computer("desk", task("a", retry=Retry(attempts=2, delay=100.0)))
    desk.now.outcomes["a"] = [FAIL, OK]
    desk.now.dispatcher.run_now("a")
    town.advance(10)
    desk.line.down = True
    town.advance(200)
    assert desk.now.status("a").waiting == WAITS
    desk.line.down = False
    town.advance(20)
    assert ends(desk) == ["succeeded: "]
    assert [(claim.token, claim.state) for claim in town.rows()] == [(1, "succeeded")]


def test_a_pause_holds_what_waits_for_the_list() -> None:
    town, desk = alone(grace=300.0)
    desk.line.down = True
    town.advance(65)
    desk.now.dispatcher.pause()
    desk.line.down = False
    town.advance(30)
    assert desk.now.performed == []
    desk.now.dispatcher.resume()
    town.advance(30)
    assert desk.starts("a")[:1] == ["12:01:00"]


def test_what_waits_for_the_list_when_the_program_closes_is_the_next_ones() -> None:
    town, desk = alone(grace=300.0)
    asked_at_the_end = []

    def cut(step: str) -> str:
        if step == "unfinished":  # what is asked first
            asked_at_the_end.append(step)
            desk.now.dispatcher.stop()
            desk.now.dispatcher.stop_runs("the program was closed")
        return "before"

    desk.line.cut = cut
    town.advance(65)
    assert asked_at_the_end == ["unfinished"]
    assert ends(desk) == []
    desk.die()
    desk.line.cut = lambda _: ""
    desk.come_back()
    town.advance(5)
    assert desk.starts("a") == ["12:01:00"]


def test_the_clock_that_is_set_does_not_end_the_patience_of_what_waits() -> None:
    town, desk = alone(grace=100.0)
    desk.line.down = True
    town.advance(65)
    desk.now.clock.time += 3600
    town.advance(10)
    assert desk.now.status("a").waiting == WAITS


def test_an_interval_shorter_than_the_grace_counts_each_start_that_could_not_be_claimed() -> None:
    town = Town()
    desk = town.computer("desk", every("a", 10.0, grace=25.0, catch_up=CatchUp.SKIP))
    desk.line.down = True
    town.advance(100)
    desk.line.down = False
    town.advance(40)
    skipped = sum(event.run.count for event in desk.events if isinstance(event, RunSkipped))
    started = len(desk.starts("a"))
    assert started + skipped == 14
    assert town.rows()[0].key.list_id == LIST
