"""The address of a shared list: a URL whose password nobody sees. Pure."""

import re
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from msgspec import Struct

from desktopsched.sharing.errors import AddressError

KINDS = ("postgresql", "mysql", "mariadb", "sqlite", "redis", "rediss", "zookeeper")
_HIDDEN = "***"
_USERINFO = re.compile(r"^(\w[\w+.-]*://[^:]*|(?!\w[\w+.-]*://)[^:]*):.*@", re.DOTALL)
"""Up to the last @, wherever it is: a password with characters that should have been escaped is one all the same."""


class Address(Struct, frozen=True):
    """Where the claims are kept. Shown, printed and logged it has no password."""

    kind: str  # one of KINDS
    url: str  # with its password

    @classmethod
    def read(cls, url: str) -> "Address":
        """AddressError for what names no store."""
        try:
            parts = urlsplit(url.strip())
        except ValueError as error:
            raise AddressError(f"{_without_password(url)!r} is no address: {error}") from None
        if parts.scheme not in KINDS:
            raise AddressError(
                f"{_without_password(url)!r} is no address of a shared list. It begins with one of: "
                + ", ".join(f"{kind}://" for kind in KINDS)
            )
        if parts.fragment or "@" in parts.path:
            raise AddressError(
                f"{_without_password(url)!r} has a character where none can be. In a password write % as %25, and"
                " # / ? @ as %23 %2F %3F %40"
            )
        for port in _ports(parts):
            if not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
                raise AddressError(
                    f"{_without_password(url)!r} has {port!r} for a port. Write a number there."
                )
        if host := next((host for host in _hosts(parts) if not _is_host(host)), None):
            raise AddressError(
                f"{_without_password(url)!r} has {host!r} for a server. No computer can be called that."
            )
        return cls(parts.scheme, parts.scheme + url.strip()[len(parts.scheme) :])

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)

    @property
    def password(self) -> str:
        """As the server wants it; empty: there is none."""
        return unquote(_userinfo(self._parts).partition(":")[2])

    @property
    def user(self) -> str:
        """As the server wants it; empty: there is none."""
        return unquote(_userinfo(self._parts).partition(":")[0])

    @property
    def place(self) -> str:
        """Hosts and ports."""
        return self._parts.netloc.rpartition("@")[2]

    @property
    def path(self) -> str:
        """What follows the place, without its first slash."""
        return unquote(self._parts.path)[1:]

    def options(self, *known: str) -> dict[str, str]:
        """What stands behind the question mark. AddressError for what is not among `known`."""
        found = dict(parse_qsl(self._parts.query, keep_blank_values=True))
        for name in found:
            if name not in known:
                there = ", ".join(known) or "none"
                raise AddressError(
                    f"{self} has no option {name!r} behind its question mark. There may be: {there}"
                )
        return found

    def __str__(self) -> str:
        return _without_password(self.url)

    def __repr__(self) -> str:
        return f"Address({_without_password(self.url)!r})"

    def scrub(self, text: str) -> str:
        """A message of a library, without the passwords that it may hold."""
        parts = self._parts
        given = [value for name, value in parse_qsl(parts.query) if "pass" in name.lower()]
        secrets = {self.password, _userinfo(parts).partition(":")[2], *given}
        forms = {form for secret in secrets for form in (secret, quote(secret, safe=""), quote(secret))}
        for form in sorted(forms - {""}, key=len, reverse=True):  # the longest first: one may be in another
            text = text.replace(form, _HIDDEN)
        return text


def _userinfo(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[0]


def _hosts(parts: SplitResult) -> list[str]:
    return [re.sub(r":[^:\]]*$", "", host) for host in parts.netloc.rpartition("@")[2].split(",")]


def _is_host(name: str) -> bool:
    """Whether a name can be looked up: none of its parts is empty, or longer than 63 characters."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return not re.search(r"\s", name)


def _ports(parts: SplitResult) -> list[str]:
    """Of each host, where one is said. Hosts of the sixth version of IP stand in brackets."""
    hosts = parts.netloc.rpartition("@")[2].split(",")
    return [tail[1:] for host in hosts if (tail := re.sub(r"^(\[.*\]|[^:]*)", "", host))]


def _without_password(url: str) -> str:
    """Without what follows a question mark, too: some put passwords there."""
    return re.split(r"[?#]", _USERINFO.sub(rf"\1:{_HIDDEN}@", url.strip()), maxsplit=1)[0]
