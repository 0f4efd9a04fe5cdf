"""Preferences, About, and the program's own errors."""

import logging
import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialogButtonBox, QLineEdit
from pytestqt.qtbot import QtBot

from desktopsched.program import Program
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import TABLE, Preferences, PreferencesFile, Theme
from desktopsched.ui.about_window import AboutWindow
from desktopsched.ui.errors_window import ErrorLog, ErrorsWindow
from desktopsched.ui.look import Look
from desktopsched.ui.preferences_window import PreferencesWindow


@pytest.fixture
def window(qtbot: QtBot, look: Look) -> PreferencesWindow:
    found = PreferencesWindow(look, Preferences(workers=4))
    qtbot.addWidget(found)
    found.show()
    return found


def save_button(window: PreferencesWindow) -> object:
    return window.buttons.button(QDialogButtonBox.StandardButton.Save)


def line(window: PreferencesWindow, name: str) -> QLineEdit:
    editor = window.rows[name].editor
    assert isinstance(editor, QLineEdit)
    return editor


def test_every_preference_of_the_table_has_a_row(window: PreferencesWindow) -> None:
    assert list(window.rows) == [row.field.name for row in TABLE]
    assert all(row.editor.accessibleName() for row in window.rows.values())


def test_what_is_chosen_is_told(qtbot: QtBot, window: PreferencesWindow) -> None:
    line(window, "workers").setText("7")
    line(window, "log_age").setText("2d")
    theme, trust = window.rows["theme"].editor, window.rows["trust_edits"].editor
    assert isinstance(theme, QComboBox)
    assert isinstance(trust, QCheckBox)
    theme.setCurrentIndex(2)
    trust.setChecked(False)
    with qtbot.waitSignal(window.chosen) as chosen:
        window.buttons.accepted.emit()
    assert chosen.args == [Preferences(workers=7, log_age=2 * 86_400.0, theme=Theme.DARK, trust_edits=False)]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("workers", "0", "1"),
        ("workers", "many", "whole number"),
        ("log_age", "soon", "duration"),
        ("workers", "", "number"),
    ],
)
def test_what_is_wrong_is_said_beside_it_and_save_waits(
    window: PreferencesWindow, name: str, text: str, words: str
) -> None:
    line(window, name).setText(text)
    assert words in window.rows[name].problem.text()
    assert window.rows[name].problem.isVisible()
    assert not save_button(window).isEnabled()  # type: ignore[attr-defined]
    line(window, name).setText("5" if name == "workers" else "5d")
    assert not window.rows[name].problem.isVisible()
    assert save_button(window).isEnabled()  # type: ignore[attr-defined]


def test_a_program_keeps_and_follows_what_was_chosen(home: Path) -> None:
    place = find_home()
    program = Program(place, "window")
    program.open()
    program.choose(Preferences(workers=9, theme=Theme.LIGHT))
    assert program.dispatcher.workers == 9
    assert PreferencesFile(place.preferences).load() == Preferences(workers=9, theme=Theme.LIGHT)
    program.close()


def test_about_names_the_versions_and_copies_them(qtbot: QtBot, look: Look) -> None:
    about = AboutWindow(look, find_home())
    qtbot.addWidget(about)
    about.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Desktopsched 0.")
    assert "Qt 6." in copied
    assert "tasks.json" in copied


@pytest.mark.logs_warnings
def test_errors_of_any_thread_are_kept_shown_as_text_and_copied(qtbot: QtBot, look: Look) -> None:
    log = ErrorLog()
    log.install()
    window = ErrorsWindow(look, log)
    qtbot.addWidget(window)
    assert window.view.toPlainText() == "Nothing went wrong."
    assert not window.copy.isEnabled()

    def fail() -> None:
        try:
            int("<b>a bug</b>")
        except ValueError:
            logging.getLogger("desktopsched.test").exception("It broke")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: "<b>a bug</b>" in window.view.toPlainText())
    window.copy.click()
    assert "It broke" in QGuiApplication.clipboard().text()
    for number in range(300):
        logging.getLogger("desktopsched.test").warning("again %d", number)
    assert len(log) == 200
    log.uninstall()
