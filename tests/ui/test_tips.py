"""Tool tips: what the pointer is told where it rests, as plain text."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import Cause, Cron, Every, State
from desktopsched.ui import row
from desktopsched.ui.cell_delegates import NameDelegate
from desktopsched.ui.due_tip import due_tip
from desktopsched.ui.look import Look
from desktopsched.ui.roles import Column
from desktopsched.ui.row import Row
from desktopsched.ui.strip import Bar
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_table import TaskTable
from tests.ui.scenery import BERLIN, MARKUP, NOON, added, past, status, task
from tests.ui.test_keys import Keys, keys

__all__ = ["keys"]  # a fixture


@pytest.fixture(autouse=True)
def no_tip_left() -> Iterator[None]:
    """A tip is a window of its own."""
    yield
    QToolTip.hideText()
    QApplication.processEvents()


def tip_at(view: QWidget, place: QPoint) -> str:
    """Once the pointer has rested there."""
    QToolTip.hideText()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    return QToolTip.text()


@pytest.fixture
def table(qtbot: QtBot, look: Look) -> TaskTable:
    """One task, which is due in four minutes and ran three times."""
    model = TaskModel(lambda: NOON, lambda: BERLIN)
    found = TaskTable(model, look)
    qtbot.addWidget(found)
    found.resize(1_300, 300)
    with qtbot.waitExposed(found):
        found.show()
    one = task("a", MARKUP, schedule=Cron("*/4 * * * *"))
    model.apply([added(one, status(due=NOON + 240))])
    model.remember({"a": past(60.0, 50.0, 70.0)})
    return found


def test_a_cell_a_quick_button_and_a_bar_each_have_their_own(table: TaskTable) -> None:
    index = table.model().index(1, 0)

    def middle(column: Column) -> QPoint:
        return table.visualRect(index.siblingAtColumn(column)).center()

    viewport = table.viewport()
    assert "Friday 23 October 2026, 14:04" in tip_at(viewport, middle(Column.NEXT))
    assert "from cron */4 * * * *" in tip_at(viewport, middle(Column.NEXT))
    name = tip_at(viewport, middle(Column.NAME) - QPoint(40, 0))
    assert "<img" not in name
    assert "&lt;b&gt;x" in name
    strip = table.visualRect(index.siblingAtColumn(Column.STRIP))
    newest = QPoint(strip.left() + 10 + 19 * 6 + 1, strip.center().y())
    assert "Run -1: succeeded" in tip_at(viewport, newest)
    assert "took 1 min" in tip_at(viewport, newest)


def test_a_quick_button_says_what_it_does(table: TaskTable) -> None:
    delegate = table.itemDelegateForColumn(Column.NAME)
    assert isinstance(delegate, NameDelegate)
    cell = table.visualRect(table.model().index(1, Column.NAME))
    said = {
        tip_at(table.viewport(), QPoint(x, cell.center().y()))
        for x in range(cell.right() - 90, cell.right(), 6)
    }
    assert {"Run now", "Edit", "More"} <= {words.partition(" (")[0] for words in said}


def test_a_node_of_the_graph_says_all_of_it(qtbot: QtBot, keys: Keys) -> None:
    view = keys.window.graph.view
    qtbot.waitUntil(lambda: view.graph is not None and "a" in view.graph.nodes)
    assert view.graph is not None
    node = view.graph.nodes["a"]
    place = view.mapFromScene(node.sceneBoundingRect().center())
    assert "A" in tip_at(view.viewport(), place)
    tip_at(view.viewport(), QPoint(view.viewport().width() - 3, 3))
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


# --- the words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        (
            {"schedule": Cron("*/4 * * * *"), "timezone": "Asia/Tokyo"},
            ["in 4 min, from cron */4 * * * *", "Fri 21:04 in Asia/Tokyo", "Then 14:08, and 14:12"],
        ),
        (
            {"schedule": Every(interval=60.0), "random_delay": 5.0},
            ["in 4 min, every 1 min, with a random delay"],
        ),
        ({"schedule": None}, ["in 4 min"]),
    ],
)
def test_a_next_run_says_when_in_full_why_and_what_follows(more: dict[str, Any], lines: list[str]) -> None:
    one = Row(task=task("a", **more), status=status(due=NOON + 240), schedule="", schedule_icon="")
    first, *rest = due_tip(one, NOON, BERLIN).splitlines()
    assert first == "Friday 23 October 2026, 14:04 CEST"
    assert rest == lines


@pytest.mark.parametrize(
    ("bar", "words"),
    [
        (Bar(run=0, state=State.RUNNING), "Running now"),
        (Bar(run=7, state=State.SKIPPED, reason="Dump failed"), "Run 7: skipped\nDump failed"),
        (
            Bar(run=8, state=State.SUCCEEDED, seconds=0.25, ended=NOON, cause=Cause.CATCH_UP),
            "Run 8: succeeded, 14:00, took 0.2 s, catch-up",
        ),
    ],
)
def test_a_bar_says_what_became_of_its_run(bar: Bar, words: str) -> None:
    assert row.bar_words(bar, NOON, BERLIN) == words
