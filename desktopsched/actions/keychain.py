"""Secrets from the system keychain. The library is imported when the first secret is read, not before."""

from desktopsched.actions.failure import CannotStartError

SERVICE = "desktopsched"
"""The name under which the keychain keeps this program's secrets."""


def read_keychain(name: str) -> str:
    """The secret of this name. Raises CannotStartError when it is not there, or the keychain is not.

    May wait for the person to unlock the keychain.
    """
    import keyring  # looks for its back ends at import, which takes longer than starting a process

    try:
        value = keyring.get_password(SERVICE, name)
    except Exception as error:  # every back end has its own errors, and D-Bus some more
        raise CannotStartError(f"The secret '{name}' could not be read from the keychain: {error}") from error
    if value is None:
        raise CannotStartError(
            f"There is no secret '{name}' in the keychain. Save it there, or edit the task."
        )
    return value
