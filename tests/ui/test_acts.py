from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Edge, Outcome, Script, State, Task
from desktopsched.ui.arguments import ArgumentsDialog
from desktopsched.ui.following import following
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.rows import Rows
from desktopsched.ui.wishes import Wish
from tests.ui.scenery import MARKUP, FakeSession, added, finished, run, status, task


def opens(session: FakeSession, *tasks: Task) -> None:
    session.bridge.arrived.emit([added(one) for one in tasks])
    session.opened.emit({})


def waiting(child: str, *parents: str, enabled: bool = True) -> Task:
    return task(child, waits_for=tuple(Edge(parent) for parent in parents), enabled=enabled)


def ways(window: MainWindow) -> list[tuple[str, bool]]:
    window.tools.run_button.arrow.click()
    window.tools.run_button.menu.close()
    actions = window.tools.run_button.menu.actions()
    return [(action.text(), action.isEnabled()) for action in actions if not action.isSeparator()]


def press_way(window: MainWindow, words: str) -> None:
    window.tools.run_button.menu.aboutToShow.emit()
    next(action for action in window.tools.run_button.menu.actions() if action.text() == words).trigger()


def test_what_follows_is_enabled_and_the_nearest_is_first() -> None:
    rows = Rows()
    for one in (
        task("a"),
        waiting("c", "b"),
        waiting("b", "a"),
        waiting("off", "a", enabled=False),
        waiting("d", "off"),
    ):
        rows.add(one, status())
    assert following(["a"], rows.all()) == ["b", "c"]
    assert following(["a", "b"], rows.all()) == ["c"]
    assert following(["d"], rows.all()) == []


def test_the_menu_of_run_now_offers_what_makes_sense(window: MainWindow, session: FakeSession) -> None:
    opens(session, task("a"), waiting("b", "a"), task("script", action=Script(interpreter="sh", text="true")))
    window.table.select("a")
    assert ways(window) == [
        ("Run now", True),
        ("With everything after it", True),
        ("Retry the last failed run", False),
        ("With other arguments…", True),
    ]
    window.table.select("script")
    session.bridge.arrived.emit([finished(run("script"), Outcome(State.FAILED, "exit code 1", 1))])
    assert [enabled for _, enabled in ways(window)] == [True, False, True, False]
    reasons = [
        action.toolTip() for action in window.tools.run_button.menu.actions() if not action.isEnabled()
    ]
    assert "Nothing waits for this" in reasons
    assert "Only a command has arguments" in reasons


def test_of_the_selected_tasks_those_that_failed_are_retried(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, task("a"), task("b"))
    session.bridge.arrived.emit([finished(run("b"), Outcome(State.FAILED, "exit code 1", 1))])
    window.table.selectAll()
    press_way(window, "Retry the last failed run")
    assert session.commands.asked == [("run", "b")]


def test_a_few_followers_are_started_without_asking(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, task("a"), *(waiting(child, "a") for child in "bcd"))
    window.table.select("a")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window.table, Qt.Key.Key_F5, Qt.KeyboardModifier.ShiftModifier)
    assert session.commands.asked == [("run after", "a")]


def test_more_followers_are_named_first(window: MainWindow, session: FakeSession) -> None:
    opens(session, task("a", "Dump"), *(waiting(child, "a") for child in "bcde"))
    window.table.select("a")
    press_way(window, "With everything after it")
    box = window.acts.question
    assert box is not None
    assert box.text() == "Run Dump, and then everything after it?"
    assert box.informativeText() == "4 tasks would follow: B, C, D and 1 more."
    assert box.detailedText() == "B\nC\nD\nE"
    window.acts.carry_out(Wish.RUN_AFTER)
    assert len(window.findChildren(QMessageBox)) == 1
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert session.commands.asked == []
    window.acts.carry_out(Wish.RUN_AFTER)
    box = window.acts.question
    assert box is not None
    next(button for button in box.buttons() if button.text() == "Run 5 tasks").click()
    assert session.commands.asked == [("run after", "a")]


def arguments(window: MainWindow) -> ArgumentsDialog:
    press_way(window, "With other arguments…")
    return window.findChildren(ArgumentsDialog)[-1]


def test_a_command_runs_once_with_other_arguments(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    command = Command(argv=("tar", "-c", "a folder"), timeout=60)
    opens(session, task("a", MARKUP, action=command))
    window.table.select("a")
    dialog = arguments(window)
    assert dialog.line.edit.text() == "tar -c 'a folder'"
    dialog.line.edit.selectAll()
    QTest.keyClicks(dialog.line.edit, "tar -c 'other")
    assert not dialog.run.isEnabled()
    assert "quotation mark" in dialog.problem.text()
    QTest.keyClicks(dialog.line.edit, " folder'")
    assert dialog.problem.isHidden()
    QTest.keyClick(dialog.line.edit, Qt.Key.Key_Return)
    wanted = Command(argv=("tar", "-c", "other folder"), timeout=60)
    assert session.commands.asked == [("run instead", "a", wanted)]
    assert not dialog.isVisible()


def test_a_line_for_the_shell_stays_one_and_nothing_is_run_on_cancel(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, task("a", action=Command(shell="echo $HOME | wc")))
    window.table.select("a")
    dialog = arguments(window)
    assert dialog.line.edit.text() == "echo $HOME | wc"
    assert dialog.command() == Command(shell="echo $HOME | wc")
    dialog.line.edit.clear()
    dialog.line.edited.emit()
    assert dialog.problem.text() == "Write what is to be run."
    dialog.reject()
    assert session.commands.asked == []


def test_f6_goes_from_part_to_part_and_back(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    window.resize(1_400, 900)
    opens(session, task("a"))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.table.setFocus()
    visited = []
    for _ in range(5):
        window.panes.go(1)
        visited.append(window.focusWidget())
    new = window.tools.buttons["new"]
    assert visited == [window.graph.view, window.log.view, new, window.sidebar.views, window.table]
    window.panes.go(-1)
    assert window.focusWidget() is window.sidebar.views


def test_alt_alone_opens_the_menu_and_alt_with_another_key_does_not(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, task("a"))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    menu = window.menu.menu()
    opened: list[bool] = []
    menu.aboutToShow.connect(lambda: opened.append(True))
    menu.aboutToShow.connect(lambda: QTimer.singleShot(0, menu.close))
    handle = window.windowHandle()
    QTest.keyPress(handle, Qt.Key.Key_Alt)
    QTest.keyClick(handle, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyRelease(handle, Qt.Key.Key_Alt)
    assert opened == []
    QTest.keyPress(handle, Qt.Key.Key_Alt)
    QTest.keyRelease(handle, Qt.Key.Key_Alt)
    assert opened == [True]
