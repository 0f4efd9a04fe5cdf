"""The program's own errors: what went wrong inside, kept for this session, to be read and copied. UI thread.

The records come from any thread; the window sees them by a queued signal.
"""

import logging
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktopsched.ui import plain
from desktopsched.ui.look import Look

MOST = 200
"""Records that are kept: the latest."""


class ErrorLog(QObject):
    """Keeps what the program logs of level warning and above. Install it once, as early as possible."""

    changed = Signal()
    """There is another record."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: deque[str] = deque(maxlen=MOST)
        self._handler = _Handler(self._keep)
        self._handler.setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
        )

    def install(self) -> None:
        """Hear every logger of the program."""
        logging.getLogger().addHandler(self._handler)

    def uninstall(self) -> None:
        """Hear nothing more."""
        logging.getLogger().removeHandler(self._handler)

    @property
    def text(self) -> str:
        """All records, the oldest first."""
        return "\n".join(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def _keep(self, text: str) -> None:
        self._records.append(text)
        self.changed.emit()


class _Handler(logging.Handler):
    def __init__(self, keep: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._keep = keep

    def emit(self, record: logging.LogRecord) -> None:
        """On the thread that logged."""
        try:
            text = self.format(record)
        except Exception:  # noqa: BLE001 - a record that cannot be formatted must not end what logged it
            self.handleError(record)
        else:
            self._keep(text)


class ErrorsWindow(QDialog):
    """Shows them as text, with a button to copy all."""

    def __init__(self, look: Look, log: ErrorLog, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Errors of the program")
        self.resize(look.px(720), look.px(420))
        self._log = log
        self.view = QPlainTextEdit()
        self.view.setReadOnly(True)
        self.view.setFont(look.mono())
        self.view.setAccessibleName("Errors of the program")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("Copy all", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(log.text))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[look.px(16)] * 4)
        layout.addWidget(
            plain.label(
                "What went wrong inside the program since it was started. Copy it into a report.", look.font()
            )
        )
        layout.addWidget(self.view, 1)
        layout.addWidget(buttons)
        log.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.view.setPlainText(self._log.text or "Nothing went wrong.")
        self.copy.setEnabled(len(self._log) > 0)
