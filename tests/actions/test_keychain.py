"""Secrets from and for the system keychain, or a plain word why not."""

import sys

import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null

from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.keychain import SERVICE, KeychainError, read_keychain, store_in_keychain


class Keychain(KeyringBackend):
    """A small one, in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept = {(SERVICE, "pg"): "hunter2"}

    def get_password(self, service: str, username: str) -> str | None:
        if username == "locked":
            raise RuntimeError("the keychain is locked")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if username == "locked":
            raise RuntimeError(f"no prompt for {password}")
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture(autouse=True)
def keychain(monkeypatch: pytest.MonkeyPatch) -> Keychain:
    found = Keychain()
    monkeypatch.setattr("keyring.core._keyring_backend", found)
    return found


def test_secret_is_read() -> None:
    assert read_keychain("pg") == "hunter2"


def test_missing_secret_is_named() -> None:
    with pytest.raises(CannotStartError, match="There is no secret 'other' in the keychain"):
        read_keychain("other")


def test_failing_keychain_is_said() -> None:
    with pytest.raises(
        CannotStartError, match="'locked' could not be read from the keychain: the keychain is locked"
    ):
        read_keychain("locked")


def test_secret_is_stored_and_read_again(keychain: Keychain) -> None:
    store_in_keychain("new", "s3cret")
    assert keychain.kept[SERVICE, "new"] == "s3cret"
    assert read_keychain("new") == "s3cret"


def test_keychain_that_refuses_is_said_without_the_secret() -> None:
    with pytest.raises(KeychainError) as error:
        store_in_keychain("locked", "s3cret")
    assert str(error.value) == (
        "The keychain did not take the secret: no prompt for ***. Unlock it, and save again."
    )
    assert error.value.__cause__ is None


def test_keychain_that_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.core._keyring_backend", null.Keyring())  # type: ignore[no-untyped-call]
    with pytest.raises(KeychainError, match="does not give it back"):
        store_in_keychain("new", "s3cret")


def test_no_keychain_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.core._keyring_backend", fail.Keyring())  # type: ignore[no-untyped-call]
    monkeypatch.setattr("desktopsched.actions.keychain._LINUX", True)
    advice = (
        "This computer has no keychain. Install GNOME Keyring or KWallet, log in again, and try once more."
    )
    with pytest.raises(KeychainError) as error:
        store_in_keychain("new", "s3cret")
    assert str(error.value) == advice
    with pytest.raises(CannotStartError) as unread:
        read_keychain("new")
    assert str(unread.value) == f"The secret 'new' could not be read. {advice}"


def test_missing_library_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(KeychainError, match="'keyring' is not installed"):
        store_in_keychain("new", "s3cret")
    with pytest.raises(CannotStartError, match="'keyring' is not installed"):
        read_keychain("pg")
