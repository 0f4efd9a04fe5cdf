"""From an address to a store. What speaks to a server is imported only when its kind of address is used."""

from desktopsched.model.extras import how_to_get
from desktopsched.sharing.address import Address
from desktopsched.sharing.claim import LEASE
from desktopsched.sharing.errors import MissingPackageError
from desktopsched.sharing.store import Store

_EXTRAS = {
    "postgresql": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite": "sqlite",
    "redis": "redis",
    "rediss": "redis",
    "zookeeper": "zookeeper",
}
_OURS = "desktopsched"


def open_store(url: str, *, lease: float = LEASE) -> Store:
    """The store at this address. No server is asked yet: one that is down answers `Unknown` until it is back.

    `lease`, in seconds, is what a ZooKeeper session is asked for; elsewhere each claim says its own.
    AddressError, MissingPackageError, UnusableStoreError.
    """
    address = Address.read(url)
    try:
        return _open(address, lease)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith(_OURS):
            raise  # a mistake of ours
        extra, package = _EXTRAS[address.kind], error.name.partition(".")[0]
        raise MissingPackageError(
            f"A list that is shared through {address.kind}:// needs the Python package {package!r}, which is not"
            f" installed. {how_to_get(extra)}"
        ) from error


def _open(address: Address, lease: float) -> Store:
    match address.kind:
        case "redis" | "rediss":
            from desktopsched.sharing.redis_store import RedisStore

            return RedisStore(address)
        case "zookeeper":
            from desktopsched.sharing.zookeeper import ZooKeeperStore

            return ZooKeeperStore(address, lease)
        case "postgresql":
            from desktopsched.sharing.postgres import Postgres
            from desktopsched.sharing.sql import SqlStore

            return SqlStore(address, Postgres(address))
        case "sqlite":
            from desktopsched.sharing.sql import SqlStore
            from desktopsched.sharing.sqlite import Sqlite

            return SqlStore(address, Sqlite(address))
        case _:
            from desktopsched.sharing.mysql import Mysql
            from desktopsched.sharing.sql import SqlStore

            return SqlStore(address, Mysql(address))
