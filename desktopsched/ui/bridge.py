"""The bridge: the one door by which events come from the engine's threads to the window's.

`hear` is the program's listener and may be called on any thread. The UI thread gets one batch a frame, with what came
meanwhile, in order: as much of it as the window takes in a moment. With nothing to tell, nothing runs.
"""

import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from desktopsched.engine.events import Event

FRAME = 1 / 60
"""Seconds from one batch to the next, at least."""

WORTH = 0.008
"""Seconds of the UI thread that a batch is to take: the next one is as large as the last ones let hope."""

LEAST, MOST = 100, 50_000
"""Events of one batch. Of the cheapest events more are never waiting; the most costly ones go on, however slowly."""

_FIRST = 1_000  # events of the first batch, of which nobody knows yet how long it takes


class Bridge(QObject):
    """Lives on the UI thread; `hear` may be called from any."""

    arrived = Signal(tuple)
    """A batch of events, in order."""

    _something = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Any thread appends, the UI thread takes away: each of the two is one step of the interpreter's own.
        self._waiting: deque[Event] = deque()
        self._told = False  # whether the UI thread knows that something waits
        self._last = 0.0  # when a batch was handed over, by the monotonic clock
        self._size = _FIRST
        self._later = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._later.timeout.connect(self._hand_over)
        self._something.connect(self._come, Qt.ConnectionType.QueuedConnection)

    @property
    def waiting(self) -> int:
        """How many events the window has not heard of yet."""
        return len(self._waiting)

    def hear(self, event: Event) -> None:
        """Take an event. On any thread; blocks for nothing."""
        self._waiting.append(event)
        if not self._told:  # two threads may both say so: the second time there is nothing left to hand over
            self._told = True
            self._something.emit()

    @Slot()
    def _come(self) -> None:
        """After a rest at once: what is told next by other ways, as that all is open, comes after it."""
        if time.monotonic() >= self._last + FRAME:
            self._hand_over()
        else:
            self._wait()

    def _wait(self) -> None:
        wait = self._last + FRAME - time.monotonic()
        self._later.start(max(round(wait * 1_000), 0))

    @Slot()
    def _hand_over(self) -> None:
        self._told = False  # before they are taken: who comes after this says so again
        waiting, begun = self._waiting, time.monotonic()
        batch = tuple([waiting.popleft() for _ in range(min(len(waiting), self._size))])
        if batch:
            self._last = begun
            self.arrived.emit(batch)
            self._learn(len(batch), time.monotonic() - begun)
        if waiting and not self._told:
            self._told = True
            self._wait()  # not at once, however long this took: the window has other things to do too

    def _learn(self, count: int, seconds: float) -> None:
        """The next batch is as large as fits; it grows by no more than double, as one quick batch says little."""
        fits = round(count * WORTH / max(seconds, 1e-6))
        self._size = min(max(fits, LEAST), 2 * self._size, MOST)
