"""One QApplication for all tests of windows, the same on every desktop, and no window or QThread left."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt, QThread
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktopsched.storage.preferences import Theme
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from tests.ui.scenery import BERLIN, NOON, FakeSession

HERE = Path(__file__).parent

PATIENCE = 20_000
"""Milliseconds in which a QThread may come to its end after a test: it was told to end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests draw on no screen, and what that one cannot do is no news."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(scope="session", autouse=True)
def plain_application(qapp: QApplication) -> QApplication:
    """Fusion in light colours, English words and numbers, no animation: what a test sees is what all see."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    qapp.setApplicationName("desktopsched")
    qapp.setStyle("Fusion")
    qapp.styleHints().setColorScheme(Qt.ColorScheme.Light)
    qapp.setQuitOnLastWindowClosed(False)
    qapp.setCursorFlashTime(0)
    for effect in (Qt.UIEffect.UI_AnimateMenu, Qt.UIEffect.UI_AnimateCombo, Qt.UIEffect.UI_AnimateTooltip):
        qapp.setEffectEnabled(effect, False)
    return qapp


WAIT = 30_000
"""Milliseconds after which what a test waits for will not come: on a busy computer everything takes its time."""


class PatientBot(QtBot):
    """Waits longer than five seconds before it gives up."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = WAIT) -> None:
        """Until it holds, or until it asserts nothing any more."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = WAIT, **more: Any) -> Any:
        """As it is given in a `with`."""
        return super().waitSignal(signal, timeout=timeout, **more)

    def waitSignals(self, signals: Any, *, timeout: int = WAIT, **more: Any) -> Any:
        """All of them."""
        return super().waitSignals(signals, timeout=timeout, **more)

    def waitExposed(self, widget: QWidget, *, timeout: int = WAIT) -> Any:
        """Until it is on the screen."""
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """In place of the one that gives up sooner."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def no_windows_left(plain_application: QApplication) -> Iterator[None]:
    """Fail a test that leaves a window open: `qtbot.addWidget` closes those that it is told of."""
    yield
    left = [window for window in plain_application.topLevelWidgets() if window.isVisible()]
    for window in left:
        window.close()
    if left:
        pytest.fail("Windows outlived the test: " + ", ".join(map(repr, left)), pytrace=False)


@pytest.fixture(autouse=True)
def no_qthreads_left() -> Iterator[None]:
    """Fail a test that leaves a QThread running, and end it: Qt aborts when a running one is destroyed."""
    yield
    threads = [thing for thing in gc.get_objects() if isinstance(thing, QThread) and isValid(thing)]
    left = [thread for thread in threads if not thread.wait(PATIENCE)]
    for thread in left:
        thread.terminate()
        thread.wait()
    if left:
        pytest.fail("QThreads outlived the test: " + ", ".join(map(repr, left)), pytrace=False)


@pytest.fixture
def look() -> Look:
    """Light colours and the fonts of this computer."""
    return Look(Theme.LIGHT)


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    """A session without a program; its list is empty."""
    return FakeSession(tmp_path)


@pytest.fixture
def window(qtbot: QtBot, session: FakeSession, look: Look) -> MainWindow:
    """The main window of that session, shown."""
    window = MainWindow(session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
    qtbot.addWidget(window, before_close_func=lambda window: setattr(window, "phase", Phase.CLOSED))
    with qtbot.waitExposed(window):
        window.show()
    return window
