"""The task form: a dialog that makes a task, or another version of one. UI thread.

It is given what it shows and says what the person wants: it knows no program, no file and no clock of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec import structs
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QDialog, QMessageBox, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktopsched.model import Outcome, State, Task
from desktopsched.model.document import write_task
from desktopsched.ui import icons, plain
from desktopsched.ui.background import Background
from desktopsched.ui.banner import Answer, Banners, Notice
from desktopsched.ui.form.draft import Raw, read_draft, with_beginnings
from desktopsched.ui.form.fields import Finding
from desktopsched.ui.form.foot import Foot
from desktopsched.ui.form.identity import draft_of_script, new_id
from desktopsched.ui.form.page import Page
from desktopsched.ui.form.tabs import order_tabs
from desktopsched.ui.form.when import zone_names
from desktopsched.ui.look import Look

TYPING = 150
"""Milliseconds after the last key until what was typed is looked at."""

_WIDE = 860  # pixels, as drawn
_TITLE_BAR = 40
_EMPTY: Raw = {"action": {"type": "command"}, "schedule": {"type": "cron"}}
_GONE = Notice(
    icon="warning",
    tone=State.READY,
    headline="This task was removed meanwhile.",
    more="What is written here is kept: save it as a new task, or cancel.",
)


class TaskForm(QDialog):
    """One task, from the moment it is opened until it is saved or given up."""

    saved = Signal(object)
    """The `Task` as it should be; its id is an old one exactly if one of the tasks was edited."""

    test_wanted = Signal(object)
    """Run this `Task` now, and tell what comes of it by `show_output` and `show_end`."""

    def __init__(
        self,
        look: Look,
        tasks: Sequence[Task],
        task: Task | None,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        *,
        background: Background | None = None,
        states: Mapping[str, State] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`task`: one of `tasks` to edit, or a draft of a new one, or None. `states`: for the icons of parents."""
        super().__init__(parent)
        self._look, self._now, self._zone = look, now, zone
        self._taken = frozenset(one.id for one in tasks)
        self._edited_id = task.id if task is not None and task.id in self._taken else ""
        self._before: Raw | None = write_task(task) if task is not None and self._edited_id else None
        self._question: QMessageBox | None = None
        self._was_shown = False
        self._tabs: list[QWidget] = []  # what Tab goes through
        self._dress()  # first: a sheet is quick to set while there is nothing to be styled by it
        own = task if self._edited_id else None
        self.page = Page(look, tasks, states or {}, own, background)
        self.banners, self.foot = Banners(look), Foot(look)
        self._typing = QTimer(self, singleShot=True, interval=TYPING)
        self._lay_out()
        self.page.load(_EMPTY if task is None else write_task(task))
        self._connect()
        self._fill_zones(background)
        self._untouched = self._look_at_all().raw
        if task is None:
            self.foot.tell(0, ())  # it is not wrong yet: it says what is missing once something is written
        self.page.general.name.setFocus()

    of_script = staticmethod(draft_of_script)
    """A draft of a task that runs the script at this path."""

    @staticmethod
    def copy_of(task: Task) -> Task:
        """A draft of a second task like this one."""
        return structs.replace(task, id="", name=f"{task.name[:195]} copy")

    # --- the parts -----------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.setWindowIcon(icons.mark())
        self.setObjectName("form")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.banners, self.page, self.foot):
            column.addWidget(widget)
        self.setMinimumSize(self._look.px(560), self._look.px(360))

    def _take_room(self) -> None:
        """As wide as it was drawn, and as high as it takes to show all; at most the screen, less its title bar."""
        wide = self._look.px(_WIDE)
        bar = self.page.verticalScrollBar().sizeHint().width()
        # Less the scroll bar, though none is to be seen: Qt keeps one where lines wrap because of it alone.
        tall = self.page.body.heightForWidth(wide - bar) + self.foot.height()
        self.resize(QSize(wide, tall).boundedTo(self.screen().availableSize() - QSize(0, _TITLE_BAR)))

    def _connect(self) -> None:
        self.page.edited.connect(self._typing.start)
        self._typing.timeout.connect(self._look_at_all)
        self.page.what.test.clicked.connect(self.test)
        self.foot.link.clicked.connect(self.focus_problem)
        self.foot.cancel.clicked.connect(self.reject)
        self.foot.save.clicked.connect(self.save)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.save)
        self._look.changed.connect(self._dress)

    def _fill_zones(self, background: Background | None) -> None:
        zone = self.page.when.zone

        def fill(names: list[str]) -> None:
            if isValid(zone):
                zone.set_words(names)

        if background is None:
            fill(zone_names())
        else:
            background.do(zone_names, fill)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    def showEvent(self, event: QShowEvent) -> None:
        """Sizes are right only now that the style is at work."""
        if not self._was_shown:
            self._was_shown = True
            self._take_room()
        super().showEvent(event)

    # --- looking at it -------------------------------------------------------------------------------------

    @property
    def _own_id(self) -> str:
        """Kept on an edit; of a new task made from its name."""
        return self._edited_id or new_id(self.page.general.name.edit.text(), self._taken)

    def _look_at_all(self) -> Finding:
        self._typing.stop()
        found = self.page.read(self._own_id)
        self.page.show_starts(found, self._now(), self._zone())
        self.page.more.id.setText(self._own_id)
        self.page.what.test.setEnabled(self.page.tested(found) is not None)
        self.foot.tell(len(found.problems), found.sections)
        self._say_title()
        self._tabs = order_tabs(self, self._tabs)
        return found

    def _say_title(self) -> None:
        name = self.page.general.name.edit.text()
        self.setWindowTitle(f"Edit task: {name}" if self._edited_id else "New task")

    @property
    def changed(self) -> bool:
        """Whether something would be lost."""
        return _without_id(self.page.read(self._own_id).raw) != _without_id(self._untouched)

    def focus_problem(self) -> None:
        """To the first thing to fix; from now on what is missing is told too."""
        self.page.insists = True
        if problems := self._look_at_all().problems:
            self.page.go_to(next(iter(problems)))

    # --- what the person wants -----------------------------------------------------------------------------

    def save(self) -> None:
        """Say what the task should be, and close; where something is wrong, show it."""
        found = self._look_at_all()
        if found.problems:
            self.focus_problem()
            return
        raw = with_beginnings(found.raw, self._before, self._now(), self._zone())
        task, _ = read_draft(raw)
        self.saved.emit(task)
        self.accept()

    def test(self) -> None:
        """Ask for a run of what is written now."""
        found = self._look_at_all()
        if (task := self.page.tested(found)) is not None:
            self.page.what.output.begin()
            self.test_wanted.emit(task)

    def show_output(self, text: str) -> None:
        """Some output of the test, as it came."""
        self.page.what.output.add(text)

    def show_end(self, outcome: Outcome) -> None:
        """How the test ended."""
        self.page.what.output.end(outcome)

    def task_removed(self) -> None:
        """The task that is edited is no longer there: what is written can become a new one."""
        if not self._edited_id:
            return
        self._edited_id, self._before = "", None  # the old id stays taken: its history is still there
        self.page.parents.task_id = ""
        self.banners.show_notices([structs.replace(_GONE, answers=(Answer("Save as new", self.save),))])
        self.foot.save.setText("Save as new task")
        self._look_at_all()

    # --- closing -------------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Close; ask first where something would be lost."""
        if self._question is not None:
            return
        if not self.changed:
            super().reject()
            return
        self._question = box = plain.box(
            self, QMessageBox.Icon.Question, "Close without saving?", "What you changed would be lost."
        )
        discard = box.addButton("Discard changes", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep editing", QMessageBox.ButtonRole.RejectRole)
        for button in (discard, keep):
            button.setIcon(QIcon())
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        discard.clicked.connect(self._give_up)
        box.finished.connect(self._answered)
        box.setWindowModality(Qt.WindowModality.WindowModal)
        box.open()

    def _give_up(self) -> None:
        super().reject()

    def _answered(self) -> None:
        self._question = None


def _without_id(raw: Raw) -> Raw:
    return {key: value for key, value in raw.items() if key != "id"}
