import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from desktopsched.model import Reminder
from desktopsched.ui.look import Look
from desktopsched.ui.reminders import Reminders
from tests.ui.scenery import MARKUP, run, task

STRETCH = task("stretch", MARKUP, action=Reminder(message=f"{MARKUP} & stand up"))


class FakeTray(QSystemTrayIcon):
    """A tray that writes down what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[tuple[str, str]] = []

    def isVisible(self) -> bool:
        return True

    @staticmethod
    def supportsMessages() -> bool:
        return True

    def showMessage(self, title: str, message: str, *_: object) -> None:
        self.messages.append((title, message))


class Asking(threading.Thread):
    """A run that wants its reminder shown."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        super().__init__()
        self._ask = ask
        self.answer: bool | None = None

    def run(self) -> None:
        self.answer = self._ask()


def test_without_a_tray_a_small_window_shows_it_as_plain_text(qtbot: QtBot, look: Look) -> None:
    reminders = Reminders(look)
    asking = Asking(lambda: reminders.remind(STRETCH, run("stretch")))
    asking.start()
    qtbot.waitUntil(lambda: asking.answer is not None)
    asking.join()
    assert asking.answer is True
    (window,) = reminders.windows
    assert window.isVisible()
    assert not window.isModal()
    assert window.windowTitle() == MARKUP
    (message,) = window.findChildren(QLabel, "message")
    assert (message.text(), message.textFormat()) == (f"{MARKUP} & stand up", Qt.TextFormat.PlainText)
    (done,) = window.findChildren(QPushButton)
    QTest.mouseClick(done, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not reminders.windows)


def test_with_a_tray_it_is_a_notification_without_markup(qtbot: QtBot, look: Look) -> None:
    tray = FakeTray()
    reminders = Reminders(look, tray)
    asking = Asking(lambda: reminders.remind(STRETCH, run("stretch")))
    asking.start()
    qtbot.waitUntil(lambda: asking.answer is not None)
    asking.join()
    ((title, message),) = tray.messages
    assert title == MARKUP
    assert "<" not in message
    assert reminders.windows == []


def test_a_closing_window_lets_go_of_who_waits(qtbot: QtBot, look: Look) -> None:
    reminders = Reminders(look)
    asking = Asking(lambda: reminders.remind(STRETCH, run("stretch")))
    asking.start()
    while not reminders._waiting:
        assert asking.is_alive()
    reminders.close()
    asking.join()
    assert asking.answer is False
    assert reminders.remind(STRETCH, run("stretch")) is False
    assert reminders.windows == []


def test_a_stopped_run_waits_no_longer(qtbot: QtBot, look: Look) -> None:
    reminders = Reminders(look)
    one = run("stretch")
    asking = Asking(lambda: reminders.remind(STRETCH, one))
    asking.start()
    while not reminders._waiting:
        assert asking.is_alive()
    one.stop.request("stopped by you")
    asking.join()
    reminders.close()


@pytest.mark.parametrize("count", [4])
def test_several_reminders_at_once_are_all_shown(qtbot: QtBot, look: Look, count: int) -> None:
    reminders = Reminders(look)
    threads = [
        Asking(lambda number=number: reminders.remind(STRETCH, run("stretch", number)))  # type: ignore[misc]
        for number in range(count)
    ]
    for thread in threads:
        thread.start()
    qtbot.waitUntil(lambda: all(thread.answer for thread in threads))
    for thread in threads:
        thread.join()
    assert len(reminders.windows) == count
    reminders.close()
    qtbot.waitUntil(lambda: not reminders.windows)
