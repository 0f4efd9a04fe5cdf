"""Reminders: shown in a card of their own, snoozed, kept over a restart; a notification only where no card can be.

`remind` is called on the engine's pool threads; everything else lives on the UI thread. All words are plain text.
"""

import threading
from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

from msgspec import Struct, structs
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication

from desktopsched.model import Reminder, Run, Task
from desktopsched.ui.alerts.kept import KeptFile, Snoozed
from desktopsched.ui.alerts.reminder_card import ReminderCard
from desktopsched.ui.alerts.snooze import Shown, snoozed_until
from desktopsched.ui.alerts.stack import Stack
from desktopsched.ui.alerts.waiting import Awaited
from desktopsched.ui.look import Look

PATIENCE = 60.0
"""Seconds that a run waits for its reminder to be shown; a window that is busy for longer shows nothing at all."""

Say = Callable[[str, str], bool]
"""Shows a title and a text as a notification of the desktop; whether it could."""


def nobody(_title: str, _text: str) -> bool:
    """There is no notification."""
    return False


class _Wish(Struct, eq=False):
    """One reminder on its way to the UI thread, and the answer on its way back."""

    task: Task
    due: float
    answered: threading.Event
    shown: bool = False

    @property
    def message(self) -> str:
        """What is to be said."""
        action = self.task.action
        return action.message if isinstance(action, Reminder) else self.task.name


class Reminders(QObject):
    """Shows reminders, and says whether it did. `kept` remembers those that are snoozed."""

    _asked = Signal(object)

    def __init__(
        self,
        look: Look,
        stack: Stack,
        kept: KeptFile,
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        say: Say = nobody,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._look, self._stack, self._kept, self._say = look, stack, kept, say
        self._now, self._zone = now, zone
        self._closed = False
        self._waiting: set[_Wish] = set()
        self._lock = threading.Lock()
        self.open: dict[str, Shown] = {}  # by task: what was shown and not answered, or waits for room
        self._left = kept.kept.unanswered  # what an earlier program showed, until it is shown again
        self._again = Awaited(now, self)
        self._again.come.connect(self._wake)
        self._asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    # --- any thread ----------------------------------------------------------------------------------------

    def remind(self, task: Task, run: Run) -> bool:
        """Show a reminder; whether it was shown. On any thread but the UI's: it waits for that one."""
        wish = _Wish(task, run.scheduled_for, threading.Event())
        with self._lock:
            if self._closed:
                return False
            self._waiting.add(wish)
        stop_waiting = run.stop.on_request(wish.answered.set)
        self._asked.emit(wish)
        wish.answered.wait(PATIENCE)
        stop_waiting()
        with self._lock:
            self._waiting.discard(wish)
        return wish.shown

    # --- the UI thread -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Show what nobody answered, and wait for what was snoozed; what came due meanwhile is shown at once.

        Runs may have shown something before: the engine was quicker.
        """
        for one in self._left:
            if one.task_id not in self.open:
                self._show(one.task_id, one.title, one.message, one.due)
        self._left = ()
        self._keep_unanswered()
        self._wake()

    def close(self) -> None:
        """Show nothing more; whoever waits is told so. What nobody answered comes again at the next launch."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for wish in self._waiting:
                wish.answered.set()
        self._again.wait(None)
        for task_id in tuple(self.open):
            self._stack.drop(_key(task_id))
        self.open.clear()

    @Slot(object)
    def _answer(self, wish: _Wish) -> None:
        if self._closed or wish.answered.is_set():  # a stopped run's reminder comes too late
            return
        try:
            wish.shown = self._show(wish.task.id, wish.task.name, wish.message, wish.due)
        finally:
            wish.answered.set()  # a mistake of ours must not keep the run waiting
        if wish.shown and isinstance(wish.task.action, Reminder) and wish.task.action.sound:
            QApplication.beep()

    def _show(self, task_id: str, title: str, message: str, due: float) -> bool:
        if not self._stack.can_show:
            return self._say(title, message)
        now, before = self._now(), self.open.get(task_id)
        shown = Shown(task_id=task_id, title=title, message=message, due=due, at=now, since=now)
        if before is not None:
            shown = structs.replace(shown, count=before.count + 1, since=before.since)
        self.open[task_id] = shown
        self._put(shown)
        self._keep_unanswered()
        return True

    def _put(self, shown: Shown) -> None:
        card = self._stack.card(_key(shown.task_id))
        if isinstance(card, ReminderCard):
            card.tell(shown)  # the task reminded again before anybody answered
            self._stack.settle()
        else:
            self._stack.put(_key(shown.task_id), partial(self._make, shown.task_id))

    def _make(self, task_id: str) -> ReminderCard:
        card = ReminderCard(self._look, self.open[task_id], self._zone())
        card.snoozed.connect(lambda place: self._snooze(task_id, place))
        card.gone.connect(lambda: self._gone(task_id))
        return card

    def _snooze(self, task_id: str, place: int) -> None:
        shown = self.open.pop(task_id, None)
        if shown is not None:
            self._keep(_snoozed(shown, snoozed_until(place, self._now(), self._zone())))
            self._keep_unanswered()
            self._wait()

    def _gone(self, task_id: str) -> None:
        if not self._closed:
            self.open.pop(task_id, None)
            self._keep_unanswered()

    # --- snoozed ones --------------------------------------------------------------------------------------

    def _keep(self, *more: Snoozed) -> None:
        """Of each task the newest."""
        found = {one.task_id: one for one in (*self._kept.kept.snoozed, *more)}
        self._kept.change(snoozed=tuple(found.values()))

    def _keep_unanswered(self) -> None:
        """At once, and not only at the end: who is killed keeps nothing."""
        left = {one.task_id: one for one in self._left}
        left |= {task_id: _snoozed(shown, shown.at) for task_id, shown in self.open.items()}
        if (unanswered := tuple(left.values())) != self._kept.kept.unanswered:
            self._kept.change(unanswered=unanswered)

    def _wait(self) -> None:
        self._again.wait(min((one.until for one in self._kept.kept.snoozed), default=None))

    def _wake(self) -> None:
        now = self._now()
        due = [one for one in self._kept.kept.snoozed if one.until <= now]
        for one in sorted(due, key=lambda one: one.until):
            self._show(one.task_id, one.title, one.message, one.due)
        if due:
            self._kept.change(snoozed=tuple(one for one in self._kept.kept.snoozed if one.until > now))
        self._wait()


def _key(task_id: str) -> str:
    return f"reminder {task_id}"


def _snoozed(shown: Shown, until: float) -> Snoozed:
    return Snoozed(
        task_id=shown.task_id, title=shown.title, message=shown.message, due=shown.due, until=until
    )


def unmarked(text: str) -> str:
    """The text for a notification daemon: some read markup, some don't and say no word of it.

    No tag begins without `<`, so a look-alike takes its place; escaping would be shown as it is by the others.
    """
    return text.replace("<", "‹").replace(">", "›")
