"""The page: all sections below each other, and all their fields as one list. UI thread."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import cast
from zoneinfo import ZoneInfo

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktopsched.drafts import Draft
from desktopsched.model import InvalidTaskError, State, Task
from desktopsched.model.merge import merge
from desktopsched.ui import plain
from desktopsched.ui.background import Background
from desktopsched.ui.form.draft import Raw, put, read_draft, sentence
from desktopsched.ui.form.fields import Field, Finding, find, load
from desktopsched.ui.form.general import General
from desktopsched.ui.form.measures import FACTOR
from desktopsched.ui.form.more import More, link
from desktopsched.ui.form.parents import Parents
from desktopsched.ui.form.policies import Failure, Missed, Overlap
from desktopsched.ui.form.section import Section
from desktopsched.ui.form.trial import Trial
from desktopsched.ui.form.what import What
from desktopsched.ui.form.when import When
from desktopsched.ui.form.workbench import Bench
from desktopsched.ui.look import Look

_RARE = (
    "notes", "join", "retry.max_delay", "retry.jitter", "grace", "random_delay", "not_before", "not_after",
    "max_runs", "action.success_codes", "if_lost", "prefers",
)  # fmt: skip


_MORNING = "08:00"  # of the date that stands for an example
_UNREADABLE = object()  # stands for what cannot be read, and is like nothing else


def _pending(_task_id: str) -> State:
    return State.PENDING


class Around(Struct, frozen=True, kw_only=True):
    """What the form shows of the list beside the tasks themselves."""

    state_of: Callable[[str], State] = _pending  # for the icons of parents
    hues: Mapping[str, int] = {}  # by name of a group: which of the group colours it has
    shared: bool = False  # whether other computers have the list too
    cluster: bool = False  # whether the preferences have the address of one


class Page(QScrollArea):
    """Seven sections, and an eighth that is folded."""

    edited = Signal()
    """The person changed a field."""

    left = Signal()
    """The person is done with a field for the first time: what is wrong in it is told from now on."""

    general: General
    what: What
    when: When
    parents: Parents
    failure: Failure
    overlap: Overlap
    missed: Missed
    more: More
    trial: Trial

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.sections: list[Section] = []
        self.fields: list[Field] = []
        self.insists = False  # on what is missing where nothing was written yet
        self.tells = False  # whether something is said to be wrong
        self._touched: set[Field] = set()
        self._left: set[Field] = set()  # touched, and done with
        cast("QApplication", QApplication.instance()).focusChanged.connect(self._leave)
        self.body = plain.named(QWidget(), "form_page")
        self._column = QVBoxLayout(self.body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.setObjectName("form_scroll")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self.body)

    # --- the sections --------------------------------------------------------------------------------------

    def build(
        self,
        tasks: Sequence[Task],
        around: Around,
        own: Task | None,
        bench: Bench,
        background: Background | None,
        *,
        tomorrow: date,
    ) -> Iterator[None]:
        """Make the sections, one at a time: they have some 400 widgets, and others want the thread between them."""
        look = self._look
        self.general = General(look, tasks, around.hues)
        self._put(self.general.section, self.general.fields)
        yield
        self.what = What(look, background, cluster=around.cluster)
        self.trial = Trial(self.what.test, self.what.output, bench)
        self._put(self.what.section, self.what.fields)
        yield
        self.when = When(look, background, f"{tomorrow} {_MORNING}")
        self.when.fill_zones()
        self._put(self.when.section, self.when.fields)
        yield
        self.parents = Parents(look, tasks, around.state_of, own)
        waits = Section(look, "Waits for")
        self._put(waits, [self._make_parents_field(waits)])
        yield
        self.failure, self.overlap, self.missed = Failure(look), Overlap(look), Missed(look)
        for part in (self.failure, self.overlap, self.missed):
            self._put(part.section, part.fields)
        yield
        self.more = More(look, self.what, shared=around.shared)
        yield
        self._put(self.more.section, self.more.fields)
        self._column.addStretch(1)
        link(self.general.priority, self.more.priority, str)
        link(self.failure.growth, self.more.growth, FACTOR.say)

    def _put(self, section: Section, fields: Sequence[Field]) -> None:
        self._column.addWidget(section)
        self.sections.append(section)
        for field in fields:
            self.fields.append(field)
            field.control.edited.connect(partial(self._touched.add, field))
            field.control.edited.connect(self.edited)

    def _make_parents_field(self, section: Section) -> Field:
        row = section.add(self.parents)
        return Field(
            "waits_for", "What it waits for", self.parents, row, section,
            check=self.parents.problem, says_itself=True,
        )  # fmt: skip

    # --- the task ------------------------------------------------------------------------------------------

    def load(self, raw: Raw, kept: Collection[Field] = ()) -> None:
        """Show a task as the file has it; what is written in the `kept` fields stays."""
        action = raw.get("action", {})
        if not any(field.place == "action.argv" for field in kept):
            self.what.shell.setChecked("shell" in action)
        load([field for field in self.fields if field not in kept], raw)
        self.what.follow()
        self.when.follow()
        self.more.follow()
        if any(_has(raw, place) for place in _RARE) or "shell" in action:
            self.more.unfold()

    def read(self, own_id: str) -> Finding:
        """Read the fields, and show beside each what is wrong in it."""
        self.parents.name = self.general.name.edit.text()
        found = find(self.fields, {"id": own_id})
        self._show_problems(found)
        return found

    def written(self) -> tuple[Raw, list[Field]]:
        """What is written, without a judgement, and the fields that cannot be read at all: a mark is in their place."""
        raw: Raw = {}
        unreadable = []
        for field in self.fields:
            if field.when():
                try:
                    put(raw, field.place, field.value())
                except InvalidTaskError:
                    put(raw, field.place, _UNREADABLE)
                    unreadable.append(field)
        return raw, unreadable

    def take_up(self, base: Raw, other: Raw) -> None:
        """Show what another changed since `base` in the fields that the person left alone."""
        mine, unreadable = self.written()
        self.load(merge(base, mine, other), unreadable)

    def draft(self, found: Finding) -> tuple[Draft | None, str]:
        """As much of the task as a test needs; or None, and what is in the way. Only the action is looked at."""
        for field, words in found.problems.items():
            if field.place.startswith("action"):
                return None, f"It cannot be tested yet. {words}"
        name = self.general.name.edit.text()[:200] or "Test"
        raw = {"id": found.raw["id"], "name": name, "action": found.raw["action"]}
        task, problems = read_draft(raw)
        if task is None:
            return None, f"It cannot be tested yet. {sentence('What it does', problems[0].message)}"
        return Draft(task, self.what.environment.typed()), ""

    def follow(self, tasks: Sequence[Task]) -> None:
        """Other tasks are on the list."""
        self.general.follow(tasks)
        self.parents.follow(tasks)
        self.parents.show_states()

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
        self.tells = bool(told)
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
        """Nobody is blamed for what they have not come to, or are still writing: the foot counts it, and no more."""
        if self.insists or field.says_itself:
            return True
        writing = field in self._touched - self._left and _has_focus(field)
        return not writing and (words != field.required or field in self._touched)

    def _leave(self, before: QWidget | None, now: QWidget | None) -> None:
        """The focus has gone to another part of this window. Elsewhere it comes back from."""
        if before is None or now is None or now.window() is not self.window():
            return
        done = {
            field for field in self._touched - self._left if _is_in(before, field) and not _is_in(now, field)
        }
        if done:
            self._left |= done
            self.left.emit()


def _is_in(widget: QWidget, field: Field) -> bool:
    control = field.control
    return isinstance(control, QWidget) and (control is widget or control.isAncestorOf(widget))


def _has_focus(field: Field) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and _is_in(focus, field)


def _has(raw: Raw, place: str) -> bool:
    here: object = raw
    for key in place.split("."):
        here = here.get(key) if isinstance(here, dict) else None
    return here is not None
