"""If it fails, if it overlaps, if it was missed. UI thread."""

from desktopsched.ui.form.amount import Amount
from desktopsched.ui.form.choice import Choice
from desktopsched.ui.form.fields import Field
from desktopsched.ui.form.measures import DURATION, count
from desktopsched.ui.form.section import Section, words
from desktopsched.ui.form.segments import Segment, Segments
from desktopsched.ui.look import Look

GROWTH = (
    (1, "the same each time"),
    (1.5, "half more each time"),
    (2, "doubling each time"),
    (3, "tripling each time"),
)
_FAILED = (Segment("alert", "Alert me"), Segment("ignore", "Ignore"), Segment("pause", "Pause task"))
_OVERLAP = (
    Segment("skip", "Skip"),
    Segment("queue", "Queue"),
    Segment("parallel", "Parallel"),
    Segment("replace", "Replace"),
)
_OVERLAP_HELP = {
    "skip": "The new run is left out.",
    "queue": "The new run starts when the one before it ends.",
    "parallel": "The new run starts beside the one before it.",
    "replace": "The run under way is stopped, and the new one starts.",
}
_MISSED = (
    Segment("ask", "Ask me"),
    Segment("all", "Run all"),
    Segment("latest", "Run latest"),
    Segment("skip", "Skip"),
)
_MISSED_HELP = "Applies to runs missed while Desktopsched was closed."


class Failure:
    """If it fails."""

    def __init__(self, look: Look) -> None:
        self.section = Section(look, "If it fails")
        self.attempts = Amount(look, "Attempts", count("time", "times", least=1), width=80, default=1)
        self.delay = Amount(look, "Wait between attempts", DURATION, width=68, default="0s")
        self.growth = Choice(look, "How the wait grows", GROWTH, width=152)
        self.then = Segments(look, "When all attempts have failed", _FAILED)
        row = self.section.add(
            words(look, "Try"), self.attempts, words(look, "waiting"), self.delay, self.growth,
            words(look, "then"), self.then,
        )  # fmt: skip
        section = self.section
        self.fields = [
            Field("retry.attempts", "The number of attempts", self.attempts, row, section),
            Field("retry.delay", "The wait", self.delay, row, section),
            Field("on_failure", "What follows", self.then, row, section),
        ]


class Overlap:
    """If it overlaps."""

    def __init__(self, look: Look) -> None:
        self.section = Section(look, "If it overlaps")
        self.choice = Segments(look, "While it is still running", _OVERLAP)
        self.help = words(look, "", "help")
        self.help.setFont(look.font(12))
        row = self.section.add(self.choice, self.help)
        self.fields = [Field("overlap", "What overlaps", self.choice, row, self.section)]
        self.choice.edited.connect(self._say)
        self._say()

    def _say(self) -> None:
        self.help.setText(_OVERLAP_HELP[self.choice.value])


class Missed:
    """If it was missed."""

    def __init__(self, look: Look) -> None:
        self.section = Section(look, "If it was missed")
        self.choice = Segments(look, "Missed runs", _MISSED)
        help_ = words(look, _MISSED_HELP, "help")
        help_.setFont(look.font(12))
        row = self.section.add(self.choice, help_)
        self.fields = [Field("catch_up", "What was missed", self.choice, row, self.section)]
