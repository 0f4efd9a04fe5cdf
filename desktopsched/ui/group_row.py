"""A row that stands above the tasks of a group, and sums them up. Values, no Qt."""

from collections import Counter

from msgspec import Struct

from desktopsched.model import State
from desktopsched.ui.summary import counted

NO_GROUP = "No group"

_TOLD = (State.RUNNING, State.READY, State.FAILED, State.SKIPPED)  # what is worth a word


class GroupCell(Struct, frozen=True):
    """What a group's row shows."""

    name: str
    tasks: int
    summary: str
    hue: int  # which of the group colours; −1: none, it is of the tasks without a group

    @property
    def words(self) -> str:
        """All of it."""
        return "  ".join(part for part in (self.name, counted(self.tasks, "task"), self.summary) if part)


def group_cell(name: str, counts: Counter[State], hue: int) -> GroupCell:
    """The row of a group of which so many tasks are in each state."""
    told = [f"{counts[state]} {state.value}" for state in _TOLD if counts[state]]
    if counts[State.RUNNING] and counts[State.PENDING]:  # it is their turn soon
        told.append(f"{counts[State.PENDING]} pending")
    return GroupCell(name or NO_GROUP, counts.total(), ", ".join(told), hue if name else -1)
