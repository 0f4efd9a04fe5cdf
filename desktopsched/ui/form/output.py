"""The output of a test run, below what was tested. UI thread; plain text, and never more than a few thousand lines."""

from PySide6.QtGui import QFont, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from desktopsched import phrases
from desktopsched.actions.text import TextReader, plain_text
from desktopsched.model import Outcome, State
from desktopsched.ui import plain
from desktopsched.ui.look import Look

LINES = 2_000
PIECE, PIECE_LINES = 65_536, 400
"""Characters, and lines, of one piece that are shown, its last ones: a flood must not hold the window up."""

_PRECISE = 10.0  # seconds below which tenths are worth a look


class Output(QWidget):
    """Hidden until a test has been asked for."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self._state = look, State.RUNNING
        self._reader = TextReader()
        self._icon = QLabel()
        self.words = plain.label("", look.font(12.5, QFont.Weight.Medium))
        self.hide_button = QToolButton()
        self.hide_button.setObjectName("chip_button")
        self.hide_button.setAccessibleName("Hide the output")
        self.hide_button.setToolTip("Hide the output")
        self.hide_button.clicked.connect(self.hide)
        self.text = QPlainTextEdit()
        self.text.setObjectName("output")
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(LINES)
        self.text.setFont(look.mono(12))
        self.text.setAccessibleName("Output of the test")
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(look.px(120))
        head = QHBoxLayout()
        head.setContentsMargins(2, 0, 0, 0)
        head.setSpacing(look.px(6))
        head.addWidget(self._icon)
        head.addWidget(self.words, 1)
        head.addWidget(self.hide_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, look.px(4), 2, 2)
        column.setSpacing(look.px(4))
        column.addLayout(head)
        column.addWidget(self.text)
        look.changed.connect(self._dress)
        self._dress()
        self.hide()

    def begin(self) -> None:
        """A test was asked for. There is no room for output before there is some: a reminder has none."""
        self._reader = TextReader()
        self.text.clear()
        self.text.hide()
        self._say(State.RUNNING, "Testing")
        self.show()

    def stopping(self) -> None:
        """It was asked to end."""
        self._say(State.RUNNING, "Stopping the test")

    def add(self, text: str) -> None:
        """Some output, as it came."""
        if lines := self._reader.feed(last_lines(text[-PIECE:])):
            self._append(plain_text(lines))

    def end(self, outcome: Outcome, seconds: float) -> None:
        """How it ended, and after how long."""
        if lines := self._reader.finish():
            self._append(plain_text(lines))
        self._say(outcome.state, end_words(outcome, seconds))

    def _append(self, text: str) -> None:
        self.text.show()
        cursor = QTextCursor(self.text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text + "\n")
        bar = self.text.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _say(self, state: State, words: str) -> None:
        self._state = state
        self.words.setText(words)
        self._dress()

    def _dress(self) -> None:
        self._icon.setPixmap(self._look.state_icon(self._state, 14, self.devicePixelRatioF()))
        self.hide_button.setIcon(self._look.icon("close", self._look.tokens.text3))


def last_lines(text: str) -> str:
    """The last lines of a piece, after a line that says how many others there were."""
    more = text.count("\n") - PIECE_LINES
    if more <= 0:
        return text
    kept = text.rsplit("\n", PIECE_LINES + 1)[1:]
    return "\n".join((f"… {more:,} lines not shown …", *kept))


def end_words(outcome: Outcome, seconds: float) -> str:
    """How a test ended: "Test succeeded in 0.4 s", "Test failed after 12 s: exit code 1"."""
    took = phrases.span(seconds) if seconds >= _PRECISE else f"{max(seconds, 0.1):.1f} s"
    if outcome.state is State.SUCCEEDED:
        return f"Test succeeded in {took}" + (f": {outcome.reason}" if outcome.reason else "")
    if outcome.state is State.SKIPPED:
        return f"Test skipped: {outcome.reason}"
    return f"Test {outcome.state.value} after {took}" + (f": {outcome.reason}" if outcome.reason else "")
