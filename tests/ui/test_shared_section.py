"""The section "Shared list" of the preferences: addresses, passwords, and the test of the connection."""

from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktopsched.storage.preferences import Preferences
from desktopsched.ui.background import Background
from desktopsched.ui.look import Look
from desktopsched.ui.preferences_window import PreferencesWindow
from tests.ui.scenery import FakeBench

SHARED = Preferences(
    workers=4,
    shared_list="postgresql://desk@db/sched",
    shared_list_secret="shared list theirs",
    computer="desk-1",
)


class Opening:
    """A window that tests connections on a thread, and what it said."""

    def __init__(self, qtbot: QtBot | None, look: Look, preferences: Preferences) -> None:
        """`qtbot` closes the window after the test; None: the test does."""
        self.bench, self.background, self.told = FakeBench(), Background(), list[Preferences]()
        self.window = PreferencesWindow(look, preferences, bench=self.bench, worker=self.background)
        self.window.chosen.connect(self.told.append)
        if qtbot is not None:
            qtbot.addWidget(self.window)
        self.window.show()

    def write(self, name: str, text: str) -> None:
        """As a person does: over what is there, and on to the next field."""
        edit = self.window.boxes[name].edit
        edit.selectAll()
        QTest.keyClicks(edit, text) if text else QTest.keyClick(edit, Qt.Key.Key_Delete)
        edit.editingFinished.emit()

    def text(self, name: str) -> str:
        return self.window.boxes[name].edit.text()


@pytest.fixture
def first(qtbot: QtBot, look: Look) -> "Opening":
    return Opening(qtbot, look, Preferences(workers=4))


def test_an_address_that_is_pasted_with_its_password_is_split_and_the_password_is_dots(
    first: Opening,
) -> None:
    first.write("shared_list", "redis://:s3cret@db/0")
    assert first.text("shared_list") == "redis://db/0"
    assert first.text("shared_list_secret") == "s3cret"
    assert first.window.password.edit.echoMode() is QLineEdit.EchoMode.Password


def test_the_password_goes_into_the_keychain_before_anything_is_saved(first: Opening) -> None:
    first.write("shared_list", "redis://:s3cret@db/0")
    first.window.save()
    name = "shared list redis://db/0"
    assert first.bench.stored == [{name: "s3cret"}]
    assert first.told == []
    assert not first.window.foot.save.isEnabled()
    first.bench.done()
    assert first.told == [Preferences(workers=4, shared_list="redis://db/0", shared_list_secret=name)]
    assert not first.window.isVisible()


def test_a_keychain_that_refuses_keeps_the_window_open_with_all_that_was_typed(first: Opening) -> None:
    first.write("shared_list", "redis://:s3cret@db/0")
    first.window.save()
    first.bench.failed("This computer has no keychain that can be used.")
    assert (
        first.window.fields["shared_list_secret"]
        .row.problem.text()
        .startswith("This computer has no keychain")
    )
    assert first.text("shared_list_secret") == "s3cret"
    assert first.window.foot.save.isEnabled()
    assert first.told == []
    first.window.save()
    assert len(first.bench.stored) == 2


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("shared_list", "db.example.org", "It begins with one of"),
        ("shared_list", "postgresql:///x", "Name the server"),
        ("list_id", "My list", "Use 1 to 64"),
        ("list_id", "", "Use 1 to 64"),
    ],
)
def test_what_is_wrong_with_it_is_said_below_it(first: Opening, name: str, text: str, words: str) -> None:
    first.write(name, text)
    assert words in first.window.fields[name].row.problem.text()
    assert first.window.foot.link.text() == "1 thing to fix: Shared list"
    assert not first.window.shared.test.isEnabled()


def test_what_the_keychain_has_is_never_shown_and_stays_as_long_as_the_address(
    qtbot: QtBot, look: Look
) -> None:
    again = Opening(qtbot, look, SHARED)
    assert again.text("shared_list_secret") == ""
    assert again.window.password.edit.placeholderText() == "In the keychain"
    again.write("computer", "desk-7")
    again.window.save()
    assert again.told == [structs.replace(SHARED, computer="desk-7")]
    assert again.bench.stored == []


def test_another_address_has_none_of_the_old_ones_password(qtbot: QtBot, look: Look) -> None:
    again = Opening(qtbot, look, SHARED)
    again.write("shared_list", "postgresql://desk@elsewhere/sched")
    assert again.window.password.edit.placeholderText() == "None"
    again.window.save()
    assert again.told[0].shared_list_secret == ""


def test_an_empty_address_shares_nothing_any_more(qtbot: QtBot, look: Look) -> None:
    again = Opening(qtbot, look, SHARED)
    again.write("shared_list", "")
    again.window.save()
    assert again.told == [structs.replace(SHARED, shared_list="", shared_list_secret="")]


def test_the_connection_is_tested_off_the_ui_thread_and_says_what_is_promised(
    qtbot: QtBot, first: Opening, tmp_path: Path
) -> None:
    shared = first.window.shared
    assert not shared.test.isEnabled()
    first.write("shared_list", f"sqlite:///{tmp_path / 'claims.db'}")
    assert shared.test.isEnabled()
    shared.test.click()
    assert shared.result.text().startswith("Asks the server.")
    qtbot.waitUntil(lambda: "It answers." in shared.result.text(), timeout=60_000)
    assert "at most once on all computers together" in shared.result.text()
    assert "A question takes" in shared.result.text()
    assert not shared.sign.pixmap().isNull()
    first.write("shared_list", f"sqlite:///{tmp_path / 'other.db'}")
    assert shared.result.isHidden()
    first.background.close()


def test_an_answer_for_an_address_that_is_not_written_any_more_is_not_shown(
    qtbot: QtBot, first: Opening, tmp_path: Path
) -> None:
    shared = first.window.shared
    first.write("shared_list", f"sqlite:///{tmp_path / 'claims.db'}")
    shared.test.click()
    first.write("shared_list", "redis://db/0")
    answered: list[None] = []
    first.background.do(lambda: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    assert shared.result.isHidden()
    first.background.close()


def test_the_button_keeps_the_focus_while_the_server_is_asked_and_asks_once(
    qtbot: QtBot, first: Opening, tmp_path: Path
) -> None:
    shared, asked = first.window.shared, list[object]()
    with qtbot.waitActive(first.window):
        first.window.activateWindow()
    first.write("shared_list", f"sqlite:///{tmp_path / 'claims.db'}")
    shared.test.setFocus()
    shared._worker = type("Worker", (), {"do": lambda _self, *given: asked.append(given)})()
    shared.test.click()
    shared.test.click()
    assert shared.test.hasFocus()
    assert len(asked) == 1
    first.write("shared_list", "redis://db/0")
    shared.test.click()
    assert len(asked) == 2
    first.background.close()


def test_a_window_that_was_closed_hears_no_answer(qtbot: QtBot, look: Look, tmp_path: Path) -> None:
    closed = Opening(None, look, Preferences())
    closed.write("shared_list", f"sqlite:///{tmp_path / 'claims.db'}")
    closed.window.shared.test.click()
    closed.window.reject()
    closed.window.deleteLater()
    qtbot.waitUntil(lambda: not isValid(closed.window))
    answered: list[None] = []
    closed.background.do(lambda: None, answered.append)
    qtbot.waitUntil(lambda: bool(answered))
    closed.background.close()
