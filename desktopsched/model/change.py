"""A change of the list, and the list with it. Values; no thread, no file."""

from collections.abc import Sequence

from msgspec import Struct

from desktopsched.model.merge import merged
from desktopsched.model.task import Task


class Change(Struct, frozen=True, kw_only=True):
    """One task before and after: None before it was on the list, None after it was taken off."""

    before: Task | None = None
    after: Task | None = None
    place: int = -1  # where a new one goes; −1: to the end

    def undone(self, place: int = -1) -> "Change":
        """The change that takes this one back."""
        return Change(before=self.after, after=self.before, place=place)


def changed(tasks: Sequence[Task], changes: Sequence[Change]) -> list[Task]:
    """The list with the changes in it, each task where it was.

    What another changed meanwhile, in fields that the change leaves alone, stays as it is. InvalidTaskError where the
    two do not go together.
    """
    new: list[Task] = list(tasks)
    for change in changes:
        where = next((i for i, task in enumerate(new) if change.before and task.id == change.before.id), None)
        if where is not None:
            after = (
                merged(change.before, change.after, new[where]) if change.before and change.after else None
            )
            new[where : where + 1] = [after] if after else []
        elif change.after is not None:
            new.insert(len(new) if change.place < 0 else change.place, change.after)
    return new
