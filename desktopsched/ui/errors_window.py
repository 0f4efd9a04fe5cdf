"""The program's own errors: what went wrong inside, kept for this session, to be read and copied. UI thread.

The records come from any thread; the window sees them by a queued signal.
"""

import logging
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from desktopsched.ui import icons, plain
from desktopsched.ui.button_bar import ButtonBar, push_button
from desktopsched.ui.look import Look

MOST = 200
"""Records that are kept: the latest."""

_MARGIN, _SIZE, _LEAST = 20, (720, 440), (420, 260)  # pixels, as drawn


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
        self._look, self._log = look, log
        self.setObjectName("form")
        self.setWindowTitle("Errors of the program")
        self.setWindowIcon(icons.mark())
        self.view = QPlainTextEdit()
        self.view.setObjectName("output")
        self.view.setReadOnly(True)
        self.view.setTabChangesFocus(True)
        self.view.setFont(look.mono())
        self.view.document().setDocumentMargin(look.px(8))
        self.view.setPlaceholderText("Nothing went wrong since the program was started.")
        self.view.setAccessibleName("Errors of the program")
        self.view.setTextInteractionFlags(plain.SELECTABLE)
        self.copy = push_button(look, "Copy all")
        self.close_button = push_button(look, "Close")
        self._lay_out()
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(log.text))
        self.close_button.clicked.connect(self.reject)
        log.changed.connect(self._show)
        look.changed.connect(self._dress)
        self._dress()
        self._show()
        self.close_button.setFocus()

    def _lay_out(self) -> None:
        look, px = self._look, self._look.px
        title = plain.label("What went wrong inside the program", look.font(15, QFont.Weight.DemiBold))
        hint = plain.label(
            "Mistakes of the program, not of your tasks, since it was started. Copy them into a report.",
            look.font(),
            "second",
        )
        upper = QVBoxLayout()
        upper.setContentsMargins(*[px(_MARGIN)] * 4)
        upper.setSpacing(px(4))
        for label in (title, hint):
            label.setWordWrap(True)
            upper.addWidget(label)
        upper.addSpacing(px(8))
        upper.addWidget(self.view, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(ButtonBar(look, [self.copy], [self.close_button]))
        self.setMinimumSize(*map(px, _LEAST))
        self.resize(QSize(*map(px, _SIZE)).boundedTo(self.screen().availableSize()))

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    def _show(self) -> None:
        """All records; one more leaves the reader at the place that they look at."""
        bar = self.view.verticalScrollBar()
        place, at_end = bar.value(), bar.value() == bar.maximum()
        self.view.setPlainText(self._log.text)
        bar.setValue(bar.maximum() if at_end else place)
        self.copy.setEnabled(len(self._log) > 0)
