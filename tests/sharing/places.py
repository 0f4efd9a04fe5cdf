"""Where the suites keep their claims: a kind of store, its server if it has one, and how to reach it."""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec import Struct

from desktopsched.sharing.answers import Claimed, Started, Unknown
from desktopsched.sharing.claim import Claim, Hold, Wish
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.key import Key
from desktopsched.sharing.store import Store
from tests.sharing.memory import MemoryStore
from tests.sharing.servers import (
    Missing,
    MysqlServer,
    PostgresServer,
    RedisServer,
    Server,
    ZooKeeperServer,
)

_T = TypeVar("_T")

REQUIRED = os.environ.get("DESKTOPSCHED_SERVERS") == "required"
"""Whether a server that is not installed is a failure, and not a reason to skip."""

SIZE = int(os.environ.get("DESKTOPSCHED_CLAIMS", "0"))
"""How many due starts the races have; 0: few, so that everybody runs them. FAULTS asks for 10000."""

SERVERS: dict[str, type[Server]] = {
    "postgresql": PostgresServer,
    "mysql": MysqlServer,
    "redis": RedisServer,
    "zookeeper": ZooKeeperServer,
}
KINDS = ("sqlite", *SERVERS)


class Place(Struct, eq=False):
    """A kind of store that is there."""

    kind: str
    url: str
    server: Server | None = None
    memory: MemoryStore | None = None

    @property
    def lease(self) -> float:
        """Short, in seconds; a session of ZooKeeper's must not end because this computer is busy."""
        return 6.0 if self.kind == "zookeeper" else 0.25

    def open(self) -> Store:
        """A store, as one computer has it. Close it."""
        if self.memory is not None:
            return self.memory
        return open_store(self.url, lease=self.lease)


def started(server: type[Server]) -> Server:
    """A server of this kind; the test is skipped where it is not installed, or fails where it has to be."""
    try:
        return server()
    except Missing as error:
        words = f"{error} is not installed: sh packaging/test-servers.sh installs it"
        if REQUIRED:
            pytest.fail(words)
        pytest.skip(words)


@contextmanager
def place_of(kind: str, folder: Path) -> Iterator[Place]:
    """With its server, for as long as it is wanted."""
    if kind == "memory":
        yield Place(kind, "", memory=MemoryStore(time.time))
        return
    if kind == "sqlite":
        yield Place(kind, f"sqlite:///{folder / 'claims.db'}")
        return
    server = started(SERVERS[kind])
    try:
        yield Place(kind, server.url, server)
    finally:
        server.close()


def new_list() -> str:
    """A list that no other test has."""
    return f"list-{secrets.token_hex(6)}"


def nonce() -> str:
    """Of one try."""
    return secrets.token_hex(16)


def wish(key: Key, place: Place, owner: str = "attic", due: float | None = None) -> Wish:
    """One try to have a start that is due."""
    return Wish(key=key, due=due, owner=owner, nonce=nonce(), lease=place.lease)


def claimed(store: Store, wished: Wish) -> Hold:
    """A claim that has to be had."""
    answer = store.claim(wished)
    assert isinstance(answer, Claimed), answer
    return answer.hold


def begun(store: Store, wished: Wish) -> Hold:
    """A start that has to be had."""
    hold = claimed(store, wished)
    assert isinstance(store.start(hold, nonce()), Started)
    return hold


def row(store: Store, key: Key) -> Claim:
    """What the store has, which has to be there."""
    found = store.read(key)
    assert isinstance(found, Claim), found
    return found


def abandoned(store: Store, key: Key) -> Claim:
    """The row, once its lease is over by the store's own clock."""
    return until(lambda: found if (found := row(store, key)).abandoned else None)


def until(find: Callable[[], _T | None], within: float = 60.0) -> _T:
    """What `find` finds at last. A real server's clock is the subject, so real time has to pass."""
    deadline = time.monotonic() + within
    while (found := find()) is None:
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.02)
    return found


def known(answer: _T | Unknown) -> _T:
    """An answer that has to be one."""
    assert not isinstance(answer, Unknown), answer
    return answer
