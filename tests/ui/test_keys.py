"""The keys of the main window, in the order of the table in the design; each from wherever the focus may be."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QContextMenuEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import Edge, State
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from tests.ui.scenery import BERLIN, NOON, FakeSession, added, output, run, started, status, task


class Keys:
    """A window with three tasks, of which the first runs and is selected, and the keys of a keyboard."""

    def __init__(self, qtbot: QtBot, look: Look, folder: Path) -> None:
        self._qtbot = qtbot
        self.session = FakeSession(folder)
        self.window = MainWindow(self.session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
        qtbot.addWidget(self.window, before_close_func=lambda one: setattr(one, "phase", Phase.CLOSED))
        tasks = (task("a", group="One"), task("b", waits_for=(Edge("a"),)), task("c"))
        self.session.program.task_list.tasks[:] = tasks
        self.session.bridge.arrived.emit([added(one, status(due=NOON + 60)) for one in tasks])
        self.session.opened.emit({})
        self.session.bridge.arrived.emit([started(run("a")), output(run("a"), "one two\nthree two\n")])
        self.window.resize(1_240, 760)  # graph and log beside each other
        self.window.show()
        self.come_back()
        self.window.sight.go_to("a")
        qtbot.waitUntil(lambda: "three two" in self.window.log.view.toPlainText())

    def come_back(self) -> None:
        """From another window."""
        self.window.activateWindow()
        self._qtbot.waitUntil(self.window.isActiveWindow)

    def places(self) -> dict[str, QWidget]:
        window = self.window
        return {
            "table": window.table,
            "sidebar": window.sidebar.views,
            "graph": window.graph.view,
            "log": window.log.view,
            "tool bar": window.tools.buttons["new"],
        }

    def press(self, keys: str) -> None:
        """To what has the focus, as a keyboard does."""
        QTest.keySequence(self.focus, QKeySequence(keys))

    @property
    def focus(self) -> QWidget:
        found = QApplication.focusWidget()
        assert found is not None
        return found

    @property
    def asked(self) -> list[tuple[object, ...]]:
        return self.session.commands.asked

    @property
    def forms(self) -> list[str]:
        """The titles of those that are open, once they are made."""
        found = self.window.findChildren(TaskForm)
        for form in found:
            form.finish()
        self._qtbot.waitUntil(lambda: all(form.isVisible() for form in found))
        return [form.windowTitle() for form in found]


@pytest.fixture
def keys(qtbot: QtBot, look: Look, tmp_path: Path) -> Iterator[Keys]:
    found = Keys(qtbot, look, tmp_path)
    yield found
    for form in found.window.findChildren(TaskForm):
        form.done(0)


def text_of_search(keys: Keys) -> object:
    return keys.focus is keys.window.search


def text_of_find(keys: Keys) -> object:
    return keys.focus is keys.window.log.head.field


EVERYWHERE: list[tuple[str, Callable[[Keys], object], object]] = [
    ("Ctrl+N", lambda keys: keys.forms, ["New task"]),
    ("Ctrl+E", lambda keys: keys.forms, ["Edit task: A"]),
    ("F5", lambda keys: keys.asked, [("run", "a")]),
    ("Shift+F5", lambda keys: keys.asked, [("run after", "a")]),
    ("Shift+Esc", lambda keys: keys.asked, [("stop", "a")]),
    ("Ctrl+P", lambda keys: keys.asked, [("pause", True)]),
    ("Ctrl+F", text_of_search, True),
    ("Ctrl+L", text_of_find, True),
]


@pytest.mark.parametrize("place", ["table", "sidebar", "graph", "log", "tool bar"])
@pytest.mark.parametrize(("pressed", "seen", "wanted"), EVERYWHERE, ids=[row[0] for row in EVERYWHERE])
def test_a_key_of_the_window_works_wherever_the_focus_is(
    keys: Keys, place: str, pressed: str, seen: Callable[[Keys], object], wanted: object
) -> None:
    keys.places()[place].setFocus()
    keys.press(pressed)
    assert seen(keys) == wanted


@pytest.mark.parametrize("place", ["table", "sidebar", "graph", "log", "tool bar"])
def test_ctrl_z_takes_back_the_last_step_wherever_the_focus_is_and_ctrl_shift_z_does_it_again(
    keys: Keys, place: str
) -> None:
    keys.window.editing.remove(["c"])
    keys.places()[place].setFocus()
    keys.press("Ctrl+Z")
    assert [one.id for one in keys.session.program.task_list.tasks] == ["a", "b", "c"]
    keys.press("Ctrl+Shift+Z")
    assert [one.id for one in keys.session.program.task_list.tasks] == ["a", "b"]


IN_READING_ORDER = [
    *("New task", "Edit", "Run now", "Other ways to run", "Stop", "Pause all", "Search tasks", "Menu"),
    *("Views", "New group", "Groups", "Next up"),
    "Tasks",
    *("What is shown", "Smaller", "As drawn, 100 %", "Larger", "Show all of it", "Dependencies"),
    *("Shown in the log: All running tasks", "Find in log", "Follow", "Wrap long lines", "More", "Live log"),
]


def test_tab_goes_through_everything_in_reading_order_and_back(keys: Keys) -> None:
    keys.window.tools.buttons["new"].setFocus()
    there = []
    for _ in IN_READING_ORDER:
        there.append(name_of(keys.focus))
        keys.press("Tab")
    assert there == IN_READING_ORDER
    assert keys.focus is keys.window.tools.buttons["new"]
    back = []
    for _ in IN_READING_ORDER:
        keys.press("Shift+Tab")
        back.append(name_of(keys.focus))
    assert back == IN_READING_ORDER[::-1]


def name_of(widget: QWidget) -> str:
    """As a screen reader says it."""
    found = QAccessible.queryAccessibleInterface(widget)
    return found.text(QAccessible.Text.Name)


def test_f6_leads_through_all_parts_and_back(keys: Keys) -> None:
    parts, places = keys.places(), ["table", "graph", "log", "tool bar", "sidebar", "table"]
    parts["table"].setFocus()
    for before, after in pairwise(places):
        assert keys.focus is parts[before]
        keys.press("F6")
        assert keys.focus is parts[after], after
    for place in reversed(places[:-1]):
        keys.press("Shift+F6")
        assert keys.focus is parts[place], place


def test_in_the_table_enter_edits_space_shows_the_log_and_del_removes_with_undo(keys: Keys) -> None:
    keys.window.table.setFocus()
    keys.press("Space")
    assert keys.window.log.source.task_id == "a"
    keys.press("Return")
    assert keys.forms == ["Edit task: A"]
    keys.window.findChildren(TaskForm)[0].reject()
    keys.come_back()
    keys.window.sight.go_to("c")
    keys.window.table.setFocus()
    keys.press("Del")
    assert [one.id for one in keys.session.program.task_list.tasks] == ["a", "b"]
    (banner,) = keys.window.bulletin.banners.banners
    assert banner.accessibleName().startswith("Removed C.")
    banner.buttons[0].setFocus()
    keys.press("Return")
    assert [one.id for one in keys.session.program.task_list.tasks] == ["a", "b", "c"]


def test_f3_leads_to_the_next_hit_from_the_table_too(keys: Keys) -> None:
    keys.press("Ctrl+L")
    QTest.keyClicks(keys.window.log.head.field, "two")
    keys.window.table.setFocus()
    said = [keys.window.log.head.count.text()]
    for pressed in ("F3", "Shift+F3"):
        keys.press(pressed)
        said.append(keys.window.log.head.count.text())
    assert said == ["1 of 2", "2 of 2", "1 of 2"]


def test_arrows_in_the_graph_walk_along_the_links_and_enter_edits(keys: Keys) -> None:
    keys.window.graph.view.setFocus()
    keys.press("Right")
    assert keys.window.table.selected_tasks() == ["b"]
    keys.press("Return")
    assert keys.forms == ["Edit task: B"]


def test_the_menu_key_opens_the_menu_of_what_is_selected(qtbot: QtBot, keys: Keys) -> None:
    table = keys.window.table
    table.setFocus()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), table.mapToGlobal(QPoint(0, 0))
    )
    QApplication.sendEvent(table, event)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Why?" in [action.text() for action in menu.actions()]
    menu.close()


@pytest.mark.parametrize(("place", "offered"), [("table", "Why?"), ("graph", "Why?"), ("log", "Select All")])
def test_shift_f10_opens_the_menu_of_what_has_the_focus(
    qtbot: QtBot, keys: Keys, place: str, offered: str
) -> None:
    keys.places()[place].setFocus()
    keys.press("Shift+F10")
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert any(offered in action.text().replace("&", "") for action in menu.actions())
    menu.close()


def test_a_key_for_nothing_that_is_selected_does_nothing(keys: Keys) -> None:
    keys.window.table.clearSelection()
    keys.window.table.setFocus()
    for pressed in ("F5", "Shift+F5", "Shift+Esc", "Ctrl+E", "Del", "Space"):
        keys.press(pressed)
    assert keys.asked == []
    assert keys.window.findChildren(TaskForm) == []
    assert State.RUNNING in {row.state for row in keys.window.model.rows.all()}
