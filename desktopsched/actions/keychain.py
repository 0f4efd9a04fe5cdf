"""Secrets from and for the system keychain. The library is imported when the first secret is used, not before."""

import sys
from types import ModuleType

from desktopsched.actions.failure import CannotStartError
from desktopsched.model import DesktopschedError

SERVICE = "desktopsched"
"""The name under which the keychain keeps this program's secrets."""

_LINUX: bool = sys.platform == "linux"


class KeychainError(DesktopschedError):
    """A secret that could not be put into the keychain: why, and what to do."""


def read_keychain(name: str) -> str:
    """The secret of this name. Raises CannotStartError when it is not there, or the keychain is not.

    May wait for the person to unlock the keychain.
    """
    keyring = _library()
    if keyring is None:
        raise CannotStartError(f"The secret '{name}' could not be read. {_NO_LIBRARY}")
    try:
        value = keyring.get_password(SERVICE, name)
    except Exception as error:  # every back end has its own errors, and D-Bus some more
        if _is_missing(error):
            raise CannotStartError(f"The secret '{name}' could not be read. {_no_keychain()}") from error
        raise CannotStartError(f"The secret '{name}' could not be read from the keychain: {error}") from error
    if value is None:
        raise CannotStartError(
            f"There is no secret '{name}' in the keychain. Save it there, or edit the task."
        )
    return str(value)


def store_in_keychain(name: str, value: str) -> None:
    """Keep a secret under this name. KeychainError, also where the keychain took it and does not have it.

    May wait for the person to unlock the keychain. No error has the value in its words.
    """
    keyring = _library()
    if keyring is None:
        raise KeychainError(_NO_LIBRARY)
    try:
        keyring.set_password(SERVICE, name, value)
        kept = keyring.get_password(SERVICE, name)
    except Exception as error:  # noqa: BLE001  as above
        if _is_missing(error):
            raise KeychainError(_no_keychain()) from None
        # Not `from error`: its traceback goes to the program's log, and some back ends quote what they were given.
        words = str(error).replace(value or "\0", "***").strip().rstrip(".") or type(error).__name__
        raise KeychainError(
            f"The keychain did not take the secret: {words}. Unlock it, and save again."
        ) from None
    if kept != value:
        raise KeychainError(
            "The keychain took the secret and does not give it back. Choose another keychain, and save again."
        )


_NO_LIBRARY = "The Python package 'keyring' is not installed. Install it, and start Desktopsched again."


def _library() -> ModuleType | None:
    """The library; None where it is not installed. It looks for its back ends at import, which takes long."""
    try:
        import keyring
    except ImportError:
        return None
    return keyring


def _is_missing(error: Exception) -> bool:
    """Whether this computer has no keychain at all."""
    return type(error).__name__ == "NoKeyringError"


def _no_keychain() -> str:
    if _LINUX:
        return "This computer has no keychain. Install GNOME Keyring or KWallet, log in again, and try once more."
    return "This computer has no keychain that can be used."
