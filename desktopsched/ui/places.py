"""Places of the task table: its lines from top to bottom, groups and below them their tasks. No Qt.

A group keeps all its tasks in the order of the list, and beside it those that are shown, in the order in which they
are. Lines are one plain list: making it anew takes a millisecond or two for 30,000 tasks, so nothing moves one by one.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from desktopsched.model import State
from desktopsched.ui.roles import Column
from desktopsched.ui.row import Row

SortKey = Callable[[Row], float | str]

_URGENCY = {
    State.FAILED: 0,
    State.RUNNING: 1,
    State.READY: 2,
    State.CANCELLED: 3,
    State.SKIPPED: 4,
    State.PENDING: 5,
    State.SUCCEEDED: 6,
}
_NEVER = float("inf")


class Group(Struct, eq=False):
    """A group and its tasks, by id. `number` is the same whenever the group comes back."""

    number: int
    name: str
    all: list[str] = []
    tasks: list[str] = []  # those that are shown


Line = Group | str
"""A group's head, or a task by its id."""


class Places:
    """Groups, and the lines that show them."""

    def __init__(self) -> None:
        self.groups: dict[str, Group] = {}  # those that have tasks, in the order in which they first came
        self.lines: list[Line] = []
        self.folded: set[str] = set()
        """Names of the groups that show no tasks."""
        self.all_open = False  # hits of a search are shown, wherever they are
        self._known: dict[str, Group] = {}  # every group that ever was
        self._at: dict[Line, int] | None = None  # made when it is first asked for

    def enter(self, ids: Iterable[str], rows: Mapping[str, Row]) -> None:
        """All tasks, in the order of the list; what is shown of them is chosen next."""
        for known in self._known.values():
            known.all = []
        for task_id in ids:
            name = rows[task_id].task.group
            group = self._known.get(name)
            if group is None:
                group = self._known[name] = Group(len(self._known) + 1, name)
            group.all.append(task_id)
        self.groups = {name: group for name, group in self._known.items() if group.all}

    def show(
        self,
        names: Iterable[str],
        shown: Collection[str] | None,
        key: Callable[[str], object] | None,
        *,
        down: bool = False,
    ) -> None:
        """Choose which tasks of these groups are shown, None being all of them, and in which order."""
        for group in [self.groups[name] for name in names if name in self.groups]:
            group.tasks = group.all if shown is None else [one for one in group.all if one in shown]
            if key is not None:
                group.tasks = sorted(group.tasks, key=key, reverse=down)  # type: ignore[arg-type]  # they compare

    def lay(self) -> None:
        """Make the lines."""
        self.lines, self._at = [], None
        for group in self.groups.values():
            if group.tasks:
                self.lines.append(group)
                if self.is_open(group.name):
                    self.lines += group.tasks

    def heads(self) -> Iterator[int]:
        """Where the heads of groups stand."""
        return (self.at(group) for group in self.groups.values() if group.tasks)

    def is_open(self, name: str) -> bool:
        """Whether the tasks of a group are among the lines, as far as they are shown."""
        return self.all_open or name not in self.folded

    def at(self, line: Line) -> int:
        """Where a line stands; −1 if it does not."""
        return self.all_at.get(line, -1)

    @property
    def all_at(self) -> Mapping[Line, int]:
        """Where each line stands."""
        if self._at is None:
            self._at = dict(zip(self.lines, range(len(self.lines)), strict=True))
        return self._at


def spans(places: Collection[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of each row of numbers without a gap."""
    first = last = -2
    for place in sorted(places):
        if place != last + 1:
            if first >= 0:
                yield first, last
            first = place
        last = place
    if first >= 0:
        yield first, last


SORT_KEYS: dict[Column, SortKey] = {
    Column.STATE: lambda row: _URGENCY[row.state],
    Column.NAME: lambda row: row.task.name.casefold(),
    Column.SCHEDULE: lambda row: row.schedule.casefold(),
    Column.NEXT: lambda row: _NEVER if row.status.due is None else row.status.due,
    Column.RESULT: lambda row: -(row.status.ended or 0.0),
    Column.STRIP: lambda row: -sum(bar.state is State.FAILED for bar in row.bars),
    Column.DURATION: lambda row: -1.0 if row.last is None else row.last,
}
"""By what the columns sort: the most urgent, nearest, newest or most troubled first; those alike as in the file."""
