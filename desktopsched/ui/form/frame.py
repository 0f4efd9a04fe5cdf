"""The frame of a form: a dialog with notices above, a page that is made piece by piece, and a foot. UI thread."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from desktopsched.ui import icons
from desktopsched.ui.banner import Banners
from desktopsched.ui.enter import press_focused
from desktopsched.ui.form.cover import Cover
from desktopsched.ui.form.foot import Foot
from desktopsched.ui.form.page import Page
from desktopsched.ui.look import Look
from desktopsched.ui.room import room_for

_WIDE = 860  # pixels, as drawn
_LEAST = (560, 360)


class Frame(QDialog):
    """A page has some 400 widgets, which take longer than anybody should hold the UI thread: hence the pieces."""

    def __init__(self, look: Look, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._look = look
        self._was_shown = False
        self._ended = False
        self._pieces: Iterator[None] | None = None  # what is still to be made
        self.setObjectName("form")
        self.setWindowIcon(icons.mark())
        self._dress()  # first: a sheet is quick to set while there is nothing to be styled by it
        self._page, self.banners, self.foot = Page(look), Banners(look), Foot(look)
        self.cover = Cover(look, self._page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.banners, self._page, self.foot):
            column.addWidget(widget)
        self.setMinimumSize(*map(look.px, _LEAST))
        look.changed.connect(self._dress)

    @property
    def page(self) -> Page:
        """All that is written. What is not there yet is made when it is first asked for."""
        self.finish()
        return self._page

    def finish(self) -> None:
        """Make all that is left, at once."""
        while self._pieces is not None:
            next(self._pieces, None)

    @property
    def is_made(self) -> bool:
        """Whether all is there. Whoever makes the last piece says so, by `_pieces`."""
        return self._pieces is None

    def appear(self) -> None:
        """Make it, a piece in each turn of the event loop, and show it: the window goes on meanwhile."""
        if self._ended:
            return
        if self._pieces is not None:
            next(self._pieces, None)
            QTimer.singleShot(0, self, self.appear)
            return
        self.show()
        self.raise_()
        self.activateWindow()

    def done(self, result: int) -> None:
        """Closed, perhaps before it has appeared: then it does not any more."""
        self._ended = True
        super().done(result)

    def hold(self, words: str) -> None:
        """Let nothing be changed, and say what is waited for; with no words, let all be changed again."""
        self.cover.lie(over=bool(words))
        self.banners.setEnabled(not words)
        self.foot.wait(words)
        if words:
            self.foot.cancel.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus; there is no primary one, Ctrl Enter saves."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Not into what is covered; and what has the focus is to be seen, also where it came from the foot."""
        moved = self.cover.isHidden() and super().focusNextPrevChild(next_)
        focus = self.focusWidget()
        if moved and self._page.isAncestorOf(focus):
            self._page.ensureWidgetVisible(focus)
        return moved

    def setVisible(self, visible: bool) -> None:
        """Only as a whole: what comes into a window that is shown already has its place a moment later."""
        if visible:
            self.finish()
        super().setVisible(visible)

    def showEvent(self, event: QShowEvent) -> None:
        """Sizes are right only now that the style is at work."""
        if not self._was_shown:
            self._was_shown = True
            self._take_room()
        super().showEvent(event)

    def _take_room(self) -> None:
        """As wide as it was drawn, and as high as it takes to show all; at most the screen, less its title bar."""
        wide = self._look.px(_WIDE)
        bar = self.page.verticalScrollBar().sizeHint().width()
        # Less the scroll bar, though none is to be seen: Qt keeps one where lines wrap because of it alone.
        tall = self.page.body.heightForWidth(wide - bar) + self.foot.height()
        self.resize(QSize(wide, tall).boundedTo(room_for(self)))

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))
