"""Asking: when the window for missed runs comes up, and with what. UI thread.

It hears the engine's events and looks at the rows; it opens one window, keeps it up to date, and asks again in an hour
where nothing was decided.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktopsched.engine.absence import Absence, Why
from desktopsched.engine.events import ClaimsGoOn, ClaimsWithheld, Event, RunsMissed
from desktopsched.model import CatchUp
from desktopsched.ui.catch_up.choices import MissedTask
from desktopsched.ui.look import Look
from desktopsched.ui.row import Row

if TYPE_CHECKING:  # loaded when there is something to ask: the main window is painted sooner
    from desktopsched.ui.catch_up.dialog import CatchUpDialog

HOUR = 3_600_000
"""Milliseconds until it asks again."""

SETTLE = 500
"""Milliseconds in which missed runs gather: after a sleep they are told one task after the other."""


_OF_LIST = (ClaimsWithheld, ClaimsGoOn)


def missed_of(rows: Iterable[Row]) -> list[MissedTask]:
    """What there is to decide, as the rows have it."""
    return [
        MissedTask(
            task=row.task,
            schedule=row.schedule,
            count=row.status.missed,
            first=row.status.missed_first,
            last=row.status.missed_last,
            interrupted=row.status.interrupted is not None,
            interrupted_at=row.status.interrupted_at,
            usual=row.usual,
        )
        for row in rows
        if row.status.missed or row.status.interrupted is not None
    ]


class Asking(QObject):
    """One window at a time. `rows` gives all rows as they are now, `workers` how many runs go at a time."""

    decided = Signal(list)
    """`choices.Decision`s: (task_id, choice, rerun, remember)."""

    def __init__(
        self,
        look: Look,
        rows: Callable[[], Iterable[Row]],
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        workers: Callable[[], int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look, self._rows, self._workers = look, rows, workers
        self._now, self._zone = now, zone
        self._over = parent  # the window that the question stands before
        self._open = self._withheld = False
        self._away: Absence | None = None
        self._followed: dict[
            str, CatchUp
        ] = {}  # by name: tasks that missed runs and have a rule of their own
        self._said: list[object] = []  # what the window asks about
        self.dialog: CatchUpDialog | None = None
        self._settle = QTimer(self, singleShot=True, interval=SETTLE)
        self._settle.timeout.connect(self._ask_unwanted)
        self._again = QTimer(self, singleShot=True, interval=HOUR)
        self._again.timeout.connect(self._ask_unwanted)

    def opened(self, last_alive: float | None) -> None:
        """The program is open: ask about what passed while it was not."""
        self._open = True
        if last_alive is not None:
            self._away = Absence(Why.CLOSED, last_alive, self._now())
        self._settle.start()

    def hear(self, events: Sequence[Event]) -> None:
        """What happened: more was missed, or something of it was decided elsewhere."""
        withheld = [isinstance(event, ClaimsWithheld) for event in events if isinstance(event, _OF_LIST)]
        if withheld:
            self._withheld = withheld[-1]
            if self._open:
                self._settle.start()
        missed = [event for event in events if isinstance(event, RunsMissed)]
        for event in missed:
            if event.policy is not CatchUp.ASK:
                self._followed[self._name(event.task_id)] = event.policy
        if self._open and missed:
            self._away = missed[-1].absence
            if any(event.policy is CatchUp.ASK for event in missed):
                self._settle.start()
        if self.dialog is not None and not self._settle.isActive():
            self._settle.start()  # its counts may be others now

    def _name(self, task_id: str) -> str:
        return next((row.task.name for row in self._rows() if row.task.id == task_id), task_id)

    def _ask_unwanted(self) -> None:
        """Nobody asked for it. While nothing can be claimed on a shared list, nothing would follow from an answer."""
        if self.dialog is not None or not self._withheld:
            self.ask()

    def ask(self) -> None:
        """Show what there is to decide; bring an open window up to date."""
        missed = missed_of(self._rows())
        said: list[object] = [(one.task, one.count, one.interrupted, dict(self._followed)) for one in missed]
        if self.dialog is not None:
            if said != self._said:  # else it stays as it is under the pointer
                self._said = said
                self.dialog.follow(missed, self._followed, self._away)
            return
        if not missed:
            return
        from desktopsched.ui.catch_up.dialog import CatchUpDialog

        self._said = said
        self.dialog = dialog = CatchUpDialog(
            self._look,
            missed,
            now=self._now,
            zone=self._zone,
            workers=self._workers(),
            away=self._away,
            followed=self._followed,
            parent=self._over if self._over is not None and self._over.isVisible() else None,
        )
        dialog.decided.connect(self.decided)
        dialog.later.connect(self._again.start)
        dialog.finished.connect(self._closed)
        dialog.show()

    def close(self) -> None:
        """The program ends: what was not decided is asked at the next launch."""
        self._open = False
        self._settle.stop()
        if self.dialog is not None:
            self.dialog.reject()
        self._again.stop()

    def _closed(self) -> None:
        self.dialog = None
        self._followed = {}
