"""Enter presses the button that has the ring: in every window, and before a button that is primary."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import Command
from desktopsched.model.document import Document, Entry
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import Preferences, Theme
from desktopsched.ui import plain
from desktopsched.ui.about_window import AboutWindow
from desktopsched.ui.alerts.failure_card import FailureCard
from desktopsched.ui.alerts.failures import Failing
from desktopsched.ui.arguments import ArgumentsDialog
from desktopsched.ui.catch_up.dialog import CatchUpDialog
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.importing.list_review import ListReview
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from desktopsched.ui.preferences_window import PreferencesWindow
from desktopsched.ui.text_window import TextWindow
from tests.ui.catch_up.test_choices import missed
from tests.ui.scenery import BERLIN, NOON, FakeBench, FakeSession, added, run, task


def preferences(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = PreferencesWindow(look, Preferences(workers=4))
    return window, window.foot.cancel, window.foot.save


def arguments(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = ArgumentsDialog(look, "Copy", Command(argv=("true",)))
    cancel = next(button for button in window.findChildren(QPushButton) if button.text() == "Cancel")
    return window, cancel, window.run


def missed_runs(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = CatchUpDialog(look, [missed("a", 3)], now=lambda: NOON, zone=lambda: BERLIN)
    return window, window.later_button, window.run_button


def text(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = TextWindow(look, "Diagnosis", "How it is", "Copy it.")
    window.show_text("All is well.")
    return window, window.copy, window.close_button


def about(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = AboutWindow(look, find_home())
    return window, window.copy, window.close_button


def task_list(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = ListReview(
        look, "friend.json", Document(entries=(Entry(place="tasks[0]", raw={}, task=task("a")),)), []
    )
    return window, window.none_button, window.run


def form(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    one = task("a")
    window = TaskForm(look, [one], one, lambda: NOON, lambda: BERLIN, bench=FakeBench())
    window.finish()
    return window, window.page.what.test, window.foot.save


def card(look: Look) -> tuple[QWidget, QPushButton, QPushButton | None]:
    window = FailureCard(
        look, Failing(task=task("a"), run=run("a"), reason="exit code 1", at=NOON, since=NOON), BERLIN
    )
    return window, window.log_button, None


@pytest.mark.parametrize("make", [preferences, arguments, missed_runs, text, about, task_list, form, card])
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_focused_button_once_and_no_other(
    qtbot: QtBot,
    look: Look,
    make: Callable[[Look], tuple[QWidget, QPushButton, QPushButton | None]],
    key: Qt.Key,
) -> None:
    window, button, primary = make(look)
    qtbot.addWidget(window)
    pressed: list[str] = []
    button.clicked.connect(lambda: pressed.append("focused"))
    if primary is not None:
        primary.clicked.connect(lambda: pressed.append("primary"))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    button.setFocus()
    keypad = Qt.KeyboardModifier.KeypadModifier if key is Qt.Key.Key_Enter else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(button, key, keypad)
    assert pressed == ["focused"]


def test_enter_in_a_field_of_the_form_presses_nothing_and_ctrl_enter_saves(qtbot: QtBot, look: Look) -> None:
    one = task("a")
    window = TaskForm(look, [one], one, lambda: NOON, lambda: BERLIN, bench=FakeBench())
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    name = window.page.general.name.edit
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert window.isVisible()
    assert window.page.trial.under_way is False
    window.foot.cancel.setFocus()
    with qtbot.waitSignal(window.saved):
        QTest.keyClick(window.foot.cancel, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_a_key_that_is_held_presses_once(qtbot: QtBot, look: Look) -> None:
    window, button, _ = text(look)
    qtbot.addWidget(window)
    pressed: list[str] = []
    button.clicked.connect(lambda: pressed.append("once"))
    window.show()
    button.setFocus()
    for again in (False, True, True):
        event = QKeyEvent(
            QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", again
        )
        QApplication.sendEvent(button, event)
    assert pressed == ["once"]


@pytest.fixture
def window(qtbot: QtBot, look: Look, tmp_path: Path) -> MainWindow:
    session = FakeSession(tmp_path)
    found = MainWindow(session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
    qtbot.addWidget(found, before_close_func=lambda one: setattr(one, "phase", Phase.CLOSED))
    session.program.task_list.tasks.append(task("a"))
    session.bridge.arrived.emit([added(task("a"))])
    session.opened.emit({})
    found.show()
    found.activateWindow()
    qtbot.waitUntil(found.isActiveWindow)
    return found


def test_enter_presses_the_buttons_of_banners_and_of_the_tool_bar(qtbot: QtBot, window: MainWindow) -> None:
    window.fail("The disk is full.")
    dismiss = window.bulletin.banners.banners[0].buttons[-1]
    dismiss.setFocus()
    QTest.keyClick(dismiss, Qt.Key.Key_Return)
    assert window.bulletin.banners.banners == []
    new = window.tools.buttons["new"]
    new.setFocus()
    QTest.keyClick(new, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(TaskForm)))
    window.findChildren(TaskForm)[0].done(0)


def close_shown(menu: QMenu, shown: list[bool]) -> None:
    """A menu that a button opens is waited for: close it, once it is there."""
    shown.append(menu.isVisible())
    menu.close()


def test_enter_opens_the_menu_that_a_button_has(window: MainWindow) -> None:
    for button in (
        window.graph.head.picker,
        window.log.head.picker,
        window.log.head.menu_button,
        window.menu,
    ):
        button.setFocus()
        shown: list[bool] = []
        QTimer.singleShot(0, button.menu(), partial(close_shown, button.menu(), shown))
        QTest.keyClick(button, Qt.Key.Key_Return)
        assert shown == [True], button.accessibleName()


@pytest.mark.parametrize("make", [preferences, arguments, missed_runs, form])
def test_a_primary_button_is_as_wide_with_the_focus_as_without_so_that_nothing_is_cut_later(
    qtbot: QtBot, look: Look, make: Callable[[Look], tuple[QWidget, QPushButton, QPushButton | None]]
) -> None:
    window, button, primary = make(look)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert primary is not None
    widths = []
    for one in (button, primary):
        one.setFocus()
        primary.setText("Words that are others, and longer")  # so it is measured anew
        widths.append(primary.sizeHint().width())
        primary.setText("")
    assert abs(widths[1] - widths[0]) <= 2


def test_the_link_to_the_environment_is_not_cut_when_the_focus_leaves_it(qtbot: QtBot, look: Look) -> None:
    window, _, _ = form(look)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert isinstance(window, TaskForm)
    link = window.page.what.environment.button
    before = link.width()
    link.setFocus()
    QTest.keyClick(link, Qt.Key.Key_Return)  # another chevron, and it is measured anew
    QApplication.sendPostedEvents()
    assert link.width() >= before


def test_a_question_keeps_its_focus_when_the_colours_change_so_that_enter_does_not_quit(
    qtbot: QtBot, look: Look
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.setStyleSheet(look.sheet())
    box = plain.box(parent, QMessageBox.Icon.Question, "Quit? 1 run would stop: Copy.", "As by hand.")
    box.addButton("Quit and stop", QMessageBox.ButtonRole.AcceptRole)
    cancel = box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancel)
    box.show()
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    look.set_theme(Theme.DARK)
    parent.setStyleSheet(look.sheet())
    qtbot.waitUntil(lambda: box.focusWidget() is cancel)
    QTest.keyClick(cancel, Qt.Key.Key_Return)
    assert box.clickedButton() is cancel
