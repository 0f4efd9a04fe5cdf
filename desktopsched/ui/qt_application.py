"""Qt's application, and the files that the system asks it to open while it runs, as macOS does. UI thread."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class QtApplication(QApplication):
    """Hears only what is sent to itself: a filter on an application would see every event of every widget."""

    file_wanted = Signal(str)
    """The path of a task list to be looked at: it was double-clicked, or dropped onto the program's icon."""

    def event(self, event: QEvent) -> bool:
        """What the system has to say."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_wanted.emit(event.file())
            return True
        return super().event(event)
