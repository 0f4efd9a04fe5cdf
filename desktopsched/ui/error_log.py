"""The program's own errors: what went wrong inside, kept for this session. The records come from any thread."""

import logging
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

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
