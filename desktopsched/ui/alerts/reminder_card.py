"""The card of a reminder: what it says, when to say it again, and Done. UI thread; all words are plain text."""

from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktopsched import phrases
from desktopsched.ui import icons, plain
from desktopsched.ui.alerts import snooze
from desktopsched.ui.alerts.card import WIDTH, Card
from desktopsched.ui.alerts.faces import RingButton, close_button, dress_close_button, line, wrapped
from desktopsched.ui.alerts.snooze import SNOOZES, Shown
from desktopsched.ui.direction import left_to_right
from desktopsched.ui.enter import press_focused
from desktopsched.ui.look import Look

_HEADLINE_MOST, _REST_MOST = 160, 500  # characters; the tool tip has the rest
_RETURN = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class ReminderCard(Card):
    """Enter is Done, 1 to 4 snooze; Tab walks through the buttons, and begins at Done."""

    done = Signal()
    snoozed = Signal(int)
    """The place of the choice in `snooze.SNOOZES`."""

    def __init__(self, look: Look, shown: Shown, zone: ZoneInfo) -> None:
        super().__init__(look, 12, shown.title)
        self._zone = zone
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        self._when = plain.label(font=look.font(12), name="quiet")
        self._aside = plain.label(font=look.font(12, QFont.Weight.Medium), name="late")
        self._aside.setWordWrap(True)
        layout.addLayout(self._head(shown.title))
        layout.addLayout(self._body(shown))
        layout.addWidget(self._foot())
        self.tell(shown)
        look.changed.connect(self.dress)
        self.dress()
        self.done_button.setFocus()

    def tell(self, shown: Shown) -> None:
        """When it came up, and what else there is to say of it; it came again, perhaps."""
        self._when.setText(phrases.clock(shown.at, shown.at, self._zone))
        aside = snooze.aside(shown, self._zone)
        self._aside.setText(aside)
        self._aside.setVisible(bool(aside))
        self.setAccessibleDescription(f"{shown.message} {aside}".strip())

    # --- the parts -----------------------------------------------------------------------------------------

    def _head(self, title: str) -> QHBoxLayout:
        px, row = self.look.px, QHBoxLayout()
        mark = QLabel()
        mark.setPixmap(icons.mark().pixmap(px(15), px(15)))
        self._cross = close_button(self.look)
        self._cross.clicked.connect(self._finish)
        row.setContentsMargins(px(13), px(8), px(9), 0)
        row.setSpacing(px(7))
        row.addWidget(mark)
        row.addWidget(line(left_to_right(title), self.look.font(12), "quiet", px(WIDTH - 140)), 1)
        row.addWidget(self._when)
        row.addWidget(self._cross)
        return row

    def _body(self, shown: Shown) -> QHBoxLayout:
        px, row, told = self.look.px, QHBoxLayout(), QVBoxLayout()
        self._picture = QLabel()
        self._picture.setFixedSize(px(42), px(42))
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        told.setSpacing(px(3))
        told.addWidget(
            wrapped(shown.headline, self.look.font(15, QFont.Weight.DemiBold), "message", _HEADLINE_MOST)
        )
        if shown.rest:
            told.addWidget(wrapped(shown.rest, self.look.font(), "more", _REST_MOST))
        told.addWidget(self._aside)
        told.addStretch(1)
        row.setContentsMargins(px(13), px(9), px(13), px(13))
        row.setSpacing(px(13))
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(told, 1)
        return row

    def _foot(self) -> QWidget:
        px, foot = self.look.px, plain.named(QWidget(), "cardFoot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout, row = QVBoxLayout(foot), QHBoxLayout()
        layout.setContentsMargins(px(9), px(9), px(9), px(8))
        layout.setSpacing(px(5))
        label = plain.label("Remind me again in", self.look.font(12), "quiet")
        label.setContentsMargins(px(4), 0, 0, 0)
        layout.addWidget(label)
        row.setContentsMargins(px(4), 0, px(4), 0)
        row.setSpacing(px(6))
        self.done_button = RingButton(self.look, "Done", "check")
        self.done_button.clicked.connect(self._finish)
        self.snooze_buttons = [self._snooze_button(place) for place in range(len(SNOOZES))]
        for place, button in enumerate(self.snooze_buttons):
            row.addWidget(button, 1 if place == len(SNOOZES) - 1 else 0)
        layout.addLayout(row)
        layout.addWidget(self.done_button)
        return foot

    def _snooze_button(self, place: int) -> QPushButton:
        button = plain.button(SNOOZES[place], self.look.font(12.5, QFont.Weight.Medium), "snooze")
        button.setToolTip(f"Remind me again: {SNOOZES[place]} ({place + 1})")
        button.setAccessibleName(f"Remind me again in {SNOOZES[place]}")
        button.clicked.connect(lambda _checked=False: self._snooze(place))
        return button

    def dress(self) -> None:
        """In the colours of now."""
        look, tokens = self.look, self.look.tokens
        self.setStyleSheet(look.sheet("alerts"))
        dress_close_button(self._cross, look)
        self._picture.setStyleSheet(f"background: {tokens.sel}; border-radius: {look.px(11)}px;")
        self._picture.setPixmap(icons.pixmap("bell", tokens.accent, look.px(22), self.devicePixelRatioF()))
        self.update()

    # --- what the person does ------------------------------------------------------------------------------

    def _finish(self) -> None:
        self.done.emit()
        self.leave()

    def _snooze(self, place: int) -> None:
        self.snoozed.emit(place)
        self.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, and the figures."""
        place = event.key() - Qt.Key.Key_1.value
        if press_focused(self, event):  # Done, unless Tab went on
            return
        if event.key() in _RETURN:
            self._finish()
        elif 0 <= place < len(SNOOZES):
            self._snooze(place)
        elif event.key() == Qt.Key.Key_Escape:
            self._finish()
        else:
            super().keyPressEvent(event)
