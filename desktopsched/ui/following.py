"""Following: which tasks run after others, when these are run with everything after them. Pure, no Qt."""

from collections.abc import Iterable, Sequence

from desktopsched.model.graph import reach
from desktopsched.ui.row import Row


def following(tasks: Sequence[str], rows: Iterable[Row]) -> list[str]:
    """The enabled tasks that wait for these, directly or not, the nearest first; without these themselves."""
    children: dict[str, list[str]] = {}
    for row in rows:
        for edge in row.task.waits_for if row.task.enabled else ():
            children.setdefault(edge.task, []).append(row.task.id)
    found = {one: None for task_id in tasks for one in reach(task_id, lambda at: children.get(at, ()))}
    return [one for one in found if one not in set(tasks)]
