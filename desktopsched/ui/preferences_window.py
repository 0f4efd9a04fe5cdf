"""The preferences: a control for each line of the table that the file is read by, checked as one types. UI thread."""

import enum
import socket
from collections.abc import Callable

from msgspec import UNSET, Struct, structs
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QVBoxLayout, QWidget

from desktopsched.model import InvalidTaskError
from desktopsched.storage.preferences import TABLE, Preference, Preferences
from desktopsched.ui import icons, plain
from desktopsched.ui.connection_test import Ask, ConnectionTest
from desktopsched.ui.enter import press_focused
from desktopsched.ui.form.amount import Amount
from desktopsched.ui.form.control import Control
from desktopsched.ui.form.draft import form_words
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.foot import Foot
from desktopsched.ui.form.measures import DURATION, count
from desktopsched.ui.form.section import Row, Section, words
from desktopsched.ui.form.segments import Segment, Segments
from desktopsched.ui.form.switch import Switch
from desktopsched.ui.form.tabs import order_tabs
from desktopsched.ui.form.workbench import Bench, Job
from desktopsched.ui.look import Look
from desktopsched.ui.password_box import PasswordBox
from desktopsched.ui.room import room_for
from desktopsched.ui.shared_section import AddressBoxes, SharedSection, Worker

SHARED = "Shared list"

_STORING = "Puts the password into the keychain…"

_WIDE, _LEAST = 680, (460, 300)  # pixels, as drawn


class _Place(Struct, frozen=True):
    """Where a preference stands, and the words round its control."""

    section: str
    before: str = ""
    after: str = ""
    one: str = ""  # what a number counts
    many: str = ""


_PLACES = {
    "theme": _Place("Look"),
    "workers": _Place("Running", "At most", "commands and scripts at the same time"),
    "settle_delay": _Place("Running", "After the computer woke up, wait", "before missed runs start"),
    "runs_outlive": _Place(
        "Running", after="Let runs go on when the program is cut off; the next takes them over"
    ),
    "trust_edits": _Place("Task file", after="Run what other programs put into it without asking"),
    "log_age": _Place("Output", "Keep it for"),
    "logs_per_task": _Place("Output", "and of each task for the last", "", "run", "runs"),
    "history_age": _Place("History", "Keep it for"),
    "runs_per_task": _Place("History", "and of each task for the last", "", "run", "runs"),
    "shared_list": _Place(SHARED, "Address"),
    "shared_list_secret": _Place(SHARED, "Password"),
    "list_id": _Place(SHARED, "List called"),
    "computer": _Place(SHARED, "This computer"),
    "dask_address": _Place("Dask cluster", "Its scheduler is at"),
}
"""In this order. A preference of the table that is not here comes last, under its own words."""

_OTHERS = "More"
_LOGIN = "Start Desktopsched in the tray when I log in"


class _Field(Struct, eq=False):
    """One preference: its control, what that says, and where a mistake in it is shown."""

    preference: Preference
    control: Control
    row: Row
    section: Section
    raw: Callable[[], object]  # as the file would have it


class PreferencesWindow(QDialog):
    """Shows preferences, and says what was chosen. It writes nothing, but a password into the keychain."""

    chosen = Signal(object)
    """Other `Preferences`."""

    login_chosen = Signal(bool)
    """Start at login, or no more."""

    def __init__(
        self,
        look: Look,
        preferences: Preferences,
        parent: QWidget | None = None,
        *,
        at_login: bool | None = None,
        bench: Bench | None = None,
        worker: Worker | None = None,
        test_cluster: Ask | None = None,
    ) -> None:
        """`at_login`: whether the system starts the program then; None: it cannot be told to.

        `bench` stores passwords; `worker` tests the shared list, off the UI thread; `test_cluster` an address of a
        Dask cluster. None: that is not offered.
        """
        super().__init__(parent)
        self._look, self._before, self._bench = look, preferences, bench
        self._storing: Job | None = None
        self._was_shown = False
        self.setObjectName("form")
        self.setWindowTitle("Preferences")
        self.setWindowIcon(icons.mark())
        self._dress()  # first: a sheet is quick to set while there is nothing to be styled by it
        self.sections: dict[str, Section] = {}
        self.fields: dict[str, _Field] = {}
        self.boxes: dict[str, FieldBox] = {}  # those of them that are texts
        self.foot = Foot(look)
        self.foot.save.setText("Save preferences")
        self.login: Switch | None = None
        self._make_fields()
        self.shared = self._make_shared(worker)
        self.connection = self._make_connection_test(test_cluster)
        if at_login is not None:
            self._make_login(on=at_login)
        self._lay_out()
        self._connect()
        self.check()
        order_tabs(self, [])
        next(iter(self.fields.values())).control.take_focus()

    # --- the parts -----------------------------------------------------------------------------------------

    def _make_fields(self) -> None:
        """Controls that belong together share a row."""
        table = {preference.field.name: preference for preference in TABLE}
        rows: dict[str, Row] = {}
        for name in sorted(table, key=_order):
            place = _PLACES.get(name) or _Place(_OTHERS, table[name].words)
            control, raw = self._make_control(table[name], place)
            parts: list[QWidget] = [control]
            if place.before and not isinstance(control, Switch):  # that has its words itself
                parts.insert(0, words(self._look, place.before))
            if place.after and not isinstance(control, Switch):
                parts.append(words(self._look, place.after))
            section = self._section(place.section)
            joins = place.before.startswith("and") and place.section in rows
            row = rows[place.section] if joins else section.add()
            for part in parts:
                row.flow.addWidget(part)
            rows[place.section] = row
            self.fields[name] = _Field(table[name], control, row, section, raw)

    def _make_login(self, *, on: bool) -> None:
        """It is no line of the table: the system has it, and is asked for it."""
        self.login = Switch(self._look, _LOGIN, default=on)
        self.login.setChecked(on)
        self._section("Login").add().flow.addWidget(self.login)

    def _make_shared(self, worker: Worker | None) -> SharedSection:
        self.boxes["computer"].edit.setPlaceholderText(socket.gethostname())
        self.boxes["dask_address"].edit.setPlaceholderText("tcp://scheduler:8786")
        rows = [self.fields[name].row.flow.itemAt(0) for name in _SHARED_ONES]
        labels = [label for item in rows if item is not None and (label := item.widget()) is not None]
        for label in labels:
            label.setFixedWidth(max(one.sizeHint().width() for one in labels))
        boxes = AddressBoxes(self.boxes["shared_list"], self.password)
        return SharedSection(self._look, self.sections[SHARED], boxes, worker, self._before)

    def _show_finding(self) -> None:
        """What a test has found is at the foot of the page. Once that is laid out."""
        QTimer.singleShot(0, self, lambda: self.page.ensureWidgetVisible(self.shared.result))

    def _make_connection_test(self, ask: Ask | None) -> ConnectionTest | None:
        field = self.fields["dask_address"]
        if ask is None or not isinstance(field.control, FieldBox):
            return None
        return ConnectionTest(self._look, field.section, field.control, ask)

    def _section(self, title: str) -> Section:
        if title not in self.sections:
            self.sections[title] = Section(self._look, title, rule=bool(self.sections))
        return self.sections[title]

    def _make_control(self, preference: Preference, place: _Place) -> tuple["_Widget", Callable[[], object]]:
        """The control for a value, and how it is read as the file has it."""
        found: _Widget
        raw: Callable[[], object]
        value = getattr(self._before, preference.field.name)
        if preference.field.name == "shared_list_secret":
            self.password = PasswordBox(self._look, preference.words)
            found, raw = self.password, lambda: value
        else:
            found, raw = _control(self._look, preference, value, place)
        if isinstance(found, FieldBox):
            self.boxes[preference.field.name] = found
        found.setAccessibleName(preference.words)
        found.set_raw(preference.field.write(value))
        return found, raw

    def _lay_out(self) -> None:
        self.body = plain.named(QWidget(), "form_page")
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, self._look.px(4), 0, self._look.px(4))
        column.setSpacing(0)
        for section in self.sections.values():
            column.addWidget(section)
        column.addStretch(1)
        self.page = QScrollArea()
        self.page.setObjectName("form_scroll")
        self.page.setFrameShape(QFrame.Shape.NoFrame)
        self.page.setWidgetResizable(True)
        self.page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.page.setWidget(self.body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.page, 1)
        outer.addWidget(self.foot)
        self.setMinimumSize(*map(self._look.px, _LEAST))

    def showEvent(self, event: QShowEvent) -> None:
        """As high as it takes to show all, at most the screen. Sizes are right only now that the style is at work."""
        if not self._was_shown:
            self._was_shown = True
            wide = self._look.px(_WIDE)
            bar = self.page.verticalScrollBar().sizeHint().width()
            tall = self.body.heightForWidth(wide - bar) + self.foot.height()
            self.setMinimumWidth(self.body.minimumSizeHint().width() + bar)
            self.resize(QSize(wide, tall).boundedTo(room_for(self)))
        super().showEvent(event)

    def _connect(self) -> None:
        for field in self.fields.values():
            field.control.edited.connect(self.check)
        self.shared.said.connect(self._show_finding)
        self.foot.cancel.clicked.connect(self.reject)
        self.foot.save.clicked.connect(self.save)
        self.foot.link.clicked.connect(self.focus_problem)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.save)
        self._look.changed.connect(self._dress)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus, before the primary one."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    # --- looking at it -------------------------------------------------------------------------------------

    def problems(self) -> dict[str, str]:
        """What is wrong, by preference."""
        found = {name: _problem(field) for name, field in self.fields.items()}
        found["shared_list"] = found["shared_list"] or self.shared.problem()
        found["list_id"] = found["list_id"] or self.shared.name_problem(str(self.fields["list_id"].raw()))
        return {name: said for name, said in found.items() if said}

    def check(self) -> None:
        """Say below each control what is wrong with it; Save waits until nothing is."""
        problems = self.problems()
        said = dict.fromkeys((field.row for field in self.fields.values()), "")
        for name, field in self.fields.items():
            field.control.mark(wrong=name in problems)
            said[field.row] = said[field.row] or problems.get(name, "")
        for row, text in said.items():
            row.show_problem(text)
        wrong = list(dict.fromkeys(self.fields[name].section for name in problems))
        for section in self.sections.values():
            section.mark(wrong=section in wrong)
        if self.connection is not None:
            self.connection.offer(able="dask_address" not in problems)
        self.foot.tell(len(problems), [section.name for section in wrong])

    def focus_problem(self) -> None:
        """To the first thing to fix."""
        if problems := self.problems():
            field = self.fields[next(iter(problems))]
            field.control.take_focus()
            self.page.ensureWidgetVisible(field.row)

    def save(self) -> None:
        """Say what was chosen, and close; where something is wrong, show it."""
        if self.problems():
            self.check()
            self.focus_problem()
            return
        values = {name: field.preference.field.read(field.raw()) for name, field in self.fields.items()}
        chosen, secrets = self.shared.settle(structs.replace(self._before, **values))
        if not secrets or self._bench is None:
            self._tell(chosen)
        elif self._storing is None:
            self.body.setEnabled(False)  # what is typed meanwhile would be lost
            self.foot.wait(_STORING)
            self._storing = self._bench.store(secrets, lambda: self._tell(chosen), self._not_stored)

    def _tell(self, chosen: Preferences) -> None:
        self._storing = None
        self.chosen.emit(chosen)
        if self.login is not None and self.login.raw() is not UNSET:
            self.login_chosen.emit(self.login.isChecked())
        self.accept()

    def _not_stored(self, said: str) -> None:
        """Nothing is lost: all that was typed is still here, and can be saved again."""
        self._storing = None
        self.body.setEnabled(True)
        self.foot.wait("")
        field = self.fields["shared_list_secret"]
        field.row.show_problem(said)
        field.control.take_focus()
        self.page.ensureWidgetVisible(field.row)

    def done(self, result: int) -> None:
        """Closed: nobody waits for an answer any more."""
        if self._storing is not None:
            self._storing.let_go()
            self._storing = None
        super().done(result)


_SHARED_ONES = ("shared_list", "shared_list_secret", "list_id", "computer")
_SHORT_ONES, _SHORT = ("list_id", "computer"), 220  # pixels, as drawn
_Widget = Switch | Segments | Amount | FieldBox


def _order(name: str) -> int:
    return list(_PLACES).index(name) if name in _PLACES else len(_PLACES)


def _problem(field: _Field) -> str:
    try:
        field.preference.field.read(field.raw())
    except InvalidTaskError as error:
        said = form_words(str(error))
        return f"It {said}" if said[:1].islower() else said
    return ""


def _control(
    look: Look, preference: Preference, value: object, place: _Place
) -> tuple[_Widget, Callable[[], object]]:
    said = preference.words
    if isinstance(value, bool):
        switch = Switch(look, place.after or said, default=value)
        return switch, switch.isChecked
    if isinstance(value, enum.StrEnum):
        segments = Segments(look, said, [Segment(one.value, one.value.capitalize()) for one in type(value)])
        return segments, segments.raw
    if isinstance(value, int):
        number = Amount(look, said, count(place.one, place.many, least=1), width=92)
        return number, lambda: _given(number)
    if isinstance(value, float):
        span = Amount(look, said, DURATION, width=110)
        return span, lambda: _given(span)
    box = FieldBox(look, said, width=_SHORT if preference.field.name in _SHORT_ONES else 0)
    return box, lambda: _given(box)


def _given(control: FieldBox) -> object:
    """What is written; an empty field is an empty text, for the reader to refuse."""
    raw = control.raw()
    return "" if raw is UNSET else raw
