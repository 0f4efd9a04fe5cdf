"""Leaving: the question before runs are stopped with the program. UI thread."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from desktopsched.ui import plain
from desktopsched.ui.summary import counted, named


class Leaving(QObject):
    """Asks once at a time."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.question: QMessageBox | None = None

    def ask(
        self, running: Sequence[str], end: Callable[[], object], leave: Callable[[], object] | None
    ) -> None:
        """These tasks run: whether to `end` with them, or to `leave` and let them go on (None: they cannot)."""
        if self.question is not None:
            return
        self.question = box = plain.box(self._window, QMessageBox.Icon.Question, _words(running))
        quit_ = box.addButton("Quit and stop", QMessageBox.ButtonRole.AcceptRole)
        if leave is not None:
            keep = box.addButton("Keep running", QMessageBox.ButtonRole.AcceptRole)
            keep.setToolTip("Desktopsched ends, and finds these runs again when it is opened")
            keep.clicked.connect(leave)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(cancel)
        quit_.clicked.connect(end)
        box.finished.connect(self._answered)
        box.open()

    def follow(self, running: Sequence[str]) -> None:
        """Other tasks run now: the question, while it is open, is about these."""
        if self.question is not None and self.question.text() != (words := _words(running)):
            self.question.setText(words)

    def _answered(self) -> None:
        self.question = None


def _words(running: Sequence[str]) -> str:
    if not running:
        return "Quit? Nothing is running any more."
    return f"Quit? {counted(len(running), 'run')} would stop: {named(running)}."
