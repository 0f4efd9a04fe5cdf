"""What the window remembers of its own: its place and its sizes, in a file of the home. UI thread."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

FILE = "window.ini"


class Keepsake:
    """Named states of widgets, as Qt gives them. A damaged file is as good as none."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / FILE), QSettings.Format.IniFormat)

    def get(self, name: str) -> QByteArray:
        """What was kept under this name; empty, where nothing was."""
        value = self._settings.value(name)
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep(self, **states: QByteArray) -> None:
        """Write them down."""
        for name, state in states.items():
            self._settings.setValue(name, state)
        self._settings.sync()
