"""Whether one task may wait for another: the loop that it would close, in words. Pure, no Qt."""

from collections.abc import Callable

from desktopsched.ui.row import Row

_SHOWN = 6  # tasks of a loop that are named; of a longer one the first and the last of them

Get = Callable[[str], Row | None]


def refusal(get: Get, parent: str, child: str) -> str:
    """Why `child` cannot wait for `parent`; empty where it can."""
    below, above = get(child), get(parent)
    if below is None or above is None:
        return "This task is not on the list any more."
    if parent == child:
        return f"{below.task.name} cannot wait for itself."
    if any(edge.task == parent for edge in below.task.waits_for):
        return f"{below.task.name} waits for {above.task.name} already."
    path = _way_up(get, parent, child)
    if not path:
        return ""
    names = [_name(get, task_id) for task_id in (*path, path[0])]
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN // 2], "…", *names[-_SHOWN // 2 :]]
    return f"That would close a loop: {' → '.join(names)}."


def _way_up(get: Get, start: str, goal: str) -> list[str]:
    """From `goal` down to `start` along the edges, if `goal` is among what `start` waits for."""
    came: dict[str, str] = {start: ""}
    queue = [start]
    for task_id in queue:
        row = get(task_id)
        for edge in row.task.waits_for if row is not None else ():
            if edge.task not in came:
                came[edge.task] = task_id
                queue.append(edge.task)
        if goal in came:
            break
    path, at = [], goal if goal in came else ""
    while at:
        path.append(at)
        at = came[at]
    return path


def _name(get: Get, task_id: str) -> str:
    found = get(task_id)
    return found.task.name if found is not None else task_id
