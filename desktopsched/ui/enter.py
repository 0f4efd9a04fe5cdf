"""Enter presses the button that has the focus, in every window, whatever keys the desktop's theme gives to buttons.

UI thread. Each window asks from its `keyPressEvent`, where a key comes to that what has the focus has no use for: so a
dialog's default button is pressed only where no other button has the ring.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

_ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


def press_focused(window: QWidget, event: QKeyEvent) -> bool:
    """Whether the key was Enter and met a button, which is pressed by it: once, however long the key is held."""
    plainly = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    button = window.focusWidget()
    if event.key() not in _ENTER or not plainly or not isinstance(button, QPushButton | QToolButton):
        return False
    if not event.isAutoRepeat() and button.isEnabled():
        _press(button)
    event.accept()
    return True


def _press(button: QPushButton | QToolButton) -> None:
    if isinstance(button, QToolButton) and button.menu() is not None:
        button.showMenu()  # a click of the program would open none
    else:
        button.click()
