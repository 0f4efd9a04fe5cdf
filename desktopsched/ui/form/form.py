"""The task form: a dialog that makes a task, or another version of one. UI thread.

It is given what it shows and says what the person wants: it knows no program, no file and no clock of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from msgspec import structs
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMessageBox, QWidget

from desktopsched.model import Task
from desktopsched.model.document import write_task
from desktopsched.model.identity import draft_of_script, new_id
from desktopsched.ui.background import Background
from desktopsched.ui.form import notices
from desktopsched.ui.form.discard import ask_to_discard
from desktopsched.ui.form.draft import Raw, read_draft, with_beginnings
from desktopsched.ui.form.fields import Finding
from desktopsched.ui.form.frame import Frame
from desktopsched.ui.form.page import Around, Page
from desktopsched.ui.form.tabs import order_tabs
from desktopsched.ui.form.versions import Versions
from desktopsched.ui.form.workbench import Bench, Job
from desktopsched.ui.look import Look

TYPING = 150
"""Milliseconds after the last key until what was typed is looked at."""

_EMPTY: Raw = {"action": {"type": "command"}, "schedule": {"type": "cron"}}
_STORING = "Storing the secret in the keychain …"


class TaskForm(Frame):
    """One task, from the moment it is opened until it is saved or given up."""

    saved = Signal(object)
    """The `Task` as it should be; its id is an old one exactly if one of the tasks was edited."""

    def __init__(
        self,
        look: Look,
        tasks: Sequence[Task],
        task: Task | None,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        *,
        bench: Bench,
        background: Background | None = None,
        around: Around | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`task`: one of `tasks` to edit, or a draft of a new one, or None. `bench`: tests it, stores its secrets."""
        super().__init__(look, parent)
        self._now, self._zone, self._bench = now, zone, bench
        self._taken = frozenset(one.id for one in tasks)
        self._edited_id = task.id if task is not None and task.id in self._taken else ""
        own = task if self._edited_id else None
        self._versions = Versions(own)
        self._question: QMessageBox | None = None
        self._storing: Job | None = None
        self._removed = False
        self._refused = ""  # why it could not be saved when that was tried last
        self._is_blank = (
            task is None
        )  # it is not wrong yet: it says what is missing once something is written
        self._tabs: list[QWidget] = []  # what Tab goes through
        self._typing = QTimer(self, singleShot=True, interval=TYPING)
        self._say_title(task.name if task is not None else "")
        self._pieces = self._make(tasks, task, around or Around(), background)

    def _make(
        self, tasks: Sequence[Task], task: Task | None, around: Around, background: Background | None
    ) -> Iterator[None]:
        """Make it, piece by piece."""
        page = self._page
        yield from page.build(
            tasks, around, self._versions.base, self._bench, background, tomorrow=self._tomorrow()
        )
        yield
        page.load(_EMPTY if task is None else write_task(task))
        self._connect(page)
        self._untouched = page.written()[0]
        yield
        self._pieces = None  # all is there, and may be looked at
        self._look_at_all()
        page.general.name.edit.setFocus()

    def _tomorrow(self) -> date:
        return datetime.fromtimestamp(self._now(), self._zone()).date() + timedelta(days=1)

    of_script = staticmethod(draft_of_script)
    """A draft of a task that runs the script at this path."""

    @staticmethod
    def copy_of(task: Task) -> Task:
        """A draft of a second task like this one."""
        return structs.replace(task, id="", name=f"{task.name[:195]} copy")

    # --- the parts -----------------------------------------------------------------------------------------

    def _connect(self, page: Page) -> None:
        page.edited.connect(self._edit)
        self._typing.timeout.connect(self._look_at_all)
        page.left.connect(self._typing.start)
        page.what.test.clicked.connect(self.test)
        page.what.environment.error.mended.connect(self.save)
        self.foot.link.clicked.connect(self.focus_problem)
        self.foot.cancel.clicked.connect(self.reject)
        self.foot.save.clicked.connect(self.save)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.save)

    # --- looking at it -------------------------------------------------------------------------------------

    @property
    def _own_id(self) -> str:
        """Kept on an edit; of a new task made from its name."""
        return self._edited_id or new_id(self.page.general.name.edit.text(), self._taken)

    def _edit(self) -> None:
        self._is_blank = False
        self._typing.start()

    def _look_at_all(self) -> Finding:
        self._typing.stop()
        found = self.page.read(self._own_id)
        self.page.show_starts(found, self._now(), self._zone())
        self.page.what.located.look_for(found.raw.get("action", {}))
        self.page.more.id.setText(self._own_id)
        self.page.trial.offer(self.page.draft(found)[1])
        if self._is_blank:
            self.foot.tell(0, ())
        elif self._storing is None:
            self.foot.tell(len(found.problems), found.sections, told=self.page.tells)
        self._say_title(self.page.general.name.edit.text())
        self._tabs = order_tabs(self, self._tabs)
        return found

    def _say_title(self, name: str) -> None:
        self.setWindowTitle(f"Edit task: {name}" if self._edited_id else "New task")

    @property
    def changed(self) -> bool:
        """Whether something would be lost."""
        return self.page.written()[0] != self._untouched

    def focus_problem(self) -> None:
        """To the first thing to fix; from now on what is missing is told too."""
        self.page.insists, self._is_blank = True, False
        if problems := self._look_at_all().problems:
            self.page.go_to(next(iter(problems)))

    # --- what the person wants -----------------------------------------------------------------------------

    def save(self) -> None:
        """Say what the task should be, and close; where something is wrong, show it. Secrets are stored first."""
        if self._storing is not None:
            return
        self.keep_mine()
        self._is_blank = False
        found = self._look_at_all()
        if found.problems:
            self.focus_problem()
            return
        raw = with_beginnings(found.raw, self._versions.base_raw, self._now(), self._zone())
        task, _ = read_draft(raw)
        what = self.page.what
        if task is not None and (typed := what.environment.typed() if what.is_process() else {}):
            what.environment.show_failure("")
            self._wait_for_keychain(_STORING)
            self._storing = self._bench.store(typed, partial(self._hand_over, task), self._not_stored)
        elif task is not None:
            self._hand_over(task)

    def _hand_over(self, task: Task) -> None:
        self._wait_for_keychain("")
        self.refuse("")
        self.saved.emit(task)
        self.accept()

    def _not_stored(self, words: str) -> None:
        """Nothing is lost: all that was typed is still here, and can be saved again."""
        self._wait_for_keychain("")
        error = self.page.what.environment.error
        self.page.what.environment.show_failure(words)
        self._look_at_all()
        error.link.setFocus()
        self.page.ensureWidgetVisible(error)

    def _wait_for_keychain(self, words: str) -> None:
        self._storing = None
        self.hold(words)  # what is typed meanwhile would be lost

    @property
    def base(self) -> Task | None:
        """The version that what is written here began from; None: the task is new."""
        return self._versions.base

    def test(self) -> None:
        """Try what is written now; while that runs, stop it."""
        if self.page.trial.under_way:
            self.page.trial.stop()
        elif (draft := self.page.draft(self._look_at_all())[0]) is not None:
            self.page.trial.begin(draft)

    # --- what happens elsewhere ----------------------------------------------------------------------------

    def follow(self, tasks: Sequence[Task]) -> None:
        """The list is another one now."""
        self._taken |= {one.id for one in tasks}
        self.page.follow(tasks)
        if self._edited_id:
            self._versions.see(next((one for one in tasks if one.id == self._edited_id), None))
        self._show_notices()
        self._look_at_all()

    def take_other(self) -> None:
        """Show the version that was made elsewhere, and nothing of what was written here."""
        if (raw := self._versions.other_raw) is not None:
            self.page.load(raw)
            self._take_up(raw)

    def keep_mine(self) -> None:
        """Keep what was written here; what was left alone follows the version that was made elsewhere."""
        base, other = self._versions.base_raw, self._versions.other_raw
        if base is not None and other is not None:
            self.page.take_up(base, other)
            self._take_up(other)

    def _take_up(self, raw: Raw) -> None:
        self._versions.take_up()
        self._untouched = {key: value for key, value in raw.items() if key != "id"}
        self._show_notices()
        self._look_at_all()

    def task_removed(self) -> None:
        """The task that is edited is no longer there: what is written can become a new one."""
        if not self._edited_id:
            return
        self._edited_id, self._removed = "", True  # the old id stays taken: its history is still there
        self._versions.forget()
        self.page.parents.task_id = ""
        self.foot.save.setText("Save as new task")
        self._show_notices()
        self._look_at_all()

    def refuse(self, words: str) -> None:
        """It was not saved, for this reason."""
        self._refused = words
        self._show_notices()

    def _show_notices(self) -> None:
        found = [notices.not_saved(self._refused)] if self._refused else []
        if self._removed:
            found.append(notices.removed(self.save))
        if self._versions.other is not None:
            labels = [(field.place, field.label) for field in self.page.fields]
            what = self._versions.difference(labels)
            found.append(notices.changed(what, self.take_other, self.keep_mine))
        self.banners.show_notices(found)

    # --- closing -------------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Close; ask first where something would be lost."""
        if self._question is not None:
            return
        if not self.changed:
            super().reject()
            return
        self._question = ask_to_discard(self, self._give_up, self._answered)

    def done(self, result: int) -> None:
        """Closed, in whatever way: a test that runs is stopped, and nothing is waited for."""
        if self.is_made:
            self.page.trial.close()
        if self._storing is not None:
            self._storing.let_go()
            self._wait_for_keychain("")
        super().done(result)

    def _give_up(self) -> None:
        super().reject()

    def _answered(self) -> None:
        self._question = None
