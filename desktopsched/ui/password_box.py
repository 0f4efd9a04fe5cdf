"""A password field: dots, and a word about what the keychain has. UI thread."""

from msgspec import UNSET
from PySide6.QtWidgets import QLineEdit

from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.look import Look


class PasswordBox(FieldBox):
    """Gives what is typed, and never shows what is kept."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(look, name)
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.show_kept(kept=False)

    def set_raw(self, raw: object) -> None:
        """`raw` is the name under which the keychain has it: the person sees that there is one, and no more."""
        self.show_kept(kept=raw is not UNSET and bool(raw))

    def show_kept(self, *, kept: bool) -> None:
        """Whether the keychain has one."""
        self.edit.setPlaceholderText("In the keychain" if kept else "None")

    def typed(self) -> str:
        """The password; empty: none was typed."""
        return self.edit.text()
