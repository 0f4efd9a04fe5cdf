"""Where cards stand: below the title bar of a maximised window, inside the screen, below each other."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QMargins, QSize
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtWidgets import QVBoxLayout
from pytestqt.qtbot import QtBot

from desktopsched.ui import plain
from desktopsched.ui.alerts.card import Card
from desktopsched.ui.alerts.stack import MOST, Stack
from desktopsched.ui.look import Look


def card(look: Look) -> Card:
    made = Card(look, 10, "A card")
    QVBoxLayout(made).addWidget(plain.label("Something has happened"))
    return made


@pytest.fixture
def stack(look: Look) -> Iterator[Stack]:
    found = Stack(look)
    yield found
    found.close()


def test_cards_leave_the_close_button_of_a_maximised_window_free(
    qtbot: QtBot, look: Look, stack: Stack
) -> None:
    stack.put("a", lambda: card(look))
    free = QGuiApplication.primaryScreen().availableGeometry()
    shown = stack.cards["a"].geometry()
    assert free.contains(shown)
    assert shown.top() >= free.top() + look.px(36)
    assert free.right() - shown.right() == look.px(22)


def test_a_title_bar_that_is_higher_than_usual_is_left_free_too(
    qtbot: QtBot, look: Look, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QWindow, "frameMargins", lambda _window: QMargins(0, 80, 0, 0))
    window = QWindow()
    window.resize(QSize(200, 100))
    window.show()
    stack.put("a", lambda: card(look))
    top = QGuiApplication.primaryScreen().availableGeometry().top()
    assert stack.cards["a"].y() == top + 80 + look.px(12)
    window.close()


def test_cards_stand_below_each_other_and_the_rest_is_counted(qtbot: QtBot, look: Look, stack: Stack) -> None:
    for key in "abcde":
        stack.put(key, lambda: card(look))
    shown = list(stack.cards.values())
    assert len(shown) == MOST
    for upper, lower in pairwise(shown):
        assert lower.y() == upper.y() + upper.height() + look.px(12)
    assert stack._said.text() == "2 more"
    stack.drop("a")
    assert next(iter(stack.cards.values())).y() == shown[0].y()
    assert stack._said.text() == "1 more"
