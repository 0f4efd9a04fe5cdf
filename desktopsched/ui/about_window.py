"""About: what the program is, and the versions that a report about it should name. UI thread."""

import platform
import sqlite3

import PySide6
from PySide6.QtCore import qVersion
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from desktopsched import __version__
from desktopsched.storage.home import Home
from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look


def versions(home: Home) -> str:
    """The lines that help whoever reads a report."""
    return "\n".join(
        (
            f"Desktopsched {__version__}",
            f"Python {platform.python_version()}, Qt {qVersion()}, PySide {PySide6.__version__}",
            f"SQLite {sqlite3.sqlite_version}",
            f"{platform.system()} {platform.release()}, {platform.machine()}",
            f"Tasks: {home.tasks}",
        )
    )


class AboutWindow(QDialog):
    """The mark, the words, the versions, and a button to copy these."""

    def __init__(self, look: Look, home: Home, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Desktopsched")
        self._versions = versions(home)
        mark = QLabel()
        mark.setPixmap(icons.mark().pixmap(look.px(48)))
        details = plain.label(self._versions, look.mono(12))
        details.setTextInteractionFlags(plain.SELECTABLE)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton("Copy versions", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(self.copy_versions)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[look.px(20)] * 4)
        layout.setSpacing(look.px(12))
        layout.addWidget(mark)
        layout.addWidget(plain.label("Desktopsched", look.font(15, QFont.Weight.DemiBold)))
        words = "Runs your tasks when they are due. MIT licence; Qt and PySide are used under the LGPL."
        layout.addWidget(plain.label(words, look.font()))
        layout.addWidget(details)
        layout.addWidget(buttons)

    def copy_versions(self) -> None:
        """To the clipboard."""
        QGuiApplication.clipboard().setText(self._versions)
