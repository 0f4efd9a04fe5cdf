"""Reminders: shown as a notification of the desktop where it has a tray, else in a small window that waits.

`remind` is called on the engine's pool threads; everything else lives on the UI thread. All words are plain text.
"""

import threading

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QSystemTrayIcon, QVBoxLayout, QWidget

from desktopsched.model import Reminder, Run, Task
from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look

PATIENCE = 60.0
"""Seconds that a run waits for its reminder to be shown; a window that is busy for longer shows nothing at all."""

_SHOWN_FOR = 15_000  # milliseconds of a notification, where the desktop listens to that


class _Wish(Struct, eq=False):
    """One reminder on its way to the UI thread, and the answer on its way back."""

    title: str
    message: str
    answered: threading.Event
    shown: bool = False


class Reminders(QObject):
    """Shows reminders, and says whether it did."""

    _asked = Signal(object)

    def __init__(
        self, look: Look, tray: QSystemTrayIcon | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._look, self._tray = look, tray
        self._closed = False
        self._waiting: set[_Wish] = set()
        self._lock = threading.Lock()
        self.windows: list[QWidget] = []
        self._asked.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def remind(self, task: Task, run: Run) -> bool:
        """Show a reminder; whether it was shown. On any thread but the UI's: it waits for that one."""
        message = task.action.message if isinstance(task.action, Reminder) else task.name
        wish = _Wish(task.name, message, threading.Event())
        with self._lock:
            if self._closed:
                return False
            self._waiting.add(wish)
        stop_waiting = run.stop.on_request(wish.answered.set)
        self._asked.emit(wish)
        wish.answered.wait(PATIENCE)
        stop_waiting()
        with self._lock:
            self._waiting.discard(wish)
        return wish.shown

    def close(self) -> None:
        """Show nothing more; whoever waits is told so."""
        with self._lock:
            self._closed = True
            for wish in self._waiting:
                wish.answered.set()
        for window in tuple(self.windows):
            window.close()

    @Slot(object)
    def _show(self, wish: _Wish) -> None:
        if self._closed:
            return
        if self._tray is not None and self._tray.isVisible() and self._tray.supportsMessages():
            self._tray.showMessage(wish.title, unmarked(wish.message), icons.mark(), _SHOWN_FOR)
        else:
            self._open_window(wish)
        wish.shown = True
        wish.answered.set()

    def _open_window(self, wish: _Wish) -> None:
        window = reminder_window(self._look, wish.title, wish.message)
        self.windows.append(window)
        window.destroyed.connect(lambda _=None, window=window: self._forget(window))
        _place(window, self._look.px(16), len(self.windows) - 1)
        window.show()

    def _forget(self, window: QWidget) -> None:
        if window in self.windows:
            self.windows.remove(window)


def unmarked(text: str) -> str:
    """The text for a notification daemon: some read markup, some don't and say no word of it.

    No tag begins without `<`, so a look-alike takes its place; escaping would be shown as it is by the others.
    """
    return text.replace("<", "‹").replace(">", "›")


def _place(window: QWidget, margin: int, others: int) -> None:
    """At the upper right, below those that are there already, as long as there is room."""
    window.adjustSize()
    free = window.screen().availableGeometry().adjusted(margin, margin, -margin, -margin)
    below = others * (window.frameSize().height() + 3 * margin)
    top = free.top() + (below if below + window.height() < free.height() else 0)
    window.move(free.right() - window.width(), top)


def reminder_window(look: Look, title: str, message: str) -> QWidget:
    """A small window on top that takes no focus from typing."""
    flags = Qt.WindowType.Tool | Qt.WindowType.WindowStaysOnTopHint
    window = QWidget(None, flags)
    window.setWindowTitle(title)
    window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    window.setStyleSheet(look.sheet())
    words = plain.label(message, look.font(15, QFont.Weight.DemiBold), "message")
    words.setWordWrap(True)
    done = plain.button("Done", look.font(weight=QFont.Weight.DemiBold), "primary")
    done.clicked.connect(window.close)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(*[look.px(20)] * 4)
    layout.setSpacing(look.px(16))
    layout.addWidget(words)
    layout.addWidget(done)
    window.setMinimumWidth(look.px(320))
    return window
