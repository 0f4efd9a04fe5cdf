"""What the menus of the main window lead to: small windows, preferences that are followed, and the menu of a link."""

from collections.abc import Callable
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from pytestqt.qtbot import QtBot

from desktopsched.model import Edge, On, Task
from desktopsched.model.errors import DesktopschedError
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import Preferences, Theme
from desktopsched.ui.diagnosis_window import DiagnosisWindow
from desktopsched.ui.preferences_window import PreferencesWindow
from tests.ui.test_keys import Keys, keys

__all__ = ["keys"]  # a fixture


@pytest.fixture(autouse=True)
def home_of_the_session(keys: Keys) -> None:
    """The windows look at real folders, which are empty."""
    keys.session.program.home = find_home()


def choose(keys: Keys, name: str) -> None:
    """A line of the main menu."""
    keys.window.menu.actions_by_name[name].trigger()


def shown_window(qtbot: QtBot, keys: Keys) -> QDialog:
    found = [one for one in keys.window.findChildren(QDialog) if one.isVisible()]
    assert len(found) == 1
    qtbot.waitUntil(found[0].isActiveWindow)
    return found[0]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("keys", "Keys"),
        ("preferences", "Preferences"),
        ("errors", "Errors of the program"),
        ("about", "About Desktopsched"),
    ],
)
def test_a_line_of_the_menu_opens_its_window_and_esc_closes_it(
    qtbot: QtBot, keys: Keys, name: str, title: str
) -> None:
    keys.session.is_open = True
    choose(keys, name)
    window = shown_window(qtbot, keys)
    assert window.windowTitle() == title
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_the_diagnosis_of_a_program_that_is_not_open_is_of_its_files(qtbot: QtBot, keys: Keys) -> None:
    choose(keys, "diagnosis")
    window = shown_window(qtbot, keys)
    assert isinstance(window, DiagnosisWindow)
    lines = window.view.toPlainText().splitlines()
    assert {"Task file", "History"} <= set(lines)
    assert "  Runs: none yet" in lines
    window.reject()


def test_preferences_that_are_not_read_yet_are_not_shown(keys: Keys) -> None:
    keys.session.is_open = False
    choose(keys, "preferences")
    assert not keys.window.findChildren(QDialog)


def test_preferences_that_are_saved_are_kept_and_followed(qtbot: QtBot, keys: Keys) -> None:
    kept: list[Preferences] = []
    window = preferences_of(qtbot, keys, kept.append)
    dark = Preferences(workers=2, theme=Theme.DARK)
    window.chosen.emit(dark)
    assert kept == [dark]
    assert keys.window._look.tokens.dark
    window.reject()


def test_preferences_that_cannot_be_kept_say_why_and_change_nothing(qtbot: QtBot, keys: Keys) -> None:
    def refuse(_preferences: Preferences) -> None:
        raise DesktopschedError("The folder cannot be written.")

    window = preferences_of(qtbot, keys, refuse)
    window.chosen.emit(Preferences(workers=2, theme=Theme.DARK))
    (banner,) = keys.window.bulletin.banners.banners
    assert "The folder cannot be written." in banner.accessibleName()
    assert not keys.window._look.tokens.dark
    window.reject()


def preferences_of(qtbot: QtBot, keys: Keys, keep: Callable[[Preferences], None]) -> PreferencesWindow:
    keys.session.is_open = True
    keys.session.program.choose = keep
    choose(keys, "preferences")
    return cast("PreferencesWindow", shown_window(qtbot, keys))


# --- a link ------------------------------------------------------------------------------------------------------


def link_menu(qtbot: QtBot, keys: Keys) -> QMenu:
    """The menu that a right click on the link from A to B opens."""
    view = keys.window.graph.view
    qtbot.waitUntil(lambda: view.graph is not None and ("a", "b") in view.graph.curves)
    assert view.graph is not None
    place = view.mapFromScene(view.graph.curves["a", "b"].path().pointAtPercent(0.5))
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, place, view.mapToGlobal(place)))
    found = QApplication.activePopupWidget()
    assert isinstance(found, QMenu)
    return found


def waits(keys: Keys) -> tuple[Edge, ...]:
    found: list[Task] = keys.session.program.task_list.tasks
    return next(one.waits_for for one in found if one.id == "b")


def pick(menu: QMenu, words: str) -> None:
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def test_the_menu_of_a_link_says_on_what_it_waits_changes_that_and_each_step_can_be_undone(
    qtbot: QtBot, keys: Keys
) -> None:
    menu = link_menu(qtbot, keys)
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["After success"]
    pick(menu, "After failure")
    assert waits(keys) == (Edge("a", On.FAILURE),)
    pick(link_menu(qtbot, keys), "Remove link")
    assert waits(keys) == ()
    for wanted in ((Edge("a", On.FAILURE),), (Edge("a"),)):
        keys.press("Ctrl+Z")
        assert waits(keys) == wanted


def test_a_link_that_is_gone_meanwhile_has_no_menu(keys: Keys) -> None:
    keys.window.editing.unlink("a", "b")
    keys.window.graph.link_menu_wanted.emit("a", "b", QPoint())
    assert QApplication.activePopupWidget() is None
