"""A variable of the environment: a name, and a text or a secret. UI thread.

The value of a secret is typed here and goes into the keychain when the task is saved; it is never shown again. Each new
value has a name of its own in the keychain, so that taking an edit back finds the old value there.
"""

import secrets

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from desktopsched.model import InvalidTaskError
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.choice import Choice
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.look import Look

_KINDS = ((False, "Text"), (True, "Secret"))
_NAME_MOST = 150  # characters of the variable's name in the name that the keychain has; 200 are allowed


class Variable(QWidget):
    """One line. A secret is either stored, and only says so, or its value is being typed."""

    edited = Signal()

    removed = Signal()
    """It is to be taken out."""

    def __init__(self, look: Look, name: str, value: object) -> None:
        """`value` as the file has it: a text, or the name of a secret in an object."""
        super().__init__()
        self._look = look
        self._stored = str(value.get("secret", "")) if isinstance(value, dict) else ""
        self._changing = False  # another value for what is stored
        self._token = secrets.token_hex(4)
        self.secret = isinstance(value, dict)
        shown = "" if self.secret else value
        self.name = FieldBox(look, "Name of the variable", width=190, mono=12.5)
        self.value = FieldBox(look, "Value", mono=12.5)
        self.kind = Choice(look, "Kind of value", _KINDS, width=90)
        self.name.set_raw(name)
        self.value.set_raw(shown)
        self._as_loaded = (self.name.raw(), self.value.raw()), (name, shown)
        self._make_stored()
        self._make_remove()
        self._lay_out()
        self.name.edited.connect(self.edited)
        self.value.edited.connect(self.edited)
        self.kind.picked.connect(self._pick)
        look.changed.connect(self.dress)
        self.dress()
        self._follow()

    def _make_stored(self) -> None:
        look = self._look
        self.words = plain.label("Stored in the keychain", look.font(), "second")
        self.words.setToolTip(plain.tip(f"Under the name “{self._stored}”. It is not shown again."))
        self.words.setContentsMargins(paint.HALO + look.px(9), 0, 0, 0)
        self.words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.change = self._small("Change", "Change the stored value")
        self.change.clicked.connect(self._change)
        self.forget = self._small("Remove", "Remove the variable and its stored value from the task")
        self.forget.setToolTip("Take it out of the task. The keychain keeps the value, for Undo.")
        self.forget.clicked.connect(self.removed)

    def _small(self, words: str, name: str) -> QPushButton:
        button = plain.button(words, self._look.font(12.5, QFont.Weight.Medium), "small")
        button.setAutoDefault(False)
        button.setAccessibleName(name)
        return button

    def _make_remove(self) -> None:
        self.remove = QToolButton()
        self.remove.setObjectName("chip_button")
        self.remove.setAccessibleName("Remove the variable")
        self.remove.setToolTip("Remove the variable")
        self.remove.setIconSize(QSize(self._look.px(10), self._look.px(10)))
        self.remove.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.remove.clicked.connect(self.removed)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._look.px(8) - 2 * paint.HALO)
        for widget in (self.name, self.value, self.words, self.change, self.forget, self.kind, self.remove):
            row.addWidget(widget)

    # --- what it gives -------------------------------------------------------------------------------------

    @property
    def is_stored(self) -> bool:
        """Whether the keychain has its value, and nothing else is to be stored."""
        return self.secret and bool(self._stored) and not self._changing

    @property
    def lacks_value(self) -> bool:
        """Whether it is a secret of which nobody knows the value."""
        return self.secret and not self._stored and not self.value.edit.text()

    @property
    def is_empty(self) -> bool:
        """Whether it was added, and nothing was written."""
        return not self.name.edit.text() and not self.value.edit.text() and not self._stored

    def pair(self) -> tuple[str, object]:
        """Name and value as the file has them. InvalidTaskError for a secret without a value.

        Texts come as they were loaded, where a line could not show them as they are.
        """
        (name, text), loaded = self._as_loaded
        name_now = loaded[0] if self.name.raw() == name else self.name.edit.text()
        if not self.secret:
            return name_now, loaded[1] if self.value.raw() == text else self.value.edit.text()
        if typed := self.typed():
            return name_now, {"secret": typed[0]}
        if not self._stored:
            raise InvalidTaskError(f"Write the value of the secret “{name_now or 'without a name'}”.")
        return name_now, {"secret": self._stored}

    def typed(self) -> tuple[str, str] | None:
        """What is to be stored: its name in the keychain, and the value."""
        value = self.value.edit.text()
        if not self.secret or self.is_stored or not value:
            return None
        return f"{self.name.edit.text()[:_NAME_MOST]}-{self._token}", value

    def mark(self, *, wrong: bool) -> None:
        """In red, or not: the value if it is what is missing, else the name."""
        self.value.mark(wrong=wrong and self.lacks_value)
        self.name.mark(wrong=wrong and not self.lacks_value)

    # --- text or secret ------------------------------------------------------------------------------------

    def _pick(self, secret: object) -> None:
        self.secret = bool(secret)
        self._follow()
        self.edited.emit()

    def _change(self) -> None:
        self._changing = True
        self._follow()
        self.value.take_focus()

    def _follow(self) -> None:
        """Show what belongs to its kind."""
        stored = self.is_stored
        self.kind.show_value(self.secret, "")
        of_stored: tuple[QWidget, ...] = (self.words, self.change, self.forget)
        for widget in (*of_stored, self.value, self.remove):
            widget.setVisible(stored is (widget in of_stored))
        edit = self.value.edit
        edit.setEchoMode(QLineEdit.EchoMode.Password if self.secret else QLineEdit.EchoMode.Normal)
        edit.setAccessibleName("Value, kept in the keychain" if self.secret else "Value")
        kept = "New value; if empty, the stored one stays"
        new = kept if self._stored else "Value, kept in the keychain"
        edit.setPlaceholderText(new if self.secret else "")

    def dress(self) -> None:
        """In the colours of now."""
        self.remove.setIcon(self._look.icon("close", self._look.tokens.text3))
        for button in (self.change, self.forget):
            button.setFixedHeight(paint.height(self._look))
