"""A server that is asked before anybody relies on it: what it promises, or what is wrong, in plain words."""

import time
from pathlib import Path

import pytest

from desktopsched.sharing.address import Address
from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.safety import Promise, Safety
from desktopsched.sharing.silence import silence
from desktopsched.trying import try_list
from tests.sharing.memory import MemoryStore

URL = "postgresql://desk:s3cret@db:5433/sched"


class Silent(MemoryStore):
    """It answers nothing but this."""

    def __init__(self, reason: str) -> None:
        super().__init__(time.time)
        self.reason = reason

    def check(self) -> Safety | Unknown:  # type: ignore[override]
        return Unknown(self.reason)


def test_a_list_that_is_there_says_what_it_promises_and_how_far_it_is(tmp_path: Path) -> None:
    found = try_list(f"sqlite:///{tmp_path / 'claims.db'}")
    assert (found.answers, found.promise) == (True, Promise.STRICT)
    assert found.headline == "It answers."
    assert "Each start happens at most once on all computers together." in found.words
    assert found.clocks_agree
    assert "The clocks agree to 0.0 s." in found.words
    assert "A question takes" in found.words


def test_a_server_that_keeps_no_promise_is_said_to_before_anything_else() -> None:
    found = try_list(URL, open_=lambda _: MemoryStore(time.time))
    assert found.promise is Promise.NONE
    assert found.headline == "It answers, and cannot be relied upon."


def test_a_clock_that_is_far_off_is_named() -> None:
    found = try_list(URL, open_=lambda _: MemoryStore(lambda: time.time() + 30))
    assert "The clock of this computer is 30 s behind" in found.words
    assert not found.clocks_agree


def test_what_is_wrong_is_said_first_and_then_what_the_library_says() -> None:
    unknown = silence(Address.read(URL), "connection refused by s3cret")
    found = try_list(URL, open_=lambda _: Silent(unknown.reason))
    assert not found.answers
    assert found.headline == "No server answers at db:5433."
    assert found.sentences == ("It says: connection refused by ***",)
    assert "s3cret" not in found.words


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from desktopsched.sharing import connect

    def missing(*_: object) -> None:
        raise ModuleNotFoundError(name="psycopg")

    monkeypatch.setattr(connect, "_open", missing)
    assert "pip install 'desktopsched[postgres]'" in try_list(URL).words
