"""What the form asks of a control: it gives and takes what the task file has for its field. UI thread."""

from typing import Protocol

from PySide6.QtCore import SignalInstance


class Control(Protocol):
    """A widget that edits one value. UNSET stands for a field that the file does not have."""

    @property
    def edited(self) -> SignalInstance:
        """The person changed something."""
        ...

    def raw(self) -> object:
        """The value as the file has it; wrong ones too, for the readers to refuse."""
        ...

    def set_raw(self, raw: object) -> None:
        """Show this value. It may come back in another form that means the same."""
        ...

    def mark(self, *, wrong: bool) -> None:
        """Show that there is a mistake in it, or no longer."""
        ...

    def take_focus(self) -> None:
        """Take the focus, where what is to be mended is."""
        ...
