from itertools import pairwise

from desktopsched.ui.loops import loop, refusal


def said(parent: str, child: str, **parents: str) -> str:
    """Why a child cannot wait for a parent, where each letter names a task that others wait for."""
    return refusal(parent, child, lambda one: parents.get(one, ""), str.upper)


def test_a_link_that_closes_a_loop_is_refused_with_the_loop_named_in_the_order_of_its_runs() -> None:
    assert said("c", "a", b="a", c="b") == "These tasks would wait for each other: A → B → C → A."


def test_a_long_loop_is_named_by_its_ends() -> None:
    parents = {after: before for before, after in pairwise("abcdefghij")}
    assert (
        said("j", "a", **parents) == "These tasks would wait for each other: A → B → C → … (6 more) → J → A."
    )


def test_other_links_are_taken_and_what_is_there_already_is_said() -> None:
    assert said("c", "a", b="a") == ""
    assert said("a", "b", b="a") == "B waits for A already."
    assert said("a", "a") == "A cannot wait for itself."


def test_the_loop_is_the_shortest_one() -> None:
    parents = {"c": ["b", "a"], "b": ["a"]}
    assert loop("c", "a", lambda one: parents.get(one, [])) == ["a", "c"]


def test_names_from_right_to_left_leave_the_sentence_its_direction() -> None:
    names = {"a": "גיבוי", "b": "x" * 200}
    words = refusal("b", "a", lambda one: {"b": ["a"]}.get(one, []), names.__getitem__)
    assert (
        words
        == f"These tasks would wait for each other: \u2068גיבוי\u2069 → {'x' * 39}… → \u2068גיבוי\u2069."
    )
