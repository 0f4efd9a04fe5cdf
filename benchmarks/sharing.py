"""`python -m benchmarks.sharing [sqlite redis …]`: claims on real servers, each beside a bare insert on the same one.

The two take turns in short blocks, so that whatever else the computer does meets both. A bare insert is what the
store's own library does for a row of the same size, confirmed as durably; what a claim costs beyond that is the price
of the protocol: its condition, its answer, and SQLAlchemy.
"""

import argparse
import os
import platform
import secrets
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from desktopsched.model import Outcome, State
from desktopsched.sharing.answers import Claimed, Finished, Started, Unknown
from desktopsched.sharing.claim import Wish
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.key import Key
from desktopsched.sharing.persistence import insist
from desktopsched.sharing.store import Store
from tests.sharing.servers import Missing, MysqlServer, PostgresServer, RedisServer, Server, ZooKeeperServer

_SERVERS: dict[str, type[Server]] = {
    "postgresql": PostgresServer,
    "mysql": MysqlServer,
    "redis": RedisServer,
    "zookeeper": ZooKeeperServer,
}
_BLOCK = 50
"""Calls in a row of one kind."""

_ROW = "x" * 120
"""About what a claim holds beside its key."""

_HEAD = """| store | at once | bare insert /s | claim /s | claim ÷ bare | bare p50, p99 ms | claim p50, p99 ms | whole start /s |
| --- | --- | --- | --- | --- | --- | --- | --- |"""

_T = TypeVar("_T")

Call = Callable[[], object]


class Spans(Struct):
    """How long calls of one kind took, in seconds, and how many seconds their blocks did."""

    each: list[float]
    whole: float = 0.0

    @property
    def per_second(self) -> float:
        return len(self.each) / self.whole

    @property
    def words(self) -> str:
        """Median and 99th percentile, in milliseconds."""
        cuts = statistics.quantiles(self.each, n=100)
        return f"{cuts[49] * 1000:.2f}, {cuts[98] * 1000:.2f}"


def main() -> None:
    """Measure the stores that were asked for, or all."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("store", nargs="*", help=f"sqlite, {', '.join(_SERVERS)}; without any, all of them")
    asked.add_argument("--calls", type=int, default=2000, help="of each kind (default 2000)")
    asked.add_argument("--at-once", type=int, nargs="*", default=[1, 4], help="threads (default 1 4)")
    options = asked.parse_args()
    python = f"Python {platform.python_version()}"
    print(f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {platform.system()}, {python}\n\n{_HEAD}")
    for kind in options.store or ["sqlite", *_SERVERS]:
        try:
            with _url_of(kind) as url:
                for threads in options.at_once:
                    print(_line(kind, url, threads, options.calls), flush=True)
        except Missing as error:
            print(
                f"{kind}: {error} is not installed: sh packaging/test-servers.sh installs it", file=sys.stderr
            )


@contextmanager
def _url_of(kind: str) -> Iterator[str]:
    if kind == "sqlite":
        # Not on a file system in memory: what is confirmed has to be on a disk, as it is elsewhere.
        with tempfile.TemporaryDirectory(prefix="desktopsched-sqlite-", dir="/var/tmp") as folder:
            yield f"sqlite:///{Path(folder) / 'claims.db'}"
        return
    server = _SERVERS[kind]()
    try:
        yield server.url
    finally:
        server.close()


def _line(kind: str, url: str, threads: int, calls: int) -> str:
    store, list_id = open_store(url), f"bench-{secrets.token_hex(4)}"
    with _bare(kind, url) as insert:
        kinds = {
            "bare": insert,
            "claim": lambda: _claim(store, list_id),
            "start": lambda: _perform(store, list_id),
        }
        found = _measure(kinds, threads, calls)
    store.close()
    bare, claim = found["bare"], found["claim"]
    cells = (
        kind,
        str(threads),
        f"{bare.per_second:,.0f}",
        f"{claim.per_second:,.0f}",
        f"{claim.per_second / bare.per_second:.2f}",
        bare.words,
        claim.words,
        f"{found['start'].per_second:,.0f}",
    )
    return "| " + " | ".join(cells) + " |"


def _measure(kinds: dict[str, Call], threads: int, calls: int) -> dict[str, Spans]:
    """Everybody a block, then everybody again; the first block of each is not counted."""
    found = {name: Spans([]) for name in kinds}
    with ThreadPoolExecutor(threads) as pool:
        for block in range(1 + calls // (_BLOCK * threads)):
            for name, call in kinds.items():
                begun = time.perf_counter()
                spans = [span for one in pool.map(_timed, [call] * threads) for span in one]
                if block:
                    found[name].whole += time.perf_counter() - begun
                    found[name].each += spans
    return found


def _timed(call: Call) -> list[float]:
    spans = []
    for _ in range(_BLOCK):
        begun = time.perf_counter()
        call()
        spans.append(time.perf_counter() - begun)
    return spans


# --- a claim, and a whole start ----------------------------------------------------------------------------


def _answer(step: Callable[[], _T | Unknown]) -> _T | Unknown:
    """As the program asks: again, if the store did not come round to it in time. That counts as one call."""

    def wait(seconds: float) -> bool:
        time.sleep(seconds)
        return False

    return insist(step, until=time.monotonic() + 60, clock=time.monotonic, wait=wait)


def _claim(store: Store, list_id: str) -> Claimed:
    key = Key(list_id, "bench", secrets.token_hex(8))
    wish = Wish(key=key, due=None, owner="bench", nonce=secrets.token_hex(16))
    answer = _answer(lambda: store.claim(wish))
    assert isinstance(answer, Claimed), answer
    return answer


def _perform(store: Store, list_id: str) -> None:
    hold = _claim(store, list_id).hold
    stamp = secrets.token_hex(16)
    assert isinstance(_answer(lambda: store.start(hold, stamp)), Started)
    assert isinstance(_answer(lambda: store.finish(hold, Outcome(State.SUCCEEDED, "", 0))), Finished)


# --- bare inserts ------------------------------------------------------------------------------------------


@contextmanager
def _bare(kind: str, url: str) -> Iterator[Call]:
    """An insert by the store's own library; each thread has a connection of its own."""
    own = threading.local()
    opened: list[Callable[[], object]] = []

    def insert() -> None:
        if not hasattr(own, "insert"):
            own.insert, close = _OPEN[kind](url)
            opened.append(close)
        own.insert(secrets.token_hex(8))

    insert()
    yield insert
    for close in opened:
        close()


_Opened = tuple[Callable[[str], object], Callable[[], object]]
_TABLE = "CREATE TABLE IF NOT EXISTS bare (id VARCHAR(64) PRIMARY KEY, held VARCHAR(200))"


def _sqlite(url: str) -> _Opened:
    import sqlite3

    connection = sqlite3.connect(
        url.removeprefix("sqlite:///"), isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA busy_timeout = 60000")
    connection.execute(_TABLE)
    return lambda name: connection.execute("INSERT INTO bare VALUES (?, ?)", (name, _ROW)), connection.close


def _postgresql(url: str) -> _Opened:
    import psycopg

    connection = psycopg.connect(url, autocommit=True)
    connection.execute(_TABLE)
    return lambda name: connection.execute("INSERT INTO bare VALUES (%s, %s)", (name, _ROW)), connection.close


def _mysql(url: str) -> _Opened:
    import pymysql

    place = url.rpartition("@")[2]
    host, _, port = place.partition("/")[0].partition(":")
    connection = pymysql.connect(host=host, port=int(port), user="root", database="claims", autocommit=True)
    cursor = connection.cursor()
    cursor.execute(_TABLE)

    def insert(name: str) -> None:
        cursor.execute("INSERT INTO bare VALUES (%s, %s)", (name, _ROW))

    return insert, connection.close


def _redis(url: str) -> _Opened:
    import redis

    server = redis.Redis.from_url(url)
    return lambda name: server.set(f"bare:{name}", _ROW, nx=True), server.close


def _zookeeper(url: str) -> _Opened:
    from kazoo.client import KazooClient

    client = KazooClient(hosts=url.removeprefix("zookeeper://").partition("/")[0])
    client.start()
    client.ensure_path("/bare")
    return lambda name: client.create(f"/bare/{name}", _ROW.encode()), client.stop


_OPEN: dict[str, Callable[[str], _Opened]] = {
    "sqlite": _sqlite,
    "postgresql": _postgresql,
    "mysql": _mysql,
    "redis": _redis,
    "zookeeper": _zookeeper,
}


if __name__ == "__main__":
    main()
