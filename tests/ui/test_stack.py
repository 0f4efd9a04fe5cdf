"""Where cards stand: below the title bar of a maximised window, inside the screen, below each other."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout
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


def tall_card(look: Look, height: int) -> Card:
    made = card(look)
    made.fit = lambda: made.setFixedHeight(height)  # type: ignore[method-assign]
    return made


def room(look: Look) -> int:
    """Pixels below the top of the first card."""
    return QGuiApplication.primaryScreen().availableGeometry().height() - look.px(36) - look.px(12)


def test_no_card_leaves_a_small_screen_and_what_has_no_room_is_counted(
    qtbot: QtBot, look: Look, stack: Stack
) -> None:
    for key in "abc":
        stack.put(key, lambda: tall_card(look, room(look) // 3))
    free = QGuiApplication.primaryScreen().availableGeometry()
    assert list(stack.cards) == ["a", "b"]
    assert stack._said.text() == "1 more"
    more = stack._more
    assert more is not None
    assert free.contains(more.geometry())
    assert not more.geometry().intersects(stack.cards["b"].geometry())
    stack.drop("a")
    assert list(stack.cards) == ["b", "c"]
    assert all(free.contains(shown.geometry()) for shown in stack.cards.values())


def test_a_card_that_gets_more_to_say_sends_the_last_one_back_into_the_line(
    qtbot: QtBot, look: Look, stack: Stack
) -> None:
    high = [room(look) // 2 - 60]
    gone: list[str] = []

    def first() -> Card:
        made = card(look)
        made.fit = lambda: made.setFixedHeight(high[0])  # type: ignore[method-assign]
        return made

    def second() -> Card:
        made = tall_card(look, room(look) // 2 - 60)
        made.gone.connect(lambda: gone.append("b"))
        return made

    stack.put("a", first)
    stack.put("b", second)
    stack.put("c", lambda: tall_card(look, room(look) // 2))
    assert list(stack.cards) == ["a", "b"]
    high[0] += 100
    stack.settle()
    assert list(stack.cards) == ["a"]
    assert list(stack.waiting) == ["b", "c"]
    assert not gone, "nobody has answered it"
    stack.drop("a")
    assert next(iter(stack.cards)) == "b"


def test_a_card_higher_than_the_room_below_a_title_bar_is_seen_whole(
    qtbot: QtBot, look: Look, stack: Stack
) -> None:
    free = QGuiApplication.primaryScreen().availableGeometry()
    stack.put("a", lambda: tall_card(look, room(look) + 10))
    assert free.contains(stack.cards["a"].geometry())


def test_the_second_half_of_a_double_click_answers_no_card_that_moved_up(
    qtbot: QtBot, look: Look, stack: Stack
) -> None:
    high = [100]

    def with_button() -> Card:
        made = tall_card(look, high[0])
        button = QPushButton("Done")
        button.clicked.connect(made.leave)
        made.layout().addWidget(button)  # type: ignore[union-attr]
        return made

    for key in "ab":
        stack.put(key, with_button)
    first, second = (shown.findChildren(QPushButton)[0] for shown in stack.cards.values())
    moved = stack.cards["b"]
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    assert list(stack.cards) == ["b"], "nobody has read it"
    qtbot.waitUntil(lambda: not moved.rest.isActive())
    high[0] = room(look) - 10
    stack.put("c", with_button)
    assert list(stack.waiting) == ["c"]
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)
    QTest.mouseClick(stack.cards["c"].findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert list(stack.cards) == ["c"], "it came to where the other one was"
