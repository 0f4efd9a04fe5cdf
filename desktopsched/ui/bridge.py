"""The bridge: the one door by which events come from the engine's threads to the window's.

`hear` is the program's listener and may be called on any thread. The UI thread gets one queued signal a frame, with
everything that came meanwhile, in order; with nothing to tell, nothing runs.
"""

import threading
import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from desktopsched.engine.events import Event

FRAME = 1 / 60
"""Seconds from one batch to the next, at least."""


MOST = 2_000
"""Events of one batch: more would hold the window up. A list of 10,000 tasks comes at once; it has a few frames."""


class Bridge(QObject):
    """Lives on the UI thread; `hear` may be called from any."""

    arrived = Signal(tuple)
    """A batch of events, in order."""

    _something = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._waiting: list[Event] = []
        self._last = 0.0  # when a batch was handed over, by the monotonic clock
        self._later = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._later.timeout.connect(self._hand_over)
        self._something.connect(self._come, Qt.ConnectionType.QueuedConnection)

    def hear(self, event: Event) -> None:
        """Take an event. On any thread; blocks for nothing."""
        with self._lock:
            first = not self._waiting
            self._waiting.append(event)
        if first:  # whoever comes next finds that the window was told already
            self._something.emit()

    @Slot()
    def _come(self) -> None:
        wait = self._last + FRAME - time.monotonic()
        if wait > 0:
            self._later.start(max(round(wait * 1_000), 1))
        else:
            self._hand_over()

    @Slot()
    def _hand_over(self) -> None:
        with self._lock:
            batch, self._waiting = tuple(self._waiting[:MOST]), self._waiting[MOST:]
            more = bool(self._waiting)
        self._last = time.monotonic()
        if batch:
            self.arrived.emit(batch)
        if more:  # nobody else will say so: `hear` only speaks up when nothing is waiting
            self._come()
