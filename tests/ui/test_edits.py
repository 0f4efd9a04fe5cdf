"""Edits: steps that are done in the background and can be taken back."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs
from pytestqt.qtbot import QtBot

from desktopsched.model import StorageError, Task
from desktopsched.model.change import Change, changed
from desktopsched.ui.background import Background
from desktopsched.ui.edits import Edits
from tests.engine.world import task

SLOW = 10_000


class Listed:
    """A list of tasks that edits apply to, and may refuse to."""

    def __init__(self) -> None:
        self.tasks: list[Task] = [task(name) for name in "abcde"]
        self.refuses = False

    def apply(self, changes: Sequence[Change]) -> None:
        if self.refuses:
            raise StorageError("No space left.")
        self.tasks = changed(self.tasks, changes)

    @property
    def ids(self) -> str:
        return "".join(one.id for one in self.tasks)


@pytest.fixture
def listed() -> Listed:
    return Listed()


@pytest.fixture
def edits(qtbot: QtBot, listed: Listed) -> Iterator[Edits]:
    background = Background()
    yield Edits(listed.apply, background)
    background.close()


def test_an_edit_can_be_taken_back_and_done_again(qtbot: QtBot, edits: Edits, listed: Listed) -> None:
    with qtbot.waitSignal(edits.happened, timeout=SLOW):
        edits.replace(listed.tasks[1], task("b", name="Better"))
    assert edits.undo_words == "edit Better"
    with qtbot.waitSignal(edits.changed, timeout=SLOW):
        edits.undo()
    assert listed.tasks[1].name == "b"
    assert (edits.undo_words, edits.redo_words) == ("", "edit Better")
    with qtbot.waitSignal(edits.changed, timeout=SLOW):
        edits.redo()
    assert listed.tasks[1].name == "Better"


def test_removed_tasks_come_back_to_their_places(qtbot: QtBot, edits: Edits, listed: Listed) -> None:
    with qtbot.waitSignal(edits.happened, timeout=SLOW):
        edits.remove([(place, listed.tasks[place]) for place in (3, 1, 2)])
    assert listed.ids == "ae"
    assert edits.undo_words == "remove 3 tasks"
    with qtbot.waitSignal(edits.changed, timeout=SLOW):
        edits.undo()
    assert listed.ids == "abcde"


def test_a_refused_edit_leaves_no_step_and_says_why(qtbot: QtBot, edits: Edits, listed: Listed) -> None:
    listed.refuses = True
    with qtbot.waitSignal(edits.failed, timeout=SLOW) as failed:
        edits.add(task("f"))
    assert failed.args == ["No space left."]
    assert edits.undo_words == ""
    assert listed.ids == "abcde"


def test_a_refused_way_back_can_be_tried_again(qtbot: QtBot, edits: Edits, listed: Listed) -> None:
    with qtbot.waitSignal(edits.happened, timeout=SLOW):
        edits.add(task("f"))
    listed.refuses = True
    with qtbot.waitSignal(edits.failed, timeout=SLOW):
        edits.undo()
    listed.refuses = False
    with qtbot.waitSignal(edits.changed, timeout=SLOW):
        edits.undo()
    assert listed.ids == "abcde"


def test_an_edit_after_undo_ends_redo(qtbot: QtBot, edits: Edits, listed: Listed) -> None:
    for name in "fg":
        with qtbot.waitSignal(edits.happened, timeout=SLOW):
            edits.add(task(name))
    with qtbot.waitSignal(edits.changed, timeout=SLOW):
        edits.undo()
    with qtbot.waitSignal(edits.happened, timeout=SLOW):
        edits.add(task("h"))
    assert (listed.ids, edits.redo_words) == ("abcdefh", "")


def test_saving_without_a_change_is_no_edit(edits: Edits, listed: Listed) -> None:
    edits.replace(listed.tasks[0], structs.replace(listed.tasks[0]))
    edits.do("nothing", [])
    assert edits.undo_words == ""


Step = st.tuples(st.sampled_from(["add", "rename", "remove"]), st.sets(st.integers(0, 6), max_size=4))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(Step, max_size=12))
def test_undoing_everything_gives_the_list_that_was(steps: list[tuple[str, set[int]]]) -> None:
    tasks = [task(name) for name in "abc"]
    before, undo = list(tasks), []
    for number, (kind, places) in enumerate(steps):
        here = sorted((place for place in places if place < len(tasks)), reverse=True)
        if kind == "add":
            changes = [Change(after=task(f"new{number}"))]
        elif kind == "rename":
            changes = [
                Change(before=tasks[place], after=structs.replace(tasks[place], name=f"n{number}"))
                for place in here
            ]
        else:
            changes = [Change(before=tasks[place], place=place) for place in here]
        tasks = changed(tasks, changes)
        undo.append([change.undone(change.place) for change in reversed(changes)])
    for changes in reversed(undo):
        tasks = changed(tasks, changes)
    assert tasks == before
