"""A shared list in a database, through SQLAlchemy Core: one statement a step, one commit a statement."""

import secrets
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

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
from desktopsched.sharing.claim import Claim, ClaimState, Hold, Wish, reason_of
from desktopsched.sharing.errors import UnusableStoreError
from desktopsched.sharing.key import Key
from desktopsched.sharing.safety import Promise, Safety
from desktopsched.sharing.silence import silence
from desktopsched.sharing.sql_dialect import LOOKS_ONLY, Dialect, rows
from desktopsched.sharing.sql_steps import Steps
from desktopsched.sharing.sql_tables import ABOUT, FORMAT, METADATA, read_claim, to_micro, to_seconds
from desktopsched.sharing.store import KEEP, SETTLE

_T = TypeVar("_T")


class SqlStore:
    """Claims in tables. Any thread may ask; each step borrows a connection for as long as it lasts."""

    def __init__(self, address: Address, dialect: Dialect) -> None:
        self._address, self._dialect = address, dialect
        self._engine = dialect.engine
        self._looking = dialect.engine.execution_options(**{LOOKS_ONLY: True})
        self._steps = Steps(dialect)
        self._prepared = False

    # --- the steps -----------------------------------------------------------------------------------------

    def claim(self, wish: Wish) -> ClaimAnswer:
        """See `Store`."""
        values = _values(wish.key) | {
            "the_due": None if wish.due is None else to_micro(wish.due),
            "the_owner": wish.owner,
            "the_nonce": wish.nonce,
            "the_lease": to_micro(wish.lease),
        }

        def step(connection: Connection) -> ClaimAnswer:
            if self._dialect.inserted(connection, self._steps.claim, values):
                return Claimed(wish.hold(1))
            return verdicts.of_claim(wish, self._see(connection, wish.key))

        return self._ask(step)

    def start(self, hold: Hold, stamp: str) -> StartAnswer:
        """See `Store`."""
        values = _ours(hold) | {"the_stamp": stamp, "the_lease": to_micro(hold.lease)}

        def step(connection: Connection) -> StartAnswer:
            if rows(connection, self._steps.start, values):
                return Started(hold)
            return Refused(self._see(connection, hold.key).claim)

        return self._ask(step)

    def heartbeat(self, hold: Hold, *, lasts: float | None = None) -> HeartbeatAnswer:
        """See `Store`."""
        values = _ours(hold) | {"the_lease": to_micro(hold.lease if lasts is None else lasts)}

        def step(connection: Connection) -> HeartbeatAnswer:
            if rows(connection, self._steps.heartbeat, values):
                return Kept(hold)
            return Refused(self._see(connection, hold.key).claim)

        return self._ask(step)

    def finish(self, hold: Hold, outcome: Outcome) -> FinishAnswer:
        """See `Store`."""
        values = _ours(hold) | {
            "the_state": ClaimState.of(outcome.state).value,
            "the_exit_code": outcome.exit_code,
            "the_reason": reason_of(outcome),
        }

        def step(connection: Connection) -> FinishAnswer:
            if rows(connection, self._steps.finish, values):
                return Finished(hold)
            return verdicts.of_finish(hold, outcome, self._see(connection, hold.key))

        return self._ask(step)

    def release(self, hold: Hold) -> ReleaseAnswer:
        """See `Store`."""

        def step(connection: Connection) -> ReleaseAnswer:
            if rows(connection, self._steps.release, _ours(hold)):
                return Released(hold)
            return Refused(self._see(connection, hold.key).claim)

        return self._ask(step)

    def take_over(self, wish: Wish, token: int, *, started: bool) -> TakeOverAnswer:
        """See `Store`."""
        statement = self._steps.take_over_started if started else self._steps.take_over
        values = _values(wish.key) | {
            "the_token": token,
            "the_owner": wish.owner,
            "the_nonce": wish.nonce,
            "the_lease": to_micro(wish.lease),
        }

        def step(connection: Connection) -> TakeOverAnswer:
            if rows(connection, statement, values):
                return Claimed(wish.hold(token + 1))
            return verdicts.of_take_over(wish, self._see(connection, wish.key))

        return self._ask(step)

    def lose(self, key: Key, token: int) -> LoseAnswer:
        """See `Store`."""
        values = _values(key) | {"the_token": token}

        def step(connection: Connection) -> LoseAnswer:
            changed = rows(connection, self._steps.lose, values) > 0
            seen = self._see(connection, key)
            return Lost(seen.claim) if changed and seen.claim else verdicts.of_lose(token, seen)

        return self._ask(step)

    # --- looking -------------------------------------------------------------------------------------------

    def read(self, key: Key) -> Claim | Unknown | None:
        """See `Store`."""

        def step(connection: Connection) -> Claim | None:
            row = connection.execute(self._steps.read, _values(key)).first()
            return None if row is None else read_claim(row)

        return self._ask(step, self._looking)

    def unfinished(self, list_id: str) -> tuple[Claim, ...] | Unknown:
        """See `Store`."""
        return self._ask(
            lambda connection: tuple(
                [
                    read_claim(row)
                    for row in connection.execute(self._steps.unfinished, {"the_list_id": list_id})
                ]
            ),
            self._looking,
        )

    def now(self) -> float | Unknown:
        """See `Store`."""
        return self._ask(self._now, self._looking)

    def check(self) -> Safety | Unknown:
        """See `Store`."""
        judged = self._reach(self._dialect.judge, self._looking)
        if isinstance(judged, Unknown):
            return judged
        promise, reasons = judged
        if promise is Promise.NONE:  # perhaps no tables could be made there
            return Safety(promise, reasons, "")
        self._prepared = False  # what was there may have been emptied since
        try:
            identity = self._asked(self._identity, self._looking)
        except UnusableStoreError as error:
            return Safety(Promise.NONE, (str(error),), "")
        return identity if isinstance(identity, Unknown) else Safety(promise, reasons, identity)

    @staticmethod
    def _identity(connection: Connection) -> str:
        found = connection.execute(select(ABOUT.c.value).where(ABOUT.c.name == "identity"))
        return str(found.scalar_one())

    # --- tidying -------------------------------------------------------------------------------------------

    def prune(self, list_id: str, *, keep: float = KEEP, settle: float = SETTLE) -> int | Unknown:
        """See `Store`. The rows go first, then the floors rise: for what goes the next time."""
        if keep < KEEP:
            raise ValueError(f"rows are kept for {KEEP:g} s at least, not {keep:g}")
        deleted = self._ask(lambda connection: self._delete(connection, list_id, settle))
        raised = self._ask(lambda connection: self._raise_floors(connection, list_id, keep, settle))
        if isinstance(deleted, Unknown) or isinstance(raised, Unknown):
            return deleted if isinstance(deleted, Unknown) else raised
        if settle > 0 or not raised:
            return deleted
        more = self._ask(lambda connection: self._delete(connection, list_id, settle))
        return more if isinstance(more, Unknown) else deleted + more

    def _delete(self, connection: Connection, list_id: str, settle: float) -> int:
        return rows(connection, self._steps.prune, {"the_list_id": list_id, "the_settle": to_micro(settle)})

    def _raise_floors(self, connection: Connection, list_id: str, keep: float, settle: float) -> int:
        values: dict[str, Any] = {"the_list_id": list_id, "the_keep": to_micro(keep)}
        found = connection.execute(self._steps.prunable, values).all()
        for row in found:
            floor = {"the_list_id": list_id, "the_task_id": row.task_id, "the_floor": row.floor}
            if not rows(connection, self._steps.raise_floor, floor | {"the_settle": to_micro(settle)}):
                self._dialect.inserted(connection, self._steps.first_floor, floor)
        return len(found)

    def close(self) -> None:
        """See `Store`."""
        self._engine.dispose()

    # --- asking the server ---------------------------------------------------------------------------------

    def _ask(self, step: Callable[[Connection], _T], engine: Engine | None = None) -> _T | Unknown:
        try:
            return self._asked(step, self._engine if engine is None else engine)
        except UnusableStoreError as error:
            return Unknown(str(error))

    def _asked(self, step: Callable[[Connection], _T], engine: Engine) -> _T | Unknown:
        """With the tables, which are made by whoever comes first. UnusableStoreError."""
        if not self._prepared:
            made = self._reach(self._prepare, self._engine)
            if isinstance(made, Unknown):
                return made
            self._prepared = True
        return self._reach(step, engine)

    def _reach(self, step: Callable[[Connection], _T], engine: Engine) -> _T | Unknown:
        """In a transaction; where the database commits each statement by itself, that is a word only.

        Whatever the database refuses or fails to say: nobody knows then whether the step happened. Nor whether the
        tables are there still, so they are looked for anew.
        """
        try:
            with engine.begin() as connection:
                return step(connection)
        except (DBAPIError, PoolTimeoutError, OSError) as error:  # OSError: a certificate that is not there
            self._prepared = False
            cause = error.orig if isinstance(error, DBAPIError) else error
            in_use = isinstance(error, PoolTimeoutError)
            return silence(
                self._address, "all connections are in use" if in_use else str(cause) or type(cause).__name__
            )

    def _prepare(self, connection: Connection) -> None:
        _make_tables(connection)
        about = self._dialect.insert(ABOUT)
        for name, value in (("format", str(FORMAT)), ("identity", secrets.token_hex(16))):
            self._dialect.inserted(connection, about, {"name": name, "value": value})
        found = connection.execute(select(ABOUT.c.value).where(ABOUT.c.name == "format")).scalar_one()
        if int(found) > FORMAT:
            raise UnusableStoreError(
                f"The tables in {self._address} were made by a newer Desktopsched (format {found}; this one knows"
                f" {FORMAT}). Install that version here too."
            )

    def _now(self, connection: Connection) -> float:
        return to_seconds(connection.execute(self._steps.time).scalar_one())

    def _see(self, connection: Connection, key: Key) -> verdicts.Seen:
        values = _values(key)
        row = connection.execute(self._steps.read, values).first()
        if row is not None:
            claim = read_claim(row)
            return verdicts.Seen(claim, None, claim.read_at)
        floor = connection.execute(self._steps.floor, values).scalar()
        return verdicts.Seen(None, None if floor is None else to_seconds(floor), self._now(connection))


def _make_tables(connection: Connection) -> None:
    """Those that are missing. Of two programs that make one at the same moment one fails, and finds it there then."""
    for _ in METADATA.tables:
        try:
            METADATA.create_all(connection)
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
        else:
            return
    METADATA.create_all(connection)


def _values(key: Key) -> dict[str, Any]:
    return {"the_list_id": key.list_id, "the_task_id": key.task_id, "the_nominal": key.nominal}


def _ours(hold: Hold) -> dict[str, Any]:
    return _values(hold.key) | {"the_token": hold.token, "the_nonce": hold.nonce}
