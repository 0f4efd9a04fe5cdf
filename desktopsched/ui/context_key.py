"""Shift F10: the menu of what has the focus, as the Menu key opens it. Many keyboards have none. UI thread.

On Windows the system itself makes one key of the two; Qt on X11 and Wayland knows the Menu key alone.
"""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget


def add_context_key(window: QWidget) -> None:
    """For all that may have the focus in a window."""
    QShortcut(QKeySequence("Shift+F10"), window).activated.connect(_open_menu)


def _open_menu() -> None:
    focus = QApplication.focusWidget()
    if focus is None:
        return
    cursor = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
    spot = cursor.center() if isinstance(cursor, QRect) else focus.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, spot, focus.mapToGlobal(spot))
    QApplication.sendEvent(focus, event)
