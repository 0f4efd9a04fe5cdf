"""A sweep: "run now, with everything after it". One task and its descendants, run in order, once.

Inside a sweep the edges between its members decide; their own time rules and the marks of their edges are left alone.
"""

from collections.abc import Callable, Iterable, Mapping

from desktopsched.engine.rounds import fits
from desktopsched.model import Join, State, Task


class Sweep:
    """Which members wait for how many others. `root` is the task that the person ran."""

    __slots__ = ("_decided", "_rest", "_unmet")

    def __init__(self, root: str, members: Mapping[str, Task]) -> None:
        self._rest = {
            task.id: sum(edge.task in members for edge in task.waits_for)
            for task in members.values()
            if task.id != root
        }
        self._unmet: dict[str, str] = {}  # by child: the parent whose outcome did not fit
        self._decided: set[str] = set()

    def outcome(
        self, parent: str, state: State, children: Iterable[Task]
    ) -> Iterable[tuple[Task, str | None]]:
        """The children that are decided by this outcome of a member: to run (None), or to skip because of a parent."""
        for child in children:
            if child.id in self._rest and child.id not in self._decided:
                self._rest[child.id] -= 1
                verdict = self._judge(child, parent, state)
                if verdict is not None:
                    self._decided.add(child.id)
                    yield child, verdict or None

    def _judge(self, child: Task, parent: str, state: State) -> str | None:
        """Empty: to run; the id of a parent: to skip because of it; None: still open."""
        met = any(edge.task == parent and fits(edge.on, state) for edge in child.waits_for)
        if not met:
            self._unmet.setdefault(child.id, parent)
        if child.join is Join.ANY and met:
            return ""
        if self._rest[child.id]:
            return None
        return self._unmet.get(child.id, "")


def descendants(root: str, children: Callable[[str], Iterable[str]]) -> list[str]:
    """The root and everything after it, the nearest first."""
    found, at = {root: None}, [root]
    for task_id in at:
        for child in children(task_id):
            if child not in found:
                found[child] = None
                at.append(child)
    return list(found)
