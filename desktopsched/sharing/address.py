"""The address of a shared list: a URL whose password nobody sees. Pure."""

from urllib.parse import parse_qs, quote, unquote, urlsplit

from msgspec import Struct

from desktopsched.sharing.errors import AddressError

KINDS = ("postgresql", "mysql", "mariadb", "sqlite", "redis", "rediss", "zookeeper")
_HIDDEN = "***"


class Address(Struct, frozen=True):
    """Where the claims are kept. Shown, printed and logged it has no password."""

    kind: str  # one of KINDS
    url: str  # as it was given, with its password

    @classmethod
    def read(cls, url: str) -> "Address":
        """AddressError for what names no store."""
        kind = urlsplit(url).scheme
        if kind not in KINDS:
            raise AddressError(
                f"{_without_password(url)!r} is no address of a shared list. It begins with one of: "
                + ", ".join(f"{kind}://" for kind in KINDS)
            )
        return cls(kind, url)

    @property
    def password(self) -> str:
        """As the server wants it; empty: there is none."""
        userinfo, at, _ = urlsplit(self.url).netloc.rpartition("@")
        return unquote(userinfo.partition(":")[2]) if at else ""

    @property
    def user(self) -> str:
        """As the server wants it; empty: there is none."""
        userinfo, at, _ = urlsplit(self.url).netloc.rpartition("@")
        return unquote(userinfo.partition(":")[0]) if at else ""

    @property
    def place(self) -> str:
        """Hosts and ports."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def path(self) -> str:
        """What follows the place, without its first slash."""
        return unquote(urlsplit(self.url).path)[1:]

    def __str__(self) -> str:
        return _without_password(self.url)

    def __repr__(self) -> str:
        return f"Address({_without_password(self.url)!r})"

    def scrub(self, text: str) -> str:
        """A message of a library, without the passwords that it may hold."""
        for secret in (self.password, *parse_qs(urlsplit(self.url).query).get("password", ())):
            for form in (secret, quote(secret, safe=""), quote(secret)):
                text = text.replace(form, _HIDDEN) if form else text
        return text


def _without_password(url: str) -> str:
    """Without what follows a question mark, too: some put passwords there."""
    parts = urlsplit(url)
    userinfo, at, place = parts.netloc.rpartition("@")
    user, colon, _ = userinfo.partition(":")
    shown = f"{user}:{_HIDDEN}@{place}" if at and colon else parts.netloc
    return f"{parts.scheme}://{shown}{parts.path}"
