"""The program's errors, drawn in one place.

    DesktopschedError           the world's: told to the user in plain words, never a traceback
     ├─ InvalidTaskError        a value that no task may have (also a ValueError)
     │   └─ InvalidCronError    a cron expression that cannot be read as cron(8) reads it
     ├─ CycleError              tasks that would wait for each other
     ├─ UnknownTaskError        an id that no task has
     ├─ DuplicateTaskError      an id that two tasks would have
     ├─ NotSharedError          what only a list can do that several computers have
     └─ StorageError            a file or folder that cannot be used as it is; `storage.errors` tells four kinds apart

Anything else that is raised is a bug of ours and goes to the log with its traceback.
"""

from collections.abc import Sequence


class DesktopschedError(Exception):
    """Something the user can understand and act on; `str()` is the sentence to show."""


class InvalidTaskError(DesktopschedError, ValueError):
    """A value that no task may have; says which, and what to write instead."""


class InvalidCronError(InvalidTaskError):
    """A cron expression that is refused when it is typed."""


class CycleError(DesktopschedError):
    """Tasks that wait for each other. `path` names the ids around the loop, the first one again at the end."""

    def __init__(self, path: Sequence[str]) -> None:
        self.path = tuple(path)
        super().__init__(
            f"These tasks would wait for each other: {' → '.join(self.path)}. Remove one of the links."
        )


class UnknownTaskError(DesktopschedError):
    """There is no task with this id."""

    def __init__(self, task_id: str, wanted_by: str = "") -> None:
        self.task_id = task_id
        self.wanted_by = wanted_by
        by = f", which {wanted_by!r} waits for" if wanted_by else ""
        super().__init__(f"There is no task {task_id!r}{by}.")


class DuplicateTaskError(DesktopschedError):
    """Two tasks have one id."""

    def __init__(self, task_id: str) -> None:
        self.task_id = task_id
        super().__init__(f"There is already a task {task_id!r}. Give the new one another id.")


class NotSharedError(DesktopschedError):
    """The list is this computer's alone."""

    def __init__(self) -> None:
        super().__init__(
            'This list is not shared with other computers. The section "Shared list" of the preferences shares it;'
            " docs/sharing.md says how."
        )


class StorageError(DesktopschedError):
    """A file or folder that cannot be read or written; says which, why, and what to do."""


MISTAKES = (InvalidTaskError, CycleError, UnknownTaskError, DuplicateTaskError)
"""Errors of whoever asked; all others are of the files and the system."""
