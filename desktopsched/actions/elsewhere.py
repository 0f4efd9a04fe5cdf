"""Commands and scripts that run on other computers: what is asked of whoever has these. On the run's pool thread."""

from collections.abc import Callable

from desktopsched.actions.surroundings import Surroundings
from desktopsched.model import Command, Outcome, Run, Script, State

Elsewhere = Callable[[Command | Script, Run, Surroundings], Outcome]
"""Runs it, to its end. May raise any DesktopschedError: then it failed, or never began."""


def nowhere(action: Command | Script, run: Run, around: Surroundings) -> Outcome:  # noqa: ARG001 - an Elsewhere
    """There is no other computer."""
    return Outcome(State.FAILED, "This task runs on a cluster, and none can be reached from here.")
