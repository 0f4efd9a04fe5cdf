"""A server that is emptied under programs that use it: they go on with an empty list, and can tell that it is one."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from kazoo.client import KazooClient

from desktopsched.sharing.answers import Claimed, Started, Unknown
from desktopsched.sharing.key import Key
from desktopsched.sharing.safety import Safety
from desktopsched.sharing.sql import SqlStore
from desktopsched.sharing.sql_tables import METADATA
from desktopsched.sharing.store import Store
from tests.sharing.conftest import Join
from tests.sharing.places import Place, begun, known, nonce, until, wish


def empty(place: Place, *, tables: bool) -> None:
    """Take away what is there; with `tables`, these as well."""
    if place.kind == "redis":
        with redis.Redis.from_url(place.url) as server:
            server.flushdb()
    elif place.kind == "zookeeper":
        assert place.server is not None
        client = KazooClient(f"127.0.0.1:{place.server.port}")
        client.start()
        client.delete("/tests", recursive=True)
        client.stop()
        client.close()
    else:
        store = place.open()
        assert isinstance(store, SqlStore)
        with store._engine.begin() as connection:
            if tables:
                METADATA.drop_all(connection)
            else:
                for table in METADATA.sorted_tables:
                    connection.execute(table.delete())
        store.close()


def identity(store: Store) -> str:
    """Of what is there; a step or two may fail until it is there again."""
    return until(lambda: found.identity if isinstance(found := store.check(), Safety) else "") or ""


@pytest.mark.parametrize("tables", [True, False], ids=["made anew", "emptied"])
def test_programs_that_have_it_open_find_out_and_go_on(
    join: Join, list_id: str, place: Place, *, tables: bool
) -> None:
    desk, attic = join(), join()
    before = identity(desk)
    assert identity(attic) == before
    begun(desk, wish(Key(list_id, "a", "1"), place))
    empty(place, tables=tables)
    after = identity(desk)
    assert after != before
    assert identity(attic) == after
    assert known(attic.unfinished(list_id)) == ()
    hold = begun(desk, wish(Key(list_id, "a", "2"), place))
    (claim,) = known(attic.unfinished(list_id))
    assert claim.is_held(hold)


@pytest.mark.parametrize("tables", [True, False], ids=["made anew", "emptied"])
def test_a_start_is_claimed_there_again_though_nobody_looked(
    join: Join, list_id: str, place: Place, *, tables: bool
) -> None:
    desk = join()
    begun(desk, wish(Key(list_id, "a", "1"), place))
    empty(place, tables=tables)
    wished = wish(Key(list_id, "a", "2"), place)
    answer = until(lambda: found if isinstance(found := desk.claim(wished), Claimed) else None)
    assert isinstance(desk.start(answer.hold, nonce()), Started)


def test_programs_that_come_to_an_empty_server_at_the_same_moment_all_find_it_ready(
    join: Join, place: Place
) -> None:
    many, barrier = 4, threading.Barrier(4)

    def look(store: Store) -> Safety | Unknown:
        barrier.wait()
        return store.check()

    for _ in range(5):
        empty(place, tables=True)
        stores = [join() for _ in range(many)]
        with ThreadPoolExecutor(many) as pool:
            found = [known(answer) for answer in pool.map(look, stores)]
        assert len({one.identity for one in found}) == 1
