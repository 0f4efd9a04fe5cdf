"""When: the schedule, its time zone, and what comes of it. UI thread."""

import zoneinfo
from functools import lru_cache, partial
from zoneinfo import ZoneInfo

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from desktopsched import phrases
from desktopsched.engine.occurrences import next_after, zone_of
from desktopsched.model import At, Cron, InvalidTaskError, Task
from desktopsched.ui import plain
from desktopsched.ui.background import Background
from desktopsched.ui.form.amount import Amount
from desktopsched.ui.form.cron_panel import CronPanel
from desktopsched.ui.form.cron_preview import Preview, preview
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.fields import Field
from desktopsched.ui.form.measures import DURATION
from desktopsched.ui.form.moment import Moment
from desktopsched.ui.form.section import Section, stretch, words
from desktopsched.ui.form.segments import Segment, Segments
from desktopsched.ui.form.suggest import Suggest
from desktopsched.ui.look import Look

AT, AFTER, EVERY, CRON, NONE = "at", "after", "every", "cron", ""
_KINDS = (
    Segment(AT, "Once"),
    Segment(AFTER, "After a delay"),
    Segment(EVERY, "Every"),
    Segment(CRON, "Cron"),
    Segment(NONE, "Only after other tasks"),
)


@lru_cache(maxsize=1)
def zone_names() -> list[str]:
    """The zones to choose from. Collecting them reads a folder tree: not on the UI thread."""
    return [
        "UTC",
        *sorted(name for name in zoneinfo.available_timezones() if "/" in name and "Etc/" not in name),
    ]


class When:
    """The third section."""

    def __init__(self, look: Look, background: Background | None, example: str) -> None:
        """`example`: a date and a time that somebody might write, so not in the past."""
        self._background, self._asked = background, 0
        self._shown: tuple[str, str, int] | None = None  # what the panel shows, or was asked for
        self.section = Section(look, "When")
        self.kind = Segments(look, "When to run", _KINDS)
        self._example = example
        self.time = Moment(look, "Date and time", empty=example)
        self.delay = Amount(look, "Delay", DURATION, width=110, empty="20 min")
        self.since = Moment(look, "Counted from", empty="when it is saved")
        self.interval = Amount(look, "Interval", DURATION, width=110, empty="50 min")
        self.start = Moment(look, "Beginning", empty="when it is saved")
        self.expression = FieldBox(look, "Cron expression", width=208, mono=13.5)
        self.expression.edit.setPlaceholderText("30 2 * * *")
        self.zone = Suggest(look, "Time zone", (), icon="globe", width=200, empty="This computer's")
        self.panel = CronPanel(look)
        self.help = plain.label("", look.font(12), "help")
        self.help.setWordWrap(True)
        self.help.setContentsMargins(4, 0, 0, 0)
        self._lay_out(look)
        self.fields = self._fields()
        self.kind.edited.connect(self.follow)
        self.delay.edited.connect(self._count_anew)
        self.follow()

    def _lay_out(self, look: Look) -> None:
        self._kind_row = self.section.add(self.kind)
        self._after_words = words(look, "counted from"), words(look, "beginning")
        self.row = self.section.add(
            self.time, self.delay, self._after_words[0], self.since,
            self.interval, self._after_words[1], self.start, self.expression,
            stretch(), words(look, "Time zone"), self.zone,
        )  # fmt: skip
        self.section.column.addWidget(self.panel)
        self.section.column.addWidget(self.help)

    def _fields(self) -> list[Field]:
        def field(
            place: str, label: str, control: Moment | Amount | FieldBox, kind: str, required: str = ""
        ) -> Field:
            return Field(
                f"schedule.{place}", label, control, self.row, self.section,
                when=lambda: self.value == kind, required=required,
            )  # fmt: skip

        return [
            Field("schedule.type", "When to run", self.kind, self._kind_row, self.section),
            field("time", "The time", self.time, AT, f"Write a date and time, such as {self._example}."),
            field("delay", "The delay", self.delay, AFTER, "Write how long to wait, such as 20 min."),
            field("from", "Counted from", self.since, AFTER),
            field(
                "interval", "The interval", self.interval, EVERY, "Write how often to run, such as 50 min."
            ),
            field("start", "The beginning", self.start, EVERY),
            field(
                "expression",
                "The expression",
                self.expression,
                CRON,
                "Write five fields, such as 30 2 * * *.",
            ),
            Field("timezone", "The time zone", self.zone, self.row, self.section),
        ]

    def fill_zones(self) -> None:
        """The zones to choose from come a little later: collecting them reads a folder tree."""
        zone = self.zone

        def fill(names: list[str]) -> None:
            if isValid(zone):
                zone.set_words(names)

        if self._background is None:
            fill(zone_names())
        else:
            self._background.do(zone_names, fill)

    @property
    def value(self) -> str:
        """Which kind of schedule; empty for none."""
        return self.kind.value

    # --- how it follows ------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show what belongs to the kind of schedule."""
        kind = self.value
        shown: dict[str, tuple[QWidget, ...]] = {
            AT: (self.time,),
            AFTER: (self.delay, self._after_words[0], self.since),
            EVERY: (self.interval, self._after_words[1], self.start),
            CRON: (self.expression,),
        }
        for one, widgets in shown.items():
            for widget in widgets:
                widget.setVisible(one == kind)
        self.row.setVisible(kind != NONE)
        self.panel.setVisible(kind == CRON)
        self.help.setVisible(kind != CRON and bool(self.help.text()))

    def _count_anew(self) -> None:
        """Another delay is counted from when it is saved, unless the person says from when."""
        if self.since.edit.text() and not self.since.edit.isModified():
            self.since.edit.clear()

    # --- what comes of it ----------------------------------------------------------------------------------

    def show(self, task: Task | None, expression_is_right: bool, now: float, zone: ZoneInfo) -> None:
        """The next starts, as far as what is written can be read. `zone`: the computer's."""
        if self.value == CRON:
            own = self._own_zone(zone)
            text = self.expression.edit.text()
            self._preview(text if expression_is_right and own else "", own or zone, now)
        else:
            self.help.setText(help_words(task, now, zone) if task is not None or self.value == NONE else "")
            self.help.setVisible(bool(self.help.text()))

    def _own_zone(self, zone: ZoneInfo) -> ZoneInfo | None:
        name = str(self.zone.edit.text())
        try:
            return ZoneInfo(name) if name else zone
        except (KeyError, ValueError, OSError):
            return None

    def _preview(self, expression: str, zone: ZoneInfo, now: float) -> None:
        asked = (expression, zone.key, int(now // 60))
        if asked == self._shown:
            return
        self._shown = asked
        self._asked += 1
        if not expression:
            self.panel.show_preview(None)
            return
        work, number = partial(preview, expression, zone, now), self._asked
        if self._background is None:
            self._answer(number, work())
        else:
            self._background.do(
                work, lambda found: self._answer(number, found), lambda _: self._answer(number, None)
            )

    def _answer(self, number: int, found: Preview | None) -> None:
        """Of the last question only; the form may be gone by now."""
        if number == self._asked and isValid(self.panel):
            self.panel.show_preview(found)


def help_words(task: Task | None, now: float, zone: ZoneInfo) -> str:
    """What comes of a schedule that needs no table."""
    if task is None or task.schedule is None:
        return "It runs when the tasks that it waits for have ended, or by hand."
    if isinstance(task.schedule, Cron):
        return ""
    try:
        own = zone_of(task, zone)
        due = next_after(task, now, zone=zone, anchor=now)
    except (InvalidTaskError, OverflowError, ValueError):
        return ""
    if due is None:
        over = "That time is over" if isinstance(task.schedule, At) else "Its time is over"
        return f"{over}: it would never run."
    return f"Next {phrases.until(due, now)}, {phrases.clock(due, now, own)}."
