"""Room: how large a window may be, so that all of it is on its screen. UI thread."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

_TITLE_BAR = 40  # pixels: those of most desktops are lower, and none is known before the window is shown


def room_for(window: QWidget) -> QSize:
    """What is free for the inside of a window on its screen, less the title bar."""
    return window.screen().availableSize() - QSize(0, _TITLE_BAR)
