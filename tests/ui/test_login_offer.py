"""Start at login in the window: offered once, chosen in the preferences, kept by the system alone."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktopsched.model import StorageError
from desktopsched.storage.preferences import Preferences
from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.help import Help
from desktopsched.ui.login_offer import LoginOffer
from desktopsched.ui.look import Look
from desktopsched.ui.preferences_window import PreferencesWindow
from desktopsched.ui.summary import Summary
from tests.ui.scenery import NOON, FakeSession

DUE = Summary(tasks=1, next_due=NOON)


@pytest.fixture
def session(qtbot: QtBot, tmp_path: Path) -> FakeSession:
    return FakeSession(tmp_path)


@pytest.fixture
def offer(session: FakeSession, tmp_path: Path) -> LoginOffer:
    return LoginOffer(session.as_session, KeptFile(tmp_path))


def answer(offer: LoginOffer, number: int) -> None:
    (notice,) = offer.notices(DUE)
    notice.answers[number].act()


def test_it_is_offered_once_the_list_is_open_and_something_is_due(
    offer: LoginOffer, session: FakeSession
) -> None:
    assert offer.notices(DUE) == []
    session.opened.emit({})
    assert offer.notices(Summary(tasks=1)) == []
    (notice,) = offer.notices(DUE)
    assert notice.headline == "Start Desktopsched when you log in?"


@pytest.mark.parametrize(("number", "on"), [(0, True), (1, False)])
def test_after_an_answer_it_is_not_offered_again_nor_after_a_restart(
    offer: LoginOffer, session: FakeSession, tmp_path: Path, number: int, on: bool
) -> None:
    session.opened.emit({})
    answer(offer, number)
    assert session.login.on is on
    assert offer.notices(DUE) == []
    later = LoginOffer(session.as_session, KeptFile(tmp_path))
    session.login.on = False
    session.opened.emit({})
    assert later.notices(DUE) == []


def test_it_is_not_offered_where_it_is_on_or_cannot_be(offer: LoginOffer, session: FakeSession) -> None:
    session.login.on = True
    session.opened.emit({})
    assert offer.notices(DUE) == []
    session.login.on, session.login.possible = False, False
    session.opened.emit({})
    assert offer.notices(DUE) == []


def test_what_could_not_be_done_is_said(qtbot: QtBot, offer: LoginOffer, session: FakeSession) -> None:
    session.login.refusal = StorageError("Cannot make the folder.")
    session.opened.emit({})
    with qtbot.waitSignal(offer.failed) as failed:
        answer(offer, 0)
    assert failed.args == ["Cannot make the folder."]


# --- the preferences ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("on", [True, False])
def test_the_preferences_show_what_the_system_has_and_say_only_what_was_changed(
    qtbot: QtBot, look: Look, on: bool
) -> None:
    window = PreferencesWindow(look, Preferences(workers=4), at_login=on)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    said: list[bool] = []
    window.login_chosen.connect(said.append)
    assert window.login is not None
    assert window.login.isChecked() is on
    window.save()
    assert said == []
    QTest.mouseClick(window.login, Qt.MouseButton.LeftButton)
    window.save()
    assert said == [not on]


def test_where_the_system_cannot_be_told_the_preferences_do_not_speak_of_it(qtbot: QtBot, look: Look) -> None:
    window = PreferencesWindow(look, Preferences(workers=4))
    qtbot.addWidget(window)
    assert window.login is None
    assert "Login" not in window.sections


def test_what_is_chosen_in_the_preferences_is_told_to_the_system(
    qtbot: QtBot, session: FakeSession, look: Look
) -> None:
    parent = PreferencesWindow(look, Preferences(workers=4))  # any window
    qtbot.addWidget(parent)
    help_ = Help(look, session.as_session, parent)
    session.is_open = True
    help_.show_preferences()
    (dialog,) = parent.findChildren(PreferencesWindow)
    dialog.login_chosen.emit(True)
    assert session.login.on
    dialog.reject()
