"""Signals, as things that one waits for. For a process that has no window, on its main thread."""

import signal
import socket
from contextlib import suppress
from typing import Self

HAND_OVER = "HAND-OVER"
"""What `wait` gives after `hand_over`."""


class Signals:
    """The named signals, while the context is open. Names that the system does not have are left out.

    The C-level handler of Python writes each into a socket, whichever thread the system gave it to. A lock or a queue
    would not do: a signal that comes just before the wait, or on another thread, does not end that.
    """

    def __init__(self, *names: str) -> None:
        self._numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]

    def __enter__(self) -> Self:
        self._read, self._write = socket.socketpair()
        self._write.setblocking(False)
        signal.set_wakeup_fd(self._write.fileno())
        self._before = {number: signal.signal(number, lambda *_: None) for number in self._numbers}
        return self

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._write.close()
        self._read.close()

    def wait(self) -> str:
        """The name of the next signal; HAND_OVER after `hand_over`, empty after `give_up`."""
        number = self._read.recv(1)
        if number == b"\0":
            return HAND_OVER
        return signal.Signals(number[0]).name if number else ""

    def hand_over(self) -> None:
        """Let the wait say that somebody else goes on with the tasks. From any thread."""
        with suppress(OSError):  # it is over
            self._write.send(b"\0")

    def give_up(self) -> None:
        """End a wait on another thread."""
        self._write.shutdown(socket.SHUT_WR)
