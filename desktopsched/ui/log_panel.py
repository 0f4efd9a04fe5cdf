"""The live log: events go in, and come up in the text in small portions. UI thread.

A batch at most each 50 ms, and never more than a few milliseconds' worth: a task that prints without end costs its own
lines, not the window.
"""

import time
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from desktopsched.engine.events import Event
from desktopsched.ui import plain
from desktopsched.ui.log_view import LogView
from desktopsched.ui.look import Look
from desktopsched.ui.transcript import Transcript

EVERY = 50
"""Milliseconds from one batch to the next."""

WORTH = 0.008
"""Seconds of the UI thread that one batch may take."""


class LogPanel(QWidget):
    """A head with the follow button, and the text."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.transcript = Transcript()
        self.view = LogView(look, self)
        self.follow_button = QToolButton()
        self._next = QTimer(self, singleShot=True, interval=EVERY)
        self._next.timeout.connect(self._write_some)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head())
        layout.addWidget(self.view)
        self.view.follows.connect(self._show_follow)
        look.changed.connect(self._dress)
        self._dress()
        self._show_follow()

    def _head(self) -> QWidget:
        head = plain.named(QWidget(), "head")
        head.setFixedHeight(self._look.px(32))
        layout = QHBoxLayout(head)
        layout.setContentsMargins(self._look.px(12), 0, self._look.px(8), 0)
        layout.addWidget(plain.label("Live log", self._look.font(12.5, QFont.Weight.DemiBold)))
        layout.addStretch()
        layout.addWidget(self.follow_button)
        self.follow_button.setText("Follow")
        self.follow_button.setFont(self._look.font(12, QFont.Weight.Medium))
        self.follow_button.setCheckable(True)
        self.follow_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.follow_button.setToolTip("Stay with the newest line. Scrolling up lets it go")
        self.follow_button.clicked.connect(self._follow_clicked)
        return head

    def _dress(self) -> None:
        self.follow_button.setIcon(self._look.icon("follow"))

    # --- following -----------------------------------------------------------------------------------------

    def _follow_clicked(self) -> None:
        if self.follow_button.isChecked():
            self.view.follow()
        self._show_follow()

    def _show_follow(self) -> None:
        with QSignalBlocker(self.follow_button):
            self.follow_button.setChecked(self.view.following)

    # --- writing -------------------------------------------------------------------------------------------

    def apply(self, events: Sequence[Event]) -> None:
        """Take what happened; it is shown within a moment."""
        self.transcript.take(events, time.monotonic())
        if self.transcript.waiting and not self._next.isActive():
            self._next.start()

    def _write_some(self) -> None:
        end = time.monotonic() + WORTH
        while self.transcript.waiting and time.monotonic() < end:
            self.view.write(self.transcript.next())
        if self.transcript.waiting:
            self._next.start()
