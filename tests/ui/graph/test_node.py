import pytest
from msgspec import structs

from desktopsched.model import Edge, On, OnFailure, Outcome, State
from desktopsched.ui.expected import Expectations
from desktopsched.ui.graph.node import Node, node, spoken
from desktopsched.ui.row import Row
from tests.ui.graph.scenes import OK, by_id, design, links_of, row
from tests.ui.scenery import BERLIN, NOON


def nodes(rows: list[Row]) -> dict[str, Node]:
    known, links = by_id(rows), links_of(rows)
    expected = Expectations(known.get, NOON)
    return {one: node(found, links, expected, NOON, BERLIN) for one, found in known.items()}


def line(one: Row, *others: Row) -> str:
    return nodes([one, *others])[one.task.id].line


def test_the_lines_are_those_of_the_design() -> None:
    assert {one: found.line for one, found in nodes(design()).items()} == {
        "db": "13:59, took 1:24",
        "ve": "0:46 of ~2:10",
        "up": "about 14:01",
        "rm": "about 14:06",
        "no": "only on a failure",
        "ph": "next in 4 min",
        "ce": "exit 1, disabled",
        "alone": "by hand",
    }


def test_a_running_node_knows_how_far_it_is() -> None:
    found = nodes(design())["ve"]
    assert found.state is State.RUNNING
    assert found.share == pytest.approx(46 / 130)
    assert not found.late


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (row("a", state=State.RUNNING, begun=NOON - 5), "for 0:05"),
        (row("a", state=State.RUNNING, begun=NOON - 346, took=(130.0,)), "5:46 of ~2:10"),
        (row("a", state=State.READY, waiting="waits for a free worker"), "waits for a free worker"),
        (row("a", state=State.READY), "due now"),
        (row("a", begun=NOON - 5, due=NOON + 12), "next try in 12 s"),
        (row("a", enabled=False), "disabled"),
        (row("a", outcome=Outcome(State.FAILED, "x", 2), ended=NOON - 60), "exit 2, 13:59"),
        (row("a", outcome=Outcome(State.FAILED, "timed out"), ended=NOON - 60), "failed, 13:59"),
        (row("a", outcome=Outcome(State.SKIPPED, "x"), ended=NOON - 60), "skipped, 13:59"),
        (row("a", outcome=Outcome(State.CANCELLED, "x"), ended=NOON - 60), "cancelled, 13:59"),
        (row("a", outcome=OK, ended=NOON - 60), "13:59"),
        (row("a", outcome=OK, ended=NOON - 60, took=(4.8,)), "13:59, took 0:05"),
        (row("a", outcome=OK), "succeeded"),
        (row("a", waiting="waits for Dump"), "waits for Dump"),
        (row("a", after=("b",)), "has not run yet"),
    ],
)
def test_the_line_says_what_is_most_worth_knowing(found: Row, said: str) -> None:
    assert line(found, row("b")) == said


def test_a_child_is_expected_after_the_last_of_its_parents() -> None:
    rows = [
        row("a", due=NOON + 600, took=(60,)),
        row("b", due=NOON + 60, took=(30,)),
        row("c", after=("a", "b"), took=(120,)),
        row("d", after=("c",)),
    ]
    found = nodes(rows)
    assert [found[one].line for one in "cd"] == ["about 14:11", "about 14:13"]


def test_what_waits_for_a_loop_or_a_disabled_task_is_not_expected() -> None:
    rows = [
        row("a", after=("b",)),
        row("b", after=("a",)),
        row("c", enabled=False, due=NOON),
        row("d", after=("c",)),
    ]
    found = nodes(rows)
    assert [found[one].line for one in "abd"] == ["has not run yet"] * 3


def test_a_node_that_disabled_itself_when_it_failed_is_paused() -> None:
    off = row("a", outcome=Outcome(State.FAILED, "exit code 1", 1), ended=NOON - 60, enabled=False)
    assert line(off) == "exit 1, disabled"
    given_up = structs.replace(off, task=structs.replace(off.task, on_failure=OnFailure.PAUSE))
    assert line(given_up) == "exit 1, paused"


def test_a_node_is_spoken_as_one_sentence() -> None:
    rows = design()
    said = spoken(rows[1], links_of(rows), NOON, BERLIN)
    assert said == (
        "Verify dump, running for 46 s, usually 2 min 10 s, waits for 1 task; 3 tasks wait for it"
    )


def test_a_node_whose_turn_is_soon_shows_its_next_run_and_not_its_last() -> None:
    found, links = row("a", outcome=OK, ended=NOON - 60), links_of([row("a")])
    expected = Expectations({"a": found}.get, NOON)
    assert node(found, links, expected, NOON, BERLIN, soon=True).state is State.PENDING
    assert node(found, links, expected, NOON, BERLIN).state is State.SUCCEEDED
    alarm = row("a", outcome=OK, ended=NOON - 60, after=(Edge("b", On.FAILURE),))
    links = links_of([alarm, row("b")])
    assert node(alarm, links, expected, NOON, BERLIN, soon=True).line == "only on a failure"
    assert node(alarm, links, expected, NOON, BERLIN).line == "13:59"
    off = row("a", outcome=OK, ended=NOON - 60, enabled=False)
    assert node(off, links, expected, NOON, BERLIN, soon=True).state is State.SUCCEEDED
