"""Claims: the right to perform one start when several computers share a list. Sharing is a room of its own."""

from typing import Protocol

from desktopsched.model import Run, Task


class Claims(Protocol):
    """Asked on a pool thread, just before a run is performed."""

    def claim(self, task: Task, run: Run) -> bool:
        """Whether this program may perform the start `(task.id, run.scheduled_for)`. When in doubt: no."""


class Unshared:
    """One computer has the list to itself: it may perform every start."""

    def claim(self, task: Task, run: Run) -> bool:  # noqa: ARG002 - the protocol names them
        """Yes."""
        return True
