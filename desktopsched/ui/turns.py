"""Turns: what waits, at whatever remove, for something that is under way, so that it is its turn soon. Pure, no Qt.

Counted up and down as tasks begin and end: what a change does not reach is not looked at.
"""

from collections.abc import Callable, Collection, Iterable


class Turns:
    """Told what is under way; `children` gives what waits for a task."""

    def __init__(self, children: Callable[[str], Iterable[str]]) -> None:
        self._children = children
        self._under_way: dict[str, None] = {}
        self._reasons: dict[str, int] = {}  # by task: how many of those that it waits for go on, or will
        self._stale = False

    @property
    def soon(self) -> Collection[str]:
        """The tasks whose turn it is soon."""
        if self._stale:
            self._stale = False
            self._reasons.clear()
            for task_id in self._under_way:
                self._spread(task_id, 1)
        return self._reasons.keys()

    def relink(self) -> None:
        """Tasks wait for others than before; it is looked at when somebody asks."""
        self._stale = True

    def turn(self, task_id: str, *, under_way: bool) -> None:
        """A task is under way now, or is not any more."""
        if under_way == (task_id in self._under_way):
            return
        if under_way:
            self._under_way[task_id] = None
        else:
            del self._under_way[task_id]
        if not self._stale:
            self._spread(task_id, 1 if under_way else -1)

    def _spread(self, start: str, by: int) -> None:
        queue = [start]
        for task_id in queue:
            for child in self._children(task_id):
                before = self._reasons.get(child, 0)
                self._reasons[child] = before + by
                if not before + by:
                    del self._reasons[child]
                if (
                    not before or not before + by
                ):  # it is a reason for its own children now, or is none any more
                    queue.append(child)
