"""Loops that a task's parents would close, in words. Pure, no Qt."""

import unicodedata
from collections.abc import Mapping, Sequence

from msgspec import Struct

from desktopsched.model.graph import find_cycle
from desktopsched.model.problem import shorten

_NAMED_MOST = 6
_NAME_MOST = 40  # characters: a loop is read at a glance or not at all
_ISOLATED = "\u2068{}\u2069"  # of a name from right to left the sentence round it keeps its own direction


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
        if (path := _path(task_id, parent, others)) is not None
    )


def _path(task_id: str, parent: str, others: Mapping[str, Sequence[str]]) -> tuple[str, ...] | None:
    """From the task over this parent back to the task, each one a parent of the one before it."""
    edges = {task_id: (parent,)} | _ancestors(parent, task_id, others)
    if task_id not in (one for to in (edges[key] for key in edges if key != task_id) for one in to):
        return (task_id, task_id) if parent == task_id else None
    found = find_cycle(_leading_to(task_id, edges))
    if found is None:
        return None
    around = found[:-1]
    at = around.index(task_id)
    return (*around[at:], *around[:at], task_id)


def _ancestors(start: str, stop: str, others: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """What `start` waits for, and what that waits for, as far as `stop`."""
    found: dict[str, tuple[str, ...]] = {}
    waiting = [start]
    while waiting:
        one = waiting.pop()
        if one not in found and one != stop:
            found[one] = tuple(others.get(one, ()))
            waiting.extend(found[one])
    return found


def _leading_to(task_id: str, edges: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Only the ids from which the task can be reached: other loops among its ancestors are not its matter."""
    children: dict[str, list[str]] = {}
    for one, targets in edges.items():
        for target in targets:
            children.setdefault(target, []).append(one)
    good, waiting = set[str](), [task_id]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in good:
                good.add(child)
                waiting.append(child)
    return {one: tuple(to for to in edges[one] if to in good) for one in edges if one in good}


def _loop(task_id: str, name: str, parent: str, path: Sequence[str], names: Mapping[str, str]) -> Loop:
    """`path` goes from child to parent; people read it in the order in which the tasks run."""
    called = [_shown(name if one == task_id else names.get(one, one)) for one in path]
    if parent == task_id:
        return Loop(parent, f"{called[0]} would wait for itself.", f"Take “{called[0]}” out.")
    running = _shortened(called[-2::-1])
    last = called[-2]  # of those on the loop the one that waits for this task
    headline = f"{' → '.join(running)} would wait for itself."
    rest = f", or change what {last} waits for." if last != called[1] else ", or change what it waits for."
    return Loop(parent, headline, f"{last} already waits for this task. Take “{called[1]}” out{rest}")


def _shown(name: str) -> str:
    found = shorten(name, _NAME_MOST)
    turned = any(unicodedata.bidirectional(character) in {"R", "AL"} for character in found)
    return _ISOLATED.format(found) if turned else found


def _shortened(names: Sequence[str]) -> list[str]:
    if len(names) <= _NAMED_MOST:
        return list(names)
    return [*names[:3], f"… ({len(names) - 5:,} more)", *names[-2:]]
