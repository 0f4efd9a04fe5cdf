"""Ways and cycles among tasks that wait for each other, found without recursion: a chain may be 10,000 tasks long.

`edges` says for each id which ids it points to (a child to its parents, or the other way round). An id that
is only pointed to needs no entry of its own. Answers follow the order of `edges`: the same list gives the
same words.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

Edges = Mapping[str, Collection[str]]


def find_cycle(edges: Edges) -> tuple[str, ...] | None:
    """One cycle as the path of its ids, the first one again at the end; None if there is none."""
    done: set[str] = set()
    for start in edges:
        if start not in done and (cycle := _cycle_from(start, edges, done)):
            return cycle
    return None


def cycle_groups(edges: Edges) -> tuple[frozenset[str], ...]:
    """The ids that lie on cycles, grouped: two ids are in one group if each leads to the other."""
    return tuple(group for group in _components(edges) if _is_cycle(group, edges))


def reach(start: str, targets: Callable[[str], Iterable[str]]) -> list[str]:
    """The start and everything that it leads to, the nearest first. `targets`: what an id leads to at once."""
    found, ahead = {start: None}, [start]
    for one in ahead:
        for target in targets(one):
            if target not in found:
                found[target] = None
                ahead.append(target)
    return list(found)


def way(start: str, goal: str, targets: Callable[[str], Iterable[str]]) -> list[str]:
    """The shortest way from `start` to `goal`, both of them in it; empty if there is none."""
    came: dict[str, str | None] = {start: None}
    ahead = [start]
    for one in ahead:
        if goal in came:
            break
        for target in targets(one):
            if target not in came:
                came[target] = one
                ahead.append(target)
    path: list[str] = []
    at = goal if goal in came else None
    while at is not None:
        path.append(at)
        at = came[at]
    return path[::-1]


def within(edges: Edges, ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The part of `edges` that stays among `ids`, in their order; pass something that is quick to look in."""
    return {one: tuple(to for to in edges.get(one, ()) if to in ids) for one in ids}


def _cycle_from(start: str, edges: Edges, done: set[str]) -> tuple[str, ...] | None:
    """Walk in depth from `start`. What was left behind without a cycle goes to `done`."""
    path = {
        start: _targets(start, edges)
    }  # a dict: the path in order, and a quick answer to "is it on the path"
    while path:
        node, targets = next(reversed(path.items()))
        for target in targets:
            if target in path:
                around = list(path)
                return (*around[around.index(target) :], target)
            if target not in done:
                path[target] = _targets(target, edges)
                break
        else:
            del path[node]
            done.add(node)
    return None


def _targets(node: str, edges: Edges) -> Iterator[str]:
    return iter(edges.get(node, ()))


def _is_cycle(group: frozenset[str], edges: Edges) -> bool:
    if len(group) > 1:
        return True
    (only,) = group
    return only in edges.get(only, ())


def _components(edges: Edges) -> Iterator[frozenset[str]]:
    """Tarjan's strongly connected components, with the stack of calls kept by hand."""
    walk = _Walk(edges)
    for start in edges:
        if start not in walk.number:
            yield from walk.from_(start)


class _Walk:
    """One pass over the graph. `low` is the smallest number that can be reached back to from an id."""

    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self.number: dict[str, int] = {}
        self.low: dict[str, int] = {}
        self.open: dict[
            str, None
        ] = {}  # met, and not yet in a component; in the order in which they were met

    def from_(self, start: str) -> Iterator[frozenset[str]]:
        calls = [self._enter(start)]
        while calls:
            node, targets = calls[-1]
            if (target := self._next_new(node, targets)) is not None:
                calls.append(self._enter(target))
                continue
            calls.pop()
            if calls:
                above = calls[-1][0]
                self.low[above] = min(self.low[above], self.low[node])
            if self.low[node] == self.number[node]:
                yield self._close(node)

    def _enter(self, node: str) -> tuple[str, Iterator[str]]:
        self.number[node] = self.low[node] = len(self.number)
        self.open[node] = None
        return node, _targets(node, self.edges)

    def _next_new(self, node: str, targets: Iterator[str]) -> str | None:
        for target in targets:
            if target not in self.number:
                return target
            if target in self.open:
                self.low[node] = min(self.low[node], self.number[target])
        return None

    def _close(self, node: str) -> frozenset[str]:
        members = set()
        while node not in members:
            member, _ = self.open.popitem()
            members.add(member)
        return frozenset(members)
