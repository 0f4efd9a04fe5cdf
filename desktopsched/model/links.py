"""What only the whole list can say of its tasks: ids that two have, parents that are missing, cycles.

It looks at the ids and edges that can be read, whatever else is wrong with a task: all is said at once.
"""

from collections.abc import Iterator, Sequence

from desktopsched.model.fields import ID_PATTERN, closest
from desktopsched.model.graph import cycle_groups, find_cycle, within
from desktopsched.model.problem import Problem

_GUESSES_MOST = 20
"""Looking for the closest of many ids takes a while; after so many mistakes it helps nobody."""

_Parents = list[tuple[int, str]]


def link_problems(listed: Sequence[object]) -> Iterator[tuple[int, Problem]]:
    """Each problem with the number of its task, the place as seen from the task. Such a task cannot be taken."""
    ids = [own_id(raw) for raw in listed]
    yield from _duplicates(ids)
    yield from _cycles(ids, [_parents(raw) for raw in listed])


def missing_parents(listed: Sequence[object]) -> Iterator[tuple[int, Problem]]:
    """The same for parents that are not there. Such a task is right in itself: it waits for what will not come."""
    known = {own_id(raw) for raw in listed}
    yield from _unknown_parents([_parents(raw) for raw in listed], known)


def own_id(raw: object) -> str:
    """The id of a task, right or wrong otherwise; empty if there is none."""
    return _readable_id(raw.get("id")) if isinstance(raw, dict) else ""


def _readable_id(raw: object) -> str:
    return raw if isinstance(raw, str) and ID_PATTERN.fullmatch(raw) else ""


def _duplicates(ids: list[str]) -> Iterator[tuple[int, Problem]]:
    """The first of two keeps the id; the other one is flagged, whichever of them is otherwise right."""
    first: dict[str, int] = {}
    for index, one in enumerate(ids):
        if one and (other := first.setdefault(one, index)) != index:
            yield (
                index,
                Problem("id", f"{one!r} is the id of tasks[{other}] already. Give this one another id."),
            )


def _parents(raw: object) -> _Parents:
    """The parents of a task, right or wrong otherwise, each with its number in `waits_for`."""
    edges = raw.get("waits_for") if isinstance(raw, dict) else None
    if not isinstance(edges, list):
        return []
    ids = (_readable_id(edge.get("task")) if isinstance(edge, dict) else "" for edge in edges)
    return [(number, one) for number, one in enumerate(ids) if one]


def _unknown_parents(parents: list[_Parents], known: set[str]) -> Iterator[tuple[int, Problem]]:
    """Edges to an id that is not in the file. A parent that is there with a mistake is not the child's."""
    guesses = 0
    for index, edges in enumerate(parents):
        for number, parent in edges:
            if parent not in known:
                guesses += 1
                guess = closest(parent, known) if guesses <= _GUESSES_MOST else ""
                words = f"there is no task {parent!r} in this file.{guess}"
                yield index, Problem(f"waits_for[{number}].task", words)


def _cycles(ids: list[str], parents: list[_Parents]) -> Iterator[tuple[int, Problem]]:
    """Every task that lies on a cycle; of two tasks with one id the first counts."""
    where: dict[str, int] = {}
    edges: dict[str, tuple[str, ...]] = {}
    for index, one in enumerate(ids):
        if one and where.setdefault(one, index) == index:  # a task that waits for itself was told so already
            edges[one] = tuple(parent for _, parent in parents[index] if parent != one)
    for group in cycle_groups(edges):
        members = dict.fromkeys(sorted(group, key=where.__getitem__))
        path = find_cycle(within(edges, members)) or ()
        words = f"these tasks wait for each other: {_path_words(path)}. Take one of the links out."
        yield from ((where[one], Problem("waits_for", words)) for one in members)


def _path_words(path: tuple[str, ...]) -> str:
    if len(path) <= 12:
        return " → ".join(path)
    return f"{' → '.join(path[:6])} → … ({len(path) - 11:,} more) → {' → '.join(path[-5:])}"
