"""The question before a form is closed in which something was changed. UI thread."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMessageBox, QWidget

from desktopsched.ui import plain


def ask_to_discard(
    parent: QWidget, discard: Callable[[], object], answered: Callable[[], object]
) -> QMessageBox:
    """Ask; `discard` if what was changed may be lost, and `answered` in any case."""
    box = plain.box(
        parent, QMessageBox.Icon.Question, "Close without saving?", "What you changed would be lost."
    )
    give_up = box.addButton("Discard changes", QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton("Keep editing", QMessageBox.ButtonRole.RejectRole)
    for button in (give_up, keep):
        button.setIcon(QIcon())
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)
    give_up.clicked.connect(discard)
    box.finished.connect(answered)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.open()
    return box
