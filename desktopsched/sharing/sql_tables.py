"""The tables of a shared list in a database. Instants are whole microseconds since 1970, so that none is rounded."""

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, String, Table
from sqlalchemy.dialects.mysql import VARCHAR
from sqlalchemy.engine import Row

from desktopsched.sharing.claim import REASON_MOST, Claim, ClaimState
from desktopsched.sharing.key import NOMINAL_MOST, Key

FORMAT = 1
"""Of the tables. One that is newer is left alone."""

_MICRO = 1_000_000


def _exact(length: int) -> String:
    """Compared byte by byte: MySQL takes `A` and `a` for the same otherwise, and two starts for one."""
    exact = VARCHAR(length, charset="ascii", collation="ascii_bin")
    return String(length).with_variant(exact, "mysql", "mariadb")


def _key_columns() -> tuple[Column[Any], ...]:
    return (Column("list_id", _exact(64), primary_key=True), Column("task_id", _exact(64), primary_key=True))


METADATA = MetaData()

CLAIMS = Table(
    "desktopsched_claims",
    METADATA,
    *_key_columns(),
    Column("nominal", _exact(NOMINAL_MOST), primary_key=True),
    Column("due", BigInteger, nullable=False),
    Column("owner", String(200), nullable=False),
    Column("nonce", _exact(64), nullable=False),
    Column("token", Integer, nullable=False),
    Column("state", _exact(16), nullable=False),
    Column("stamp", _exact(64), nullable=False),
    Column("lease_end", BigInteger, nullable=False),
    Column("claimed_at", BigInteger, nullable=False),
    Column("started_at", BigInteger),
    Column("finished_at", BigInteger),
    Column("exit_code", BigInteger),
    Column("reason", String(REASON_MOST), nullable=False),
    Index("desktopsched_claims_by_state", "list_id", "state"),
    mysql_engine="InnoDB",
    mysql_charset="utf8mb4",
)

FLOORS = Table(
    "desktopsched_floors",
    METADATA,
    *_key_columns(),
    Column("floor", BigInteger, nullable=False),
    Column("raised_at", BigInteger, nullable=False),
    mysql_engine="InnoDB",
    mysql_charset="utf8mb4",
)

ABOUT = Table(
    "desktopsched_about",
    METADATA,
    Column("name", _exact(16), primary_key=True),
    Column("value", _exact(64), nullable=False),
    mysql_engine="InnoDB",
    mysql_charset="utf8mb4",
)


def to_micro(seconds: float) -> int:
    """An instant or a span, as the tables hold it."""
    return round(seconds * _MICRO)


def to_seconds(micro: int) -> float:
    """An instant, as the program holds it."""
    return micro / _MICRO


def _maybe(micro: int | None) -> float | None:
    return None if micro is None else to_seconds(micro)


def read_claim(row: Row[Any]) -> Claim:
    """A row of CLAIMS, with the store's time beside it as `now`."""
    return Claim(
        key=Key(row.list_id, row.task_id, row.nominal),
        due=to_seconds(row.due),
        owner=row.owner,
        nonce=row.nonce,
        token=row.token,
        state=ClaimState(row.state),
        stamp=row.stamp,
        lease_end=to_seconds(row.lease_end),
        claimed_at=to_seconds(row.claimed_at),
        started_at=_maybe(row.started_at),
        finished_at=_maybe(row.finished_at),
        exit_code=row.exit_code,
        reason=row.reason,
        read_at=to_seconds(row.now),
    )
