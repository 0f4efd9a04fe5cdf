"""The diagnosis: what home, files and program look like, and what is to be done about it. UI thread."""

from collections.abc import Callable, Sequence
from itertools import groupby

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from desktopsched.diagnosis import Line
from desktopsched.ui.look import Look
from desktopsched.ui.text_window import TextWindow

Told = Callable[[Sequence[Line]], object]


class DiagnosisWindow(TextWindow):
    """Asks for the lines when it is made: looking at the files takes a moment, and is done elsewhere."""

    def __init__(self, look: Look, ask: Callable[[Told], object], parent: QWidget | None = None) -> None:
        """`ask` has everything looked at, and gives the lines to the function that it is given."""
        super().__init__(
            look,
            "Diagnosis",
            "How Desktopsched is doing",
            "Its folders, files and clock. There are no secrets in it, and no output of tasks: copy it into a report.",
            parent,
        )
        self.view.setPlaceholderText("Looking …")
        ask(self._show)

    def _show(self, lines: Sequence[Line]) -> None:
        if isValid(self):
            self.show_text(as_text(lines))


def as_text(lines: Sequence[Line]) -> str:
    """What is to be done first; then everything, section by section."""
    advised = [line for line in lines if line.advice]
    parts = [f"! {line.name}: {line.advice}" for line in advised] or ["All is well."]
    for section, members in groupby(lines, lambda line: line.section):
        parts += ["", section, *(f"  {line.name}: {line.value}" for line in members)]
    return "\n".join(parts)
