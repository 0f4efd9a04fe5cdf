"""MySQL and MariaDB, by PyMySQL. Each statement is its own transaction, durable when it is confirmed."""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Table,
    create_engine,
    event,
    insert,
    literal_column,
    make_url,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.sql.dml import Insert

from desktopsched.sharing.address import Address
from desktopsched.sharing.errors import AddressError
from desktopsched.sharing.safety import Judgement, Promise
from desktopsched.sharing.sql_dialect import rows
from desktopsched.sharing.store import CONNECT_WITHIN, REPLY_WITHIN

_DUPLICATE = 1062
"""MySQL's number for a row that is there already."""


_SETTINGS = (
    "read_only",
    "super_read_only",
    "innodb_flush_log_at_trx_commit",
    "innodb_doublewrite",
    "log_bin",
    "sync_binlog",
)


class Mysql:
    """A database of a MySQL or MariaDB server, in InnoDB tables."""

    def __init__(self, address: Address) -> None:
        if not address.path:
            raise AddressError(f"{address} names no database. Write mysql://user@host/database")
        address.options("ssl_ca", "ssl_cert", "ssl_key", "ssl_verify_cert", "ssl_verify_identity")
        self.engine = create_engine(
            make_url(address.url).set(drivername="mysql+pymysql"),
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            pool_timeout=CONNECT_WITHIN,
            pool_reset_on_return=None,  # there is no transaction to roll back, and it costs a journey
            connect_args={
                "password": address.password.encode(),  # as text it could only have Latin letters
                "connect_timeout": round(CONNECT_WITHIN),
                "read_timeout": REPLY_WITHIN,
                "write_timeout": REPLY_WITHIN,
            },
        )
        event.listen(self.engine, "connect", _connected)

    # Not UNIX_TIMESTAMP: that ends in 2038, and means another instant in the hour that is repeated in autumn.
    now: ColumnElement[int] = literal_column(
        "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))"
    )

    @staticmethod
    def insert(table: Table) -> Insert:
        """See `Dialect`. Not IGNORE, which would let other mistakes pass as well."""
        return insert(table)

    @staticmethod
    def inserted(connection: Connection, statement: Executable, values: dict[str, Any]) -> bool:
        """See `Dialect`."""
        try:
            return rows(connection, statement, values) > 0
        except IntegrityError as error:
            if error.orig is None or error.orig.args[0] != _DUPLICATE:
                raise
            return False

    @staticmethod
    def judge(connection: Connection) -> Judgement:
        """See `Dialect`."""
        quoted = ", ".join(f"'{name}'" for name in _SETTINGS)
        found = connection.exec_driver_sql(f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({quoted})")
        have = {str(row[0]): str(row[1]) for row in found}
        if "ON" in {have.get("read_only"), have.get("super_read_only")}:
            return Promise.NONE, (
                "This MySQL server is read-only (a replica?). Give the address of the primary.",
            )
        flush = have.get("innodb_flush_log_at_trx_commit")
        if flush != "1":
            why = f"MySQL's setting innodb_flush_log_at_trx_commit is {flush}"
            return Promise.BEST_EFFORT, (
                f"{why}: a crash forgets the claims of the last second. Set it to 1.",
            )
        if have.get("innodb_doublewrite") == "OFF":
            return Promise.BEST_EFFORT, (
                "MySQL's setting innodb_doublewrite is OFF: a loss of power can damage its tables. Switch it on.",
            )
        if have.get("log_bin") == "ON" and have.get("sync_binlog") != "1":
            why = f"MySQL writes a binary log, and its setting sync_binlog is {have.get('sync_binlog')}"
            return Promise.BEST_EFFORT, (f"{why}: a loss of power takes back the last claims. Set it to 1.",)
        return Promise.STRICT, ()


def _connected(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(f"SET SESSION innodb_lock_wait_timeout = {int(REPLY_WITHIN) - 1}")
    # A claim looks at its task's floor; under the usual level that look would lock it, and claims wait for each other.
    cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
    cursor.close()
