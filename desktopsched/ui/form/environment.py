"""The environment of a command: names and values, of which some are secrets in the keychain. UI thread."""

from msgspec import UNSET
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktopsched.model import InvalidTaskError
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.error_box import ErrorBox
from desktopsched.ui.form.variable import Variable
from desktopsched.ui.look import Look
from desktopsched.ui.summary import counted


class Environment(QWidget):
    """The variables, below each other; `button` folds them out and says how many there are."""

    edited = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.error = ErrorBox(look)  # why a secret could not be stored
        self.rows: list[Variable] = []
        self.button = QPushButton()
        self.button.setObjectName("link_button")
        self.button.setFont(look.font(12.5, QFont.Weight.Medium))
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron after the words
        self.button.setCheckable(True)
        self.button.setAutoDefault(False)
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.setFixedHeight(paint.height(look))
        self.button.toggled.connect(self._fold)
        self.add = QPushButton("Add a variable")
        self.add.setObjectName("small")
        self.add.setFont(look.font(12.5, QFont.Weight.Medium))
        self.add.setAutoDefault(False)
        self.add.clicked.connect(self._add)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(look.px(7) - 2 * paint.HALO)
        line = QHBoxLayout()
        line.addWidget(self.add)
        line.addStretch(1)
        self._column.addLayout(line)
        self._column.addWidget(self.error)
        look.changed.connect(self._say)
        self._say()
        self.hide()

    # --- a control -----------------------------------------------------------------------------------------

    def raw(self) -> object:
        """An object of names and values. InvalidTaskError where a name is there twice, or a secret has no value."""
        found: dict[str, object] = {}
        for row in self.rows:
            if row.is_empty:
                continue  # a line that was added, and left empty
            name, value = row.pair()
            if name in found:
                raise InvalidTaskError(f"Environment has “{name}” twice. Keep one of them.")
            found[name] = value
        return found or UNSET

    def typed(self) -> dict[str, str]:
        """What the keychain does not have yet: values by their names there."""
        return dict(typed for row in self.rows if (typed := row.typed()) is not None)

    def set_raw(self, raw: object) -> None:
        """Show these. A line that says the same stays, with what was typed in it."""
        wanted = dict(raw) if isinstance(raw, dict) else {}
        same = {name: row for row in self.rows if (name := _says(row, wanted)) is not None}
        for row in tuple(self.rows):
            if row not in same.values():
                self._remove(row)
        for at, (name, value) in enumerate(wanted.items()):
            if name not in same:
                self._put(Variable(self._look, name, value), at)
        self._say()

    def mark(self, *, wrong: bool) -> None:
        """Fold it out: what is wrong must be seen."""
        for row in self.rows:
            row.mark(wrong=wrong)
        if wrong:
            self.button.setChecked(True)

    def take_focus(self) -> None:
        """To the first value that is missing, else to the first name."""
        lacking = next((row.value for row in self.rows if row.lacks_value), None)
        if lacking is not None or self.rows:
            (lacking or self.rows[0].name).take_focus()
        else:
            self.button.setFocus()

    def show_failure(self, words: str) -> None:
        """A secret could not be stored: say why; with no words, nothing."""
        self.error.show_error(
            "The secret was not stored, and nothing is lost." if words else "", words, "Try again"
        )
        if words:
            self.button.setChecked(True)

    # --- lines ---------------------------------------------------------------------------------------------

    def _fold(self, out: bool) -> None:
        self.setVisible(out)
        self._say()

    def _add(self) -> None:
        row = Variable(self._look, "", "")
        self._put(row, len(self.rows))
        row.name.take_focus()
        self._changed()

    def _put(self, row: Variable, at: int) -> None:
        self.rows.insert(at, row)
        self._column.insertWidget(at, row)
        row.edited.connect(self._changed)
        row.removed.connect(lambda: self._drop(row))

    def _drop(self, row: Variable) -> None:
        self._remove(row)
        self.add.setFocus()
        self._changed()

    def _remove(self, row: Variable) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _changed(self) -> None:
        self.show_failure("")
        self._say()
        self.edited.emit()

    def _say(self) -> None:
        count = counted(len(self.rows), "variable")
        self.button.setText(plain.button_text(f"Environment, {count}" if self.rows else "Environment"))
        icon = "chevron-down" if self.button.isChecked() else "chevron-right"
        self.button.setIcon(self._look.icon(icon))
        self.button.setIconSize(QSize(self._look.px(12), self._look.px(12)))


def _says(row: Variable, wanted: dict[str, object]) -> str | None:
    """The name of a line that says what is wanted."""
    if row.is_empty:
        return None
    try:
        name, value = row.pair()
    except InvalidTaskError:
        return None
    return name if wanted.get(name, UNSET) == value else None
