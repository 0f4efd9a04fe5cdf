"""How a task is performed: the one thing that the engine asks of this room. Runs on a pool thread."""

import contextlib
import logging
import os
from collections.abc import Callable, Mapping
from typing import assert_never

from desktopsched.actions.elsewhere import Elsewhere, nowhere
from desktopsched.actions.keychain import read_keychain
from desktopsched.actions.open import open_on_desktop, perform_open
from desktopsched.actions.process import perform_process
from desktopsched.actions.reminder import perform_reminder
from desktopsched.actions.start import can_supervise
from desktopsched.actions.supervised import Supervisors, UnderWay
from desktopsched.actions.surroundings import Places, Surroundings
from desktopsched.model import (
    Cause,
    Command,
    DesktopschedError,
    LeftRunning,
    Open,
    Outcome,
    Reminder,
    Run,
    Script,
    State,
    Task,
    Where,
)
from desktopsched.model.standin import is_stand_in
from desktopsched.supervisor.faces import LogSink

_log = logging.getLogger(__name__)

GRACE = 10.0
"""Seconds that a run has to end when it is asked to (rule 11)."""

_MISTAKEN = Outcome(State.SKIPPED, "There is a mistake in it: mend it in the task file first")


def nobody(run: Run, text: str) -> None:
    """Listens to no output."""


def always(run: Run) -> bool:  # noqa: ARG001 - one of its kind
    """Every run goes on."""
    return True


class Performer:
    """Performs tasks of every kind. `perform` and `follow` may be called from many threads at once."""

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
        places: Places | None = None,
        supervised: bool = True,
        elsewhere: Elsewhere = nowhere,
    ) -> None:
        """`remind` and `open_target` are None, or say False, where there is no desktop.

        With `places`, and where the system can, commands and scripts have supervisors, and so outlive the program;
        unless they are not to be `supervised`. This is the one place where it is chosen. What is not to run on this
        computer is done by `elsewhere`.
        """
        self._remind = remind
        self._open_target = open_target
        self._around = Surroundings(
            open_log=open_log, on_output=on_output, read_secret=read_secret, grace=grace, environ=environ
        )
        able = places is not None and can_supervise()
        self._supervisors = Supervisors(self._around, places) if able and places is not None else None
        self._supervised = supervised
        self._elsewhere = elsewhere

    def perform(self, task: Task, run: Run) -> Outcome:
        """Do what the task says, and say what came of it. Raises nothing but LeftRunning, see `let_go`.

        The outcome says what went wrong.
        """
        if run.stop.reason is not None:  # asked for before it began
            return Outcome(State.CANCELLED, run.stop.reason)
        return _whatever_happens(run, lambda: self._dispatch(task, run))

    def follow(self, run: Run, found: UnderWay) -> Outcome:
        """Go on with a run that began under an earlier program. As `perform`."""
        assert self._supervisors is not None  # noqa: S101 - one of them started it
        follow = self._supervisors.follow
        return _whatever_happens(run, lambda: follow(run, found))

    def end_stray(self, found: UnderWay, reason: str) -> None:
        """Stop a run of an earlier program that no task wants any more. Raises nothing."""
        about = found.about
        run = Run(
            id=about.run_id,
            task_id=about.task_id,
            scheduled_for=about.started,
            cause=Cause.MANUAL,
            attempt=about.attempt,
        )
        run.stop.request(reason)
        with contextlib.suppress(LeftRunning):
            self.follow(run, found)

    @property
    def can_outlive(self) -> bool:
        """Whether commands and scripts that it starts can go on without the program."""
        return self._supervised and self._supervisors is not None

    def let_go(self, goes_on: Callable[[Run], bool] = always) -> None:
        """Let commands and scripts go on without the program: `perform` raises LeftRunning for them.

        Those for which `goes_on` says no are stopped like the others.
        """
        if self._supervisors is not None:
            self._supervisors.let_go(goes_on)

    def _dispatch(self, task: Task, run: Run) -> Outcome:
        if is_stand_in(task):
            return _MISTAKEN
        match task.action:
            case Command(where=Where.DASK) | Script(where=Where.DASK) as action:
                return self._elsewhere(action, run, self._around)
            case Command() | Script() as action:
                supervisors = self._supervisors if self._supervised else None
                return perform_process(action, run, self._around, supervisors)
            case Reminder():
                return perform_reminder(task, run, self._remind)
            case Open() as action:
                return perform_open(action, self._open_target)
            case _ as unknown:
                assert_never(unknown)


def _whatever_happens(run: Run, work: Callable[[], Outcome]) -> Outcome:
    try:
        return work()
    except LeftRunning:
        raise
    except DesktopschedError as error:
        return Outcome(State.FAILED, str(error))
    except Exception as error:  # noqa: BLE001  one action; the others go on
        _log.exception("a run failed by a mistake of the program", extra={"action": "run", "run": run.id})
        return Outcome(
            State.FAILED, f"Desktopsched made a mistake here: {error!r}. The program's log has more."
        )
