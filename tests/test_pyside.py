"""The binding itself: a PySide6 that loses references to None ends the program after a few thousand calls."""

import subprocess
import sys
import textwrap

import PySide6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

# Below the noise of other threads; the fault takes one reference per call.
NOISE = 50


def test_pyside_is_older_than_6_12() -> None:
    major, minor = PySide6.__version_info__[:2]
    assert (6, 8) <= (major, minor) < (6, 12)


def test_none_keeps_its_references_over_calls_that_return_nothing(qtbot: QtBot) -> None:
    """Case U00: PySide6 6.12.0 on Python 3.11 took one reference off None at each such call (PYSIDE-3474)."""
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(500):
        label.setText(str(number))
    thing = QObject()
    for number in range(1_000):
        thing.setObjectName(str(number))
    assert sys.getrefcount(None) > before - NOISE


def test_two_hundred_thousand_signals_and_calls_are_survived() -> None:
    # In a process of its own: the fault aborts it.
    program = """
        from PySide6.QtCore import QCoreApplication, QObject, Signal

        class Bell(QObject):
            rung = Signal(int)

        app = QCoreApplication([])
        bell, heard = Bell(), []
        bell.rung.connect(heard.append)
        for number in range(200_000):
            bell.rung.emit(number)
            bell.setObjectName("bell")
        print(len(heard))
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "200000", "")
