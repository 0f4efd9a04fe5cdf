"""Which version of a task a form began from, and what became of it elsewhere meanwhile. Pure, no Qt."""

from collections.abc import Sequence

from desktopsched.model import Task
from desktopsched.model.document import write_task
from desktopsched.ui.form.draft import Raw, at_place

_NAMED_MOST = 4


class Versions:
    """Two versions at most: the one that the form knows, and another one that came to be since."""

    def __init__(self, task: Task | None) -> None:
        """None: the task is new, and nobody else has it."""
        self.base = task
        self.other: Task | None = None

    def see(self, task: Task | None) -> None:
        """The task as the list has it now. None: it cannot be read there, which changes nothing here."""
        self.other = None if self.base is None or task == self.base else task

    def take_up(self) -> None:
        """The other version is the one that the form knows from now on."""
        if self.other is not None:
            self.base, self.other = self.other, None

    def forget(self) -> None:
        """There is no such task any more."""
        self.base = self.other = None

    @property
    def base_raw(self) -> Raw | None:
        """The version that the form knows, as the file has it."""
        return None if self.base is None else write_task(self.base)

    @property
    def other_raw(self) -> Raw | None:
        """The other one."""
        return None if self.other is None else write_task(self.other)

    def difference(self, labels: Sequence[tuple[str, str]]) -> str:
        """What is another in the other version: "name, cron expression". `labels`: places and their names."""
        base, other = self.base_raw or {}, self.other_raw or {}
        found = [
            label.removeprefix("The ").lower()
            for place, label in labels
            if at_place(base, place) != at_place(other, place)
        ]
        unique = list(dict.fromkeys(found))
        more = [f"{len(unique) - _NAMED_MOST} more"] if len(unique) > _NAMED_MOST else []
        return ", ".join((*unique[:_NAMED_MOST], *more))
