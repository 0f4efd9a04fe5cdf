"""PostgreSQL, by psycopg. Each statement is its own transaction, durable when it is confirmed."""

import time
from typing import Any, Self, TypeVar

import psycopg
from psycopg.abc import PQGen
from sqlalchemy import ColumnElement, Connection, Executable, Table, create_engine, literal_column
from sqlalchemy.dialects.postgresql import Insert, insert

from desktopsched.sharing.address import Address
from desktopsched.sharing.safety import Judgement, Promise
from desktopsched.sharing.sql_dialect import rows
from desktopsched.sharing.store import CONNECT_WITHIN, REPLY_WITHIN

_T = TypeVar("_T")

_UNSAFE_COMMITS = ("off", "local")  # the second does not wait for a standby that was asked to confirm


class _Patient(psycopg.Connection[Any]):
    """A connection that waits no longer than REPLY_WITHIN for a reply: one that is half open never sends any."""

    def wait(self, gen: PQGen[_T], *given: Any, **named: Any) -> _T:
        return super().wait(self._bounded(gen), *given, **named)

    def _bounded(self, gen: PQGen[_T]) -> PQGen[_T]:
        """The same, but for an end: the connection is of no use after it, since a late reply would come first.

        While there is no reply psycopg goes on with this ten times a second, to see whether Ctrl+C was pressed.
        """
        until = time.monotonic() + REPLY_WITHIN
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and time.monotonic() > until:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"no reply within {REPLY_WITHIN:g} s")
                wanted = gen.send(ready)
        except StopIteration as done:
            result: _T = done.value
            return result

    @classmethod
    def to(cls, address: Address) -> Self:
        """A new connection, as the claims need it. psycopg.Error."""
        connection = cls.connect(
            _of_libpq(address.url),
            autocommit=True,
            connect_timeout=round(CONNECT_WITHIN),
            application_name="desktopsched",
            client_encoding="utf8",  # whatever the database's own is: one without any would send bytes
            keepalives_idle=30,
            keepalives_interval=5,
            keepalives_count=3,
        )
        within = round(REPLY_WITHIN * 1000) - 500  # the server gives up first, and says so
        connection.execute(
            f"SET statement_timeout = {within}; SET lock_timeout = {within}; SET TimeZone = 'UTC'"
        )
        (commit,) = connection.execute("SHOW synchronous_commit").fetchone() or ("",)
        if commit in _UNSAFE_COMMITS:
            connection.execute("SET synchronous_commit = on")
        return connection


def _of_libpq(url: str) -> str:
    return "postgresql" + url.removeprefix("postgresql").removeprefix("+psycopg")


class Postgres:
    """A database of a PostgreSQL server, 10 or newer."""

    def __init__(self, address: Address) -> None:
        self.engine = create_engine(
            "postgresql+psycopg://",
            creator=lambda: _Patient.to(address),
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            pool_timeout=CONNECT_WITHIN,
            pool_reset_on_return=None,  # there is no transaction to roll back, and it costs a journey
        )

    now: ColumnElement[int] = literal_column(
        "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS bigint)"
    )

    @staticmethod
    def insert(table: Table) -> Insert:
        """See `Dialect`."""
        return insert(table).on_conflict_do_nothing()

    @staticmethod
    def inserted(connection: Connection, statement: Executable, values: dict[str, Any]) -> bool:
        """See `Dialect`."""
        return rows(connection, statement, values) > 0

    @staticmethod
    def judge(connection: Connection) -> Judgement:
        """See `Dialect`."""
        asked = "fsync", "full_page_writes", "synchronous_commit", "transaction_read_only"
        have = {name: connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in asked}
        standby = connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one()
        reasons = []
        if standby or have["transaction_read_only"] == "on":
            reasons.append(
                "This PostgreSQL server is read-only (a standby?). Give the address of the primary."
            )
        for name, loss in (("fsync", "forget claims"), ("full_page_writes", "damage its tables")):
            if have[name] == "off":
                reasons.append(
                    f"PostgreSQL's setting {name} is off: a loss of power can make it {loss}. Switch it on."
                )
        if reasons:
            return Promise.NONE, tuple(reasons)
        if have["synchronous_commit"] in _UNSAFE_COMMITS:
            why = f"PostgreSQL's setting synchronous_commit is {have['synchronous_commit']}, and could not be changed"
            return Promise.BEST_EFFORT, (f"{why}: a crash forgets the claims of the last moment.",)
        return Promise.STRICT, ()
