"""The preferences: one row for each line of the table that the file is read by, checked as one types. UI thread."""

import enum
from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktopsched.model import InvalidTaskError
from desktopsched.storage.preferences import TABLE, Preference, Preferences
from desktopsched.ui import plain
from desktopsched.ui.look import Look


class _Row(Struct, eq=False):
    """One preference: its editor, what that says, and what is wrong with it."""

    preference: Preference
    editor: QWidget
    raw: Callable[[], object]  # as the file would have it
    problem: QLabel


class PreferencesWindow(QDialog):
    """Shows preferences, and says what was chosen. It writes nothing."""

    chosen = Signal(object)
    """Other `Preferences`."""

    def __init__(self, look: Look, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._before = look, preferences
        self.setWindowTitle("Preferences")
        self.setMinimumWidth(look.px(560))
        grid = QGridLayout()
        grid.setHorizontalSpacing(look.px(16))
        grid.setVerticalSpacing(look.px(4))
        self.rows = {row.field.name: self._make(row, grid, 2 * line) for line, row in enumerate(TABLE)}
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[look.px(20)] * 4)
        layout.setSpacing(look.px(16))
        layout.addLayout(grid)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self._check()

    def _make(self, preference: Preference, grid: QGridLayout, line: int) -> _Row:
        value = getattr(self._before, preference.field.name)
        label = plain.label(preference.words, self._look.font())
        label.setWordWrap(True)
        editor, raw, changed = _editor(preference, value)
        editor.setFont(self._look.font())
        editor.setAccessibleName(preference.words)
        label.setBuddy(editor)
        problem = plain.label("", self._look.font(12), "problem")
        problem.setWordWrap(True)
        problem.hide()
        grid.addWidget(label, line, 0)
        grid.addWidget(editor, line, 1)
        grid.addWidget(problem, line + 1, 0, 1, 2)
        changed.connect(self._check)
        return _Row(preference, editor, raw, problem)

    def _check(self) -> None:
        """Say beside each row what is wrong with it; Save waits until nothing is."""
        wrong = False
        for row in self.rows.values():
            words = _problem(row)
            row.problem.setText(words)
            row.problem.setVisible(bool(words))
            wrong = wrong or bool(words)
        self.buttons.button(QDialogButtonBox.StandardButton.Save).setEnabled(not wrong)

    def _save(self) -> None:
        values = {name: row.preference.field.read(row.raw()) for name, row in self.rows.items()}
        self.chosen.emit(structs.replace(self._before, **values))
        self.accept()


def _problem(row: _Row) -> str:
    try:
        row.preference.field.read(row.raw())
    except InvalidTaskError as error:
        return f"It {error}"
    return ""


def _editor(preference: Preference, value: Any) -> tuple[QWidget, Callable[[], object], Any]:
    """The editor for a value, how to read it as the file has it, and the signal that it changed."""
    if isinstance(value, bool):
        box = QCheckBox()
        box.setChecked(value)
        return box, box.isChecked, box.toggled
    if isinstance(value, enum.StrEnum):
        combo = QComboBox()
        for choice in type(value):
            combo.addItem(choice.value.capitalize(), choice.value)
        combo.setCurrentIndex(list(type(value)).index(value))
        return combo, combo.currentData, combo.currentIndexChanged
    line = QLineEdit(str(preference.field.write(value)))
    if isinstance(value, int):
        return line, lambda: _whole(line.text()), line.textChanged
    return line, lambda: line.text().strip(), line.textChanged


def _whole(text: str) -> object:
    """A number, or, for the reader to refuse, the text."""
    try:
        return int(text.strip())
    except ValueError:
        return text
