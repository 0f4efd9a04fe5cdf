"""Links: who waits for whom among the tasks of the list, and which new link would close a loop. Pure, no Qt."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from desktopsched.model import On, Task
from desktopsched.model.graph import reach
from desktopsched.ui import loops
from desktopsched.ui.loops import NameOf


class Link(Struct, frozen=True):
    """`child` waits for `parent`: for its success, its failure, or for either."""

    parent: str
    child: str
    on: On


class Links:
    """All links among known tasks, in the order of the list. A value: another list makes another one."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        known = {task.id: task for task in tasks}
        self.all: tuple[Link, ...] = tuple(
            Link(edge.task, task.id, edge.on)
            for task in known.values()
            for edge in task.waits_for
            if edge.task in known and edge.task != task.id
        )
        self._above: dict[str, list[Link]] = {}
        self._below: dict[str, list[Link]] = {}
        for link in self.all:
            self._above.setdefault(link.child, []).append(link)
            self._below.setdefault(link.parent, []).append(link)

    def above(self, task_id: str) -> Sequence[Link]:
        """The links by which it waits for others."""
        return self._above.get(task_id, ())

    def below(self, task_id: str) -> Sequence[Link]:
        """The links by which others wait for it."""
        return self._below.get(task_id, ())

    def linked(self, task_id: str) -> bool:
        """Whether it waits for a task, or a task for it."""
        return task_id in self._above or task_id in self._below

    def ancestors(self, task_id: str) -> frozenset[str]:
        """Everything that it waits for, however far."""
        return frozenset(reach(task_id, lambda one: [link.parent for link in self.above(one)])) - {task_id}

    def descendants(self, task_id: str) -> frozenset[str]:
        """Everything that waits for it, however far."""
        return frozenset(reach(task_id, lambda one: [link.child for link in self.below(one)])) - {task_id}

    def refusal(self, parent: str, child: str, name_of: NameOf) -> str:
        """Why `child` cannot wait for `parent`, in words for people; empty: it can."""
        return loops.refusal(parent, child, lambda one: [link.parent for link in self.above(one)], name_of)
