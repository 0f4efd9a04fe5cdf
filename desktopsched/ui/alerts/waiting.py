"""Waiting for an instant of the wall clock, however far away, with one timer. UI thread.

Qt's timers count milliseconds in 31 bits, end at 24.8 days and stand still while the computer sleeps. So this one never
waits for longer than a minute: then it looks at the clock again. It runs only while something is awaited.
"""

import math
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

MOST = 60.0
"""Seconds of one wait: after a sleep what was due meanwhile is late by no more than this."""


class Awaited(QObject):
    """Says when an instant has come."""

    come = Signal()

    def __init__(self, now: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self.until: float | None = None
        self.timer = QTimer(self, singleShot=True)
        self.timer.timeout.connect(self._look)

    def wait(self, until: float | None) -> None:
        """For this instant from now on; None: for nothing."""
        self.until = until
        if until is None:
            self.timer.stop()
        else:
            seconds = min(max(until - self._now(), 0.0), MOST)
            self.timer.start(math.ceil(seconds * 1_000))

    def _look(self) -> None:
        if self.until is None:
            return
        if self._now() < self.until:
            self.wait(self.until)
            return
        self.wait(None)
        self.come.emit()
