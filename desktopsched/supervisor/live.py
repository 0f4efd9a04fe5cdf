"""The live copy of a run's output: decoded, bounded, at most 20 batches a second. For one thread.

Decoded, not cleaned: control characters are still in it, and whoever shows it puts it through `actions.text`.
"""

from __future__ import annotations

import codecs
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

EVERY = 0.05  # seconds between two batches: more than 20 a second nobody reads, and the window is not flooded
HALF = 16 * 1024  # bytes of the head, and of the tail, of one batch; what comes between is dropped, visibly


def always() -> bool:
    """Whoever looks on keeps up."""
    return True


class Live:
    """Collects bytes and gives them on as text when a batch is due, and `ready` says that there is room for it."""

    def __init__(
        self,
        show: Callable[[str], None],
        *,
        ready: Callable[[], bool] = always,
        clock: Callable[[], float] = time.monotonic,
        half: int = HALF,
    ) -> None:
        self._show = show
        self._ready = ready
        self._clock = clock
        self._half = half
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # never surrogates (L17)
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0
        self._next = 0.0  # when the next batch may go, by the clock

    @property
    def due(self) -> float | None:
        """When `flush` should be called; None: nothing waits, or nobody takes it at present."""
        return self._next if self._head and self._ready() else None

    def add(self, data: bytes) -> None:
        """Take some output. Memory stays flat whatever comes: the middle goes."""
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        excess = len(self._tail) - self._half
        if excess > 0:
            self._dropped += excess
            del self._tail[:excess]
        self.flush()

    def flush(self) -> None:
        """Give a batch on, if one is due."""
        now = self._clock()
        if self._head and now >= self._next and self._ready():
            self._next = now + EVERY
            self._give(self._take(final=False))

    def say(self, line: str) -> None:
        """Put a line of the program's own between the output."""
        self._give(f"{self._take(final=True)}\n{line}\n")

    def finish(self) -> None:
        """Give on what is left: nothing more comes."""
        self._give(self._take(final=True))

    def _give(self, text: str) -> None:
        if text:
            self._show(text)

    def _take(self, *, final: bool) -> str:
        head, tail, dropped = self._head, self._tail, self._dropped
        self._head, self._tail, self._dropped = bytearray(), bytearray(), 0
        if not dropped:
            return self._decoder.decode(bytes(head + tail), final)
        # Cut at line ends where there are some: the mark stands on a line of its own, and no line is torn.
        keep, skip = head.rfind(b"\n") + 1 or len(head), tail.find(b"\n") + 1 or _torn(tail)
        dropped += len(head) - keep + skip
        before = self._decoder.decode(bytes(head[:keep]), final=True)
        after = self._decoder.decode(bytes(tail[skip:]), final)
        return f"{before}{'' if before.endswith(chr(10)) else chr(10)}… {dropped:,} bytes dropped …\n{after}"


def _torn(tail: bytearray) -> int:
    """How many bytes at the beginning belong to a character whose first byte was dropped."""
    return next((index for index, byte in enumerate(tail[:3]) if byte & 0xC0 != 0x80), min(len(tail), 3))
