"""About: what the program is, and the versions that a report about it should name. UI thread."""

import platform
import sqlite3

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktopsched import __version__
from desktopsched.storage.home import Home
from desktopsched.ui import icons, plain
from desktopsched.ui.button_bar import ButtonBar, push_button
from desktopsched.ui.enter import press_focused
from desktopsched.ui.look import Look

_MARGIN, _GAP, _MARK, _WIDE = 20, 16, 52, 520  # pixels, as drawn
_WORDS = "Runs your tasks when they are due. MIT licence; Qt and PySide are used under the LGPL."


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
        self._look, self._versions = look, versions(home)
        self.setObjectName("form")
        self.setWindowTitle("About Desktopsched")
        self.setWindowIcon(icons.mark())
        self.details = plain.label(self._versions, look.mono(12), "second")
        self.copy = push_button(look, "Copy versions")
        self.close_button = push_button(look, "Close")
        self._lay_out()
        self.copy.clicked.connect(self.copy_versions)
        self.close_button.clicked.connect(self.reject)
        look.changed.connect(self._dress)
        self._dress()
        self.close_button.setFocus()
        self.adjustSize()

    def _lay_out(self) -> None:
        look, px, top = self._look, self._look.px, Qt.AlignmentFlag.AlignTop
        mark = QLabel()
        mark.setPixmap(icons.pixmap("mark", "", px(_MARK), self.devicePixelRatioF()))
        said = plain.label(_WORDS, look.font(), "second")
        for label in (said, self.details):
            label.setWordWrap(True)
            label.setTextInteractionFlags(plain.SELECTABLE)
        lines = QVBoxLayout()
        lines.setSpacing(px(6))
        lines.addWidget(plain.label(f"Desktopsched {__version__}", look.font(15, QFont.Weight.DemiBold)))
        lines.addWidget(said)
        lines.addSpacing(px(8))
        lines.addWidget(self.details)
        lines.addStretch(1)
        upper = QHBoxLayout()
        upper.setContentsMargins(*[px(_MARGIN)] * 4)
        upper.setSpacing(px(_GAP))
        upper.addWidget(mark, 0, top)
        upper.addLayout(lines, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(ButtonBar(look, [self.copy], [self.close_button]))
        self.setMinimumWidth(px(_WIDE))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus, before the primary one."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    def copy_versions(self) -> None:
        """To the clipboard."""
        QGuiApplication.clipboard().setText(self._versions)
