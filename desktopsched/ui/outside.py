"""Outside: all of the window that is not in it: the tray, the cards, the window for missed runs. UI thread.

It ties them to one session and one main window: they hear the same events, after the window's own parts, and what the
person asks for there goes to the commands.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Signal

from desktopsched import phrases
from desktopsched.engine.events import Event
from desktopsched.model import Task
from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.alerts.stack import Stack
from desktopsched.ui.background import Background
from desktopsched.ui.catch_up.asking import Asking
from desktopsched.ui.failure_notices import FailureNotices
from desktopsched.ui.login_offer import LoginOffer
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from desktopsched.ui.reminders import Reminders
from desktopsched.ui.session import Session
from desktopsched.ui.tray.closing import CloseToTray
from desktopsched.ui.tray.pausing import Pausing
from desktopsched.ui.tray.state import TraySummary, summarise_for_tray
from desktopsched.ui.tray.tray import Tray

_SETTLE = 250  # milliseconds in which changes gather before the tray is told
_ONE_AFTER_THE_OTHER = 1  # workers that are named before the program is open


class Outside(QObject):
    """Made before the session, which needs the reminders; `tie` gives it the session and the window."""

    log_wanted = Signal(str, int)
    """Show the output of a run: the task's id, the run's number; 0: of the one under way."""

    failed_wanted = Signal()
    """Show the tasks that failed."""

    new_wanted = Signal()
    """Make a new task."""

    def __init__(
        self,
        look: Look,
        folder: Path,
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        tray: Tray | None = None,
    ) -> None:
        """`folder`: of the home."""
        super().__init__()
        self._look, self._now, self._zone = look, now, zone
        self._background = Background(self)
        self.kept = KeptFile(folder, self._background.do)
        self.stack = Stack(look, self)
        self.tray = tray if tray is not None else Tray(look, now=now, zone=zone)
        self.reminders = Reminders(
            look, self.stack, self.kept, now=now, zone=zone, say=self.tray.say, parent=self
        )
        self.pausing = Pausing(self.kept, now, self)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE)
        self._settle.timeout.connect(self._tell_tray)
        self.tray.new_wanted.connect(self.new_wanted)

    def tie(self, session: Session, window: MainWindow) -> None:
        """To this session and this window."""
        self._session, self._window = session, window
        self._make_parts()
        self._tie_tray()
        session.bridge.arrived.connect(self._hear)
        session.opened.connect(self._open)
        window.finished.connect(self.close)

    def appear(self) -> None:
        """Be seen from now on, beside the window or without it."""
        self.tray.appear()

    def _make_parts(self) -> None:
        window, rows = self._window, self._window.model.rows
        self.failures = FailureNotices(
            self._look,
            self.stack,
            self._task,
            zone=self._zone,
            hidden=lambda: not window.isVisible(),
            say=self.tray.say,
            parent=self,
        )
        self.asking = Asking(
            self._look, rows.all, now=self._now, zone=self._zone, workers=self._workers, parent=window
        )
        self.login_offer = LoginOffer(self._session, self.kept, self)
        self.login_offer.answered.connect(window.bulletin.tell_again)
        self.login_offer.failed.connect(window.fail)
        window.bulletin.offers = self.login_offer.notices
        self.closing = CloseToTray(
            window,
            self.tray,
            self.kept,
            may_hide=lambda: window.phase is Phase.OPEN,
            come_up=window.come_up,
        )

    def _tie_tray(self) -> None:
        tray, window, commands = self.tray, self._window, self._session.commands
        tray.show_wanted.connect(window.come_up)
        tray.show_task.connect(self._show_task)
        tray.show_failed.connect(self._show_failed)
        tray.show_log.connect(lambda task_id: self._show_log(task_id, 0))
        tray.run_wanted.connect(lambda task_id: commands.run_now([task_id]))
        tray.stop_wanted.connect(lambda task_id: commands.stop([task_id]))
        tray.pause_wanted.connect(self.pausing.pause)
        tray.resume_wanted.connect(lambda: commands.pause(paused=False))
        tray.quit_wanted.connect(self.closing.quit)
        self.pausing.asked.connect(lambda paused: commands.pause(paused=paused))
        self.pausing.changed.connect(self._settle.start)
        window.bulletin.pause_ends = self._pause_ends
        self.failures.log_wanted.connect(self._show_log)
        self.failures.resume_wanted.connect(lambda task_id: window.editing.enable([task_id], enabled=True))
        self.asking.decided.connect(commands.answer)
        window.missed_wanted.connect(self.asking.ask)

    # --- what happens --------------------------------------------------------------------------------------

    def _pause_ends(self) -> str:
        until = self.pausing.until
        return "" if until is None else phrases.clock(until, self._now(), self._zone())

    def _open(self, _took: object) -> None:
        self.pausing.opened(paused=self._session.paused)
        self.reminders.start()
        self.asking.opened(self._session.program.last_alive)
        self._settle.start()

    def _hear(self, events: Sequence[Event]) -> None:
        self.failures.hear(events)
        self.asking.hear(events)
        self.pausing.hear(events)
        if not self._settle.isActive():
            self._settle.start()

    def _tell_tray(self) -> None:
        if self._window.phase is not Phase.OPEN:
            self.tray.show_summary(TraySummary(is_open=False))
            return
        summary = summarise_for_tray(
            self._window.model.rows,
            self._now(),
            self._zone(),
            paused=self._session.paused,
            paused_until=self.pausing.until,
            before=self.tray.summary,
        )
        self.tray.show_summary(summary)

    def close(self) -> None:
        """The window is closed for good."""
        self._settle.stop()
        self.asking.close()
        self.pausing.close()
        self.reminders.close()
        self.stack.close()
        self.tray.close()
        self._background.close()

    # --- what is asked for ---------------------------------------------------------------------------------

    def _task(self, task_id: str) -> Task | None:
        row = self._window.model.rows.get(task_id)
        return row.task if row is not None else None

    def _workers(self) -> int:
        return self._session.program.dispatcher.workers if self._session.is_open else _ONE_AFTER_THE_OTHER

    def _show_task(self, task_id: str) -> None:
        self._window.come_up()
        if self._window.model.rows.get(task_id) is not None:
            self._window.table.select(task_id)

    def _show_log(self, task_id: str, run: int) -> None:
        self._show_task(task_id)
        self.log_wanted.emit(task_id, run)

    def _show_failed(self) -> None:
        """The first of them, where nobody shows all."""
        if self.tray.summary.failed:
            self._show_task(self.tray.summary.failed[0].task_id)
        self.failed_wanted.emit()
