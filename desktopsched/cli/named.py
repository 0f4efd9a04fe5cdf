"""The task that somebody names on the command line, as the file has it."""

from collections.abc import Sequence

from desktopsched.model import Task, UnknownTaskError
from desktopsched.storage.home import Home
from desktopsched.storage.taskfile import TaskFile


def named(home: Home, name: str) -> Task:
    """By its id, or else by its name. UnknownTaskError: by none, or by several; StorageError."""
    return named_of(TaskFile(home.tasks).load(mend=False).tasks, name)


def named_of(tasks: Sequence[Task], name: str) -> Task:
    """The same, of tasks that were read already. UnknownTaskError."""
    found = [one for one in tasks if one.id == name] or [one for one in tasks if one.name == name]
    if len(found) != 1:
        raise UnknownTaskError(name)
    return found[0]
