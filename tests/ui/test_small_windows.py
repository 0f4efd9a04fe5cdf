"""Preferences, About, and the program's own errors."""

import logging
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.diagnosis import Line
from desktopsched.model import State
from desktopsched.program import Program
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import TABLE, Preferences, PreferencesFile, Theme
from desktopsched.ui import plain
from desktopsched.ui.about_window import AboutWindow
from desktopsched.ui.diagnosis_window import DiagnosisWindow, Told, as_text
from desktopsched.ui.error_log import ErrorLog
from desktopsched.ui.errors_window import ErrorsWindow
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.segments import Segments
from desktopsched.ui.form.switch import Switch
from desktopsched.ui.keys_window import KeysWindow
from desktopsched.ui.look import Look
from desktopsched.ui.preferences_window import PreferencesWindow
from desktopsched.ui.tokens import LIGHT


@pytest.fixture
def window(qtbot: QtBot, look: Look) -> PreferencesWindow:
    found = PreferencesWindow(look, Preferences(workers=4))
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    return found


def write(window: PreferencesWindow, name: str, text: str) -> None:
    """As a person does: over what is there, and on to the next field."""
    control = window.fields[name].control
    assert isinstance(control, FieldBox)
    control.edit.selectAll()
    QTest.keyClicks(control.edit, text)
    if not text:
        QTest.keyClick(control.edit, Qt.Key.Key_Delete)


def test_every_preference_of_the_table_has_a_control_with_its_words(window: PreferencesWindow) -> None:
    assert set(window.fields) == {row.field.name for row in TABLE}
    for row in TABLE:
        control = window.fields[row.field.name].control
        assert isinstance(control, QWidget)
        assert control.accessibleName() == row.words


def test_every_preference_has_its_place_and_no_words_stand_twice(window: PreferencesWindow) -> None:
    assert "More" not in window.sections
    for section in window.sections.values():
        shown = [label.text() for label in section.findChildren(QLabel) if label.text()]
        shown += [switch.text() for switch in section.findChildren(Switch)]
        assert len(shown) == len(set(shown)), shown


def test_an_empty_field_shows_what_is_written_there(window: PreferencesWindow) -> None:
    for name, box in window.boxes.items():
        assert box.edit.text() or box.edit.placeholderText(), name


def test_what_is_shown_is_what_was_given_and_nothing_is_wrong_with_it(
    qtbot: QtBot, look: Look, window: PreferencesWindow
) -> None:
    assert window.problems() == {}
    given = Preferences(workers=9, settle_delay=90.0, trust_edits=False, theme=Theme.DARK)
    again = PreferencesWindow(look, given)
    qtbot.addWidget(again)
    with qtbot.waitSignal(again.chosen) as chosen:
        again.save()
    assert chosen.args == [given]


def test_what_is_chosen_is_told(qtbot: QtBot, window: PreferencesWindow) -> None:
    write(window, "workers", "7")
    write(window, "log_age", "2d")
    theme, trust = window.fields["theme"].control, window.fields["trust_edits"].control
    assert isinstance(theme, Segments)
    assert isinstance(trust, Switch)
    QTest.mouseClick(theme.buttons["dark"], Qt.MouseButton.LeftButton)
    QTest.mouseClick(trust, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(window.chosen) as chosen:
        QTest.mouseClick(window.foot.save, Qt.MouseButton.LeftButton)
    assert chosen.args == [Preferences(workers=7, log_age=2 * 86_400.0, theme=Theme.DARK, trust_edits=False)]
    assert not window.isVisible()


@pytest.mark.parametrize(
    ("name", "text", "words", "section"),
    [
        ("workers", "0", "from 1 to 256", "Running"),
        ("workers", "many", "whole number", "Running"),
        ("log_age", "soon", "duration", "Output"),
        ("workers", "", "number", "Running"),
        ("history_age", "", "duration", "History"),
    ],
)
def test_what_is_wrong_is_said_below_it_and_save_waits(
    window: PreferencesWindow, name: str, text: str, words: str, section: str
) -> None:
    write(window, name, text)
    row = window.fields[name].row
    assert words in row.problem.text()
    assert "quotes" not in row.problem.text()
    assert row.problem.isVisible()
    assert window.foot.link.text() == f"1 thing to fix: {section}"
    assert not window.foot.save.isEnabled()
    QTest.mouseClick(window.foot.link, Qt.MouseButton.LeftButton)
    write(window, name, "5" if name == "workers" else "5d")
    assert row.problem.text() == ""
    assert window.foot.save.isEnabled()


def test_keys_save_and_give_up(qtbot: QtBot, look: Look, window: PreferencesWindow) -> None:
    told: list[object] = []
    window.chosen.connect(told.append)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    write(window, "workers", "5")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()
    assert told == []
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert told == [Preferences(workers=5)]


def test_tab_leads_through_all_controls_in_the_order_of_reading(
    qtbot: QtBot, window: PreferencesWindow
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.fields["theme"].control.take_focus()
    seen = []
    for _ in range(9):
        seen.append(window.focusWidget())
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    places = [widget.mapTo(window, widget.rect().topLeft()) for widget in seen]
    assert len(set(seen)) == 9
    assert sorted(places[:8], key=lambda place: (place.y() // 20, place.x())) == places[:8]


def test_in_a_small_window_the_preferences_scroll_and_the_buttons_stay(
    qtbot: QtBot, window: PreferencesWindow
) -> None:
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: window.page.verticalScrollBar().maximum() > 0)
    assert window.page.horizontalScrollBar().maximum() == 0
    assert window.rect().contains(window.foot.geometry())
    window.fields["runs_per_task"].control.take_focus()
    field = window.fields["runs_per_task"].row
    window.page.ensureWidgetVisible(field)
    assert (
        window.page.viewport()
        .rect()
        .intersects(field.rect().translated(field.mapTo(window.page.viewport(), field.rect().topLeft())))
    )


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
    assert window.view.toPlainText() == ""
    assert window.view.placeholderText() == "Nothing went wrong since the program was started."
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


@pytest.mark.parametrize("kind", ["about", "errors"])
def test_small_windows_close_by_esc_and_can_be_read_by_keyboard(qtbot: QtBot, look: Look, kind: str) -> None:
    window: QDialog = AboutWindow(look, find_home()) if kind == "about" else ErrorsWindow(look, ErrorLog())
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    assert all(button.icon().isNull() for button in window.findChildren(QPushButton))
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


# --- message boxes -----------------------------------------------------------------------------------------------


@pytest.fixture
def parent(qtbot: QtBot, look: Look) -> QWidget:
    found = QWidget()
    found.setStyleSheet(look.sheet())
    qtbot.addWidget(found)
    return found


def shown(qtbot: QtBot, box: QMessageBox) -> QMessageBox:
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    with qtbot.waitExposed(box):
        box.show()
    return box


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (QMessageBox.Icon.Information, State.RUNNING),
        (QMessageBox.Icon.Question, State.RUNNING),
        (QMessageBox.Icon.Warning, State.READY),
        (QMessageBox.Icon.Critical, State.FAILED),
    ],
)
def test_the_sign_of_a_box_is_ours_in_the_colour_of_its_kind(
    qtbot: QtBot, parent: QWidget, kind: QMessageBox.Icon, state: State
) -> None:
    box = shown(qtbot, plain.box(parent, kind, "What", "Why"))
    image = box.iconPixmap().toImage()
    inks = {
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }
    assert LIGHT.states[state].ink in inks
    box.close()


def test_a_box_has_our_buttons_without_icons_and_words_that_can_be_copied(
    qtbot: QtBot, parent: QWidget
) -> None:
    box = plain.box(parent, QMessageBox.Icon.Question, "What", "Why", "all of it")
    run = box.addButton("Run it", QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(run)
    shown(qtbot, box)
    assert {button.objectName() for button in box.buttons()} == {"boxPrimary", "boxButton"}
    assert run.objectName() == "boxPrimary"
    assert all(button.icon().isNull() for button in box.buttons())
    layout = box.layout()
    assert layout is not None
    assert layout.contentsMargins().left() == 20
    assert box.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    box.close()


def test_a_box_without_buttons_gets_one_and_esc_closes_it(qtbot: QtBot, parent: QWidget) -> None:
    box = shown(qtbot, plain.box(parent, QMessageBox.Icon.Information, "What"))
    assert [button.text().replace("&", "") for button in box.buttons()] == ["OK"]
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()


# The diagnosis


LINES = [
    Line(section="Home", name="Tasks", value="/home", advice=""),
    Line(section="Home", name="Logs", value="little", advice="Free some space."),
    Line(section="History", name="Check", value="ok"),
]


def test_no_window_of_text_is_higher_than_its_screen_with_the_title_bar(
    qtbot: QtBot, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(700, 420))
    window = KeysWindow(look)
    qtbot.addWidget(window)
    assert (window.width(), window.height()) == (700, 380)


def test_the_diagnosis_says_first_what_is_to_be_done_and_can_be_copied(qtbot: QtBot, look: Look) -> None:
    window = DiagnosisWindow(look, lambda told: told(LINES))
    qtbot.addWidget(window)
    window.show()
    assert window.view.toPlainText() == (
        "! Logs: Free some space.\n\nHome\n  Tasks: /home\n  Logs: little\n\nHistory\n  Check: ok"
    )
    window.copy.click()
    assert QGuiApplication.clipboard().text() == window.view.toPlainText()
    window.close_button.click()
    assert not window.isVisible()


def test_the_diagnosis_may_be_closed_before_it_is_there(qtbot: QtBot, look: Look) -> None:
    waiting: list[Told] = []
    window = DiagnosisWindow(look, waiting.append)
    assert window.view.placeholderText() == "Looking …"
    assert not window.copy.isEnabled()
    assert as_text([LINES[0]]).startswith("All is well.")
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    waiting[0](LINES)
