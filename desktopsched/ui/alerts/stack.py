"""The stack: where cards are, at the upper right of the screen, at most three of them. UI thread.

On a small screen there are fewer, as many as it has room for: whole, with their buttons. What is beyond that waits as a
value, not as a window, and the stack says how many there are. Each card has a key, one for each task: so the line is
never longer than the list.
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
_MORE = 48  # what is kept free for saying how many more there are
_TITLE_BAR = 36  # pixels, as drawn: what the windows of most desktops have; ours say what they really have

Make = Callable[[], Card]


class Stack(QObject):
    """Shows what it is given, oldest first."""

    def __init__(self, look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.cards: dict[str, Card] = {}
        self.waiting: dict[str, Make] = {}
        self._made: dict[str, Make] = {}  # how the cards were made that are shown
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
        self.waiting[key] = make
        self._fill()

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

    def _fill(self) -> None:
        """Show of those that wait, in their order, what there is room for."""
        while len(self.cards) < MOST and (key := self._next()) is not None:
            make = self.waiting.pop(key)
            card = make()
            card.fit()
            if self.cards and self._top() + card.height() > self._bottom(bool(self.waiting)):
                card.deleteLater()
                self.waiting = {key: make, **self.waiting}
                break
            self._made[key] = make
            self._show(key, card)
        self.settle()

    def _next(self) -> str | None:
        """A task whose card is shown waits until that one has gone."""
        return next((key for key in self.waiting if key not in self.cards), None)

    def _show(self, key: str, card: Card) -> None:
        card.gone.connect(lambda: self._gone(key))
        card.move(self._place(card, self._top()))
        self.cards[key] = card
        card.show()

    def _gone(self, key: str) -> None:
        self.cards.pop(key, None)
        self._made.pop(key, None)
        before = set(self.cards)
        self._fill()
        for come in self.cards.keys() - before:
            self.cards[come].spare()

    def _take_back(self) -> None:
        """What has no room any more since a card above it has more to say is the first of those that wait."""
        while len(self.cards) > 1 and self._top() - self._gap > self._bottom(bool(self.waiting)):
            key, card = self.cards.popitem()
            card.withdraw()
            self.waiting = {key: self._made.pop(key), **self.waiting}

    # --- places --------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Put everything in its place, and say how many wait."""
        for card in self.cards.values():
            card.fit()
        self._take_back()
        top = self._first()
        for card in self.cards.values():
            place = self._place(card, top)
            if place.y() < card.y():
                card.spare()
            card.move(place)
            top += card.height() + self._gap
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

    @property
    def _gap(self) -> int:
        return self._look.px(_GAP)

    def _top(self) -> int:
        return self._corner().y() + sum(card.height() + self._gap for card in self.cards.values())

    def _bottom(self, more: bool) -> int:
        """Where the last card ends at the latest; below it is said how many there are `more`."""
        screen = self._screen()
        return (
            0
            if screen is None
            else screen.availableGeometry().bottom() + 1 - (self._look.px(_MORE) if more else 0)
        )

    def _corner(self) -> QPoint:
        screen = self._screen()
        if screen is None:
            return QPoint()
        px, free = self._look.px, screen.availableGeometry()
        # Below the title bar of a maximised window, whose close button is in this very corner.
        below = max([px(_TITLE_BAR), *map(_title_bar, QGuiApplication.topLevelWindows())]) + px(_GAP)
        return QPoint(free.right() + 1 - px(_MARGIN), free.top() + max(below, px(_MARGIN)))

    def _first(self) -> int:
        """The top of the first card: higher than the corner where a single one would leave the screen."""
        screen, corner = self._screen(), self._corner().y()
        if screen is None or not self.cards:
            return corner
        over = self._top() - self._gap - self._bottom(bool(self.waiting))
        return max(corner - max(over, 0), screen.availableGeometry().top())

    def _place(self, card: Card, top: int) -> QPoint:
        return QPoint(self._corner().x() - card.width(), top)


def _title_bar(window: QWindow) -> int:
    return window.frameMargins().top() if window.isVisible() else 0
