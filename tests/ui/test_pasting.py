import json

import pytest

from desktopsched.model import Edge, Task
from desktopsched.model.document import write_document, write_task
from desktopsched.ui.pasting import read_tasks
from tests.ui.scenery import task


def text_of(*tasks: Task) -> str:
    return json.dumps(write_document([write_task(one) for one in tasks]))


def test_tasks_of_a_task_file_join_the_list_switched_off() -> None:
    found = read_tasks(text_of(task("a", group="G"), task("b", waits_for=(Edge("a"),))), [])
    assert found.words == ""
    assert found.tasks == (
        task("a", group="G", enabled=False),
        task("b", waits_for=(Edge("a"),), enabled=False),
    )


def test_a_task_whose_id_is_taken_is_a_copy_and_its_children_wait_for_the_copy() -> None:
    found = read_tasks(text_of(task("a"), task("b", waits_for=(Edge("a"),))), [task("a")])
    assert [(one.id, one.name) for one in found.tasks] == [("a-2", "A copy"), ("b", "B")]
    assert found.tasks[1].waits_for == (Edge("a-2"),)


def test_a_parent_that_is_on_the_list_is_still_waited_for_and_one_that_is_not_is_named() -> None:
    text = text_of(task("b", waits_for=(Edge("a"), Edge("elsewhere"))))
    found = read_tasks(text, [task("a")])
    assert found.tasks[0].waits_for == (Edge("a"),)
    assert found.words == "B: what it waits for and is not on this list was left out."


@pytest.mark.parametrize("wrap", [lambda raw: raw, lambda raw: [raw]])
def test_one_task_or_a_list_will_do(wrap: object) -> None:
    assert callable(wrap)
    found = read_tasks(json.dumps(wrap(write_task(task("a")))), [])
    assert [one.id for one in found.tasks] == ["a"]


@pytest.mark.parametrize("text", ["", "hello", "[" * 100_000])
def test_text_that_is_no_json_says_what_to_do(text: str) -> None:
    found = read_tasks(text, [])
    assert found.tasks == ()
    assert found.words.startswith("There is nothing to paste: copy tasks first")


@pytest.mark.parametrize("text", ["{}", "3", '[{"id": "a"}]', '{"format": 1, "tasks": [3]}'])
def test_a_mistake_is_named_and_nothing_is_pasted(text: str) -> None:
    found = read_tasks(text, [])
    assert found.tasks == ()
    assert found.words.startswith("Nothing was pasted, there is a mistake in it: ")


def test_an_empty_list_of_tasks_is_nothing_to_paste() -> None:
    assert read_tasks(text_of(), []).words.startswith("There is nothing to paste")
