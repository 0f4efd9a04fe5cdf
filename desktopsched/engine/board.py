"""The board: the state that the rules work on, and the records that they all make. No rule of its own."""

from collections import deque
from zoneinfo import ZoneInfo

from desktopsched.engine import naming
from desktopsched.engine.absence import Absences
from desktopsched.engine.events import Event, Remembered, RunSkipped, TaskChanged
from desktopsched.engine.pacing import Pacing
from desktopsched.engine.ready import Ready
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.timetable import Timetable
from desktopsched.model import Cause, Outcome, Run, State, StopRequest, UnknownTaskError


class Board:
    """All tasks, their runs under way, what is due, and what is to be told. Owned by one agenda."""

    def __init__(self, *, zone: ZoneInfo, first_run: int, shared: bool = False) -> None:
        self.zone = zone  # the computer's
        self.shared = shared  # with other computers: starts have names, and are claimed
        self.withheld = ""  # why nothing can be claimed at present
        self.closing = False  # every run was asked to end
        self.slots: dict[str, Slot] = {}
        self.children: dict[str, list[Slot]] = {}  # by the parent's id, whether that is on the list or not
        self.leaving: dict[str, Slot] = {}  # tasks that were removed while they ran, until that run has ended
        self.timetable = Timetable()
        self.ready = Ready()
        self.free: list[Live] = []  # READY, and needs no worker
        self.followed: list[Live] = []  # RUNNING since before the program was started, and to be followed
        self.errands: list[Live] = []  # started by hand and between two attempts: no pause holds the next one
        self.concluded: deque[tuple[Live, Outcome]] = deque()  # final outcomes that are still to be told on
        self.events: list[Event] = []
        self.touched: dict[str, Slot] = {}  # tasks that remember something else since the last `remember`
        self.absences = Absences()  # in which nothing could start
        self.pacing = Pacing(self.timetable)
        self.doubted: float | None = None  # the clock is wrong as long as it is before this
        self.holding = False  # paused for a program that only runs one thing by hand
        self.stops: list[tuple[StopRequest, str]] = []
        self._next_run = first_run

    def why_missed(self, instant: float) -> str:
        """Why nothing started at a due instant, as far as that is known."""
        absence = self.absences.over(instant)
        return absence.words(self.zone) if absence is not None else ""

    def wait_for_retry(self, live: Live) -> None:
        """Let the next attempt of a run fall due."""
        self.timetable.put(live, live.due, live.slot.task.priority)
        if live.by_hand:
            self.errands = [one for one in self.errands if one.ticket and one is not live] + [live]

    def take_errands(self, now: float) -> list[Live]:
        """The next attempts that are due of what was started by hand, out of the timetable."""
        due = [live for live in self.errands if live.ticket and live.due <= now]
        for live in due:
            self.timetable.discard(live)
        self.errands = [live for live in self.errands if live.ticket]
        return sorted(due, key=lambda live: live.due)

    @property
    def next_errand(self) -> float | None:
        """When the first of them is due."""
        return min([live.due for live in self.errands if live.ticket], default=None)

    def slot(self, task_id: str) -> Slot:
        """The slot of a task. UnknownTaskError if there is none."""
        try:
            return self.slots[task_id]
        except KeyError:
            raise UnknownTaskError(task_id) from None

    def new_run(
        self,
        slot: Slot,
        scheduled_for: float,
        cause: Cause,
        *,
        parents: tuple[int, ...] = (),
        repairs: bool = False,
        count: int = 1,
        first: float | None = None,
        nominal: str = "",
    ) -> Run:
        """A run with a number of its own. `nominal`: its name on a shared list, where it is no due instant's."""
        number = self._next_run
        self._next_run += 1
        if self.shared and not nominal:
            nominal = naming.scheduled(slot.task, scheduled_for, self.zone)
        return Run(
            id=number,
            task_id=slot.task.id,
            scheduled_for=scheduled_for,
            cause=cause,
            parents=parents,
            generation=slot.generation,
            repairs=repairs,
            count=count,
            first=first,
            nominal=nominal,
        )

    def changed(self, slot: Slot, now: float, *, lasting: bool = False, edges_used: bool = False) -> None:
        """Tell that a task shows something else now; `lasting`: and remembers something else."""
        if slot.removed:
            return
        event = TaskChanged(at=now, task_id=slot.task.id, status=slot.status(), edges_used=edges_used)
        self.events.append(event)
        if lasting or edges_used:
            self.touched[slot.task.id] = slot

    def tell(self, slot: Slot, event: Event) -> None:
        """Tell something of a task that must survive a restart, and so must what it remembers."""
        self.events.append(event)
        self.touched[slot.task.id] = slot

    def remember(self, now: float) -> None:
        """The end of a change: what the tasks that it touched remember now."""
        if self.touched:
            memories = [
                (task_id, slot.memory(now)) for task_id, slot in self.touched.items() if not slot.removed
            ]
            self.events.append(Remembered(at=now, memories=tuple(memories)))
            self.touched.clear()

    def skip(
        self,
        slot: Slot,
        scheduled_for: float,
        reason: str,
        now: float,
        *,
        count: int = 1,
        first: float | None = None,
    ) -> None:
        """One visible record for `count` due instants that did not run, from `first` to `scheduled_for`."""
        first = first if count > 1 else None
        run = self.new_run(slot, scheduled_for, Cause.SCHEDULE, count=count, first=first)
        self.record_skip(slot, run, reason, now)

    def record_skip(self, slot: Slot, run: Run, reason: str, now: float) -> None:
        """A start that was dropped. It is no outcome of a round: the children hear nothing of it."""
        slot.use_armed(run)
        outcome = Outcome(State.SKIPPED, reason)
        if not slot.live:
            slot.remember(run, outcome, now)
        self.tell(slot, RunSkipped(at=now, run=run, outcome=outcome, status=slot.status()))
