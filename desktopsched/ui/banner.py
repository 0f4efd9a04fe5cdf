"""Banners: what the person should know or decide, above the table. UI thread; all words are plain text."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktopsched.model import State
from desktopsched.ui import icons, plain
from desktopsched.ui.direction import left_to_right
from desktopsched.ui.look import Look
from desktopsched.ui.one_line import OneLine


class Answer(Struct, frozen=True):
    """A button of a banner."""

    words: str
    act: Callable[[], object]


class Notice(Struct, frozen=True, kw_only=True):
    """What a banner says."""

    icon: str
    tone: State  # whose tint and ink it has
    headline: str
    more: str = ""
    answers: tuple[Answer, ...] = ()


class Banner(QWidget):
    """One line: an icon, a sentence in bold, one more, and what can be done."""

    def __init__(self, notice: Notice, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(f"{notice.headline} {notice.more}".strip())
        self.setMinimumHeight(look.px(36))
        self._notice, self._look = notice, look
        self._icon = QLabel()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(look.px(14), 0, look.px(8), 0)
        layout.setSpacing(look.px(8))
        layout.addWidget(self._icon)
        layout.addWidget(plain.label(left_to_right(notice.headline), look.font(weight=QFont.Weight.DemiBold)))
        self.more = OneLine(left_to_right(notice.more), look.font())
        self.more.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.more.setToolTip(plain.tip(notice.more))
        layout.addWidget(self.more, 1)
        self.buttons = [self._button(answer) for answer in notice.answers]
        self.rest = plain.button("", look.font(weight=QFont.Weight.DemiBold))
        """It leads to what else there is to say."""
        self.rest.hide()
        for button in (*self.buttons, self.rest):
            layout.addWidget(button)
        self.dress()

    def _button(self, answer: Answer) -> QPushButton:
        button = plain.button(answer.words, self._look.font(weight=QFont.Weight.DemiBold))
        button.clicked.connect(lambda _checked=False: answer.act())
        return button

    def dress(self) -> None:
        """In the colours of now."""
        ink = self._look.tokens.states[self._notice.tone]
        self.setStyleSheet(f"#banner {{ background: {ink.tint}; }}")
        picture = icons.pixmap(self._notice.icon, ink.ink, self._look.px(16), self.devicePixelRatioF())
        self._icon.setPixmap(picture)


class Banners(QWidget):
    """The banners that there are now. They are made anew only when they say something else.

    One is seen at a time, and how many more there are: several would take the place of the table. A press shows all.
    """

    left = Signal()
    """A banner goes that had the keyboard: what is above the table leaves it to the table."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._said: tuple[tuple[str, str], ...] = ()
        self._unfolded = False
        self.banners: list[Banner] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        look.changed.connect(self._dress)
        self.hide()

    def show_notices(self, notices: Sequence[Notice]) -> None:
        """Show these, in this order."""
        said = tuple((notice.headline, notice.more) for notice in notices)
        if said == self._said:
            return
        self._said = said
        if self.isAncestorOf(QApplication.focusWidget() or self):
            self.left.emit()  # Qt would give it to whatever comes next in the order of Tab
        for banner in self.banners:
            self._layout.removeWidget(banner)
            banner.hide()
            banner.deleteLater()
        self.banners = [Banner(notice, self._look, self) for notice in notices]
        for banner in self.banners:
            banner.rest.clicked.connect(self._unfold)
            self._layout.addWidget(banner)
        self._unfolded = self._unfolded and len(notices) > 1
        self._show_first()
        self.setVisible(bool(notices))

    def _show_first(self) -> None:
        """And the others, if they are wanted."""
        more = len(self.banners) - 1
        for place, banner in enumerate(self.banners):
            banner.rest.setText(f"{more} more")
            banner.rest.setVisible(place == 0 and more > 0 and not self._unfolded)
            banner.setVisible(place == 0 or self._unfolded)

    def _unfold(self) -> None:
        """Show all, until there is no more than one; the keyboard goes on where the rest begins."""
        self._unfolded = True
        self._show_first()
        first, *others = self.banners
        if buttons := [button for banner in (*others, first) for button in banner.buttons]:
            buttons[0].setFocus()
        else:
            self.left.emit()

    def _dress(self) -> None:
        for banner in self.banners:
            banner.dress()
