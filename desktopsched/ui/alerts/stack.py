"""The stack: where cards are, at the upper right of the screen, at most three of them. UI thread.

What is beyond that waits as a value, not as a window, and the stack says how many there are. Each card has a key, one
for each task: so the line is never longer than the list.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QScreen, QWindow
from PySide6.QtWidgets import QLabel, QVBoxLayout

from desktopsched.ui import plain
from desktopsched.ui.alerts.card import Card
from desktopsched.ui.look import Look

MOST = 3
_MARGIN, _GAP = 22, 12
_TITLE_BAR = 36  # pixels, as drawn: what the windows of most desktops have; ours say what they really have

Make = Callable[[], Card]


class Stack(QObject):
    """Shows what it is given, oldest first."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.cards: dict[str, Card] = {}
        self.waiting: dict[str, Make] = {}
        self._more: Card | None = None
        self._said = QLabel()

    @property
    def can_show(self) -> bool:
        """Whether there is a screen."""
        return self._screen() is not None

    @staticmethod
    def _screen() -> QScreen | None:
        return QGuiApplication.primaryScreen()  # the stub does not say that there may be none

    def put(self, key: str, make: Make) -> None:
        """Show a card, now or when there is room. `make` makes it; one of this key that waits is replaced."""
        if key in self.cards or len(self.cards) >= MOST:
            self.waiting[key] = make
        else:
            self._show(key, make())
        self.settle()

    def card(self, key: str) -> Card | None:
        """The card of this key, if it is shown."""
        return self.cards.get(key)

    def drop(self, key: str) -> None:
        """Show it no more."""
        self.waiting.pop(key, None)
        card = self.cards.get(key)
        if card is not None:
            card.leave()

    def close(self) -> None:
        """Everything."""
        self.waiting.clear()
        for card in tuple(self.cards.values()):
            card.leave()
        self.settle()

    def _show(self, key: str, card: Card) -> None:
        self.cards[key] = card
        card.gone.connect(lambda: self._gone(key))
        card.fit()
        card.move(self._place(card, self._top()))
        card.show()

    def _gone(self, key: str) -> None:
        self.cards.pop(key, None)
        while self.waiting and len(self.cards) < MOST:
            first = next(iter(self.waiting))
            self._show(first, self.waiting.pop(first)())
        self.settle()

    # --- places --------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Put everything in its place, and say how many wait."""
        top = self._corner().y()
        for card in self.cards.values():
            card.fit()
            card.move(self._place(card, top))
            top += card.height() + self._look.px(_GAP)
        self._say_more(top)

    def _say_more(self, top: int) -> None:
        if not self.waiting:
            if self._more is not None:
                self._more.leave()
                self._more = None
            return
        if self._more is None:
            self._more = self._make_more()
        self._said.setText(f"{len(self.waiting)} more")
        self._more.fit()
        self._more.move(self._place(self._more, top))
        self._more.show()

    def _make_more(self) -> Card:
        card = Card(self._look, 10, "More")
        self._said = plain.label(font=self._look.font(12))
        self._said.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(card)
        layout.setContentsMargins(*[self._look.px(7)] * 4)
        layout.addWidget(self._said)
        card.gone.connect(self._forget_more)
        return card

    def _forget_more(self) -> None:
        self._more = None

    def _top(self) -> int:
        gap = self._look.px(_GAP)
        return self._corner().y() + sum(card.height() + gap for card in self.cards.values())

    def _corner(self) -> QPoint:
        screen = self._screen()
        if screen is None:
            return QPoint()
        px, free = self._look.px, screen.availableGeometry()
        # Below the title bar of a maximised window, whose close button is in this very corner.
        below = max([px(_TITLE_BAR), *map(_title_bar, QGuiApplication.topLevelWindows())]) + px(_GAP)
        return QPoint(free.right() + 1 - px(_MARGIN), free.top() + max(below, px(_MARGIN)))

    def _place(self, card: Card, top: int) -> QPoint:
        return QPoint(self._corner().x() - card.width(), top)


def _title_bar(window: QWindow) -> int:
    return window.frameMargins().top() if window.isVisible() else 0
