"""Secrets from the system keychain, or a plain word why not."""

import pytest
from keyring.backend import KeyringBackend

from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.keychain import SERVICE, read_keychain


class Keychain(KeyringBackend):
    """A small one, in memory."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        if username == "locked":
            raise RuntimeError("the keychain is locked")
        return {(SERVICE, "pg"): "hunter2"}.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


@pytest.fixture(autouse=True)
def keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.core._keyring_backend", Keychain())  # type: ignore[no-untyped-call]


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
