"""What waits for the first paint of a window."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktopsched.ui import first_paint
from desktopsched.ui.first_paint import FirstPaint


class Painted(QWidget):
    """Remembers what happened in which order."""

    def __init__(self) -> None:
        super().__init__()
        self.story: list[str] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.story.append("painted")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Painted]:
    window = Painted()
    qtbot.addWidget(window)
    yield window
    window.close()


def test_what_waits_comes_when_the_window_is_painted_and_once(
    qtbot: QtBot, window: Painted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_paint, "PATIENCE", 60_000)  # however long the first paint takes
    waits = FirstPaint(window)
    waits.over.connect(lambda: window.story.append("all else"))
    with qtbot.waitSignal(waits.over):
        window.show()
    window.repaint()
    qtbot.waitUntil(lambda: window.story.count("painted") > 1)
    assert window.story[:2] == ["painted", "all else"]
    assert window.story.count("all else") == 1


def test_a_window_that_is_not_painted_holds_nothing_up(
    qtbot: QtBot, window: Painted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_paint, "PATIENCE", 1)
    waits = FirstPaint(window)
    with qtbot.waitSignal(waits.over):
        pass
    assert window.story == []
