"""Failure notices: what failed is said where reminders are, or by the desktop while the window is closed. UI thread."""

from collections.abc import Callable, Sequence
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, Signal

from desktopsched.engine.events import Event, RunFinished, TaskRemoved
from desktopsched.model import Task
from desktopsched.ui.alerts import failures
from desktopsched.ui.alerts.failure_card import FailureCard
from desktopsched.ui.alerts.failures import Failing, Failures
from desktopsched.ui.alerts.stack import Stack
from desktopsched.ui.look import Look
from desktopsched.ui.reminders import Say, nobody


class FailureNotices(QObject):
    """One card for each task that fails. `task_of` finds a task by its id, `hidden` says whether the window is."""

    log_wanted = Signal(str, int)
    """Show the output of a run: the task's id, the run's number."""

    resume_wanted = Signal(str)
    """Enable the task again."""

    def __init__(
        self,
        look: Look,
        stack: Stack,
        task_of: Callable[[str], Task | None],
        *,
        zone: Callable[[], ZoneInfo],
        hidden: Callable[[], bool] = lambda: False,
        say: Say = nobody,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._look, self._stack, self._task_of = look, stack, task_of
        self._zone, self._hidden, self._say = zone, hidden, say
        self._failures = Failures()

    def hear(self, events: Sequence[Event]) -> None:
        """What happened; of many failures of one task in a batch the last is told."""
        told: dict[str, Failing] = {}
        for event in events:
            if isinstance(event, TaskRemoved):
                self._forget(event.task_id)
                told.pop(event.task_id, None)
            elif isinstance(event, RunFinished):
                task = self._task_of(event.run.task_id)
                failing = self._failures.ended(task, event.run, event.outcome, event.at) if task else None
                if failing is not None:
                    told[failing.task.id] = failing
        for failing in told.values():
            self._tell(failing)

    def _forget(self, task_id: str) -> None:
        self._failures.forget(task_id)
        self._stack.drop(_key(task_id))

    def _tell(self, failing: Failing) -> None:
        key = _key(failing.task.id)
        card = self._stack.card(key)
        if isinstance(card, FailureCard):
            card.tell(failing)
            self._stack.settle()
        elif key not in self._stack.waiting and self._failures.may_tell(failing):
            said = self._hidden() and self._say(
                failures.headline(failing, self._zone()), failures.details(failing)
            )
            if not said and self._stack.can_show:
                self._stack.put(key, partial(self._make, failing))

    def _make(self, failing: Failing) -> FailureCard:
        """When there is room: by then it may have failed more often."""
        failing = self._failures.now(failing.task.id) or failing
        card = FailureCard(self._look, failing, self._zone())
        task_id = failing.task.id
        card.log_wanted.connect(lambda: self._want_log(task_id, failing.run.id))
        card.resume_wanted.connect(lambda: self.resume_wanted.emit(task_id))
        return card

    def _want_log(self, task_id: str, run: int) -> None:
        latest = self._failures.now(task_id)
        self.log_wanted.emit(task_id, latest.run.id if latest is not None else run)


def _key(task_id: str) -> str:
    return f"failure {task_id}"
