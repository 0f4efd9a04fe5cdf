"""Signals of the system (SIGTERM, SIGINT) as a signal of Qt. UI thread, which must be the process's main one.

Python hears of a signal only when it runs, which the event loop does not let it while it waits. So the C handler
writes a byte to a socket, and the event loop wakes up for that.
"""

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class SystemSignals(QObject):
    """Listens from the moment it is made until `close`."""

    asked_to_end = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._before_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, _nothing) for number in _SIGNALS}
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def close(self) -> None:
        """Let the signals mean what they meant before."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._before_fd)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._reader.close()
        self._writer.close()

    def _read(self) -> None:
        numbers = self._reader.recv(64)
        if any(number in numbers for number in _SIGNALS):
            self.asked_to_end.emit()


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """A handler must be there, or the signal ends the process."""
