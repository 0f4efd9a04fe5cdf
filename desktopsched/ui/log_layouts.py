"""What Qt keeps of each line of a log that it has laid out, and how it is let go of. UI thread.

It is seventy bytes for each character, for as long as the line is there: 20,000 lines of a hundred take 140 MB. Only
all layouts of a document can be taken away; it lays out anew what comes into sight, and keeps nothing of the rest.
"""

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

WORTH = 100
"""Lines: of fewer, nothing is let go of."""

EVERY = 10_000
"""Milliseconds from the first line that came to letting go: it takes 14 ms where there are 20,000 lines."""


class LogLayouts(QObject):
    """Counts the lines that a view got. While none come, nothing wakes up."""

    due = Signal()
    """It is time to let go."""

    def __init__(self, view: QPlainTextEdit) -> None:
        super().__init__(view)
        self._view, self._lines = view, 0
        self._spare = lines_of_its_own(view)
        self._later = QTimer(self, singleShot=True, interval=EVERY, timerType=Qt.TimerType.VeryCoarseTimer)
        self._later.timeout.connect(self.due)

    def grew(self, lines: int) -> None:
        """So many lines came."""
        self._lines += lines
        if self._lines >= WORTH and not self._later.isActive():
            self._later.start()

    def let_go(self) -> None:
        """Let go of all layouts; what is in sight, selected and marked stays so."""
        view, document = self._view, self._view.document()
        self._lines = 0
        cursor, marks = view.textCursor(), view.extraSelections()
        bars = [(bar, bar.value()) for bar in (view.horizontalScrollBar(), view.verticalScrollBar())]
        view.setDocument(self._spare)  # a view looks for the layout of a document when it gets that
        document.setDocumentLayout(QPlainTextDocumentLayout(document))
        view.setDocument(document)
        view.setTextCursor(cursor)
        view.setExtraSelections(marks)
        for bar, value in bars:
            bar.setValue(value)


def lines_of_its_own(view: QPlainTextEdit) -> QTextDocument:
    """A document that the view shows and does not delete when it shows another one."""
    document = QTextDocument(view)
    document.setDocumentLayout(QPlainTextDocumentLayout(document))
    return document
