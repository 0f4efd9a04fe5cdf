"""The keeper's thread: it sleeps until something is due or new, and no mistake ends it."""

import math
from collections.abc import Iterator

import pytest
from msgspec import structs

from desktopsched.claiming.identity import Identity
from desktopsched.claiming.shared import SharedList
from desktopsched.engine.claims import Elsewhere, Mine, Wait
from desktopsched.engine.events import Event, RunFinished, TaskStatus
from desktopsched.model import Cause, Outcome, Run, State
from desktopsched.sharing.answers import Claimed
from desktopsched.sharing.claim import LEASE, Wish
from desktopsched.sharing.key import Key
from tests.claiming.town import LIST, Ledger, Line
from tests.engine.world import FakeClock, task
from tests.sharing.memory import MemoryStore

TASK = task("a")


class Quiet:
    """An engine that only notes what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def learn(self, task_id: str, run_id: int, news: Elsewhere | None) -> None:
        self.told.append((task_id, run_id, news))

    def fence(self, task_id: str, run_id: int) -> None:
        self.told.append(("fence", task_id, run_id))

    def withhold(self, reason: str) -> None:
        self.told.append(("withhold", reason))

    def claim_again(self) -> None:
        self.told.append("claim again")

    def publish(self, event: Event) -> None:
        self.told.append(event)


class Kept:
    """A shared list whose keeper has its thread."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = MemoryStore(lambda: self.clock.time)
        self.line = Line(self.store, Ledger())
        identity = Identity(list_id=LIST, computer="desk", secret="a secret")
        self.engine = Quiet()
        self.shared = SharedList(self.line, identity, clock=self.clock)
        self.shared.serve(self.engine)
        self.shared.start()
        self.clock.settle()

    def begin(self) -> Run:
        run = Run(id=1, task_id="a", scheduled_for=self.clock.time, cause=Cause.MANUAL, nominal="by hand 1")
        answer = self.shared.claim(TASK, run)
        assert answer == Mine(1)
        self.clock.settle()
        return Run(
            id=1, task_id="a", scheduled_for=run.scheduled_for, cause=run.cause, nominal=run.nominal, token=1
        )


@pytest.fixture
def kept() -> Iterator[Kept]:
    found = Kept()
    yield found
    found.shared.close()


def test_it_sleeps_until_something_is_held_and_then_until_the_next_sign_of_life(kept: Kept) -> None:
    assert kept.clock.waits == [None]
    kept.begin()
    assert kept.clock.waits[-1] == pytest.approx(kept.clock.time + LEASE / 3)
    kept.clock.advance(LEASE / 3)
    kept.clock.settle()
    assert kept.line.asked.count("heartbeat") == 1


@pytest.mark.logs_warnings
def test_a_mistake_in_a_step_does_not_end_it(kept: Kept) -> None:
    kept.begin()

    def cut(step: str) -> str:
        if step == "heartbeat":
            raise ValueError(step)
        return ""

    kept.line.cut = cut
    kept.clock.advance(LEASE / 3)
    kept.clock.settle()
    assert kept.shared.probe_at < math.inf
    kept.line.cut = lambda _: ""
    kept.clock.advance(1)
    kept.clock.settle()
    assert kept.shared.probe_at == math.inf
    assert kept.line.asked[-1] == "heartbeat"


def test_what_the_engine_hears_last_of_the_list_is_so(kept: Kept) -> None:
    """A thread that found the list silent may say so after another has found it there again."""
    withhold = kept.engine.withhold

    def overtaken(reason: str) -> None:
        kept.shared.probed(there=True)
        withhold(reason)

    kept.engine.withhold = overtaken  # type: ignore[method-assign]  # the other thread, as if it came between
    kept.shared.unreached("the line is cut")
    assert kept.engine.told[-1] == "claim again"


def test_who_lets_others_go_first_remembers_it_no_longer_than_it_takes(kept: Kept) -> None:
    politely = structs.replace(TASK, prefers="attic")
    run = Run(id=7, task_id="a", scheduled_for=kept.clock.time, cause=Cause.SCHEDULE, nominal="noon")
    assert isinstance(kept.shared.claim(politely, run), Wait)
    wish = Wish(key=Key(LIST, "a", "noon"), due=None, owner="attic", nonce="theirs")
    assert isinstance(kept.store.claim(wish), Claimed)
    assert kept.shared.claim(politely, run) == Elsewhere("attic", 1)
    assert kept.shared._claimant._polite == {}


def test_what_the_program_ends_with_is_told_at_the_last_moment() -> None:
    kept = Kept()
    run = kept.begin()
    kept.shared.keeper.stop()
    kept.shared.hear(
        RunFinished(
            at=kept.clock.time,
            run=run,
            outcome=Outcome(State.CANCELLED, "the program was closed"),
            status=TaskStatus(state=State.CANCELLED),
        )
    )
    kept.shared.close()
    (claim,) = [kept.store.read(key) for key in kept.store._claims]
    assert claim is not None
    assert claim.state == "cancelled"
    assert kept.clock.closed
