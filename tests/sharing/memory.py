"""A store in memory, whose clock is set by hand. It keeps the protocol, and passes the suite of the real ones."""

import threading
from collections.abc import Callable

from msgspec import structs

from desktopsched.model import Outcome
from desktopsched.sharing import verdicts
from desktopsched.sharing.answers import (
    ClaimAnswer,
    Claimed,
    FinishAnswer,
    Finished,
    HeartbeatAnswer,
    Kept,
    LoseAnswer,
    Lost,
    Refused,
    ReleaseAnswer,
    Released,
    StartAnswer,
    Started,
    TakeOverAnswer,
)
from desktopsched.sharing.claim import Claim, ClaimState, Hold, Wish, reason_of
from desktopsched.sharing.key import Key
from desktopsched.sharing.safety import Promise, Safety
from desktopsched.sharing.store import KEEP, SETTLE


class MemoryStore:
    """Any thread may ask."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._claims: dict[Key, Claim] = {}
        self._floors: dict[tuple[str, str], float] = {}
        self.identity = "0" * 32

    def _see(self, key: Key) -> verdicts.Seen:
        claim, now = self._claims.get(key), self._clock()
        if claim is not None:
            claim = structs.replace(claim, read_at=now)
        return verdicts.Seen(claim, self._floors.get((key.list_id, key.task_id)), now)

    def _set(self, claim: Claim, **fields: object) -> Claim:
        changed = self._claims[claim.key] = structs.replace(claim, **fields)
        return changed

    def claim(self, wish: Wish) -> ClaimAnswer:
        with self._lock:
            seen = self._see(wish.key)
            due = seen.now if wish.due is None else wish.due
            if seen.claim or due > seen.now or (seen.floor is not None and due <= seen.floor):
                return verdicts.of_claim(wish, seen)
            self._claims[wish.key] = Claim(
                key=wish.key,
                due=due,
                owner=wish.owner,
                nonce=wish.nonce,
                token=1,
                state=ClaimState.CLAIMED,
                lease_end=seen.now + wish.lease,
                claimed_at=seen.now,
                read_at=seen.now,
            )
            return Claimed(wish.hold(1))

    def start(self, hold: Hold, stamp: str) -> StartAnswer:
        with self._lock:
            seen = self._see(hold.key)
            claim, until = seen.claim, seen.now + hold.lease
            if claim and claim.is_held(hold) and claim.state is ClaimState.CLAIMED:
                self._set(claim, state=ClaimState.STARTED, stamp=stamp, started_at=seen.now, lease_end=until)
                return Started(hold)
            if claim and claim.is_held(hold) and claim.state is ClaimState.STARTED and claim.stamp == stamp:
                self._set(claim, lease_end=until)
                return Started(hold)
            return Refused(claim)

    def heartbeat(self, hold: Hold, *, lasts: float | None = None) -> HeartbeatAnswer:
        with self._lock:
            seen = self._see(hold.key)
            if seen.claim and seen.claim.is_held(hold) and seen.claim.state.open:
                self._set(seen.claim, lease_end=seen.now + (hold.lease if lasts is None else lasts))
                return Kept(hold)
            return Refused(seen.claim)

    def finish(self, hold: Hold, outcome: Outcome) -> FinishAnswer:
        with self._lock:
            seen = self._see(hold.key)
            if seen.claim and seen.claim.is_held(hold) and seen.claim.state is ClaimState.STARTED:
                self._set(
                    seen.claim,
                    state=ClaimState.of(outcome.state),
                    finished_at=seen.now,
                    exit_code=outcome.exit_code,
                    reason=reason_of(outcome),
                )
                return Finished(hold)
            return verdicts.of_finish(hold, outcome, seen)

    def release(self, hold: Hold) -> ReleaseAnswer:
        with self._lock:
            seen = self._see(hold.key)
            if seen.claim and seen.claim.is_held(hold) and seen.claim.state is ClaimState.CLAIMED:
                self._set(seen.claim, lease_end=seen.now)
                return Released(hold)
            return Refused(seen.claim)

    def take_over(self, wish: Wish, token: int, *, started: bool) -> TakeOverAnswer:
        with self._lock:
            seen = self._see(wish.key)
            claim = seen.claim
            may = claim and (claim.state is ClaimState.CLAIMED or started)
            if claim and may and claim.abandoned and claim.token == token:
                self._set(
                    claim,
                    token=token + 1,
                    owner=wish.owner,
                    nonce=wish.nonce,
                    state=ClaimState.CLAIMED,
                    stamp="",
                    lease_end=seen.now + wish.lease,
                    claimed_at=seen.now,
                    started_at=None,
                )
                return Claimed(wish.hold(token + 1))
            return verdicts.of_take_over(wish, seen)

    def lose(self, key: Key, token: int) -> LoseAnswer:
        with self._lock:
            seen = self._see(key)
            if seen.claim and seen.claim.abandoned and seen.claim.token == token:
                return Lost(self._set(seen.claim, state=ClaimState.LOST, finished_at=seen.now))
            return verdicts.of_lose(token, seen)

    def read(self, key: Key) -> Claim | None:
        with self._lock:
            return self._see(key).claim

    def unfinished(self, list_id: str) -> tuple[Claim, ...]:
        with self._lock:
            keys = [one.key for one in self._claims.values() if one.key.list_id == list_id and one.state.open]
            return tuple(claim for key in sorted(keys) if (claim := self._see(key).claim))

    def prune(self, list_id: str, *, keep: float = KEEP, settle: float = SETTLE) -> int:
        if keep < KEEP:
            raise ValueError(f"rows are kept for {KEEP:g} s at least, not {keep:g}")
        with self._lock:
            cut = self._clock() - keep
            old = [
                claim
                for claim in self._claims.values()
                if claim.key.list_id == list_id and not claim.state.open and claim.due <= cut
            ]
            for claim in old:
                task = (list_id, claim.key.task_id)
                self._floors[task] = max(self._floors.get(task, claim.due), claim.due)
                del self._claims[claim.key]
            return len(old)

    def now(self) -> float:
        return self._clock()

    def check(self) -> Safety:
        return Safety(Promise.NONE, ("It is in memory.",), self.identity)

    def close(self) -> None:
        """Nothing was borrowed."""
