"""The card of a failure: what failed and why, and two things to do. UI thread; all words are plain text."""

from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.alerts import failures
from desktopsched.ui.alerts.card import Card
from desktopsched.ui.alerts.faces import close_button, dress_close_button, fitting, wrapped
from desktopsched.ui.alerts.failures import Failing
from desktopsched.ui.direction import left_to_right
from desktopsched.ui.look import Look

STAYS = 12_000
"""Milliseconds; while the pointer is on it, it stays."""

_NAME_MOST, _WHY_MOST = 160, 300  # characters


class FailureCard(Card):
    """Goes by itself."""

    log_wanted = Signal()
    resume_wanted = Signal()

    def __init__(self, look: Look, failing: Failing, zone: ZoneInfo) -> None:
        super().__init__(look, 10, f"{failing.task.name} failed")
        self._zone = zone
        bold = look.font(weight=QFont.Weight.DemiBold)
        self._headline = wrapped("", bold, "message", _NAME_MOST)
        self._details = wrapped("", look.font(12.5), "more", _WHY_MOST)
        self._picture = QLabel()
        self.log_button = self._link("Show log")
        self.resume_button = self._link("Resume task")
        self._lay_out()
        self.timer = QTimer(self, singleShot=True, interval=STAYS)
        self.timer.timeout.connect(self.leave)
        self.hovered.connect(self._hover)
        self.log_button.clicked.connect(self._show_log)
        self.resume_button.clicked.connect(self._resume)
        look.changed.connect(self.dress)
        self.dress()
        self.tell(failing)
        self.timer.start()

    def tell(self, failing: Failing) -> None:
        """It failed again, perhaps. The time goes on: a task that fails each second must not keep the card."""
        self._headline.setText(left_to_right(fitting(failures.headline(failing, self._zone), _NAME_MOST)))
        details = failures.details(failing)
        self._details.setText(left_to_right(fitting(details, _WHY_MOST)))
        self.resume_button.setVisible(failing.paused)
        self.setAccessibleDescription(details)

    def _link(self, words: str) -> QPushButton:
        button = plain.button(words, self.look.font(12.5, QFont.Weight.DemiBold), "link")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    def _lay_out(self) -> None:
        px, row, told, links = self.look.px, QHBoxLayout(self), QVBoxLayout(), QHBoxLayout()
        links.setContentsMargins(0, px(4), 0, 0)
        links.setSpacing(px(8))
        links.addWidget(self.log_button)
        links.addWidget(self.resume_button)
        links.addStretch(1)
        told.setSpacing(px(1))
        for label in (self._headline, self._details):
            told.addWidget(label)
        told.addLayout(links)
        self._cross = close_button(self.look)
        self._cross.clicked.connect(self.leave)
        row.setContentsMargins(px(14), px(10), px(8), px(10))
        row.setSpacing(px(11))
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(told, 1)
        row.addWidget(self._cross, 0, Qt.AlignmentFlag.AlignTop)

    def dress(self) -> None:
        """In the colours of now."""
        self.setStyleSheet(self.look.sheet("alerts"))
        dress_close_button(self._cross, self.look)
        self._picture.setPixmap(self.look.state_icon(State.FAILED, 20, self.devicePixelRatioF()))
        self.update()

    def _hover(self, here: bool) -> None:
        if here:
            self.timer.stop()
        else:
            self.timer.start()

    def _show_log(self) -> None:
        self.log_wanted.emit()
        self.leave()

    def _resume(self) -> None:
        self.resume_wanted.emit()
        self.leave()
