"""Rows: what is known of tasks, whatever becomes of them."""

from desktopsched.model import Outcome, State
from desktopsched.ui.rows import Rows
from tests.ui.scenery import NOON, added, finished, run, started, task


def test_a_task_that_comes_back_has_its_last_runs_again() -> None:
    rows = Rows()
    rows.remember({})
    event = added(task("a"))
    rows.add(event.task, event.status)
    rows.follow(started(run("a", 1), NOON))
    rows.follow(finished(run("a", 1), Outcome(State.FAILED), NOON + 7))
    before = rows["a"]
    assert (before.last, len(before.bars)) == (7.0, 1)
    rows.remove("a")
    rows.add(event.task, event.status)
    assert (rows["a"].bars, rows["a"].last) == (before.bars, before.last)
