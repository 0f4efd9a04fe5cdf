"""Loops that a task's parents would close, in words. Pure, no Qt."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from desktopsched.ui.loops import chain, loop, shown


class Loop(Struct, frozen=True):
    """A loop through the task that is edited."""

    parent: str  # the id of the parent by which it is closed: what to take out
    headline: str
    advice: str


def find_loops(
    task_id: str,
    name: str,
    parents: Sequence[str],
    others: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
) -> tuple[Loop, ...]:
    """For each parent that already waits for this task, directly or not, the loop it closes.

    `others`: by id, the parents of the other tasks.
    """
    return tuple(
        _loop(task_id, name, parent, path, names)
        for parent in parents
        if (path := loop(parent, task_id, lambda one: others.get(one, ())))
    )


def _loop(task_id: str, name: str, parent: str, path: Sequence[str], names: Mapping[str, str]) -> Loop:
    """`path`: in the order in which they run, from the task to the parent."""
    called = [shown(name if one == task_id else names.get(one, one)) for one in path]
    if parent == task_id:
        return Loop(parent, f"{called[0]} would wait for itself.", f"Take “{called[0]}” out.")
    second = called[1]  # of those on the loop the one that waits for this task
    headline = f"{chain([*called[1:], called[0]])} would wait for itself."
    rest = f", or change what {second} waits for." if len(path) > 2 else ", or change what it waits for."
    return Loop(parent, headline, f"{second} already waits for this task. Take “{called[-1]}” out{rest}")
