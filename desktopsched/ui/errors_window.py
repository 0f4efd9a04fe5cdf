"""The window for the program's own errors, to be read and copied. UI thread."""

from PySide6.QtWidgets import QWidget

from desktopsched.ui.error_log import ErrorLog
from desktopsched.ui.look import Look
from desktopsched.ui.text_window import TextWindow


class ErrorsWindow(TextWindow):
    """Shows them as text, with a button to copy all."""

    def __init__(self, look: Look, log: ErrorLog, parent: QWidget | None = None) -> None:
        super().__init__(
            look,
            "Errors of the program",
            "What went wrong inside the program",
            "Mistakes of the program, not of your tasks, since it was started. Copy them into a report.",
            parent,
        )
        self._log = log
        self.view.setPlaceholderText("Nothing went wrong since the program was started.")
        log.changed.connect(self._show)
        self._show()
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _show(self) -> None:
        self.show_text(self._log.text)
