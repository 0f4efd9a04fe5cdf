"""Other colours while windows are open: each looks as if it had been opened afterwards, down to the pixel."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Cron, Edge, Retry
from desktopsched.model.crontab import read_crontab
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import Preferences, Theme
from desktopsched.ui import plain
from desktopsched.ui.about_window import AboutWindow
from desktopsched.ui.alerts.failure_card import FailureCard
from desktopsched.ui.alerts.failures import Failing
from desktopsched.ui.alerts.reminder_card import ReminderCard
from desktopsched.ui.alerts.snooze import Shown
from desktopsched.ui.arguments import ArgumentsDialog
from desktopsched.ui.catch_up.dialog import CatchUpDialog
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.importing.crontab_review import CrontabReview
from desktopsched.ui.keys_window import KeysWindow
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from desktopsched.ui.preferences_window import PreferencesWindow
from desktopsched.ui.text_window import TextWindow
from tests.ui.catch_up.test_choices import CUT, missed
from tests.ui.scenery import BERLIN, NOON, FakeBench, FakeSession, added, run, task

_QUIT = "Quit? 2 runs would stop: Mail archive, Home folder backup."  # its line breaks where it must

Make = Callable[[Look, Path], QWidget]

ONE = task("a", schedule=Cron("30 2 * * *"), retry=Retry(attempts=3), waits_for=(Edge("b"),))


def preferences(look: Look, _folder: Path) -> QWidget:
    window = PreferencesWindow(look, Preferences(workers=4))
    window.fields["workers"].control.set_raw("none")
    window.check()
    return window


def arguments(look: Look, _folder: Path) -> QWidget:
    return ArgumentsDialog(look, "Copy", Command(argv=("true",)))


def missed_runs(look: Look, _folder: Path) -> QWidget:
    return CatchUpDialog(look, [missed("a", 3), CUT], now=lambda: NOON, zone=lambda: BERLIN)


def text(look: Look, _folder: Path) -> QWidget:
    window = TextWindow(look, "Diagnosis", "How it is", "Copy it.")
    window.show_text("All is well.")
    return window


def about(look: Look, _folder: Path) -> QWidget:
    return AboutWindow(look, find_home())


def crontab(look: Look, _folder: Path) -> QWidget:
    return CrontabReview(look, read_crontab("30 2 * * * backup --all\n0 25 * * * never\n"), [ONE])


def list_of_keys(look: Look, _folder: Path) -> QWidget:
    return KeysWindow(look)


def form(look: Look, _folder: Path) -> QWidget:
    window = TaskForm(look, [ONE, task("b")], ONE, lambda: NOON, lambda: BERLIN, bench=FakeBench())
    window.page.what.command.edit.setText("ls | wc")
    window.page.what.command.edited.emit()
    window.page.what.environment.button.click()
    window.page.what.environment.add.click()
    window.page.more.unfold()
    return window


def form_with_mistakes(look: Look, folder: Path) -> QWidget:
    window = form(look, folder)
    assert isinstance(window, TaskForm)
    window.page.general.name.edit.setText("")
    window.page.when.expression.edit.setText("30 25 * * *")
    window.task_removed()
    window.focus_problem()
    return window


def failure(look: Look, _folder: Path) -> QWidget:
    card = FailureCard(
        look, Failing(task=ONE, run=run("a"), reason="exit code 1", at=NOON, since=NOON), BERLIN
    )
    card.fit()
    return card


def reminder(look: Look, _folder: Path) -> QWidget:
    shown = Shown(task_id="a", title="Stretch", message="Stand up\nand stretch", due=NOON - 900, at=NOON)
    card = ReminderCard(look, shown, BERLIN)
    card.fit()
    return card


def question(look: Look, _folder: Path) -> QWidget:
    parent = QWidget()
    parent.setStyleSheet(look.sheet())
    look.changed.connect(lambda: parent.setStyleSheet(look.sheet()))
    box = plain.box(parent, QMessageBox.Icon.Question, _QUIT, "They are stopped as by hand.")
    box.addButton("Quit and stop", QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole))
    return box


def main_window(look: Look, folder: Path, *, tasks: bool = True) -> QWidget:
    session = FakeSession(folder)
    window = MainWindow(session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
    if tasks:
        session.program.task_list.tasks[:] = [ONE, task("b", group="Office")]
        session.bridge.arrived.emit([added(one) for one in session.program.task_list.tasks])
    session.opened.emit({})
    session.paused = True
    window.fail("The disk is full.")
    window.resize(1_240, 760)
    return window


def empty_window(look: Look, folder: Path) -> QWidget:
    return main_window(look, folder, tasks=False)


@pytest.fixture
def dressed(look: Look) -> Iterator[Look]:
    """A look that the application follows, as it does in the program."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    before, font = application.palette(), application.font()

    def dress() -> None:
        application.setFont(look.font())
        application.setPalette(look.palette())

    look.changed.connect(dress)
    dress()
    yield look
    application.setPalette(before)
    application.setFont(font)


def picture(qtbot: QtBot, window: QWidget) -> QImage:
    """What is seen of it, once all that is late has come, and nothing changes any more."""
    seen = [QImage()]

    def rests() -> bool:
        qtbot.wait(60)
        before, seen[:] = seen[0], [window.grab().toImage()]
        return before == seen[0]

    qtbot.waitUntil(rests)
    return seen[0]


@pytest.mark.parametrize(
    "make",
    [
        preferences, arguments, missed_runs, text, about, form, form_with_mistakes, failure, reminder, question,
        main_window, empty_window, crontab, list_of_keys,
    ],
)  # fmt: skip
@pytest.mark.parametrize("themes", [(Theme.LIGHT, Theme.DARK), (Theme.DARK, Theme.LIGHT)])
def test_an_open_window_takes_on_other_colours_in_all_its_parts(
    qtbot: QtBot, dressed: Look, tmp_path: Path, make: Make, themes: tuple[Theme, Theme]
) -> None:
    before, after = themes
    dressed.set_theme(before)
    found = []
    for name in ("open", "opened afterwards"):
        window = make(dressed, tmp_path / name)
        qtbot.addWidget(window, before_close_func=lambda one: setattr(one, "phase", Phase.CLOSED))
        with qtbot.waitExposed(window):
            window.show()
        dressed.set_theme(after)
        found.append(picture(qtbot, window))
        window.hide()
    assert found[0].size() == found[1].size()
    assert found[0] == found[1]
