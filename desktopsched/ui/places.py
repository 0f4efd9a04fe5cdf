"""Places of the task table: which tasks of which group stand where. No Qt; the model tells the views.

A group keeps all its tasks in the order in which they came, and beside it those that are shown, in the order in which
they are shown.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable

from msgspec import Struct

from desktopsched.model import State
from desktopsched.ui.roles import Column
from desktopsched.ui.row import Row

SortKey = Callable[[Row], tuple[float, str]]

_URGENCY = (
    State.FAILED,
    State.RUNNING,
    State.READY,
    State.CANCELLED,
    State.SKIPPED,
    State.PENDING,
    State.SUCCEEDED,
)
_NEVER = float("inf")


class Group(Struct, eq=False):
    """A group and its tasks, by id. `number` is never used again."""

    number: int
    name: str
    all: list[str] = []
    tasks: list[str] = []  # those that are shown

    def place_for(self, task_id: str, order: dict[str, int]) -> int:
        """Where a task is to be shown, as long as nothing is sorted."""
        return bisect_left(self.tasks, order[task_id], key=order.__getitem__)


class Places:
    """All groups, those that are shown, and in which of them each task is."""

    def __init__(self) -> None:
        self.all: dict[str, Group] = {}
        self.shown: list[Group] = []
        self.by_number: dict[int, Group] = {}
        self.homes: dict[str, Group] = {}
        self.visible: set[str] = set()
        self.order: dict[str, int] = {}  # by task: its number among those that came
        self._numbers = self._came = 0

    def enter(self, name: str, ids: Iterable[str]) -> Group:
        """Give tasks a home; they are not shown yet."""
        group = self.all.get(name)
        if group is None:
            self._numbers += 1
            group = self.all[name] = self.by_number[self._numbers] = Group(self._numbers, name)
        for task_id in ids:
            self._came += 1
            self.order[task_id] = self._came
            self.homes[task_id] = group
            group.all.append(task_id)
        return group

    def leave(self, task_id: str) -> None:
        """Take a task away that is not shown any more, and its group with the last one."""
        group = self.homes.pop(task_id)
        group.all.remove(task_id)
        del self.order[task_id]
        if not group.all:
            del self.all[group.name], self.by_number[group.number]

    def group_place(self, group: Group) -> int:
        """Where a group is shown, or would be."""
        return bisect_left(self.shown, group.number, key=lambda one: one.number)

    def show(self, is_shown: Callable[[str], bool] | None, key: Callable[[str], object] | None) -> None:
        """Choose anew which tasks are shown, and in which order."""
        for group in self.all.values():
            group.tasks = list(filter(is_shown, group.all)) if is_shown is not None else list(group.all)
            if key is not None:
                group.tasks.sort(key=key)  # type: ignore[arg-type]  # tuples that compare
        self.shown = [group for group in self.all.values() if group.tasks]
        self.visible = {task_id for group in self.shown for task_id in group.tasks}


SORT_KEYS: dict[Column, SortKey] = {
    Column.STATE: lambda row: (_URGENCY.index(row.state), row.task.name.casefold()),
    Column.NAME: lambda row: (0, row.task.name.casefold()),
    Column.SCHEDULE: lambda row: (0, row.schedule.casefold()),
    Column.NEXT: lambda row: (row.status.due if row.status.due is not None else _NEVER, row.task.name),
    Column.RESULT: lambda row: (-(row.status.ended or 0), row.task.name),
    Column.STRIP: lambda row: (-sum(bar.state is State.FAILED for bar in row.bars), row.task.name),
    Column.DURATION: lambda row: (row.last if row.last is not None else -1, row.task.name),
}
"""By what the columns sort: the most urgent, nearest, newest or most troubled first."""
