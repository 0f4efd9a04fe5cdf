from itertools import pairwise

from desktopsched.model import Edge
from desktopsched.ui.loops import refusal
from desktopsched.ui.rows import Rows
from tests.ui.scenery import added, task


def rows(**parents: str) -> Rows:
    found = Rows()
    for name, waits_for in parents.items():
        event = added(task(name, waits_for=tuple(Edge(one) for one in waits_for)))
        found.add(event.task, event.status)
    return found


def test_a_link_that_closes_a_loop_is_refused_with_the_loop_named() -> None:
    found = rows(a="", b="a", c="b")
    assert refusal(found.get, "c", "a") == "That would close a loop: A → B → C → A."


def test_a_long_loop_is_named_by_its_ends() -> None:
    names = "abcdefghij"
    found = rows(a="", **{after: before for before, after in pairwise(names)})
    assert refusal(found.get, "j", "a") == "That would close a loop: A → B → C → … → I → J → A."


def test_other_links_are_taken_and_what_is_there_already_is_said() -> None:
    found = rows(a="", b="a", c="")
    assert refusal(found.get, "c", "a") == ""
    assert refusal(found.get, "a", "b") == "B waits for A already."
    assert refusal(found.get, "a", "a") == "A cannot wait for itself."
    assert refusal(found.get, "ghost", "a") == "This task is not on the list any more."
