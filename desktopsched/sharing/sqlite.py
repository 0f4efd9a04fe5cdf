"""SQLite, for several programs on one computer: a rollback journal, FULL, and each step takes the lock first.

No WAL: before SQLite 3.51.3 one connection could lose what another had committed while it was checkpointed. No network
file system: their locks are not to be trusted, and one such claim may be had twice.
"""

import os
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import URL, ColumnElement, Connection, Executable, Table, create_engine, event, literal_column
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from desktopsched.sharing.address import Address
from desktopsched.sharing.errors import AddressError, UnusableStoreError
from desktopsched.sharing.safety import Judgement, Promise
from desktopsched.sharing.sql_dialect import LOOKS_ONLY, rows
from desktopsched.sharing.store import REPLY_WITHIN

NETWORK_FILE_SYSTEMS = frozenset((
    "nfs", "nfs3", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afpfs", "webdav", "davfs", "afs", "ncpfs",
    "ceph", "lustre", "glusterfs", "beegfs", "gpfs", "ocfs2", "gfs2", "9p", "vboxsf", "vmhgfs", "prl_fs",
    "macfuse", "osxfuse", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.glusterfs", "fuse.ceph",
    "fuse.vmhgfs-fuse", "fuse.gvfsd-fuse", "fuse.davfs", "fuse.curlftpfs", "fuse.mfs", "fuse.seaweedfs",
    "fuse.juicefs",
))  # fmt: skip
"""As the systems call them. Those of virtual machines' shared folders are among them."""


class Sqlite:
    """A database file. AddressError where it can be none, UnusableStoreError where it lies on a network."""

    def __init__(self, address: Address) -> None:
        address.options()
        path = _file(address)
        _refuse_network(path)
        _make_private(path)
        url = URL.create("sqlite+pysqlite", database=str(path))
        self.engine = create_engine(
            url,
            hide_parameters=True,
            connect_args={"timeout": REPLY_WITHIN},
            # One connection: threads queue for it. For SQLite's lock they would wait by chance, and some for long.
            poolclass=QueuePool,
            pool_size=1,
            max_overflow=0,
            pool_timeout=REPLY_WITHIN,
        )
        self._path = path
        event.listen(self.engine, "do_connect", self._before_connecting)
        event.listen(self.engine, "connect", self._connected)
        event.listen(self.engine, "checkout", self._look_at_file)
        event.listen(self.engine, "begin", _begin)

    def _before_connecting(self, *_: object) -> None:
        """It may have been deleted: then it is made anew, as private as the one before."""
        _make_private(self._path)

    def _connected(self, connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
        _prepare(connection)
        record.info["file"] = _which(self._path)

    def _look_at_file(self, _: DBAPIConnection, record: ConnectionPoolEntry, _proxy: object) -> None:
        """One that was deleted is still there for those who have it open: they would share it with nobody."""
        if record.info["file"] != _which(self._path):
            raise DisconnectionError

    now: ColumnElement[int] = literal_column(
        "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000"
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
        """See `Dialect`. Another program may have changed the journal: it is a property of the file."""
        journal = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
        full = connection.exec_driver_sql("PRAGMA synchronous").scalar_one()
        if journal != "delete" or full < 2:
            have = f"SQLite's journal is {journal!r} here, and synchronous {full}; wanted are 'delete' and 2 (FULL)"
            return Promise.NONE, (f"{have}. Close all programs that use the file, and try again.",)
        return Promise.STRICT, (
            "This holds for programs on one computer: the file is not to be shared with another.",
        )


def _file(address: Address) -> Path:
    if address.place or not address.path:
        raise AddressError(
            f"{address} names no file. Write sqlite:////folder/name.db, or sqlite:///~/name.db"
        )
    path = Path(address.path).expanduser()
    if not path.is_absolute():  # each program would take it for a file in another folder, and share nothing
        raise AddressError(
            f"{address} must say the whole path: sqlite:////folder/name.db, or sqlite:///~/name.db"
        )
    if not path.parent.is_dir():
        raise AddressError(
            f"{path.parent} is no folder. Make it, or choose another place for the shared list."
        )
    return path


def _refuse_network(path: Path) -> None:
    kind = network_file_system(path.resolve())
    if kind:
        raise UnusableStoreError(
            f"{path} lies on a network ({kind}), where SQLite's locks cannot be trusted: starts could happen twice. Put"
            " it on a disk of this computer, or share the list through PostgreSQL, MySQL, Redis or ZooKeeper."
        )


def network_file_system(path: Path) -> str:
    """What kind of network file system a path is on; empty: a disk of this computer, as far as the system says."""
    if str(path).startswith("\\\\"):
        return "a share of Windows"
    where = [part for part in psutil.disk_partitions(all=True) if path.is_relative_to(part.mountpoint)]
    # Of two at one place the later covers the earlier: an automounter's, and what it mounted.
    part = max(reversed(where), key=lambda one: len(one.mountpoint), default=None)
    if part is None:
        return ""
    if part.fstype.lower() in NETWORK_FILE_SYSTEMS or "remote" in part.opts.split(","):
        return part.fstype
    return ""


def _make_private(path: Path) -> None:
    """For its owner alone, from the beginning: it says what runs when.

    One that is there is not opened: on POSIX closing it again would end every lock that this process has on it, also
    those of a step that is under way.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not path.is_file() or not os.access(path, os.R_OK | os.W_OK):
            raise UnusableStoreError(f"{path} is no file that can be read and written here.") from None
    except OSError as error:
        raise UnusableStoreError(f"Cannot make {path}: {error.strerror or error}.") from error


def _which(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one that took its place; None: there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare(connection: DBAPIConnection) -> None:
    connection.isolation_level = None  # transactions are begun by us, below, and by nobody else
    cursor = connection.cursor()
    for pragma in ("journal_mode = DELETE", "synchronous = FULL", "fullfsync = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    looks_only = connection.get_execution_options().get(LOOKS_ONLY, False)
    connection.exec_driver_sql("BEGIN" if looks_only else "BEGIN IMMEDIATE")
