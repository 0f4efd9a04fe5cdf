"""Finding in the log: all hits, the current one, and their marks. UI thread.

The hits are found in one look at the text; marked are only those in sight, since each mark costs at every repaint.
"""

import re
from bisect import bisect_left, bisect_right

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QTextEdit

from desktopsched.ui.log_view import LogView
from desktopsched.ui.look import Look

_LATER = 200  # milliseconds after which lines that came are looked through too
_MOST = 100_000  # hits; nobody walks through more


class LogFind(QObject):
    """Looks for words in a log while there are some."""

    found = Signal(int, int)
    """The number of the current hit, 0 if there is none, and how many there are."""

    def __init__(self, view: LogView, look: Look) -> None:
        super().__init__(view)
        self._view, self._look = view, look
        self.words = ""
        self.hits: list[tuple[int, int]] = []  # positions in the document
        self._current = -1
        self._later = QTimer(self, singleShot=True, interval=_LATER)
        self._later.timeout.connect(self._look_again)
        view.grew.connect(self._hear_of_lines)
        view.verticalScrollBar().valueChanged.connect(self._mark)
        look.changed.connect(self._mark)

    def look_for(self, words: str) -> None:
        """Other words; none: nothing is marked any more."""
        self.words = words
        self._current = -1
        self._find()
        if self.hits:  # the first one from what the reader looks at
            at = self._view.firstVisibleBlock().position()
            self._current = min(bisect_left(self.hits, (at, 0)), len(self.hits) - 1)
            if not self._in_sight():
                self._go()
        self._mark()
        self._tell()

    def step(self, by: int) -> None:
        """To the next hit, or to the one before; from the last one to the first."""
        if self.words:
            self._find()
        if not self.hits:
            return
        self._current = (self._current + by) % len(self.hits)
        self._go()
        self._mark()
        self._tell()

    def _hear_of_lines(self, _count: int) -> None:
        if self.words and not self._later.isActive():
            self._later.start()

    def _look_again(self) -> None:
        self._find()
        self._current = min(max(self._current, 0), len(self.hits) - 1)
        self._mark()
        self._tell()

    def _find(self) -> None:
        self.hits = _hits(self._view.toPlainText(), self.words) if self.words else []

    def _tell(self) -> None:
        self.found.emit(self._current + 1, len(self.hits))

    def _go(self) -> None:
        cursor = QTextCursor(self._view.document())
        cursor.setPosition(self.hits[self._current][0])
        self._view.setTextCursor(cursor)
        self._view.centerCursor()

    def _in_sight(self) -> bool:
        first, last = self._sight()
        return first <= self.hits[self._current][0] <= last

    def _sight(self) -> tuple[int, int]:
        """From where to where the document is in sight."""
        view = self._view
        last = view.cursorForPosition(view.viewport().rect().bottomRight()).block()
        return view.firstVisibleBlock().position(), last.position() + last.length()

    def _mark(self) -> None:
        if not self.hits:
            self._view.setExtraSelections([])
            return
        first, last = self._sight()
        places = range(bisect_left(self.hits, (first, 0)), bisect_right(self.hits, (last, 0)))
        self._view.setExtraSelections([self._selection(place) for place in places if place < len(self.hits)])

    def _selection(self, place: int) -> QTextEdit.ExtraSelection:
        tokens = self._look.tokens
        start, end = self.hits[place]
        found = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self._view.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        found.cursor = cursor
        style = found.format
        if place == self._current:
            style.setBackground(QColor(tokens.accent_fill))
            style.setForeground(QColor(tokens.on_accent))
        else:
            style.setBackground(QColor(tokens.mark))
        found.format = style
        return found


def _hits(text: str, words: str) -> list[tuple[int, int]]:
    """Where the words stand, in the units in which Qt counts; capital letters or not."""
    found = []
    astral = (
        [at for at, char in enumerate(text) if char > "\uffff"] if max(text, default="") > "\uffff" else []
    )
    for match in re.finditer(re.escape(words), text, re.IGNORECASE):
        start, end = match.span()
        found.append((start + bisect_left(astral, start), end + bisect_left(astral, end)))
        if len(found) == _MOST:
            break
    return found
