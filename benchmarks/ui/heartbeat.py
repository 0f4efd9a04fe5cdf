"""The heartbeat: a timer in the event loop that says for how long the window answered nobody."""

import gc
import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

BEAT = 4
"""Milliseconds from one beat to the next, while nothing holds the window up."""

_PATIENCE = 120.0  # seconds for what is waited for


class Heartbeat(QObject):
    """Beats from `start` to `stop`; `stalls` are the milliseconds that beats came late.

    `works` are the milliseconds that the UI thread itself worked between two beats: without what other threads, and other
    programs on this computer, took from it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stalls: list[float] = []
        self.works: list[float] = []
        self._last = self._worked = 0.0
        self._timer = QTimer(self, interval=BEAT, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.stalls.append(max((now - self._last) * 1e3 - BEAT, 0.0))
        self._last = now
        worked = time.thread_time()
        self.works.append((worked - self._worked) * 1e3)
        self._worked = worked

    def start(self) -> None:
        """Begin anew."""
        self.stalls.clear()
        self.works.clear()
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer.start()

    def stop(self) -> float:
        """The longest stall since `start`, in milliseconds."""
        self._beat()  # what is going on now counts too
        self._timer.stop()
        return max(self.stalls)


def spin(seconds: float) -> None:
    """Let the event loop go on for so long."""
    loop = QEventLoop()
    end = QTimer(singleShot=True, interval=round(seconds * 1e3), timerType=Qt.TimerType.PreciseTimer)
    end.timeout.connect(loop.quit)
    end.start()
    loop.exec()


def wait_for(is_so: Callable[[], bool]) -> float:
    """Let the event loop go on until something is so; how many seconds that took."""
    begun = time.perf_counter()
    loop, looks = QEventLoop(), QTimer(interval=1, timerType=Qt.TimerType.PreciseTimer)

    def look() -> None:
        if is_so():
            loop.quit()

    looks.timeout.connect(look)
    if not is_so():
        looks.start()
        QTimer.singleShot(round(_PATIENCE * 1e3), loop.quit)
        loop.exec()
    if not is_so():
        raise TimeoutError(f"Not so after {_PATIENCE:g} s.")
    return time.perf_counter() - begun


def held_up(act: Callable[[], object]) -> float:
    """Milliseconds for which an act holds the window up, with the painting that follows from it."""
    gc.collect()
    heart = Heartbeat()
    heart.start()
    act()
    spin(0.15)
    return heart.stop()
