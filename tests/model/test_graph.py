"""Cycles: found, named, and not feared at any depth."""

from hypothesis import given
from hypothesis import strategies as st

from desktopsched.model.graph import cycle_groups, find_cycle, way, within

NODES = st.sampled_from("abcdef")


def test_no_edges_have_no_cycle() -> None:
    assert find_cycle({}) is None
    assert find_cycle({"a": (), "b": ("a",), "c": ("a", "b")}) is None
    assert cycle_groups({"a": (), "b": ("a",), "c": ("a", "b")}) == ()


def test_g01_the_path_ends_where_it_began() -> None:
    assert find_cycle({"x": ("a",), "a": ("b",), "b": ("a",)}) == ("a", "b", "a")
    assert find_cycle({"a": ("a",)}) == ("a", "a")


def test_an_id_that_is_only_pointed_to_is_no_cycle() -> None:
    assert find_cycle({"a": ("gone",)}) is None
    assert cycle_groups({"a": ("gone",)}) == ()


def test_groups_hold_the_members_of_cycles_alone() -> None:
    edges = {"a": ("b",), "b": ("a",), "c": ("a",), "d": ("d",), "e": ("f",), "f": ()}
    assert set(cycle_groups(edges)) == {frozenset("ab"), frozenset("d")}


def test_g03_a_chain_of_10_000_and_a_ring_of_10_000_need_no_recursion() -> None:
    chain = {str(i): (str(i + 1),) for i in range(10_000)}
    assert find_cycle(chain) is None
    assert cycle_groups(chain) == ()
    ring = {**chain, "10000": ("0",)}
    assert len(find_cycle(ring) or ()) == 10_002
    assert [len(group) for group in cycle_groups(ring)] == [10_001]


def test_within_keeps_what_stays_inside() -> None:
    assert within({"a": ("b", "c"), "b": ("a",), "c": ()}, {"a": None, "b": None}) == {
        "a": ("b",),
        "b": ("a",),
    }


@given(st.dictionaries(NODES, st.lists(NODES, max_size=4)))
def test_the_path_follows_edges_and_groups_are_who_reaches_themselves(edges: dict[str, list[str]]) -> None:
    path = find_cycle(edges)
    in_cycles = {node for node in edges if _reaches(edges, node, node)}
    assert set().union(*cycle_groups(edges)) == in_cycles
    assert (path is not None) == bool(in_cycles)
    for node, following in zip(path or (), (path or ())[1:], strict=False):
        assert following in edges[node]
    assert path is None or path[0] == path[-1]


def _reaches(edges: dict[str, list[str]], start: str, goal: str) -> bool:
    seen: set[str] = set()
    todo = list(edges.get(start, ()))
    while todo:
        node = todo.pop()
        if node == goal:
            return True
        if node not in seen:
            seen.add(node)
            todo.extend(edges.get(node, ()))
    return False


def test_a_way_is_the_shortest_one_and_empty_where_there_is_none() -> None:
    edges = {"a": "bc", "b": "d", "c": "e", "d": "e", "x": "a"}
    assert way("a", "e", lambda one: edges.get(one, "")) == ["a", "c", "e"]
    assert way("a", "a", lambda one: edges.get(one, "")) == ["a"]
    assert way("a", "x", lambda one: edges.get(one, "")) == []


def test_a_way_through_10_000_tasks_and_round_a_ring_is_found() -> None:
    assert len(way("0", "9999", lambda one: [str((int(one) + 1) % 10_000)])) == 10_000
