"""The test of what is written: its button, its output, and the one that is under way. UI thread."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPushButton

from desktopsched.drafts import Draft
from desktopsched.model import Outcome
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.output import Output
from desktopsched.ui.form.workbench import Bench, Job
from desktopsched.ui.look import Look

_TEST, _STOP = "Test", "Stop"
_WHAT_TEST_DOES = "Run it now, with what is written here. Nothing is saved, and nothing follows from it."
_WHAT_STOP_DOES = "Stop the test, and everything that it has started"


class TrialButton(QPushButton):
    """Test; while one is under way, Stop in its place."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self.stops = look, False
        self.setObjectName("button")
        self.setFont(look.font(weight=QFont.Weight.Medium))
        self.setAutoDefault(False)
        self.show_test()

    def sizeHint(self) -> QSize:
        """As wide as the wider of its two words: nothing moves when one takes the place of the other."""
        hint, metrics = super().sizeHint(), self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, (_TEST, _STOP)))
        return hint + QSize(widest - metrics.horizontalAdvance(self.text()), 0)

    def show_test(self, why_not: str = "") -> None:
        """It can be pressed, or it says why it cannot."""
        self.stops = False
        self._say(_TEST, why_not or _WHAT_TEST_DOES, "Test: run it now")
        self.setEnabled(not why_not)

    def show_stop(self, *, asked: bool = False) -> None:
        """It stops the test; once that was `asked` for, not again."""
        self.stops = True
        self._say(_STOP, _WHAT_STOP_DOES, "Stop the test")
        self.setEnabled(not asked)

    def _say(self, words: str, tip: str, name: str) -> None:
        self.setText(words)
        self.setToolTip(plain.tip(tip))
        self.setAccessibleName(name)
        self.setAccessibleDescription(tip)
        self.dress()

    def dress(self) -> None:
        """In the colours of now."""
        look = self._look
        self.setIcon(look.icon("stop" if self.stops else "run", look.tokens.text))
        self.setIconSize(QSize(look.px(12), look.px(12)))
        self.setFixedHeight(paint.height(look))


class Trial:
    """One test at a time. It hears the workbench until it is closed."""

    def __init__(self, button: TrialButton, output: Output, bench: Bench) -> None:
        self._button, self._output, self._bench = button, output, bench
        self._job: Job | None = None
        self._why_not = ""

    @property
    def under_way(self) -> bool:
        """Whether one runs."""
        return self._job is not None

    def offer(self, why_not: str) -> None:
        """Why what is written cannot be tested; empty: it can."""
        self._why_not = why_not
        if not self.under_way:
            self._button.show_test(why_not)

    def begin(self, draft: Draft) -> None:
        """Try this."""
        self._output.begin()
        self._button.show_stop()
        self._job = self._bench.test(draft, self)

    def stop(self) -> None:
        """Ask the one that runs to end; it says how it did."""
        if self._job is not None:
            self._button.show_stop(asked=True)
            self._output.stopping()
            self._job.stop()

    def close(self) -> None:
        """Nobody looks any more: stop it, and hear nothing of it."""
        job, self._job = self._job, None
        if job is not None:
            job.let_go()
            job.stop("the form was closed")
            self._output.hide()
            self._button.show_test(self._why_not)

    def heard(self, text: str) -> None:
        """Some output."""
        self._output.add(text)

    def ended(self, outcome: Outcome, seconds: float) -> None:
        """It is over."""
        self._job = None
        self._output.end(outcome, seconds)
        self._button.show_test(self._why_not)
