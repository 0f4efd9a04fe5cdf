"""Moves a run's output from the pipe to where it goes, for as long as asked. On the one thread of the run.

It never stops reading while the process lives: a full pipe would stop the process (X05, L01).
"""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from desktopsched.supervisor.faces import Watch
    from desktopsched.supervisor.output import Output


class Pump:
    """Reads while it waits."""

    def __init__(self, watch: Watch, output: Output) -> None:
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
