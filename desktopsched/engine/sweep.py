"""A sweep: "run now, with everything after it". One task and its descendants, run in order, once.

Inside a sweep the edges between its members decide, as they were when it began; their own time rules and the marks of
their edges are left alone. A member that does not run, whatever the reason, is SKIPPED for those after it: a sweep
always comes to its end.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping

from desktopsched.engine.rounds import fits
from desktopsched.model import Join, State, Task


class Sweep:
    """Which members wait for how many others. `root` is the task that the person ran."""

    __slots__ = ("_children", "_decided", "_rest", "_tasks", "_unmet")

    def __init__(self, root: str, members: Mapping[str, Task]) -> None:
        self._tasks = dict(members)
        self._children: dict[str, list[str]] = {one: [] for one in members}
        self._rest: dict[str, int] = {}  # by member: from how many others it has not heard
        for task in members.values():
            parents = [edge.task for edge in task.waits_for if edge.task in members and task.id != root]
            self._rest[task.id] = len(parents)
            for parent in parents:
                self._children[parent].append(task.id)
        self._unmet: dict[str, str] = {}  # by child: the parent whose outcome did not fit
        self._decided = {root}

    def outcome(
        self, parent: str, state: State, here: Callable[[str], bool]
    ) -> Iterator[tuple[str, str | None]]:
        """The members that are decided by this outcome: to run (None), or to skip because of a parent.

        Those that are not `here` any more are skipped in silence, and so pass that on.
        """
        line = deque([(parent, state)])
        while line:
            parent, state = line.popleft()
            for child in self._children.get(parent, ()):
                if child in self._decided:
                    continue
                self._rest[child] -= 1
                verdict = self._judge(self._tasks[child], parent, state)
                if verdict is None:
                    continue
                self._decided.add(child)
                if here(child):
                    yield child, verdict or None
                else:
                    line.append((child, State.SKIPPED))

    def _judge(self, child: Task, parent: str, state: State) -> str | None:
        """Empty: to run; the id of a parent: to skip because of it; None: still open."""
        met = any(edge.task == parent and fits(edge.on, state) for edge in child.waits_for)
        if not met:
            self._unmet.setdefault(child.id, parent)
        if child.join is Join.ANY and met:
            return ""
        if self._rest[child.id]:
            return None
        return self._unmet.get(child.id, "") if child.join is Join.ALL else parent
