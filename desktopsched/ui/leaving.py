"""Leaving: the question before runs are stopped with the program. UI thread."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from desktopsched.model import IfLost, Task
from desktopsched.phrases import span
from desktopsched.ui import plain
from desktopsched.ui.summary import counted, named


class Leaving(QObject):
    """Asks once at a time."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._shared = False
        self.question: QMessageBox | None = None

    def ask(
        self,
        running: Sequence[Task],
        end: Callable[[], object],
        leave: Callable[[], object] | None,
        *,
        shared: bool = False,
    ) -> None:
        """These tasks run: whether to `end` with them, or to `leave` and let them go on (None: they cannot).

        `shared`: other computers have the list too.
        """
        if self.question is not None:
            return
        self._shared = shared and leave is not None
        more = _of_others(running) if self._shared else ""
        self.question = box = plain.box(self._window, QMessageBox.Icon.Question, _words(running), more)
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

    def follow(self, running: Sequence[Task]) -> None:
        """Other tasks run now: the question, while it is open, is about these."""
        if self.question is not None and self.question.text() != (words := _words(running)):
            self.question.setText(words)
            self.question.setInformativeText(_of_others(running) if self._shared else "")

    def _answered(self) -> None:
        self.question = None


def _words(running: Sequence[Task]) -> str:
    if not running:
        return "Quit? Nothing is running any more."
    return f"Quit? {counted(len(running), 'run')} would stop: {named([task.name for task in running])}."


def _of_others(running: Sequence[Task]) -> str:
    """What the other computers of a shared list make of runs that go on without the program."""
    from desktopsched.claiming.shared import LEFT_FOR  # it is loaded where a list is shared

    again = [task.name for task in running if task.if_lost is IfLost.RUN_AGAIN]
    said = []
    if len(again) < len(running):
        said.append(
            f"The list is shared. If runs go on without Desktopsched, open it again within {span(LEFT_FOR)}: until then"
            " the other computers wait to hear how they end, and after that they take them for lost."
        )
    if again:
        said.append(f"{named(again)} would stop in any case, as another computer may run it again.")
    return " ".join(said)
