"""The page: all sections below each other, and all their fields as one list. UI thread."""

from collections.abc import Mapping, Sequence
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from desktopsched.model import State, Task
from desktopsched.ui import plain
from desktopsched.ui.background import Background
from desktopsched.ui.form.draft import Raw, read_draft
from desktopsched.ui.form.fields import Field, Finding, find, load
from desktopsched.ui.form.general import General
from desktopsched.ui.form.measures import FACTOR
from desktopsched.ui.form.more import More, link
from desktopsched.ui.form.parents import Parents
from desktopsched.ui.form.policies import Failure, Missed, Overlap
from desktopsched.ui.form.section import Section
from desktopsched.ui.form.what import What
from desktopsched.ui.form.when import When
from desktopsched.ui.look import Look

_RARE = (
    "notes", "join", "retry.max_delay", "retry.jitter", "grace", "random_delay", "not_before", "not_after",
    "max_runs", "action.success_codes",
)  # fmt: skip


class Page(QScrollArea):
    """Seven sections, and an eighth that is folded."""

    edited = Signal()
    """The person changed a field."""

    def __init__(
        self,
        look: Look,
        tasks: Sequence[Task],
        states: Mapping[str, State],
        own: Task | None,
        background: Background | None,
    ) -> None:
        super().__init__()
        self.general, self.what = General(look, tasks), What(look)
        self.when = When(look, background)
        self.failure, self.overlap, self.missed = Failure(look), Overlap(look), Missed(look)
        self.waits = Section(look, "Waits for")
        self.parents = Parents(look, tasks, states, own)
        self._parents_field = self._make_parents_field()
        self.more = More(look, self.what)
        link(self.general.priority, self.more.priority, str)
        link(self.failure.growth, self.more.growth, FACTOR.say)
        self.sections = [
            self.general.section, self.what.section, self.when.section, self.waits,
            self.failure.section, self.overlap.section, self.missed.section, self.more.section,
        ]  # fmt: skip
        self.fields: list[Field] = [
            *self.general.fields, *self.what.fields, *self.when.fields, self._parents_field,
            *self.failure.fields, *self.overlap.fields, *self.missed.fields, *self.more.fields,
        ]  # fmt: skip
        self.insists = False  # on what is missing where nothing was written yet
        self._touched: set[Field] = set()
        for field in self.fields:
            field.control.edited.connect(partial(self._touched.add, field))
            field.control.edited.connect(self.edited)
        self._lay_out()

    def _make_parents_field(self) -> Field:
        row = self.waits.add(self.parents)
        return Field(
            "waits_for", "What it waits for", self.parents, row, self.waits,
            check=self.parents.problem, says_itself=True,
        )  # fmt: skip

    def _lay_out(self) -> None:
        self.body = body = plain.named(QWidget(), "form_page")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for section in self.sections:
            column.addWidget(section)
        column.addStretch(1)
        self.setObjectName("form_scroll")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(body)

    # --- the task ------------------------------------------------------------------------------------------

    def load(self, raw: Raw) -> None:
        """Show a task as the file has it."""
        action = raw.get("action", {})
        self.what.shell.setChecked("shell" in action)
        load(self.fields, raw)
        self.what.follow()
        self.when.follow()
        if any(_has(raw, place) for place in _RARE) or "shell" in action:
            self.more.unfold()

    def read(self, own_id: str) -> Finding:
        """Read the fields, and show beside each what is wrong in it."""
        self.parents.name = self.general.name.edit.text()
        found = find(self.fields, {"id": own_id})
        self._show_problems(found)
        return found

    def tested(self, found: Finding) -> Task | None:
        """As much of the task as a test needs; None where that is not right."""
        raw: Raw = {key: found.raw[key] for key in ("id", "name", "action") if key in found.raw}
        if any(field.place.startswith("action") for field in found.problems):
            return None
        return read_draft({"name": "Test", **raw})[0]

    def show_starts(self, found: Finding, now: float, zone: ZoneInfo) -> None:
        """What comes of the schedule."""
        wrong = any(field.place.startswith("schedule") for field in found.problems)
        parts = {"id": "a", "name": "a", "action": {"type": "reminder", "message": "a"}}
        keys = ("schedule", "timezone", "not_before", "not_after")
        task, _ = read_draft({**parts, **{key: found.raw[key] for key in keys if key in found.raw}})
        self.when.show(task, not wrong, now, zone)

    def go_to(self, field: Field) -> None:
        """Bring a field into view, with the focus in it."""
        if field.section is self.more.section:
            self.more.unfold()
        field.control.take_focus()
        self.ensureWidgetVisible(field.row)

    def _show_problems(self, found: Finding) -> None:
        told = {field: words for field, words in found.problems.items() if self._is_told(field, words)}
        rows = {field.row: "" for field in self.fields}
        wrong = {id(field.control) for field in told}
        for field in self.fields:
            field.control.mark(wrong=id(field.control) in wrong)
        for field, words in told.items():
            if not field.says_itself and not rows[field.row]:
                rows[field.row] = words
        for row, words in rows.items():
            row.show_problem(words)
        sections = {field.section for field in told}
        for section in self.sections:
            section.mark(wrong=section in sections)
        if self.more.section in sections:
            self.more.unfold()

    def _is_told(self, field: Field, words: str) -> bool:
        """Nobody is blamed for what they have not come to yet: that is counted in the foot, and no more."""
        return self.insists or words != field.required or field in self._touched


def _has(raw: Raw, place: str) -> bool:
    here: object = raw
    for key in place.split("."):
        here = here.get(key) if isinstance(here, dict) else None
    return here is not None
