"""Moves a run's output from the pipe to where it goes, for as long as asked. Runs on the run's pool thread.

It never stops reading while the process lives: a full pipe would stop the process (X05, L01).
"""

import time
from collections.abc import Callable

from desktopsched.actions.output import Output
from desktopsched.actions.watch import Watch
from desktopsched.actions.watch_threads import ThreadedWatch


class Pump:
    """Reads while it waits."""

    def __init__(self, watch: Watch | ThreadedWatch, output: Output) -> None:
        self.watch = watch
        self._output = output

    def run(self, until: Callable[[], bool], deadline: float | None = None) -> None:
        """Pump until the condition holds, or until the deadline (of `time.monotonic`).

        The condition is asked after each thing that happens: output, an end, a wake-up.
        """
        while not until():
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                return
            self.watch.wait(self._nap(now, deadline))
            self._turn()

    def _turn(self) -> None:
        if data := self.watch.read():
            self._output.write(data)
        else:
            self._output.live.flush()

    def _nap(self, now: float, deadline: float | None) -> float | None:
        ends = [end for end in (deadline, self._output.live.due) if end is not None]
        return min(ends) - now if ends else None
