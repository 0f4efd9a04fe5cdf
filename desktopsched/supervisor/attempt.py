"""One process under way: followed until it ends by itself, by a stop or by its time-out (rule 11).

The same rules for a supervisor and for a program that does it itself; what differs is how they wait and how they find
the processes. On the one thread of the run.
"""

from __future__ import annotations

import time

from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.ladder import Descent, bring_down
from desktopsched.supervisor.pump import Pump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from desktopsched.supervisor.faces import Stop, Tree, Watch
    from desktopsched.supervisor.output import Output

DRAIN = 2.0
"""Seconds for which output is still read after the process ended, whoever else holds the pipe (X01)."""


class Attempt:
    """`exit_code` is asked once the child has ended; `grace` and `timeout` are seconds."""

    def __init__(
        self,
        watch: Watch,
        tree: Tree,
        output: Output,
        stop: Stop,
        exit_code: Callable[[], int],
        *,
        grace: float,
    ) -> None:
        self._watch = watch
        self._tree = tree
        self._output = output
        self._stop = stop
        self._exit_code = exit_code
        self._grace = grace
        self._pump = Pump(watch, output)

    def follow(self, timeout: float | None) -> Ending:
        """Pump until the end; nothing of the output is left in the pipe then, and the log is closed."""
        try:
            # Monotonic: the hours of a sleeping computer are not the task's.
            ending = self._follow(None if timeout is None else time.monotonic() + timeout)
        finally:
            self._output.close()
        ending.note = self._output.note
        return ending

    def _follow(self, deadline: float | None) -> Ending:
        watch, stop = self._watch, self._stop
        self._pump.run(lambda: watch.child_ended or stop.requested, deadline)
        if not watch.child_ended and not stop.requested:
            descent = self._bring_down()
            return Ending(timed_out=True, killed=descent.killed, survivors=descent.survivors)
        self._drain(lambda: stop.requested)
        # A stop during the drain is one as well: what still runs is what the person wants to be gone.
        if stop.reason is not None:
            descent = self._bring_down()
            return Ending(stopped=stop.reason, killed=descent.killed, survivors=descent.survivors)
        return Ending(code=self._exit_code())

    def _bring_down(self) -> Descent:
        descent = bring_down(self._tree, self._pump, self._grace)
        self._drain(lambda: bool(descent.survivors))
        return descent

    def _drain(self, enough: Callable[[], bool]) -> None:
        """Read what is still in the pipe, which may be held by somebody who was left behind (X19)."""
        self._pump.run(lambda: self._watch.output_ended or enough(), time.monotonic() + DRAIN)
