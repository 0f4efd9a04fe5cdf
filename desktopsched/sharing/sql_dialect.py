"""What differs between databases: how to connect, what time it is there, how to insert, what their settings promise."""

from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Engine, Executable, Table
from sqlalchemy.sql.dml import Insert

from desktopsched.sharing.safety import Judgement

LOOKS_ONLY = "desktopsched_looks_only"
"""The execution option of what changes nothing, for databases where that makes a difference."""


class Dialect(Protocol):
    """One kind of database."""

    engine: Engine
    now: ColumnElement[int]  # microseconds since 1970, of the statement that it stands in

    def insert(self, table: Table) -> Insert:
        """An insert that leaves a row that is there alone, if the database can say so."""

    def inserted(self, connection: Connection, statement: Executable, values: dict[str, Any]) -> bool:
        """Run such an insert. Whether there was no such row before."""

    def judge(self, connection: Connection) -> Judgement:
        """What the settings promise, and why."""


def rows(connection: Connection, statement: Executable, values: dict[str, Any]) -> int:
    """How many rows a statement changed, or inserted."""
    return connection.execute(statement, values, execution_options={"preserve_rowcount": True}).rowcount
