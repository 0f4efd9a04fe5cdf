"""Reminders: something is told to the person. Showing it is the affair of whoever has a desktop."""

from collections.abc import Callable

from desktopsched.model import Outcome, Run, State, Task

NO_DESKTOP = Outcome(State.SKIPPED, "There is no desktop to show it on")


def perform_reminder(task: Task, run: Run, remind: Callable[[Task, Run], bool] | None) -> Outcome:
    """SUCCEEDED when it was shown (rule 8); SKIPPED when there is no desktop."""
    if remind is None or not remind(task, run):
        return NO_DESKTOP
    return Outcome(State.SUCCEEDED)
