"""The window for missed runs: what happened, a row for each task, what will start, and the buttons. UI thread.

It decides nothing and starts nothing: it says what the person chose.
"""

from collections.abc import Callable, Mapping, Sequence
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QIcon, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QMessageBox, QPushButton, QVBoxLayout, QWidget

from desktopsched.engine.absence import Absence
from desktopsched.model import CatchUp, State
from desktopsched.ui import icons, plain
from desktopsched.ui.catch_up import words
from desktopsched.ui.catch_up.choices import Choices, MissedTask, Pick
from desktopsched.ui.catch_up.model import ChoicesModel
from desktopsched.ui.catch_up.table import ChoicesTable
from desktopsched.ui.enter import press_focused
from desktopsched.ui.look import Look
from desktopsched.ui.primary import PrimaryButton
from desktopsched.ui.room import room_for

_WIDTH, _LEAST = 760, 360  # the height follows the rows
_AROUND = 216  # of it everything but the table


class CatchUpDialog(QDialog):
    """Asks what happens to missed and interrupted runs. `now` and `zone` tell the time."""

    decided = Signal(list)
    """`choices.Decision`s, one for each task: (task_id, choice, rerun, remember)."""

    later = Signal()
    """Nothing was decided; it asks again."""

    def __init__(
        self,
        look: Look,
        missed: Sequence[MissedTask],
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        workers: int = 1,
        away: Absence | None = None,
        followed: Mapping[str, CatchUp] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`workers`: runs at a time. `followed`: by name, tasks that missed runs and have a rule of their own."""
        super().__init__(parent)
        self._look, self._zone, self._workers = look, zone, workers
        self._away = away
        self._followed = followed or {}
        self._asked = False  # the button was pressed once, for more than 50 runs of a task
        self._answered = False
        self.choices = Choices(missed)
        self.model = ChoicesModel(self.choices, now, zone, self)
        self.table = ChoicesTable(look, self.model)
        self._make_words()
        self._make_buttons()
        self._lay_out()
        self._connect()
        self._dress()
        self._tell()

    # --- the parts -----------------------------------------------------------------------------------------

    def _make_words(self) -> None:
        look = self._look
        self._picture, self._info = QLabel(), QLabel()
        self._picture.setObjectName("picture")
        self._picture.setFixedSize(look.px(40), look.px(40))
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.headline = plain.label(font=look.font(15, QFont.Weight.DemiBold), name="headline")
        self.headline.setWordWrap(True)
        self._hint = plain.label(
            "Choose what to do for each task. Nothing runs until you decide.", look.font(), "quiet"
        )
        self.plan = plain.label(font=look.font(12.5), name="quiet")
        self.plan.setWordWrap(True)
        self.others = plain.label(font=look.font(12.5), name="quiet")
        self.show_others = plain.button("Show them", look.font(12.5, QFont.Weight.Medium), "link")
        self.show_others.setCursor(Qt.CursorShape.PointingHandCursor)

    def _make_buttons(self) -> None:
        medium = self._look.font(weight=QFont.Weight.Medium)
        self.later_button = plain.button("Decide later", medium, "plainButton")
        self.skip_button = plain.button("", medium, "plainButton")
        self.run_button = PrimaryButton(self._look, "", "primary")
        for button in (self.later_button, self.skip_button, self.show_others):
            button.setAutoDefault(False)
        self.run_button.setIconSize(QSize(self._look.px(17), self._look.px(14)))
        self.run_button.setDefault(True)

    def _lay_out(self) -> None:
        look = self._look
        self.setObjectName("catchUp")
        self.setWindowTitle("Missed runs")
        self.setWindowIcon(icons.mark())
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        layout.addWidget(self.table, 100)
        layout.addLayout(self._said())
        layout.addStretch(1)
        layout.addWidget(self._foot())
        wide = max(look.px(_WIDTH), self.table.needed_width())
        high = max(look.px(_LEAST), self.table.needed_height() + look.px(_AROUND))
        self.resize(QSize(wide, high).boundedTo(room_for(self)))

    def _head(self) -> QHBoxLayout:
        px = self._look.px
        head, told = QHBoxLayout(), QVBoxLayout()
        told.setSpacing(px(2))
        told.addWidget(self.headline)
        told.addWidget(self._hint)
        head.setContentsMargins(px(20), px(16), px(20), px(12))
        head.setSpacing(px(14))
        head.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(told, 1)
        return head

    def _said(self) -> QHBoxLayout:
        px = self._look.px
        said, lines, row = QHBoxLayout(), QVBoxLayout(), QHBoxLayout()
        row.setSpacing(px(4))
        row.addWidget(self.others)
        row.addWidget(self.show_others)
        row.addStretch(1)
        lines.setSpacing(0)
        lines.addWidget(self.plan)
        lines.addLayout(row)
        said.setContentsMargins(px(20), px(11), px(20), px(11))
        said.setSpacing(px(9))
        said.addWidget(self._info, 0, Qt.AlignmentFlag.AlignTop)
        said.addLayout(lines, 1)
        return said

    def _foot(self) -> QWidget:
        px = self._look.px
        foot = plain.named(QWidget(), "foot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(foot)
        row.setContentsMargins(px(20), px(10), px(20), px(10))
        row.setSpacing(px(8))
        row.addWidget(self.later_button)
        row.addWidget(plain.label("asks again in an hour", self._look.font(12), "help"))
        row.addStretch(1)
        row.addWidget(self.skip_button)
        row.addWidget(self.run_button)
        return foot

    def _connect(self) -> None:
        self.model.chosen.connect(self._choose)
        self.table.confirmed.connect(self.run)
        self.run_button.clicked.connect(self.run)
        self.skip_button.clicked.connect(self.skip)
        self.later_button.clicked.connect(self.reject)
        self.show_others.clicked.connect(self._list_others)
        self.finished.connect(self._finish)
        self._look.changed.connect(self._dress)

    def _dress(self) -> None:
        look, tokens, ratio = self._look, self._look.tokens, self.devicePixelRatioF()
        self.setStyleSheet(look.sheet("window") + look.sheet("alerts"))
        ready = tokens.states[State.READY]
        self._picture.setStyleSheet(f"background: {ready.tint}; border-radius: {look.px(10)}px;")
        self._picture.setPixmap(icons.pixmap("catch-up", ready.ink, look.px(22), ratio))
        self._info.setPixmap(icons.pixmap("info", tokens.text2, look.px(15), ratio))
        self._dress_run()
        self.table.dress()

    def _dress_run(self) -> None:
        """The sign of a start only where something starts."""
        starts = self._look.icon("run", self._look.tokens.on_accent, gap=4)
        self.run_button.setIcon(starts if self.choices.runs else QIcon())

    def showEvent(self, event: QShowEvent) -> None:
        """The keys belong to the table."""
        super().showEvent(event)
        self.table.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus, before the primary one."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    # --- what is said --------------------------------------------------------------------------------------

    def follow(
        self, missed: Sequence[MissedTask], followed: Mapping[str, CatchUp], away: Absence | None = None
    ) -> None:
        """More was missed while it is open, or something was decided elsewhere; without a line it closes."""
        self._followed, self._away = followed, away
        here = self.table.place
        self.model.follow(missed)
        if not self.choices.lines:
            self._answered = True  # by somebody else
            self.accept()
            return
        self.table.go_back(here)

    def _choose(self) -> None:
        self._asked = False
        self._tell()

    def _tell(self) -> None:
        choices = self.choices
        self.headline.setText(words.headline(self._away, choices, self._zone()))
        self.plan.setText(words.plan(choices, self._workers))
        others = words.others(self._followed)
        self.others.setText(others)
        self.others.setVisible(bool(others))
        self.show_others.setVisible(bool(others))
        self.run_button.setText(words.run_button(choices, asked=self._asked))
        self._dress_run()
        self.skip_button.setText(words.skip_button(choices))

    def _list_others(self) -> None:
        box = plain.box(
            self,
            QMessageBox.Icon.Information,
            words.others(self._followed),
            "A task's rule is chosen in its form, at “Missed runs”.",
            words.others_listed(self._followed),
        )
        box.unfold()
        box.open()

    # --- what is decided -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Decide as chosen. For more than 50 runs of one task it takes two presses."""
        if self.choices.many and not self._asked:
            self._asked = True
            self._tell()
            self.run_button.setFocus()
            return
        self._decide()

    def skip(self) -> None:
        """Skip everything."""
        self.model.pick_everywhere(Pick.SKIP)
        self._decide()

    def _decide(self) -> None:
        self._answered = True
        decisions = self.choices.decisions()
        self.accept()
        self.decided.emit(decisions)

    def _finish(self) -> None:
        if not self._answered:
            self._answered = True
            self.later.emit()

    @property
    def buttons(self) -> tuple[QPushButton, ...]:
        """From left to right."""
        return (self.later_button, self.skip_button, self.run_button)
