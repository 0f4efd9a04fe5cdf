"""Commands and scripts: one process from its start to its outcome. Runs on the run's pool thread.

Whatever cannot be started becomes a FAILED outcome with a plain reason (X07, X08); nothing is raised for it.
"""

from collections.abc import Callable

from desktopsched.actions.direct import perform_directly
from desktopsched.actions.supervised import Supervisors
from desktopsched.actions.surroundings import Surroundings
from desktopsched.model import Command, DesktopschedError, Outcome, Run, Script, State


def perform_process(
    action: Command | Script, run: Run, around: Surroundings, supervisors: Supervisors | None
) -> Outcome:
    """Start the process, follow it to its end, and say how it ended: under a supervisor, where there are such."""
    if supervisors is None:
        return _guarded(lambda: perform_directly(action, run, around))
    return _guarded(lambda: supervisors.perform(action, run))


def _guarded(perform: Callable[[], Outcome]) -> Outcome:
    try:
        return perform()
    except DesktopschedError as error:
        return Outcome(State.FAILED, str(error))
    except OSError as error:  # no descriptors left, for example
        return Outcome(State.FAILED, f"The run could not be followed: {error.strerror or error}.")
