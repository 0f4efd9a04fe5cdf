"""Banners: one is seen at a time, and the others are a press away."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktopsched.model import State
from desktopsched.ui.banner import Answer, Banners, Notice
from desktopsched.ui.look import Look


def notice(headline: str, *answers: Answer) -> Notice:
    return Notice(icon="info", tone=State.PENDING, headline=headline, answers=answers)


def nothing() -> None:
    """What an answer does here."""


ONE, TWO, THREE = (notice(words, Answer(f"Answer {words}", nothing)) for words in ("One", "Two", "Three"))


@pytest.fixture
def banners(qtbot: QtBot, look: Look) -> Banners:
    found = Banners(look)
    found.setStyleSheet(look.sheet())
    qtbot.addWidget(found)
    found.resize(900, 40)
    return found


def seen(banners: Banners) -> list[str]:
    return [banner.accessibleName() for banner in banners.banners if banner.isVisible()]


def rest(banners: Banners) -> list[str]:
    return [banner.rest.text() for banner in banners.banners if banner.rest.isVisible()]


def test_the_first_is_seen_and_says_how_many_more_there_are(banners: Banners) -> None:
    banners.show_notices([ONE])
    assert (seen(banners), rest(banners)) == (["One"], [])
    banners.show_notices([ONE, TWO, THREE])
    assert (seen(banners), rest(banners)) == (["One"], ["2 more"])
    banners.show_notices([THREE])
    assert (seen(banners), rest(banners)) == (["Three"], [])


def test_enter_on_more_shows_all_and_goes_on_to_the_next_answer(qtbot: QtBot, banners: Banners) -> None:
    banners.show_notices([ONE, TWO, THREE])
    banners.activateWindow()
    qtbot.waitUntil(banners.isActiveWindow)
    QTest.keyClick(banners.banners[0].rest, Qt.Key.Key_Space)
    assert (seen(banners), rest(banners)) == (["One", "Two", "Three"], [])
    assert banners.focusWidget() is banners.banners[1].buttons[0]


def test_they_stay_unfolded_until_there_is_one(banners: Banners) -> None:
    banners.show_notices([ONE, TWO, THREE])
    banners.banners[0].rest.click()
    banners.show_notices([TWO, THREE])
    assert seen(banners) == ["Two", "Three"]
    banners.show_notices([THREE])
    banners.show_notices([ONE, THREE])
    assert (seen(banners), rest(banners)) == (["One"], ["1 more"])


def test_where_no_banner_has_an_answer_the_keyboard_goes_on_below_them(
    qtbot: QtBot, banners: Banners
) -> None:
    banners.show_notices([notice("The history cannot be written."), notice("It closes.")])
    with qtbot.waitSignal(banners.left):
        banners.banners[0].rest.click()


def test_words_without_room_end_in_an_ellipsis_and_are_whole_in_the_tool_tip(banners: Banners) -> None:
    words = "Tasks run only while it is open. You find this in the preferences too."
    banners.show_notices([Notice(icon="info", tone=State.PENDING, headline="One", more=words)])
    (banner,) = banners.banners
    banners.show()
    assert banner.more.shown == banner.more.text()
    whole = banner.more.grab().toImage()
    banners.resize(300, 40)
    assert banner.more.shown.endswith("…")
    assert banner.more.grab().toImage() != whole.copy(banner.more.rect())
    assert words in banner.more.toolTip()
