"""How a task is performed: the one thing that the engine asks of this room. Runs on a pool thread."""

import logging
import os
from collections.abc import Callable, Mapping
from typing import assert_never

from desktopsched.actions.keychain import read_keychain
from desktopsched.actions.open import open_on_desktop, perform_open
from desktopsched.actions.output import LogSink
from desktopsched.actions.process import Surroundings, perform_process
from desktopsched.actions.reminder import perform_reminder
from desktopsched.model import Command, DesktopschedError, Open, Outcome, Reminder, Run, Script, State, Task

_log = logging.getLogger(__name__)

GRACE = 10.0
"""Seconds that a run has to end when it is asked to (rule 11)."""


def nobody(run: Run, text: str) -> None:
    """Listens to no output."""


class Performer:
    """Performs tasks of every kind. Without state: `perform` may be called from many threads at once."""

    def __init__(
        self,
        open_log: Callable[[str, int], LogSink],
        *,
        on_output: Callable[[Run, str], None] = nobody,
        remind: Callable[[Task, Run], bool] | None = None,
        open_target: Callable[[str], bool] | None = open_on_desktop,
        read_secret: Callable[[str], str] = read_keychain,
        grace: float = GRACE,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """`remind` and `open_target` are None, or say False, where there is no desktop."""
        self._remind = remind
        self._open_target = open_target
        self._around = Surroundings(
            open_log=open_log, on_output=on_output, read_secret=read_secret, grace=grace, environ=environ
        )

    def perform(self, task: Task, run: Run) -> Outcome:
        """Do what the task says, and say what came of it. Raises nothing.

        The outcome says what went wrong.
        """
        if run.stop.reason is not None:  # asked for before it began
            return Outcome(State.CANCELLED, run.stop.reason)
        try:
            return self._dispatch(task, run)
        except DesktopschedError as error:
            return Outcome(State.FAILED, str(error))
        except Exception as error:  # noqa: BLE001  one action; the others go on
            _log.exception("a run failed by a mistake of the program", extra={"action": "run", "run": run.id})
            return Outcome(
                State.FAILED, f"Desktopsched made a mistake here: {error!r}. The program's log has more."
            )

    def _dispatch(self, task: Task, run: Run) -> Outcome:
        match task.action:
            case Command() | Script() as action:
                return perform_process(action, run, self._around)
            case Reminder():
                return perform_reminder(task, run, self._remind)
            case Open() as action:
                return perform_open(action, self._open_target)
            case _ as unknown:
                assert_never(unknown)
