"""The keeper: tells the store that this computer lives and how its runs ended, and looks how those of others end.

One thread, and one wait: nothing held, nothing open and the store within reach, it sleeps until it is woken. It takes
one step at a time, and looks before each whether a lease can still be trusted: first of all after the computer slept.
"""

import logging
import math
from collections.abc import Callable
from typing import Protocol

from desktopsched.claiming.away import MOST, Away, Open
from desktopsched.claiming.claimant import FORGOTTEN, elsewhere
from desktopsched.claiming.events import ClaimSettled, FinishRefused, HoldLost
from desktopsched.claiming.holds import Ended, Held, Holds
from desktopsched.engine.claims import Elsewhere
from desktopsched.engine.clock import Clock
from desktopsched.engine.events import Event
from desktopsched.model import Outcome, State
from desktopsched.sharing.answers import Finished, Kept, Unknown
from desktopsched.sharing.store import Store

_log = logging.getLogger(__name__)


class Engine(Protocol):
    """What the keeper tells the dispatcher."""

    def learn(self, task_id: str, run_id: int, news: Elsewhere | None) -> None:
        """News of a run on another computer."""

    def fence(self, task_id: str, run_id: int) -> None:
        """Stop a run that another computer may have."""

    def withhold(self, reason: str) -> None:
        """Nothing can be claimed."""

    def claim_again(self) -> None:
        """It can."""

    def publish(self, event: Event) -> None:
        """Tell the listeners."""


class Within(Protocol):
    """Whether the store answers."""

    @property
    def probe_at(self) -> float:
        """Boot time at which it is to be asked; infinite: it answers."""

    @property
    def may_others_be_cut_off(self) -> bool:
        """Whether what looks abandoned is to be left alone for now."""

    def unreached(self, reason: str) -> object:
        """A step had no answer."""

    @property
    def doubtful(self) -> bool:
        """Whether the store answered questions of late, and took nothing."""

    def answered(self, *, took: bool) -> None:
        """A step had its answer. `took`: it is one that changes something there."""

    def probed(self, *, there: bool) -> None:
        """It was asked whether it is there."""


class Keeper:
    """`loop` belongs to one thread; `stop` and `wake` may be called from any."""

    def __init__(
        self,
        store: Store,
        list_id: str,
        clock: Clock,
        *,
        holds: Holds,
        away: Away,
        within: Within,
        engine: Callable[[], Engine],
    ) -> None:
        self._store, self._list_id, self._clock = store, list_id, clock
        self._holds, self._away, self._within, self._engine = holds, away, within, engine
        self._stopping = False

    def loop(self) -> None:
        """Do what is due, until `stop`."""
        while not self._stopping:
            try:
                due = self.turn()
            except Exception as error:  # a mistake in one step must not end all signs of life  # noqa: BLE001
                _log.exception("The keeper of a shared list failed", extra={"action": "keeper.failed"})
                self._within.unreached(repr(error))
                due = self._within.probe_at
            if due is None:
                self._clock.wait(None)
            elif (rest := due - self._clock.boottime()) > 0:
                self._clock.wait(self._clock.now() + rest)

    def wake(self) -> None:
        """There is something new."""
        self._clock.wake()

    def stop(self) -> None:
        """Let `loop` return."""
        self._stopping = True
        self._clock.wake()

    def turn(self) -> float | None:
        """One step, if one is due. Returns when the next is, in boot time; None: when there is something new."""
        now = self._clock.boottime()
        probe = self._within.probe_at
        if probe < math.inf:
            self._fence(now)
            if now < probe:
                return min(probe, self._holds.next_fence)
            self._probe(now)
            return now
        if self._step(now) is not None:
            return now
        due = min(self._holds.next_end()[0], self._holds.next_beat()[0], self._away.next_look)
        due = min(due, self._holds.next_fence)
        return None if due == math.inf else due

    def _probe(self, now: float) -> None:
        """Ask whether it is there. What is due is told before anybody claims again, lest that fail once more first."""
        there = not isinstance(self._store.now(), Unknown)
        if there and self._within.doubtful:
            there = not isinstance(self._store.check(), Unknown)  # which writes a little
        while there and (answered := self._step(now)) is not None:
            there = answered
        self._within.probed(there=there)

    def _step(self, now: float) -> bool | None:
        """The first thing that is due. Whether the store answered; None: nothing is due."""
        self._fence(self._clock.boottime())
        ending, ended = self._holds.next_end()
        beating, held = self._holds.next_beat()
        due = min(ending, beating, self._away.next_look)
        if due > now:
            return None
        if ended is not None and ending == due:
            return self.finish(ended)
        if held is not None and beating == due:
            return self._beat(held)
        return self._look(now)

    def _fence(self, now: float) -> None:
        for held in self._holds.untrusted(now):
            self._engine().fence(held.run.task_id, held.run.id)

    def finish(self, ended: Ended) -> bool:
        """Tell the store how a run ended. Whether it answered."""
        answer = self._store.finish(ended.hold, ended.outcome)
        if isinstance(answer, Unknown):
            self._holds.later(ended, self._clock.boottime())
            self._within.unreached(answer.reason)
            return False
        self._within.answered(took=True)
        self._holds.told(ended)
        now, engine = self._clock.now(), self._engine()
        if not isinstance(answer, Finished):
            if answer.claim is not None and answer.claim.token > ended.hold.token:
                engine.learn(ended.run.task_id, ended.run.id, elsewhere(answer.claim))
            engine.publish(FinishRefused(at=now, run=ended.run, outcome=ended.outcome, why=answer.why))
        engine.publish(ClaimSettled(at=now, run_id=ended.run.id))
        return True

    def _beat(self, held: Held) -> bool:
        asked = self._clock.boottime()
        answer = self._store.heartbeat(held.hold)
        if isinstance(answer, Unknown):
            self._within.unreached(answer.reason)
            return False
        self._within.answered(took=True)
        if isinstance(answer, Kept):
            self._holds.kept(held, answer.hold, asked)
            return True
        self._holds.give_up(held)
        self._engine().publish(HoldLost(at=self._clock.now(), run=held.run, why=answer.why))
        if held.again:
            self._engine().fence(held.run.task_id, held.run.id)
        return True

    # --- what goes on elsewhere ----------------------------------------------------------------------------

    def _look(self, now: float) -> bool:
        found = self._store.unfinished(self._list_id)
        if isinstance(found, Unknown):
            self._within.unreached(found.reason)
            return False
        self._within.answered(took=False)
        self._away.looked(now)
        changed, over = self._away.compare(found, patient=self._within.may_others_be_cut_off)
        for one, claim in changed:
            self._away.forget(one.run.id)
            self._tell(one, None if claim.abandoned else elsewhere(claim))
        return all(self._read_end(one) for one in over[:MOST])

    def _read_end(self, one: Open) -> bool:
        claim = self._store.read(one.key)
        if isinstance(claim, Unknown):
            self._within.unreached(claim.reason)
            return False
        if claim is not None and claim.state.open:
            return True  # it was taken over in between: the next look sees that
        self._away.forget(one.run.id)
        gone = Elsewhere("", outcome=Outcome(State.FAILED, FORGOTTEN))
        self._tell(one, gone if claim is None else elsewhere(claim))
        return True

    def _tell(self, one: Open, news: Elsewhere | None) -> None:
        self._engine().learn(one.run.task_id, one.run.id, news)
