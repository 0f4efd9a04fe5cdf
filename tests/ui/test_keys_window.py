"""The list of keys: it names those that there are."""

import re
from collections.abc import Iterator

from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from desktopsched.ui.keys_window import EVERYWHERE, LIST, Key, KeysWindow, as_text
from desktopsched.ui.look import Look
from desktopsched.ui.wishes import Wish, items
from tests.ui.test_keys import Keys, keys

__all__ = ["keys"]  # a fixture


def known(listed: tuple[Key, ...]) -> set[str]:
    return {QKeySequence(one).toString() for key in listed for one in key.keys}


def shortcuts(of: Keys) -> Iterator[QKeySequence]:
    """All keys that the window hears wherever the focus is."""
    window = of.window
    yield from (
        action.shortcut() for action in window.findChildren(QAction) if not is_of_a_menu_alone(action)
    )
    yield from (shortcut.key() for shortcut in window.findChildren(QShortcut))
    yield from (button.shortcut() for button in window.findChildren(QAbstractButton))


def is_of_a_menu_alone(action: QAction) -> bool:
    return not action.associatedObjects()


def test_every_key_that_works_anywhere_in_the_window_is_listed_and_no_other(keys: Keys) -> None:
    assert {found.toString() for found in shortcuts(keys) if not found.isEmpty()} == known(EVERYWHERE)


def test_every_key_that_the_menu_of_a_task_shows_is_listed(keys: Keys) -> None:
    found = items(list(keys.window.model.rows.all())[:1])
    assert {QKeySequence(item.keys).toString() for item in found if item.keys} <= known(LIST) | known(
        EVERYWHERE
    )
    assert {item.wish for item in found} >= {Wish.EDIT, Wish.REMOVE}


def test_f1_shows_what_the_keys_do_and_esc_closes_it(qtbot: QtBot, keys: Keys) -> None:
    keys.window.table.setFocus()
    keys.press("F1")
    (window,) = keys.window.findChildren(KeysWindow)
    qtbot.waitUntil(window.isActiveWindow)
    lines = window.view.toPlainText().splitlines()
    assert lines[0] == "Anywhere in the window"
    assert any(line.split() == ["Ctrl+N", "New", "task"] for line in lines)
    keys.press("Esc")
    qtbot.waitUntil(lambda: not keys.window.findChildren(KeysWindow))


def test_the_words_stand_in_one_column(qtbot: QtBot, look: Look) -> None:
    window = KeysWindow(look)
    qtbot.addWidget(window)
    lines = [line for line in as_text().splitlines() if line.startswith("  ")]
    found = [re.match(r"  .+?  +", line) for line in lines]
    assert len({match.end() for match in found if match is not None}) == 1
    QTest.keyClicks(window.view, "A")
    assert window.view.toPlainText() == as_text()
