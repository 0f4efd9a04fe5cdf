"""Silence: what a server's library says when there is no answer, in words for people first. Pure.

Many libraries say the same thing in many ways; here are the ways that they were heard to. No password is in the words.
"""

from desktopsched.sharing.address import Address
from desktopsched.sharing.answers import Unknown

SAYS = " It says: "
"""Between what it means and what the library says."""

# What is looked for first is first: "access denied … to database" is about rights, though access is denied.
_NOT_RUNNING = ("is the server running",)
_NO_FILE = ("no such file",)
_NO_TLS = (
    "does not support ssl",
    "ssl was required",
    "ssl is required",
    "doesn't support it",
    "ssl negotiation",
    "certificate",
    "wrong version number",
)
_NOT_FROM_HERE = ("pg_hba.conf", "is not allowed to connect")
_NO_ROOM = ("too many", "connection slots", "max number of clients")
_NO_RIGHT = (
    "permission denied",
    "no permissions",
    "command denied",
    "' to database '",
)
_READ_ONLY = ("read-only", "read only", "readonly")
_FULL = ("maxmemory", "no space left", "is full", "misconf", "could not extend")
_BUSY = ("database is locked", "all connections are in use")
_NO_DATABASE = ("does not exist", "unknown database", "db index is out of range")
_NO_PASSWORD = (
    "no password supplied",
    "already authenticated",
    "authentication required",
    "using password: no",
)
_PASSWORD = ("password", "access denied", "wrongpass", "noauth", "authentication", "authfailed")
_NAMES = ("resolve", "name or service", "getaddrinfo", "nodename", "translate host", "name resolution")
_NO_SERVER = (
    "refused", "timed out", "timeout", "no route", "unreachable", "no reply", "connection", "connect to", "connecting",
)  # fmt: skip


def silence(address: Address, said: str) -> Unknown:
    """No answer, and why: what that means, and what the library `said`."""
    words = address.scrub(" ".join(said.split()))
    return Unknown(f"{_meaning(address, words.casefold())}{SAYS}{words}")


def _meaning(address: Address, said: str) -> str:
    place = address.place or address.path
    for heard, meaning in (
        (_NOT_RUNNING, f"No server answers at {place}."),
        (_NO_FILE, f"A file that the address names behind its question mark is not there: {address}."),
        (_NO_TLS, f"The server at {place} and this computer do not agree on an encrypted connection."),
        (_NOT_FROM_HERE, f"The server at {place} does not let this user in from this computer."),
        (_NO_ROOM, f"The server at {place} has no connection left for this computer."),
        (_NO_RIGHT, f"This user may not keep claims in {address}."),
        (_READ_ONLY, f"What is at {address} can only be read."),
        (_FULL, f"The server at {place} has no room left: its disk or its memory is full."),
        (_BUSY, f"What is at {place} is busy, and did not answer in time."),
        (_NO_DATABASE, f"The server has no such database or user as in {address}."),
        (
            _NO_PASSWORD,
            f"The server at {place} wants a password, and got none. It belongs into the preferences.",
        ),
        (_PASSWORD, f"The server at {place} refuses the password, or the user."),
        (_NAMES, f"No computer is called {place}."),
        (_NO_SERVER, f"No server answers at {place}."),
    ):
        if any(words in said for words in heard):
            return meaning
    return f"What is at {address} does not answer as a shared list should."
