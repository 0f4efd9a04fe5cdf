"""From the preferences to a shared list: addresses, passwords, and what cannot be opened."""

import socket
from types import SimpleNamespace

import pytest
from msgspec import structs

from desktopsched import joining
from desktopsched.actions import keychain
from desktopsched.joining import Split
from desktopsched.sharing.answers import Unknown
from desktopsched.storage.preferences import Preferences, list_id_problem

BARE = "postgresql://desk@db.example.org:5433/sched?sslmode=require"
SHARED = Preferences(shared_list="postgresql://desk@127.0.0.1:9/sched", computer="desk-1")


@pytest.mark.parametrize(
    ("text", "address", "password"),
    [
        ("postgresql://desk:s%40cret@db/sched", "postgresql://desk@db/sched", "s@cret"),
        ("redis://:s3cret@db:6379/0", "redis://db:6379/0", "s3cret"),
        (BARE, BARE, ""),
        ("sqlite:////home/me/claims.db", "sqlite:////home/me/claims.db", ""),
    ],
)
def test_an_address_is_split_from_its_password_and_put_together_again(
    text: str, address: str, password: str
) -> None:
    assert joining.split(text) == Split(address, password)
    assert joining.whole(address, password) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("postgres://db/x", "It begins with one of: postgresql://"),
        ("db.example.org", "It begins with one of"),
        ("postgresql:///sched", "Name the server: postgresql://HOST/"),
        ("postgresql://db:port/x", "for a port. Write a number there."),
        ("postgresql://desk:s3cret@[::1/x", "is no address"),
        ("postgresql://db/x?password=s3cret", "into its own field"),
        ("sqlite://", "Name the file"),
    ],
)
def test_an_address_that_names_no_list_is_refused_in_words_without_a_password(text: str, words: str) -> None:
    said = joining.address_problem(joining.split(text).address)
    assert words in said
    assert "s3cret" not in said


def test_an_address_as_it_should_be_has_no_problem() -> None:
    for text in (BARE, "sqlite:///x.db", "zookeeper://a:2181,b:2181/root", "rediss://db/0"):
        assert joining.address_problem(text) == ""


def test_a_name_of_a_list_is_one_that_every_store_can_hold() -> None:
    assert list_id_problem("main") == ""
    assert "Use 1 to 64" in list_id_problem("My list")
    assert "Use 1 to 64" in list_id_problem("")


def test_what_is_typed_goes_into_the_keychain_under_the_name_of_its_address() -> None:
    chosen, secrets = joining.with_password(Preferences(), " redis://:s3cret@db/0 ", None)
    assert (chosen.shared_list, chosen.shared_list_secret) == ("redis://db/0", "shared list redis://db/0")
    assert secrets == {"shared list redis://db/0": "s3cret"}


def test_the_password_of_one_server_is_not_another_ones_to_know() -> None:
    kept = structs.replace(SHARED, shared_list_secret="shared list there")
    same, _ = joining.with_password(kept, SHARED.shared_list, None)
    assert same.shared_list_secret == "shared list there"
    other, secrets = joining.with_password(kept, "postgresql://desk@elsewhere/sched", None)
    assert (other.shared_list_secret, secrets) == ("", {})


@pytest.mark.parametrize(
    ("preferences", "words"),
    [
        (structs.replace(SHARED, shared_list="nonsense"), "is no address of a shared list"),
        (structs.replace(SHARED, list_id="My list"), "cannot be the name of a list"),
        (structs.replace(SHARED, shared_list="sqlite:////nowhere/x.db"), "/nowhere is no folder"),
        (structs.replace(SHARED, shared_list_secret="gone"), "There is no secret 'gone' in the keychain"),
        (SHARED, "refused"),
    ],
)
def test_a_list_that_cannot_be_opened_is_out_of_reach_and_says_why(
    preferences: Preferences, words: str
) -> None:
    shared = joining.join(preferences, "secret")
    found = shared.claims()
    shared.close()
    assert isinstance(found, Unknown)
    assert words in found.reason


def test_the_keychain_is_asked_once_however_often_the_list_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    library = SimpleNamespace(get_password=lambda _service, name: asked.append(name))
    monkeypatch.setattr(keychain, "_library", lambda: library)
    shared = joining.join(structs.replace(SHARED, shared_list_secret="theirs"), "secret")
    for _ in range(3):
        assert isinstance(shared.claims(), Unknown)
    shared.close()
    assert asked == ["theirs"]


def test_without_a_keychain_a_variable_has_the_password_and_no_task_inherits_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from desktopsched.actions.environment import inherited

    monkeypatch.setenv(joining.PASSWORD, "s3cret")
    assert joining.password_of(structs.replace(SHARED, shared_list_secret="gone"), {}) == "s3cret"
    assert joining.PASSWORD not in inherited({joining.PASSWORD: "s3cret"})


def test_a_computer_without_a_name_of_its_own_is_called_as_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "host-7")
    assert joining.computer_name(Preferences(computer="  ")) == "host-7"
    assert joining.computer_name(SHARED) == "desk-1"
