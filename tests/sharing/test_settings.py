"""Settings of real servers that take a promise away: the check of a connection sees each of them, and says so."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pymysql
import pytest

from desktopsched.sharing.connect import open_store
from desktopsched.sharing.safety import Promise, Safety
from tests.sharing.places import Place, known
from tests.sharing.servers import said


def on(kind: str) -> pytest.MarkDecorator:
    """A test for one kind of server."""
    return pytest.mark.parametrize("place", [kind], indirect=True, scope="session")


def checked(place: Place) -> Safety:
    """By a connection of its own: settings are read when it is made."""
    store = place.open()
    safety = known(store.check())
    store.close()
    return safety


# --- PostgreSQL --------------------------------------------------------------------------------------------


@contextmanager
def in_postgres(place: Place, setting: str) -> Iterator[None]:
    """What each new connection has."""
    with psycopg.connect(place.url, autocommit=True) as connection:
        name, _, value = setting.partition("=")
        connection.execute(f"ALTER ROLE postgres SET {name} = {value}".encode())
        try:
            yield
        finally:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f"ALTER ROLE postgres RESET {name}".encode())


@on("postgresql")
@pytest.mark.parametrize("commit", ["off", "local"])
def test_postgresql_confirms_what_is_on_the_disk_even_where_it_usually_does_not(
    place: Place, commit: str
) -> None:
    with in_postgres(place, f"synchronous_commit={commit}"):
        assert checked(place).promise is Promise.STRICT


@on("postgresql")
def test_a_postgresql_that_may_only_be_read_is_of_no_use(place: Place) -> None:
    with in_postgres(place, "default_transaction_read_only=on"):
        safety = checked(place)
    assert safety.promise is Promise.NONE
    assert "read-only" in safety.words


# --- MySQL -------------------------------------------------------------------------------------------------


@contextmanager
def in_mysql(place: Place, name: str, value: str, usually: str) -> Iterator[None]:
    """What the whole server has."""
    assert place.server is not None
    connection = pymysql.connect(host="127.0.0.1", port=place.server.port, user="root")
    with connection, connection.cursor() as cursor:
        cursor.execute(f"SET GLOBAL {name} = {value}")
        try:
            yield
        finally:
            cursor.execute(f"SET GLOBAL {name} = {usually}")


@on("mysql")
@pytest.mark.parametrize(
    ("name", "value", "usually", "promise"),
    [
        ("read_only", "1", "0", Promise.NONE),
        ("innodb_flush_log_at_trx_commit", "2", "1", Promise.BEST_EFFORT),
        ("innodb_flush_log_at_trx_commit", "0", "1", Promise.BEST_EFFORT),
    ],
)
def test_settings_of_mysql_that_forget_claims_or_take_none_are_told(
    place: Place, name: str, value: str, usually: str, promise: Promise
) -> None:
    with in_mysql(place, name, value, usually):
        safety = checked(place)
    assert safety.promise is promise
    assert name.replace("_", "-") in safety.words.replace("_", "-")


@on("mysql")
def test_a_password_of_mysql_may_have_any_letters(place: Place) -> None:
    assert place.server is not None
    port, password = place.server.port, "pässw€rd 😀"
    with (
        pymysql.connect(host="127.0.0.1", port=port, user="root", charset="utf8mb4") as root,
        root.cursor() as do,
    ):
        do.execute("CREATE USER ann IDENTIFIED BY %s", (password,))
        do.execute("GRANT ALL ON claims.* TO ann")
    store = open_store(f"mysql://ann:{quote(password)}@127.0.0.1:{port}/claims")
    assert known(store.now()) > 0
    store.close()


# --- Redis -------------------------------------------------------------------------------------------------


@contextmanager
def in_redis(place: Place, setting: str, usually: str) -> Iterator[None]:
    """What the whole server has."""
    assert place.server is not None
    assert said(place.server.port, f"CONFIG SET {setting}\r\n".encode()) == b"+OK\r\n"
    try:
        yield
    finally:
        said(place.server.port, f"CONFIG SET {usually}\r\n".encode())


@on("redis")
@pytest.mark.parametrize(
    ("setting", "usually", "words"),
    [
        ("appendfsync always", "appendfsync everysec", "before it confirms it"),
        ("appendfsync everysec", "appendfsync everysec", "once a second"),
        ("appendfsync no", "appendfsync everysec", "when the system likes"),
    ],
)
def test_how_often_redis_writes_to_its_disk_is_told(
    place: Place, setting: str, usually: str, words: str
) -> None:
    with in_redis(place, setting, usually):
        safety = checked(place)
    assert safety.promise is Promise.BEST_EFFORT
    assert words in safety.words


@on("redis")
def test_a_redis_that_throws_things_away_is_of_no_use(place: Place) -> None:
    with (
        in_redis(place, "maxmemory 100mb", "maxmemory 0"),
        in_redis(place, "maxmemory-policy allkeys-lru", "maxmemory-policy noeviction"),
    ):
        safety = checked(place)
    assert safety.promise is Promise.NONE
    assert "allkeys-lru" in safety.words


@on("redis")
def test_a_redis_that_follows_another_is_of_no_use(place: Place) -> None:
    assert place.server is not None
    assert said(place.server.port, b"REPLICAOF 127.0.0.1 1\r\n") == b"+OK\r\n"
    try:
        safety = checked(place)
    finally:
        said(place.server.port, b"REPLICAOF NO ONE\r\n")
    assert safety.promise is Promise.NONE
    assert "replica" in safety.words


# --- ZooKeeper ---------------------------------------------------------------------------------------------


@on("zookeeper")
def test_zookeeper_says_what_it_does_not_tell(place: Place) -> None:
    assert "forceSync" in checked(place).words


# --- SQLite and all ----------------------------------------------------------------------------------------


def test_sqlite_goes_back_to_the_journal_that_is_safe(tmp_path: Path) -> None:
    file = tmp_path / "claims.db"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE other (x)")
    connection.close()
    store = open_store(f"sqlite:///{file}")
    assert known(store.check()).promise is Promise.STRICT
    store.close()


def test_tables_of_a_newer_program_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "claims.db"
    store = open_store(f"sqlite:///{file}")
    known(store.now())
    store.close()
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE desktopsched_about SET value = '2' WHERE name = 'format'")
    connection.close()
    store = open_store(f"sqlite:///{file}")
    safety = known(store.check())
    store.close()
    assert safety.promise is Promise.NONE
    assert "made by a newer Desktopsched" in safety.words
