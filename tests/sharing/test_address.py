"""Addresses of shared lists, and what is wrong with some: nobody sees a password, whatever is printed of them."""

from pathlib import Path

import pytest

from desktopsched.sharing.address import Address
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.errors import AddressError

SECRET = "s3 cr/t"
ESCAPED = "s3%20cr%2Ft"


@pytest.fixture
def address() -> Address:
    return Address.read(f"postgresql://ann:{ESCAPED}@db.example:5433/claims?sslmode=require")


def test_an_address_is_taken_apart(address: Address) -> None:
    parts = (address.kind, address.user, address.password, address.place, address.path)
    assert parts == ("postgresql", "ann", SECRET, "db.example:5433", "claims")


def test_an_address_without_password_has_none() -> None:
    address = Address.read("zookeeper://one:2181,two:2181,[::1]:2181/lists")
    assert (address.user, address.password, address.place) == ("", "", "one:2181,two:2181,[::1]:2181")


@pytest.mark.parametrize("show", [str, repr, "{}".format, lambda address: f"{[address]}"])
def test_an_address_is_shown_without_its_password(address: Address, show: type[str]) -> None:
    assert "postgresql://ann:***@db.example:5433/claims" in show(address)
    assert "s3" not in show(address)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://sched@db.example/sched",
        "postgresql://sched@db.example:5432/sched",
        "zookeeper://one:2181,two:2181/lists",
        "sqlite:////home/ann@work/claims.db",
    ],
)
def test_an_address_without_a_password_is_shown_whole(url: str) -> None:
    assert str(Address("", url)) == url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("mysql://ann@work:s3/cret@host/db", "mysql://ann@work:***@host/db"),
        ("mysql://ann:s3:cr@et@host/db", "mysql://ann:***@host/db"),
        ("redis://:s3cret@host/0", "redis://:***@host/0"),
        ("a/b:s3cret@host", "a/b:***@host"),
        ("mysql://a/b:s3cret@host/db", "mysql://a/b:***@host/db"),
        ("mysql://ann://s3cret@host/db", "mysql://ann:***@host/db"),
    ],
)
def test_what_may_be_a_password_is_hidden_wherever_it_stands(url: str, shown: str) -> None:
    assert str(Address("", url)) == shown


def test_what_a_library_says_is_told_without_the_password(address: Address) -> None:
    said = f"no {SECRET!r} in postgresql://ann:{ESCAPED}@db.example, nor in s3%20cr/t"
    assert address.scrub(said) == "no '***' in postgresql://ann:***@db.example, nor in ***"


def test_a_password_behind_the_question_mark_is_one_too() -> None:
    address = Address.read("redis://host/0?password=hunter2&sslPassword=other")
    assert (str(address), address.scrub("hunter2 other")) == ("redis://host/0", "*** ***")


def test_capital_letters_and_spaces_around_do_not_matter() -> None:
    assert Address.read("  PostgreSQL://host/db\n") == Address.read("postgresql://host/db")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgres://ann:s3cret@host/db", "no address of a shared list"),
        ("mongodb://ann:s3cret@host/db", "no address of a shared list"),
        ("ann:s3cret@host", "no address of a shared list"),
        ("", "no address of a shared list"),
        ("postgresql://ann:s3#cret@host/db", "%23"),
        ("postgresql://ann:s3/cret@host/db", "%2F"),
        ("postgresql://ann:s3cret@[::1/db", "no address"),
        ("mysql://ann:s3cret@host:port/db", "'port' for a port"),
        ("redis://:s3cret@host:99999/0", "'99999' for a port"),
        ("zookeeper://one:2181,two:x", "'x' for a port"),
        ("redis://:s3cret@a..b/0", "No computer can be called that"),
        (f"mysql://ann:s3cret@{'x' * 64}.org/db", "No computer can be called that"),
        ("zookeeper://one:2181,the other:2181", "'the other' for a server"),
        ("mysql://ann:s3cret@host", "names no database"),
        ("redis://:s3cret@host/zero", "the number of a database"),
        ("redis://:s3cret@host/0?socket_timeout=9000", "no option 'socket_timeout'"),
        ("mysql://ann:s3cret@host/db?read_timeout=9000", "no option 'read_timeout'"),
        ("zookeeper://", "names no server"),
        ("sqlite://", "names no file"),
        ("sqlite://host/claims.db", "names no file"),
        ("sqlite:///claims.db", "the whole path"),
        ("sqlite:////no such folder/claims.db", "is no folder"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_with_a_reason_and_without_the_password(
    url: str, words: str
) -> None:
    with pytest.raises(AddressError) as caught:
        open_store(url)
    assert words in str(caught.value)
    assert "s3" not in str(caught.value)
    assert "cret" not in str(caught.value)


def test_a_file_in_the_persons_home_may_be_named_by_a_tilde(home: Path) -> None:
    open_store("sqlite:///~/claims.db").close()
    assert (home / "claims.db").is_file()
