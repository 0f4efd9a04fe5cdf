"""The environment of a command: names and values, of which some are secrets in the keychain. UI thread."""

from typing import Any

from msgspec import UNSET
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktopsched.model import InvalidTaskError
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.choice import Choice
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.look import Look
from desktopsched.ui.summary import counted

_KINDS = ((False, "Text"), (True, "Secret"))


class Variable(QWidget):
    """One line: a name, a value, what the value is."""

    def __init__(self, look: Look, name: str, value: object) -> None:
        super().__init__()
        self.secret = isinstance(value, dict)
        shown = value.get("secret", "") if isinstance(value, dict) else value
        self.name = FieldBox(look, "Name of the variable", width=190, mono=12.5)
        self.value = FieldBox(look, "Value", mono=12.5)
        self.kind = Choice(look, "Kind of value", _KINDS, width=90)
        self.remove = QToolButton()
        self.remove.setObjectName("chip_button")
        self.remove.setAccessibleName("Remove the variable")
        self.remove.setToolTip("Remove the variable")
        self.remove.setIconSize(QSize(look.px(10), look.px(10)))
        self.remove.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.name.set_raw(name)
        self.value.set_raw(shown)
        self._as_loaded = (self.name.raw(), self.value.raw()), (name, shown)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(look.px(8) - 2 * paint.HALO)
        for widget in (self.name, self.value, self.kind, self.remove):
            row.addWidget(widget)
        self.set_secret(self.secret)
        self._look = look
        look.changed.connect(self.dress)
        self.dress()

    def set_secret(self, secret: bool) -> None:
        """A secret is kept by the keychain; what is written here is its name there."""
        self.secret = secret
        self.kind.show_value(secret, "")
        self.value.edit.setPlaceholderText("Its name in the keychain" if secret else "")

    def dress(self) -> None:
        """In the colours of now."""
        self.remove.setIcon(self._look.icon("close", self._look.tokens.text3))

    def pair(self) -> tuple[str, str]:
        """Name and value; as they were loaded, where a line of text could not show them as they are."""
        (name, value), loaded = self._as_loaded
        kept = [
            before if now == shown else ("" if now is UNSET else now)
            for now, shown, before in zip(
                (self.name.raw(), self.value.raw()), (name, value), loaded, strict=True
            )
        ]
        return str(kept[0]), str(kept[1])


class Environment(QWidget):
    """The variables, below each other; `button` folds them out and says how many there are."""

    edited = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
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
        look.changed.connect(self._say)
        self._say()
        self.hide()

    # --- a control -----------------------------------------------------------------------------------------

    def raw(self) -> object:
        """An object of names and values. InvalidTaskError where a name is there twice."""
        found: dict[str, Any] = {}
        for row in self.rows:
            name, value = row.pair()
            if not name and not value:
                continue  # a line that was added, and left empty
            if name in found:
                raise InvalidTaskError(f"Environment has “{name}” twice. Keep one of them.")
            found[name] = {"secret": value} if row.secret else value
        return found or UNSET

    def set_raw(self, raw: object) -> None:
        """Show these."""
        for row in tuple(self.rows):
            self._remove(row)
        for name, value in raw.items() if isinstance(raw, dict) else ():
            self._put(Variable(self._look, name, value))
        self._say()

    def mark(self, *, wrong: bool) -> None:
        """Fold it out: what is wrong must be seen."""
        for row in self.rows:
            row.name.mark(wrong=wrong)
        if wrong:
            self.button.setChecked(True)

    def take_focus(self) -> None:
        """To the first name."""
        (self.rows[0].name if self.rows else self.button).setFocus()

    # --- lines ---------------------------------------------------------------------------------------------

    def _fold(self, out: bool) -> None:
        self.setVisible(out)
        self._say()

    def _add(self) -> None:
        row = Variable(self._look, "", "")
        self._put(row)
        row.name.setFocus()
        self._changed()

    def _put(self, row: Variable) -> None:
        self.rows.append(row)
        self._column.insertWidget(len(self.rows) - 1, row)
        row.name.edited.connect(self._changed)
        row.value.edited.connect(self._changed)
        row.kind.picked.connect(lambda secret: self._set_kind(row, secret))
        row.remove.clicked.connect(lambda: self._drop(row))

    def _set_kind(self, row: Variable, secret: object) -> None:
        row.set_secret(bool(secret))
        self._changed()

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
        self._say()
        self.edited.emit()

    def _say(self) -> None:
        count = counted(len(self.rows), "variable")
        self.button.setText(plain.button_text(f"Environment, {count}" if self.rows else "Environment"))
        icon = "chevron-down" if self.button.isChecked() else "chevron-right"
        self.button.setIcon(self._look.icon(icon))
        self.button.setIconSize(QSize(self._look.px(12), self._look.px(12)))
