"""The claimant: asks the store for one start, on a thread of the engine's pool. Claim, then start; both confirmed.

An answer that did not come starts nothing, and is asked for again: the same try, by the same nonce and stamp.
"""

import secrets
import threading
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from desktopsched.claiming.holds import Holds
from desktopsched.claiming.identity import Identity
from desktopsched.engine.claims import Answer, Elsewhere, Mine, Over, Wait
from desktopsched.model import Cause, IfLost, Outcome, Overlap, Run, State, Task
from desktopsched.sharing.answers import (
    Claimed,
    Kept,
    Lost,
    Pruned,
    Refused,
    Taken,
    TooEarly,
    Unknown,
)
from desktopsched.sharing.claim import Claim, ClaimState, Hold
from desktopsched.sharing.fence import Fence
from desktopsched.sharing.key import Key
from desktopsched.sharing.rescue import Policy, rescue
from desktopsched.sharing.store import Store

HEAD_START = 5.0
"""Seconds for which others let the computer go first that a task prefers."""

LOOK_AGAIN = 2.0
"""Seconds after which a start is looked for again that another computer should claim."""

TOO_OLD = "it is so old that whether it ran is not known any more"
FORGOTTEN = "the shared list does not know of it any more"
TOO_EARLY = "this computer's clock is ahead of the shared list's"

_POLICIES = {IfLost.NEVER_TWICE: Policy.NEVER_TWICE, IfLost.RUN_AGAIN: Policy.RUN_AGAIN}


class Within(Protocol):
    """Whether the store answers."""

    @property
    def may_others_be_cut_off(self) -> bool:
        """Whether what looks abandoned is to be left alone for now."""

    def unreached(self, reason: str) -> Wait:
        """It did not answer, and why. How a start waits for that."""


class Begun(Struct):
    """A start of which it is not known whether the store has it."""

    hold: Hold
    stamp: str
    asked: float  # boot time, just before it was asked for first


class Claimant:
    """`claim` may be called from many threads at once, for different starts."""

    def __init__(
        self,
        store: Store,
        identity: Identity,
        holds: Holds,
        boottime: Callable[[], float],
        within: Within,
    ) -> None:
        self._store, self._identity, self._holds = store, identity, holds
        self._boottime, self._within, self._unreached = boottime, within, within.unreached
        self._lock = threading.Lock()
        self._begun: dict[Key, Begun] = {}
        self._polite: dict[Key, float] = {}  # until when the preferred computer is let go first

    def claim(self, task: Task, run: Run) -> Answer:
        """Whether this computer is to perform it."""
        held = self._holds.of(run.id)
        if run.token and held is not None and held.hold.token == run.token and not held.fenced:
            return self._goes_on(run, held.hold, held.fence)
        if held is not None:
            self._holds.drop(run.id)  # of an earlier token: another computer may have it
        key = self._identity.key(run)
        begun = self._begun.get(key)
        if begun is not None:
            return self._start(task, run, begun.hold)
        back = self._stands_back(task, run, key)
        return self._claim(task, run) if back is None else back

    def follow(self, run: Run, why: str) -> Answer:
        """Claim nothing, but see whether another computer has it."""
        return self._look(self._identity.key(run), Wait(why, LOOK_AGAIN))

    def release(self) -> None:
        """Give back what is claimed and not known to be started."""
        for key, begun in list(self._begun.items()):
            if not isinstance(self._store.release(begun.hold), Unknown):
                with self._lock:
                    self._begun.pop(key, None)

    # --- the steps -----------------------------------------------------------------------------------------

    def _claim(self, task: Task, run: Run) -> Answer:
        match self._store.claim(self._identity.wish(task, run)):
            case Claimed(hold=hold):
                return self._start(task, run, hold)
            case Taken(claim=claim):
                return self._taken(task, run, claim)
            case TooEarly(wait=seconds):
                return Wait(TOO_EARLY, max(seconds, 0.01), Over.NEVER)
            case Pruned():
                return Elsewhere("", outcome=Outcome(State.SKIPPED, TOO_OLD))
            case Unknown(reason=reason):
                return self._unreached(reason)

    def _taken(self, task: Task, run: Run, claim: Claim) -> Answer:
        """There is a row. It is another's, or this computer's from before, or nobody's any more."""
        if claim.state is ClaimState.CLAIMED and self._identity.owns(claim):
            return self._start(task, run, self._identity.hold(claim.key, claim.token))
        others_may_be_cut_off = self._within.may_others_be_cut_off and not self._identity.owns(claim)
        if not claim.abandoned or others_may_be_cut_off:
            return self._elsewhere(claim)
        wish = self._identity.wish(task, run, claim.token + 1)
        match rescue(self._store, claim, wish, _POLICIES[task.if_lost]):
            case Claimed(hold=hold):
                return self._start(task, run, hold)
            case Lost(claim=lost):
                return self._elsewhere(lost)
            case Refused(claim=other):
                return self._elsewhere(other)
            case Unknown(reason=reason):
                return self._unreached(reason)

    def _start(self, task: Task, run: Run, hold: Hold) -> Answer:
        """What is claimed is started, before any process is: only then it is this computer's."""
        with self._lock:
            begun = self._begun.get(hold.key)
            if begun is None or begun.hold != hold:
                begun = Begun(hold, secrets.token_hex(8), self._boottime())
                self._begun[hold.key] = begun
        answer = self._store.start(hold, begun.stamp)
        if isinstance(answer, Unknown):
            return self._unreached(answer.reason)
        with self._lock:
            self._begun.pop(hold.key, None)
        if isinstance(answer, Refused):
            return self._elsewhere(answer.claim)
        fence = Fence(hold.lease, begun.asked)
        self._holds.take(run, hold, fence, again=task.if_lost is IfLost.RUN_AGAIN)
        return Mine(hold.token)

    def _goes_on(self, run: Run, hold: Hold, fence: Fence) -> Answer:
        """Another attempt of what is performed here: under the same claim, if it still is this computer's."""
        asked = self._boottime()
        if fence.holds(asked):
            return Mine(hold.token)
        match self._store.heartbeat(hold):
            case Kept(hold=kept):
                held = self._holds.of(run.id)
                if held is not None:
                    self._holds.kept(held, kept, asked)
                return Mine(hold.token)
            case Refused(claim=claim):
                self._holds.drop(run.id)
                return self._elsewhere(claim)
            case Unknown(reason=reason):
                return self._unreached(reason)

    @staticmethod
    def _elsewhere(claim: Claim | None) -> Elsewhere:
        if claim is None:
            return Elsewhere("", outcome=Outcome(State.FAILED, FORGOTTEN))
        return elsewhere(claim)

    # --- what lets others go first -------------------------------------------------------------------------

    def _stands_back(self, task: Task, run: Run, key: Key) -> Answer | None:
        """Whether another computer is to have it; None: there is no reason to wait."""
        if run.cause is Cause.MANUAL:
            return None
        wait = self._polite_wait(task, key)
        if wait is not None:
            answer = self._look(key, wait)
            if isinstance(answer, Elsewhere):
                self._polite.pop(key, None)
            return answer
        return None if task.overlap is Overlap.PARALLEL else self._behind(task, key)

    def _polite_wait(self, task: Task, key: Key) -> Wait | None:
        if not task.prefers or task.prefers == self._identity.computer:
            return None
        now = self._boottime()
        with self._lock:
            until = self._polite.setdefault(key, now + HEAD_START)
            if now < until:
                return Wait(f"{task.prefers} goes first", until - now, Over.NEVER)
            del self._polite[key]
        return None

    def _behind(self, task: Task, key: Key) -> Answer | None:
        """Another start of the task is under way on another computer: its `overlap` holds there too."""
        found = self._store.unfinished(self._identity.list_id)
        if isinstance(found, Unknown):
            return self._unreached(found.reason)
        for claim in found:
            mine = self._identity.owns(claim)
            gone = claim.abandoned and not self._within.may_others_be_cut_off
            if claim.key.task_id == task.id and claim.key != key and not (mine or gone):
                over = Over.OVERLAPPED if task.overlap is Overlap.SKIP else Over.NEVER
                return self._look(key, Wait(f"the run before it goes on on {claim.owner}", LOOK_AGAIN, over))
        return None

    def _look(self, key: Key, wait: Wait) -> Answer:
        found = self._store.read(key)
        if isinstance(found, Unknown):
            return self._unreached(found.reason)
        if found is None or found.abandoned:
            return wait
        return self._elsewhere(found)


def elsewhere(claim: Claim) -> Elsewhere:
    """What a row says to a computer that has not got it."""
    ended = claim.read_at if claim.finished_at is None else claim.finished_at
    return Elsewhere(claim.owner, claim.token, claim.outcome, max(claim.read_at - ended, 0.0))
