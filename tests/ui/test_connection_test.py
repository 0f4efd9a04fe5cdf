"""The test of the connection to a cluster, in the preferences."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktopsched.cluster.errors import ClusterError
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import Preferences
from desktopsched.ui.connection_test import ConnectionTest, Tell
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.help import Help
from desktopsched.ui.look import Look
from desktopsched.ui.preferences_window import PreferencesWindow
from desktopsched.ui.session import Session
from tests.ui.scenery import reminders

ADDRESS = "tcp://10.0.0.5:8786"


class Cluster:
    """Is asked, and answers when the test lets it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.told: Tell = print
        self.failed: Tell = print

    def ask(self, address: str, told: Tell, failed: Tell) -> None:
        self.asked.append(address)
        self.told, self.failed = told, failed


class Stage:
    def __init__(self, qtbot: QtBot, look: Look, address: str) -> None:
        self.cluster = Cluster()
        self.window = PreferencesWindow(
            look, Preferences(dask_address=address), test_cluster=self.cluster.ask
        )
        qtbot.addWidget(self.window)
        with qtbot.waitExposed(self.window):
            self.window.show()
        assert isinstance(self.window.connection, ConnectionTest)
        self.test = self.window.connection

    def write(self, text: str) -> None:
        control = self.window.fields["dask_address"].control
        assert isinstance(control, FieldBox)
        control.set_raw(text)
        control.edited.emit()


@pytest.fixture
def stage(qtbot: QtBot, look: Look) -> Callable[[str], Stage]:
    return lambda address: Stage(qtbot, look, address)


def test_what_is_written_is_tried_before_it_is_saved(stage: Callable[[str], Stage]) -> None:
    shown = stage("")
    assert not shown.test.button.isEnabled()
    shown.write(ADDRESS)
    shown.test.button.click()
    assert shown.cluster.asked == [ADDRESS]
    assert shown.test.button.text() == "Connecting …"
    assert shown.test.button.isEnabled(), "a disabled one would pass the focus on"
    shown.test.button.click()
    assert shown.cluster.asked == [ADDRESS]
    shown.cluster.told("Connected: 2 workers.")
    assert shown.test.answer.isVisible()
    assert shown.test.answer.text() == "Connected: 2 workers."
    assert (shown.test.button.text(), shown.test.button.isEnabled()) == ("Test connection", True)


def test_an_answer_about_another_address_than_the_written_one_is_not_shown(
    stage: Callable[[str], Stage],
) -> None:
    shown = stage(ADDRESS)
    shown.test.button.click()
    shown.write("tcp://10.0.0.6:8786")
    shown.cluster.failed(f"There is no Dask scheduler at {ADDRESS}.")
    assert shown.test.answer.text() == ""
    assert shown.test.button.isEnabled()


def test_what_was_said_goes_when_the_address_is_changed(stage: Callable[[str], Stage]) -> None:
    shown = stage(ADDRESS)
    shown.test.button.click()
    shown.cluster.failed("There is nobody.")
    shown.write("tcp://10.0.0.6:8786")
    assert not shown.test.answer.isVisible()


def test_what_is_no_address_cannot_be_tried(stage: Callable[[str], Stage]) -> None:
    shown = stage(ADDRESS)
    shown.write("somewhere")
    assert not shown.test.button.isEnabled()
    assert "such as tcp://10.0.0.5:8786" in shown.window.problems()["dask_address"]


def test_an_answer_that_comes_when_the_window_is_gone_is_let_go(
    qtbot: QtBot, stage: Callable[[str], Stage]
) -> None:
    shown = stage(ADDRESS)
    shown.test.button.click()
    with qtbot.waitSignal(shown.window.destroyed):
        shown.window.deleteLater()
    shown.cluster.told("Connected: 2 workers.")


def test_a_slow_cluster_holds_up_nothing_of_the_window(
    qtbot: QtBot, look: Look, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer comes to the window's thread, from another one."""
    gate = threading.Event()
    told_on: list[threading.Thread] = []
    answers: list[str] = []

    def describe(address: str) -> str:
        gate.wait(30)
        raise ClusterError(f"There is no Dask scheduler at {address}.")

    def tell(words: str) -> None:
        told_on.append(threading.current_thread())
        answers.append(words)

    monkeypatch.setattr("desktopsched.cluster.connect.describe", describe)
    session, window = Session(find_home(), reminders(look, home)), QWidget()
    qtbot.addWidget(window)
    Help(look, session, window)._test_cluster(ADDRESS, tell, tell)
    assert answers == []
    gate.set()
    qtbot.waitUntil(lambda: answers == [f"There is no Dask scheduler at {ADDRESS}."])
    assert told_on == [threading.main_thread()]
    session._end()
