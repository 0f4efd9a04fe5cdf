"""Links: who waits for whom among the tasks of the list, and which new link would close a loop. Pure, no Qt."""

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from desktopsched.model import On, Task
from desktopsched.model.graph import find_cycle, reach

NameOf = Callable[[str], str]
"""The name of a task, by its id."""

_STEPS_MOST, _STEPS_END = 7, 3
"""Tasks of a loop that are named; of a longer one its beginning and its end."""


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
        if parent == child:
            return "A task cannot wait for itself."
        if any(link.parent == parent for link in self.above(child)):
            return f"{name_of(child)} waits for {name_of(parent)} already."
        edges = {one: [link.child for link in links] for one, links in self._below.items()}
        edges[parent] = [*edges.get(parent, ()), child]
        # From the new link on, so that the loop that is found is the one that it would close.
        cycle = find_cycle({parent: edges.pop(parent), **edges})
        if cycle is None:
            return ""
        return f"These tasks would wait for each other: {_path(cycle, name_of)}."


def _path(cycle: Collection[str], name_of: NameOf) -> str:
    names = [name_of(one) for one in cycle]
    if len(names) > _STEPS_MOST:
        left_out = len(names) - 2 * _STEPS_END
        names = [*names[:_STEPS_END], f"… ({left_out:,} more)", *names[-_STEPS_END:]]
    return " → ".join(names)
