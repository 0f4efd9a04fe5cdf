"""The program's end of the line to a supervisor. Read on the run's pool thread; told things from any."""

import contextlib
import socket
import threading
from collections.abc import Iterator

from desktopsched.supervisor.frames import KEEP, ORDER, STOP, Frames, frame

_MOST = 64 * 1024  # bytes read at once


class Line:
    """From the order, or from the adoption, to the end of the run, or until the program goes."""

    def __init__(self, connection: socket.socket) -> None:
        self.let_go = False  # the program goes, and the run goes on without it
        self._connection = connection
        self._lock = threading.Lock()  # one message at a time
        self._timer: threading.Timer | None = None
        self._closed = False

    def order(self, data: bytes) -> None:
        """Say what is to be run. A supervisor that is dead already is found out by reading."""
        self._say(ORDER, data)

    def stop(self, reason: str, patience: float) -> None:
        """Ask the run to end. A supervisor that does nothing of the kind within `patience` seconds is given up."""
        self._say(STOP, reason.encode())
        with self._lock:
            if self._timer is None and not self._closed:  # who stops a run may be overtaken by its end
                self._timer = threading.Timer(patience, self._hang_up)
                self._timer.daemon = True
                self._timer.start()

    def keep(self) -> None:
        """Let the run go on without us; who reads finds the end."""
        self.let_go = True
        self._say(KEEP)
        self._hang_up()

    def messages(self) -> Iterator[tuple[bytes, bytes]]:
        """What the supervisor says, until nothing more comes."""
        frames = Frames()
        while data := self._receive():
            yield from frames.feed(data)

    def close(self) -> None:
        """Let go of it."""
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
        if self._timer is not None:
            self._timer.join()
        self._connection.close()

    def _receive(self) -> bytes:
        try:
            return self._connection.recv(_MOST)
        except OSError:  # it died while something from us was on its way
            return b""

    def _say(self, kind: bytes, data: bytes = b"") -> None:
        with self._lock, contextlib.suppress(OSError):
            self._connection.sendall(frame(kind, data))

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
