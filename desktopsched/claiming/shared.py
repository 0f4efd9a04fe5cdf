"""A shared list, as the engine and the program see it: claims for the one, and what people ask of it for the other."""

import math
import threading
from collections.abc import Iterable

from msgspec import Struct

from desktopsched.claiming.away import Away, Open
from desktopsched.claiming.claimant import Claimant
from desktopsched.claiming.events import ClaimSettled, HandedOver, TakenBack
from desktopsched.claiming.holds import Holds
from desktopsched.claiming.identity import Identity
from desktopsched.claiming.keeper import Engine, Keeper
from desktopsched.claiming.reach import Reach
from desktopsched.engine.claims import Answer, Mine, Wait
from desktopsched.engine.clock import Clock, SystemClock
from desktopsched.engine.events import Event, RunElsewhere, RunFinished, RunRetrying, RunSkipped
from desktopsched.engine.words import OUT_OF_REACH
from desktopsched.model import Cause, IfLost, Outcome, Run, Task
from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.claim import Claim
from desktopsched.sharing.offset import Offset, measure
from desktopsched.sharing.safety import Safety
from desktopsched.sharing.store import KEEP, Store

HANDED_OVER = "this computer has handed over to the others"

LEFT_FOR = 900.0
"""Seconds for which the others wait for a run that goes on without the program: it may be closed for that long.

Nobody says meanwhile how it ended, and what waits for that waits: a longer time would hold that up for longer.
"""

LAST_WORDS = 3.0
"""Seconds that the outcomes which the store has not yet may take when the program ends; the next one tells the rest."""


class Left(Struct, frozen=True):
    """A claim of an earlier program that the store has no outcome for, as the history kept it."""

    run: Run  # its number, task, name and token
    outcome: Outcome | None = None  # None: it had none when that program ended
    if_lost: IfLost = IfLost.NEVER_TWICE


class SharedList:
    """One list that several computers have. Methods may be called from any thread; those that ask the store say so."""

    shared = True

    def __init__(self, store: Store, identity: Identity, *, clock: Clock | None = None) -> None:
        self.identity = identity
        self._store = store
        self._clock = SystemClock() if clock is None else clock
        self._engine: Engine
        self._lock = threading.Lock()
        self._reach = Reach()
        self._handed_over = False
        self._holds, self._away = Holds(), Away()
        self._claimant = Claimant(store, identity, self._holds, self._clock.boottime, self)
        self.keeper = Keeper(
            store,
            identity.list_id,
            self._clock,
            holds=self._holds,
            away=self._away,
            within=self,
            engine=lambda: self._engine,
        )
        self._thread: threading.Thread | None = None

    # --- its life ------------------------------------------------------------------------------------------

    def go_on(self, left: Iterable[Left], *, handed_over: bool = False) -> None:
        """What an earlier program left: outcomes to tell, and runs that are performed here. Before the tasks."""
        now = self._clock.boottime()
        self._handed_over = handed_over
        if handed_over:
            self._say()
        for one in left:
            hold = self.identity.hold(self.identity.key(one.run), one.run.token)
            if one.outcome is not None:
                self._holds.end(one.run, hold, one.outcome)
            else:
                self._holds.adopt(one.run, hold, now, again=one.if_lost is IfLost.RUN_AGAIN)

    def serve(self, engine: Engine) -> None:
        """Tell this engine what becomes known. First of all."""
        self._engine = engine

    def start(self) -> None:
        """Begin to keep what is held, on a thread."""
        self._thread = threading.Thread(target=self.keeper.loop, name="keeper", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Nobody performs anything here any more. Asks the store, as far as that hears it at once.

        It is told how what ended did, and to wait for what goes on without the program.
        """
        if self._thread is not None:
            self.keeper.stop()
            self._thread.join(LAST_WORDS)
            if (
                self._thread.is_alive()
            ):  # it waits for a store that does not answer; the next program tells the rest
                return
        until = self._clock.boottime() + LAST_WORDS
        for ended in self._holds.ended():
            if self._reach.reason or self._clock.boottime() >= until:
                break
            self.keeper.finish(ended)
        for held in self._holds.going_on():
            if self._reach.reason or self._clock.boottime() >= until:
                break
            self._store.heartbeat(held.hold, lasts=LEFT_FOR)
        self._clock.close()
        self._store.close()

    # --- what the engine asks and tells --------------------------------------------------------------------

    def claim(self, task: Task, run: Run) -> Answer:
        """Whether this computer is to perform it now. Asks the store, unless that is known to be out of reach."""
        if self._reach.reason:
            return self._out_of_reach()
        if self._handed_over and not run.token and run.cause is not Cause.MANUAL:
            return self._claimant.follow(run, HANDED_OVER)
        answer = self._claimant.claim(task, run)
        if not self._reach.reason:
            self.answered(took=isinstance(answer, Mine))
        if isinstance(answer, Mine):
            self.keeper.wake()
        return answer

    def hear(self, event: Event) -> None:
        """The engine's events, in order: what ended here is told, what goes on elsewhere is watched."""
        match event:
            case RunFinished(run=run, outcome=outcome) | RunSkipped(run=run, outcome=outcome):
                self._ended(run, outcome)
            case RunRetrying(run=run) if (held := self._holds.of(run.id)) is not None and held.fenced:
                self._holds.drop(run.id)
            case RunElsewhere(run=run, owner=owner, token=token):
                now = self._clock.boottime()
                self._away.watch(Open(run, self.identity.key(run), owner, token), now)
                self.keeper.wake()
            case _:
                pass

    def _ended(self, run: Run, outcome: Outcome) -> None:
        self._away.forget(run.id)
        if run.owner:
            if run.token or run.attempt > 1:  # it was begun here, and became another's
                self._engine.publish(ClaimSettled(at=self._clock.now(), run_id=run.id))
            return
        if not run.token and self._holds.of(run.id) is None:
            return
        # Who is cut off gives a run's token up. If that program dies, the next one holds the claim all the same.
        hold = self.identity.hold(self.identity.key(run), run.token)
        self._holds.end(run, hold, outcome)
        self.keeper.wake()

    # --- whether the store answers -------------------------------------------------------------------------

    @property
    def probe_at(self) -> float:
        """Boot time at which it is to be asked whether it is there; infinite: it is."""
        with self._lock:
            return self._reach.probe_at if self._reach.reason else math.inf

    @property
    def may_others_be_cut_off(self) -> bool:
        """Whether what looks abandoned is to be left alone for now."""
        with self._lock:
            return self._reach.may_others_be_cut_off(self._clock.boottime())

    def unreached(self, reason: str) -> Wait:
        """A step had no answer. How a start waits for one."""
        with self._lock:
            self._reach.lost(reason, self._clock.boottime(), self._clock.now())
        self._say()
        self.keeper.wake()
        return self._out_of_reach()

    @property
    def doubtful(self) -> bool:
        """Whether the store answered questions of late, and took nothing."""
        with self._lock:
            return self._reach.doubtful

    def answered(self, *, took: bool) -> None:
        """A step had its answer. `took`: it is one that changes something there."""
        with self._lock:
            self._reach.answered(took=took)

    def probed(self, *, there: bool) -> None:
        """It was asked whether it is there."""
        with self._lock:
            if there:
                self._reach.found(self._clock.boottime())
            else:
                self._reach.silent(self._clock.boottime())
        if there:
            self._say()

    def _out_of_reach(self) -> Wait:
        return Wait(OUT_OF_REACH, max(self._reach.pause, 0.5))

    def _say(self) -> None:
        """Let the engine know whether anything can be claimed. Of two threads that say so the last one is right."""
        reason = None
        while reason != (now := self._reason()):
            reason = now
            if reason:
                self._engine.withhold(reason)
            else:
                self._engine.claim_again()

    def _reason(self) -> str:
        return HANDED_OVER if self._handed_over else OUT_OF_REACH if self._reach.reason else ""

    # --- what people ask -----------------------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Why the store does not answer, in words; empty: it does, as far as is known."""
        return self._reach.reason

    @property
    def silent_since(self) -> float | None:
        """Since when it does not answer, by the wall clock; None: it does, as far as is known."""
        with self._lock:
            return self._reach.since if self._reach.reason else None

    @property
    def handed_over(self) -> bool:
        """Whether this computer claims nothing."""
        return self._handed_over

    def hand_over(self) -> None:
        """Claim nothing more, and give back what is claimed and not started; what runs goes on. Asks the store."""
        self._handed_over = True
        self._say()
        self._engine.publish(HandedOver(at=self._clock.now()))
        self._claimant.release()

    def take_back(self) -> None:
        """Claim starts again."""
        self._handed_over = False
        self._engine.publish(TakenBack(at=self._clock.now()))
        self._say()

    def may_move(self, run: Run) -> bool:
        """Whether another computer begins it if this one does not keep its claim: then it must not go on unwatched."""
        held = self._holds.of(run.id)
        return held is not None and held.again

    def claims(self) -> tuple[Claim, ...] | Unknown:
        """Who has what of the list: all that is claimed or under way. Asks the store."""
        return self._store.unfinished(self.identity.list_id)

    def claim_of(self, run: Run) -> Claim | Unknown | None:
        """The row of one start: owner, token, lease. None: there is none. Asks the store."""
        return self._store.read(self.identity.key(run))

    def prune(self) -> int | Unknown:
        """Delete rows that are over and old; what was abandoned for as long is given up. How many. Asks the store."""
        found = self._store.unfinished(self.identity.list_id)
        if isinstance(found, Unknown):
            return found
        for claim in found:
            if claim.read_at - claim.lease_end > KEEP:
                self._store.lose(claim.key, claim.token)
        return self._store.prune(self.identity.list_id)

    def check(self) -> Safety | Unknown:
        """What the store promises, by its settings. Asks the store."""
        return self._store.check()

    def offset(self) -> Offset | Unknown:
        """How far this computer's clock is from the store's. Asks the store."""
        return measure(self._store.now, self._clock.now)
