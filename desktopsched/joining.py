"""Joining: from the preferences to the shared list that they name. Free of Qt.

Loaded only where a list is shared, or is about to be. What cannot be opened is out of reach, with its reason: nothing
starts then. It is never as if nobody shared.
"""

import os
import socket
from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

from msgspec import Struct, structs

from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.keychain import read_keychain
from desktopsched.claiming.identity import Identity
from desktopsched.claiming.shared import SharedList
from desktopsched.sharing.address import Address
from desktopsched.sharing.claim import OWNER_MOST
from desktopsched.sharing.connect import open_store
from desktopsched.sharing.errors import AddressError, SharingError
from desktopsched.sharing.late import LateStore
from desktopsched.sharing.store import Store
from desktopsched.storage.preferences import Preferences, list_id_problem

PASSWORD = "DESKTOPSCHED_SHARED_LIST_PASSWORD"  # noqa: S105 - the name of a variable
"""The variable that has the password where a computer has no keychain. No task inherits it."""

_UNREADABLE = "the preferences cannot be read, and this list was shared when they could"


class _NoPasswordError(SharingError):
    """The keychain does not give the password."""


class Split(Struct, frozen=True):
    """An address in two parts."""

    address: str  # without the password: this is written and shown
    password: str = ""


def split(text: str) -> Split:
    """Take the password out of an address that one has pasted."""
    try:
        parts = urlsplit(text)
    except ValueError:  # half a bracket of an IPv6 address: what is wrong, `address_problem` says
        return Split(text)
    userinfo, at, place = parts.netloc.rpartition("@")
    user, colon, _ = userinfo.partition(":")
    if not (at and colon):
        return Split(text)
    netloc = f"{user}@{place}" if user else place
    return Split(urlunsplit(parts._replace(netloc=netloc)), Address(parts.scheme, text).password)


def whole(address: str, password: str) -> str:
    """The other way: as a server's library wants it."""
    parts = urlsplit(address)
    if not password:
        return address
    userinfo, _, place = parts.netloc.rpartition("@")
    user = userinfo.partition(":")[0]
    return urlunsplit(parts._replace(netloc=f"{user}:{quote(password, safe='')}@{place}"))


def secret_name(address: str) -> str:
    """Under which name the keychain has the password of an address."""
    return f"shared list {split(address).address}"


def address_problem(text: str) -> str:
    """What is wrong with an address, in words; empty: nothing, as far as one sees without asking anybody."""
    try:
        address = Address.read(text)
    except AddressError as error:
        return str(error)
    if "password" in parse_qs(urlsplit(text).query):
        return "Write the password into its own field: from there it goes into the keychain."
    needs_place = address.kind != "sqlite"
    if needs_place and not address.place:
        return f"Name the server: {address.kind}://HOST/…"
    return "" if needs_place or address.path else "Name the file: sqlite:////folder/name.db"


def computer_name(preferences: Preferences) -> str:
    """What the others call this computer."""
    return (preferences.computer.strip() or socket.gethostname() or "this computer")[:OWNER_MOST]


def join(preferences: Preferences, secret: str) -> SharedList:
    """The list that the preferences name; what is wrong with it, it says when it is first asked. Never raises."""
    usable = not list_id_problem(preferences.list_id)
    identity = Identity(
        list_id=preferences.list_id if usable else "none", computer=computer_name(preferences), secret=secret
    )
    return SharedList(LateStore(_opening(preferences)), identity)


def join_nothing(secret: str) -> SharedList:
    """In place of a list of which nothing is known but that there is one."""

    def refuse() -> Store:
        raise SharingError(_UNREADABLE)

    identity = Identity(list_id="none", computer=computer_name(Preferences()), secret=secret)
    return SharedList(LateStore(refuse), identity)


def _opening(preferences: Preferences) -> Callable[[], Store]:
    password: list[str | _NoPasswordError] = []  # asked for once: a keychain that is locked asks the person

    def open_() -> Store:
        problem = address_problem(preferences.shared_list) or list_id_problem(preferences.list_id)
        if problem:
            raise AddressError(problem)
        if not password:
            password.append(_password(preferences))
        if isinstance(password[0], _NoPasswordError):
            raise password[0]
        own = split(preferences.shared_list)
        return open_store(whole(own.address, password[0] or own.password))

    return open_


def _password(preferences: Preferences) -> str | _NoPasswordError:
    if given := os.environ.get(PASSWORD):
        return given
    if not preferences.shared_list_secret:
        return ""
    try:
        return read_keychain(preferences.shared_list_secret)
    except CannotStartError as error:
        words = str(error).replace("or edit the task", "or type it once more in the preferences")
        return _NoPasswordError(f"The password of the shared list is not to be had. {words}")


def password_of(preferences: Preferences, typed: dict[str, str]) -> str:
    """Of the list that these preferences name, as it was typed or as the keychain has it. SharingError."""
    found = typed.get(preferences.shared_list_secret) or _password(preferences)
    if isinstance(found, _NoPasswordError):
        raise found
    return found


def with_password(
    preferences: Preferences, address: str, password: str | None
) -> tuple[Preferences, dict[str, str]]:
    """Preferences for an address, and what is to be put into the keychain for them.

    `password`: None where nothing was typed; what the keychain has then counts for the address that it was typed for.
    """
    own = split(address.strip())
    typed = password or own.password
    name = preferences.shared_list_secret
    if typed:
        name = secret_name(own.address)
    elif split(preferences.shared_list).address != own.address:
        name = ""  # it was another server's, and is not this one's to know
    chosen = structs.replace(preferences, shared_list=own.address, shared_list_secret=name)
    return chosen, {name: typed} if typed else {}
