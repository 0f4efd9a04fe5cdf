"""The supervisor's line to the program: one at a time, and maybe none. What is said never waits for who listens."""

from __future__ import annotations

import os

from desktopsched.supervisor.frames import KEEP, STOP, Frames, frame
from desktopsched.supervisor.system import accept_line, peer_uid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MOST = 64 * 1024  # bytes read at once


class Wish:
    """Whether somebody wants the run to end, and why."""

    def __init__(self) -> None:
        self.reason: str | None = None

    @property
    def requested(self) -> bool:
        """Whether a stop was asked for."""
        return self.reason is not None

    def request(self, reason: str) -> None:
        """Ask for it. The first reason stands."""
        if self.reason is None:
            self.reason = reason


class Link:
    """Begins with the line to the program that started the run; the next program's comes by the listening socket.

    `greeting` is told to each that comes; `left` is called when one goes without a word: it died.
    """

    def __init__(
        self, line: int, listener: int, frames: Frames, wish: Wish, left: Callable[[], None]
    ) -> None:
        self.line = line  # −1: nobody is there
        self.listener = listener
        self.greeting = b""
        self._wish = wish
        self._left = left
        self._kept = False
        self._out = bytearray()
        self._frames = frames
        os.set_blocking(line, False)
        os.set_blocking(listener, False)
        self._obey(b"")  # what came together with the order

    @property
    def idle(self) -> bool:
        """Whether somebody is there and has taken all that was said."""
        return self.line >= 0 and not self._out

    @property
    def pending(self) -> bool:
        """Whether something waits to be taken."""
        return bool(self._out)

    def say(self, kind: bytes, data: bytes = b"") -> None:
        """Tell the program, if there is one."""
        if self.line >= 0:
            self._out += frame(kind, data)
            self.push()

    def push(self) -> None:
        """Hand over what the line takes now."""
        try:
            while self._out:
                del self._out[: os.write(self.line, self._out)]
        except BlockingIOError:
            return
        except OSError:  # it is gone; that is heard by reading, too
            self._out.clear()

    def hear(self) -> None:
        """Take what the program says."""
        try:
            data = os.read(self.line, _MOST)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._end()
        self._obey(data)

    def _obey(self, data: bytes) -> None:
        for kind, text in self._frames.feed(data):
            if kind == STOP:
                self._wish.request(text.decode("utf-8", "replace"))
            elif kind == KEEP:
                self._kept = True

    def accept(self) -> None:
        """Another program comes, of the same user; it takes the place of the one before."""
        try:
            line = accept_line(self.listener)
        except OSError:  # it is gone already
            return
        if peer_uid(line) != os.getuid():
            os.close(line)
            return
        if self.line >= 0:
            os.close(self.line)
        os.set_blocking(line, False)
        self.line, self._kept, self._frames = line, False, Frames()
        self._out.clear()
        self._out += self.greeting
        self.push()

    def _end(self) -> None:
        os.close(self.line)
        self.line = -1
        self._out.clear()
        if not self._kept:
            self._left()
