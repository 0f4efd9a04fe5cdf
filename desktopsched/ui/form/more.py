"""More: what is rarely needed, folded away. UI thread."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.amount import Amount
from desktopsched.ui.form.choice import Choice
from desktopsched.ui.form.fields import Field
from desktopsched.ui.form.measures import DURATION, FACTOR, PERCENT, count
from desktopsched.ui.form.moment import Moment
from desktopsched.ui.form.section import Row, Section, words
from desktopsched.ui.form.segments import Segment, Segments
from desktopsched.ui.form.suggest import Suggest
from desktopsched.ui.form.text_box import TextBox
from desktopsched.ui.form.what import What
from desktopsched.ui.look import Look

_LABEL = 148  # pixels, as drawn
_JOIN = (Segment("all", "All of them"), Segment("any", "Any of them"))
_LOST = (Segment("never-twice", "Never run twice"), Segment("run-again", "Run again"))


class More:
    """The last section. Two of its amounts are said in words elsewhere: the priority, and how the wait grows."""

    def __init__(self, look: Look, what: What) -> None:
        self._look = look
        self.section = Section(look, "More")
        self.button = self._make_button(look)
        self.section.add(self.button)
        self.body = QWidget()
        self._rows = QVBoxLayout(self.body)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(look.px(7) - 2 * paint.HALO)
        self.section.column.addWidget(self.body)
        self.id = plain.label("", look.mono(12.5), "strong")
        self.id.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.id.setAccessibleName("Id")
        self.fields = [*what.more_rows(self._add, self.section), *self._fields(look)]
        self.body.hide()
        self.section.dressed.connect(self._dress)
        self._dress()

    def _make_button(self, look: Look) -> QPushButton:
        button = QPushButton("Notes, bounds, priority and other rare settings")
        button.setObjectName("link_button")
        button.setCheckable(True)
        button.setAutoDefault(False)
        button.setFont(look.font(12.5, QFont.Weight.Medium))
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the chevron after the words
        button.setFixedHeight(paint.height(look))
        button.toggled.connect(self._fold)
        return button

    def _fields(self, look: Look) -> list[Field]:
        self.notes = TextBox(look, "Notes", tall=76)
        self.join = Segments(look, "Which of the tasks it waits for", _JOIN)
        self.growth = Amount(look, "Growth of the wait", FACTOR, width=92, default=1)
        self.max_delay = Amount(look, "Longest wait", DURATION, width=110, empty="No limit")
        self.jitter = Amount(look, "Spread of the wait", PERCENT, width=92, default=0)
        self.grace = Amount(look, "Grace", DURATION, width=110, default="60s")
        self.random_delay = Amount(look, "Random delay", DURATION, width=110, default="0s")
        self.not_before = Moment(look, "Not before", empty="No bound")
        self.not_after = Moment(look, "Not after", empty="No bound")
        self.max_runs = Amount(
            look, "Runs at most", count("run", "runs", least=1), width=110, empty="No limit"
        )
        self.priority = Amount(look, "Priority", count("", "", least=-100), width=92, default=0)
        self.if_lost = Segments(look, "If its computer is lost", _LOST)
        self.prefers = Suggest(look, "The preferred computer", (), width=200, empty="Any computer")
        table = (
            ("notes", "The notes", "Notes", self.notes, ""),
            ("join", "Which tasks", "Waits for", self.join, ""),
            ("retry.backoff", "The growth of the wait", "Wait grows by", self.growth, ""),
            ("retry.max_delay", "The longest wait", "Longest wait", self.max_delay, "between two attempts"),
            ("retry.jitter", "The spread of the wait", "Wait is spread by", self.jitter, "so that not all try at once"),
            ("grace", "The grace", "Missed if late by", self.grace, "what is less late runs at once"),
            ("random_delay", "The random delay", "Random delay up to", self.random_delay, "added to each start"),
            ("not_before", "Not before", "Not before", self.not_before, ""),
            ("not_after", "Not after", "Not after", self.not_after, ""),
            ("max_runs", "The number of runs", "Runs at most", self.max_runs, "by schedule or parents, then no more"),
            ("if_lost", "What follows a loss", "If its computer dies", self.if_lost, "on a shared list"),
            ("prefers", "The preferred computer", "Runs first on", self.prefers, "on a shared list"),
            ("priority", "The priority", "Priority", self.priority, "from −100 to 100, the higher starts first"),
        )  # fmt: skip
        fields = [
            Field(place, label, control, self._add(title, control, aside), self.section)
            for place, label, title, control, aside in table
        ]
        self._add("Id", self.id)
        return fields

    def _add(self, title: str, control: QWidget, aside: str = "") -> Row:
        label = words(self._look, title)
        label.setFixedWidth(self._look.px(_LABEL))
        widgets = [label, control]
        if aside:
            help_ = words(self._look, aside, "help")
            help_.setFont(self._look.font(12))
            widgets.append(help_)
        row = Row(self._look, *widgets)
        self._rows.addWidget(row)
        return row

    def unfold(self) -> None:
        """Show all of it."""
        self.button.setChecked(True)

    def _fold(self, out: bool) -> None:
        self.body.setVisible(out)
        self._dress()

    def _dress(self) -> None:
        icon = "chevron-down" if self.button.isChecked() else "chevron-right"
        self.button.setIcon(self._look.icon(icon))
        self.button.setIconSize(QSize(self._look.px(12), self._look.px(12)))


def link(choice: Choice, amount: Amount, in_words: Callable[[object], str]) -> None:
    """One value, in words at one place and as a number at another: either shows what the other one is set to."""

    def follow() -> None:
        value = amount.value_or_default()
        choice.show_value(value, in_words(value))

    def pick(value: object) -> None:
        amount.set_raw(value)
        amount.edited.emit()

    choice.picked.connect(pick)
    amount.edited.connect(follow)
    amount.edit.textChanged.connect(lambda _text: follow())
    follow()
