"""A shared list in ZooKeeper, by kazoo: a node for each start, which stays, and a lease that goes with its owner."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kazoo.exceptions import BadVersionError, NodeExistsError, NoNodeError, OperationTimeoutError
from msgspec import structs

from desktopsched.model import Outcome
from desktopsched.sharing import verdicts
from desktopsched.sharing.address import Address
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
    Unknown,
)
from desktopsched.sharing.claim import LEASE, Claim, ClaimState, Hold, Wish, reason_of
from desktopsched.sharing.key import Key
from desktopsched.sharing.safety import Safety
from desktopsched.sharing.store import KEEP, SETTLE
from desktopsched.sharing.zookeeper_floors import Floors, prune
from desktopsched.sharing.zookeeper_judgement import judge
from desktopsched.sharing.zookeeper_paths import ABOUT, Places, key_of_open, open_of
from desktopsched.sharing.zookeeper_rows import Found, Row, look, look_at, seen
from desktopsched.sharing.zookeeper_session import Session

_TRIES = 20
"""How often a change is made again because others changed the same start at the same moment."""

_MOVED = (BadVersionError, NodeExistsError, NoNodeError)
_CLAIMED, _STARTED, _LOST = ClaimState.CLAIMED, ClaimState.STARTED, ClaimState.LOST

Amend = Callable[[Any, Found], bool]
"""Puts into a transaction what is to change, if the condition holds; else False."""


class ZooKeeperStore:
    """Claims in ZooKeeper 3.5 or newer. A lease is the session's time-out, which the server may have shortened."""

    def __init__(self, address: Address, lease: float = LEASE) -> None:
        self._session = Session(address, lease)
        self._floors = Floors(self._session)

    # --- the steps -----------------------------------------------------------------------------------------

    def claim(self, wish: Wish) -> ClaimAnswer:
        """See `Store`."""
        return self._session.ask(lambda: self._claim(wish, Places.of(wish.key)))

    def _claim(self, wish: Wish, places: Places) -> ClaimAnswer:
        for _ in range(_TRIES):
            now = self._session.now()
            if wish.due is not None and wish.due > now:
                now = self._session.now(fresh=True)  # what is reckoned may be late
            floor = self._floors.of(places.task)
            too_early = wish.due is not None and wish.due > now
            pruned = wish.due is not None and floor.below is not None and wish.due <= floor.below
            if too_early or pruned:
                return self._judge_claim(wish, places)
            transaction = self._session.transaction()
            transaction.check(places.task, floor.version)
            transaction.create(places.row, Row.of(wish, now).encode())
            transaction.create(places.lease, ephemeral=True)
            transaction.create(places.open)
            failed = self._session.commit(transaction)
            if failed is None:
                return Claimed(self._hold(wish, 1))
            if isinstance(failed, NodeExistsError):
                return self._judge_claim(wish, places)
            self._make_way(failed, places)
        raise OperationTimeoutError("others changed this task all the time")

    def _make_way(self, failed: Exception, places: Places) -> None:
        """The floor rose, or this is the first start of its kind."""
        if isinstance(failed, BadVersionError):
            self._floors.forget(places.task)
        elif isinstance(failed, NoNodeError):
            self._session.call("ensure_path", places.bucket)
            self._session.call("ensure_path", places.open.rpartition("/")[0])
        else:
            raise failed

    def _judge_claim(self, wish: Wish, places: Places) -> ClaimAnswer:
        answer = verdicts.of_claim(wish, self._see(wish.key, places, self._floors.of(places.task).below))
        if isinstance(answer, Claimed):  # the same try as before: perhaps by an earlier session
            self._keep(answer.hold)
            return Claimed(self._hold(wish, answer.hold.token))
        return answer

    def start(self, hold: Hold, stamp: str) -> StartAnswer:
        """See `Store`."""

        def amend(transaction: Any, found: Found) -> bool:
            if not _is_held(found, hold):
                return False
            if found.row.state is _CLAIMED:
                began = structs.replace(
                    found.row, state=_STARTED, stamp=stamp, started_at=self._session.now()
                )
                transaction.set_data(places.row, began.encode(), version=found.version)
            elif found.row.state is _STARTED and found.row.stamp == stamp:  # the answer was lost
                transaction.check(places.row, found.version)
            else:
                return False
            self._renew(transaction, found, places)
            return True

        places = Places.of(hold.key)
        return self._session.ask(
            lambda: (
                Started(hold) if self._change(places, amend) else Refused(self._see(hold.key, places).claim)
            )
        )

    def heartbeat(self, hold: Hold, *, lasts: float | None = None) -> HeartbeatAnswer:
        """See `Store`. The session lives without it; this tells whether what it held is held still."""

        def step() -> HeartbeatAnswer:
            if self._keep(hold, lasts):
                return Kept(structs.replace(hold, lease=self._session.lease))
            return Refused(self._see(hold.key, Places.of(hold.key)).claim)

        return self._session.ask(step)

    def _keep(self, hold: Hold, lasts: float | None = None) -> bool:
        """Let the lease be this session's, if the hold is still good; what it is to last longer is in the row."""

        def amend(transaction: Any, found: Found) -> bool:
            if not _is_held(found, hold) or not found.row.state.open:
                return False
            until = 0.0 if lasts is None else self._session.now() + lasts
            if until == found.row.lent_until:
                transaction.check(places.row, found.version)
            else:
                lent = structs.replace(found.row, lent_until=until)
                transaction.set_data(places.row, lent.encode(), version=found.version)
            self._renew(transaction, found, places)
            return True

        places = Places.of(hold.key)
        return self._change(places, amend)

    def finish(self, hold: Hold, outcome: Outcome) -> FinishAnswer:
        """See `Store`."""

        def amend(transaction: Any, found: Found) -> bool:
            if not _is_held(found, hold) or found.row.state is not _STARTED:
                return False
            finished = structs.replace(
                found.row,
                state=ClaimState.of(outcome.state),
                finished_at=self._session.now(),
                exit_code=outcome.exit_code,
                reason=reason_of(outcome),
            )
            transaction.set_data(places.row, finished.encode(), version=found.version)
            transaction.delete(places.open)
            if found.leased_by is not None:
                transaction.delete(places.lease)
            return True

        places = Places.of(hold.key)
        return self._session.ask(
            lambda: (
                Finished(hold)
                if self._change(places, amend)
                else verdicts.of_finish(hold, outcome, self._see(hold.key, places))
            )
        )

    def release(self, hold: Hold) -> ReleaseAnswer:
        """See `Store`."""

        def amend(transaction: Any, found: Found) -> bool:
            if not _is_held(found, hold) or found.row.state is not _CLAIMED:
                return False
            transaction.check(places.row, found.version)
            if found.leased_by is not None:
                transaction.delete(places.lease)
            return True

        places = Places.of(hold.key)
        return self._session.ask(
            lambda: (
                Released(hold) if self._change(places, amend) else Refused(self._see(hold.key, places).claim)
            )
        )

    def take_over(self, wish: Wish, token: int, *, started: bool) -> TakeOverAnswer:
        """See `Store`. If its owner comes back first, the lease cannot be made, and all is as it was."""

        def amend(transaction: Any, found: Found) -> bool:
            may = found.row.state is _CLAIMED or (started and found.row.state is _STARTED)
            if not (found.is_abandoned(self._session.now()) and may and found.row.token == token):
                return False
            ours = structs.replace(Row.of(wish, self._session.now(), token + 1), due=found.row.due)
            transaction.set_data(places.row, ours.encode(), version=found.version)
            transaction.create(places.lease, ephemeral=True)
            return True

        def step() -> TakeOverAnswer:
            if self._change(places, amend):
                return Claimed(self._hold(wish, token + 1))
            answer = verdicts.of_take_over(wish, self._see(wish.key, places))
            return Claimed(self._hold(wish, answer.hold.token)) if isinstance(answer, Claimed) else answer

        places = Places.of(wish.key)
        return self._session.ask(step)

    def lose(self, key: Key, token: int) -> LoseAnswer:
        """See `Store`. A lease is made for a moment, which fails if its owner has come back."""

        def amend(transaction: Any, found: Found) -> bool:
            if not found.is_abandoned(self._session.now()) or found.row.token != token:
                return False
            lost = structs.replace(found.row, state=_LOST, finished_at=self._session.now())
            transaction.create(places.lease, ephemeral=True)
            transaction.delete(places.lease)
            transaction.set_data(places.row, lost.encode(), version=found.version)
            transaction.delete(places.open)
            return True

        def step() -> LoseAnswer:
            changed = self._change(places, amend)
            now = self._see(key, places)
            return Lost(now.claim) if changed and now.claim else verdicts.of_lose(token, now)

        places = Places.of(key)
        return self._session.ask(step)

    # --- looking -------------------------------------------------------------------------------------------

    def read(self, key: Key) -> Claim | Unknown | None:
        """See `Store`."""
        return self._session.ask(lambda: self._see(key, Places.of(key)).claim)

    def unfinished(self, list_id: str) -> tuple[Claim, ...] | Unknown:
        """See `Store`."""

        def step() -> tuple[Claim, ...]:
            try:
                names = sorted(self._session.call("get_children", open_of(list_id)))
            except NoNodeError:
                return ()
            keys = [key_of_open(list_id, name) for name in names]
            found = look_at(self._session, [Places.of(key) for key in keys])
            claims = [seen(self._session, key, one, None).claim for key, one in zip(keys, found, strict=True)]
            return tuple(sorted((one for one in claims if one and one.state.open), key=lambda one: one.key))

        return self._session.ask(step)

    def now(self) -> float | Unknown:
        """See `Store`."""
        return self._session.ask(lambda: self._session.now(fresh=True))

    def check(self) -> Safety | Unknown:
        """See `Store`."""

        def step() -> Safety:
            with suppress(NodeExistsError):  # as it does each time but the first
                self._session.call("create", ABOUT, secrets.token_hex(16).encode(), makepath=True)
            identity, _ = self._session.call("get", ABOUT)
            return Safety(*judge(self._session), identity.decode())

        return self._session.ask(step)

    def prune(self, list_id: str, *, keep: float = KEEP, settle: float = SETTLE) -> int | Unknown:  # noqa: ARG002
        """See `Store`. A claim is made under the floor that it has seen: nothing has to settle."""
        if keep < KEEP:
            raise ValueError(f"rows are kept for {KEEP:g} s at least, not {keep:g}")
        return self._session.ask(lambda: prune(self._session, list_id, self._session.now() - keep))

    def close(self) -> None:
        """See `Store`. What is held is abandoned from then on."""
        self._session.close()

    # --- the rows ------------------------------------------------------------------------------------------

    def _change(self, places: Places, amend: Amend) -> bool:
        """Change a row and its lease under a condition, exactly as they were seen. False: the condition fails."""
        for _ in range(_TRIES):
            found = look(self._session, places)
            if found is None:
                return False
            transaction = self._session.transaction()
            if not amend(transaction, found):
                return False
            failed = self._session.commit(transaction)
            if failed is None:
                return True
            if not isinstance(failed, _MOVED):
                raise failed
            self._session.call("sync", places.row)  # the server that we asked may be behind
        raise OperationTimeoutError("others changed this start all the time")

    def _renew(self, transaction: Any, found: Found, places: Places) -> None:
        """The lease is this session's: it may be missing, or an earlier session's."""
        if found.leased_by == self._session.number:
            return
        if found.leased_by is not None:
            transaction.delete(places.lease)
        transaction.create(places.lease, ephemeral=True)

    def _see(self, key: Key, places: Places, floor: float | None = None) -> verdicts.Seen:
        return seen(self._session, key, look(self._session, places), floor)

    def _hold(self, wish: Wish, token: int) -> Hold:
        return structs.replace(wish.hold(token), lease=self._session.lease)


def _is_held(found: Found, hold: Hold) -> bool:
    return found.row.token == hold.token and found.row.nonce == hold.nonce
