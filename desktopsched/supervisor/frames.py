"""What a supervisor and the program say to each other: messages of a kind, a length and bytes. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ORDER = b"R"  # the program: run this (once, and first)
STOP = b"S"  # the program: end it, for this reason
KEEP = b"K"  # the program: I go, let it go on
HELLO = b"H"  # the supervisor: it is under way; who I am and whom I started
OUTPUT = b"O"  # the supervisor: a batch of the live copy, UTF-8
ENDED = b"E"  # the supervisor: how it ended

_HEAD = 5  # bytes: the kind, and the length


def frame(kind: bytes, data: bytes = b"") -> bytes:
    """One message."""
    return kind + len(data).to_bytes(4, "big") + data


class Frames:
    """Makes messages of bytes, in whatever pieces they come."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The messages that are complete now."""
        self._rest += data
        while len(self._rest) >= _HEAD:
            end = _HEAD + int.from_bytes(self._rest[1:_HEAD], "big")
            if len(self._rest) < end:
                return
            message = bytes(self._rest[:1]), bytes(self._rest[_HEAD:end])
            del self._rest[:end]
            yield message
