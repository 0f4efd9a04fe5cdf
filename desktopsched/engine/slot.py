"""A slot: everything the engine knows of one task now, and of its runs under way. Mutable, owned by the agenda."""

import math
from zlib import crc32

import msgspec
from msgspec import Struct, structs

from desktopsched.engine import words
from desktopsched.engine.claims import Over
from desktopsched.engine.events import Away, TaskStatus
from desktopsched.engine.memory import Armed, Memory, Owed
from desktopsched.engine.rounds import Round
from desktopsched.engine.sweep import Sweep
from desktopsched.model import Cause, Outcome, Run, State, Task

# An enum's attributes are slow to reach in Python 3.11.
_READY, _RUNNING, _PENDING = State.READY, State.RUNNING, State.PENDING
_MOST_TELLING = (_RUNNING, _READY, _PENDING)
_NO_RETRIES: dict[int, float] = {}
_encode = msgspec.json.Encoder().encode


class Asked(Struct):
    """What the shared list said of a run that is not performed here, or not any more."""

    why: str = ""  # it waits
    over: Over = Over.MISSED  # what it is when it waited in vain
    until: float = math.inf  # an instant: how long it waits
    owner: str = ""  # of the computer that performs it
    token: int = 0
    fenced: bool = False  # it was stopped here, since another computer may have it


class Live(Struct, eq=False):
    """A run under way: READY, RUNNING, or PENDING between two attempts (then it is in the timetable, by `ticket`)."""

    run: Run
    slot: "Slot"
    sweeps: tuple[Sweep, ...] = ()  # whose members wait for its outcome
    state: State = _READY
    begun: bool = False
    hurried: bool = False  # a person wants it now, though it was not started by hand
    by_hand_as: str = (
        ""  # what that is called on a shared list, if another computer has the start that was hurried
    )
    due: float = 0.0  # of the next attempt; 0: it has had none
    ended: float | None = None  # when, if that was while the program was away
    ticket: int = 0
    rerun: bool = False  # of an interrupted run, which is offered no more once this one has begun
    worker: bool = False  # whether it holds one; the task's action may be another by the time that it ends
    told: str = ""  # of a skipped child: the parent whose mark remembers that it was told
    asked: Asked | None = None  # where the list is shared

    @property
    def by_hand(self) -> bool:
        """Whether a person wants it now: then no pause holds it."""
        return self.hurried or self.run.cause is Cause.MANUAL

    @property
    def elsewhere(self) -> str:
        """The computer that performs it, if that is not this one."""
        return "" if self.asked is None else self.asked.owner


class Slot(Struct, eq=False, gc=False):
    """One task. In the timetable (by `ticket`) while a start of it has an instant.

    There may be hundreds of thousands: what few tasks have is made when a task has it. A slot and a run refer to each
    other while the run is under way, and no longer, so the collector of cycles need not look at slots (`gc=False`).
    """

    task: Task
    first_seen: float
    cursor: float  # every due instant up to it was decided
    ticket: int = 0
    nominal: float = 0.0  # the instant that the schedule says, of the start in the timetable
    due: float = 0.0  # the same, random delay included
    round: Round | None = None
    live: tuple[Live, ...] = ()
    queued: Live | None = None  # the one start that waits for the run under way
    blocked: str = ""  # why it waits for something that will not come
    removed: bool = False
    generation: int = 0
    starts: int = 0
    armed: tuple[Armed, ...] = ()
    owed: tuple[Owed, ...] = ()
    interrupted: Run | None = None
    interrupted_at: float | None = None
    outcome: Outcome | None = None
    outcome_run: int = 0
    ended: float | None = None
    fingerprint: int = 0  # see `timing`

    @classmethod
    def new(cls, task: Task, now: float) -> "Slot":
        """A task that is seen for the first time."""
        slot = cls(task, now, now)
        if task.waits_for:
            slot.round = Round(task.waits_for, task.join)
        return slot

    @classmethod
    def recalled(cls, task: Task, memory: Memory) -> "Slot":
        """A task that goes on from what was remembered of it."""
        slot = cls.new(task, memory.first_seen)
        slot.cursor = memory.handled
        slot.generation = memory.generation
        slot.starts = memory.starts
        slot.armed = memory.armed
        slot.owed = memory.owed
        slot.interrupted = memory.interrupted
        slot.interrupted_at = memory.interrupted_at
        slot.outcome = memory.outcome
        slot.outcome_run = memory.outcome_run
        slot.ended = memory.ended
        return slot

    def define(self, task: Task) -> None:
        """Another definition."""
        self.task = task
        self.fingerprint = 0

    @property
    def timing(self) -> int:
        """What decides when the task is due, as a number: see `_fingerprint`."""
        if not self.fingerprint:
            self.fingerprint = _fingerprint(self.task)
        return self.fingerprint

    @property
    def spent(self) -> bool:
        """Whether it ran, or is about to run, as often as it may."""
        if self.task.max_runs is None:
            return False
        waiting = sum(not live.begun and live.run.cause is not Cause.MANUAL for live in self.live)
        return self.starts + waiting >= self.task.max_runs

    @property
    def state(self) -> State:
        """What the task is doing; what came of it last stands beside it, in `outcome`."""
        live = self.live
        if live:
            return (
                live[0].state if len(live) == 1 else min([one.state for one in live], key=_MOST_TELLING.index)
            )
        if self.ticket or self.round is not None or self.outcome is None:
            return _PENDING
        return self.outcome.state

    def remember(self, run: Run, outcome: Outcome, now: float) -> None:
        """The task's last outcome."""
        self.outcome, self.outcome_run, self.ended = outcome, run.id, now

    def let_go(self, live: Live) -> None:
        """A run is under way no more."""
        self.live = () if len(self.live) == 1 else tuple([one for one in self.live if one is not live])

    def use_armed(self, run: Run) -> None:
        """A start that was decided has begun, or was dropped."""
        if self.armed:
            self.armed = tuple([one for one in self.armed if one.scheduled_for != run.scheduled_for])

    def memory(self, now: float) -> Memory:
        """What must survive a restart."""
        begun: tuple[Run, ...] = ()
        retry_at = _NO_RETRIES
        for one in self.live:
            if one.begun:
                begun += (one.run,)
            if one.ticket and one.begun:
                retry_at = {**retry_at, one.run.id: one.due}
        return Memory(
            at=now,
            first_seen=self.first_seen,
            handled=self.cursor,
            timing=self.timing,
            generation=self.generation,
            starts=self.starts,
            armed=self._decided() if self.live or self.queued is not None else self.armed,
            owed=self.owed,
            live=begun,
            retry_at=retry_at,
            interrupted=self.interrupted,
            interrupted_at=self.interrupted_at if self.interrupted is not None else None,
            outcome=self.outcome,
            outcome_run=self.outcome_run,
            ended=self.ended,
        )

    def _decided(self) -> tuple[Armed, ...]:
        """Starts that were decided and have not begun: of a child, those that its edges were used up for."""
        if self.round is not None:
            return self.armed
        decided: tuple[Armed, ...] = ()
        for one in self.live if self.queued is None else (*self.live, self.queued):
            if not one.begun and one.run.cause is not Cause.MANUAL:
                decided += (Armed.of(one.run),)
        return decided

    def status(self) -> TaskStatus:
        """What people see."""
        due = self.due if self.ticket else None
        running: tuple[Run, ...] = ()
        elsewhere: tuple[Away, ...] = ()
        waiting = ""
        for one in self.live:
            if one.asked is not None and one.asked.owner:
                elsewhere += (Away(one.run, one.asked.owner, one.asked.token),)
            elif one.state is _RUNNING and one.begun:
                running += (one.run,)
            elif not waiting:
                waiting = self._waits(one)
            if one.ticket and one.asked is None and (due is None or one.due < due):
                due = one.due  # not when the shared list is asked again: whether it starts then nobody knows
        enabled = self.task.enabled
        if not waiting and (not enabled or (self.round is not None and not self.live)):
            waiting = self._waits_for_parents() if enabled else "disabled"
        status = TaskStatus(
            state=self.state,
            due=due,
            running=running,
            elsewhere=elsewhere,
            waiting=waiting,
            outcome=self.outcome,
            outcome_run=self.outcome_run,
            ended=self.ended,
            enabled=enabled,
        )
        return self._with_questions(status) if self.owed or self.interrupted is not None else status

    def _with_questions(self, status: TaskStatus) -> TaskStatus:
        """Missed and interrupted runs that wait for an answer."""
        asked = [owed for owed in self.owed if not owed.decided]
        if asked:
            status = structs.replace(
                status,
                missed=sum([owed.count for owed in asked]),
                missed_first=asked[0].first or asked[0].until,
                missed_last=asked[-1].until,
            )
        if self.interrupted is None:
            return status
        return structs.replace(status, interrupted=self.interrupted, interrupted_at=self.interrupted_at)

    def _waits(self, live: Live) -> str:
        """Why a run does not run."""
        if live.state is _READY:
            return "waits for a free worker"
        if live.state is _RUNNING:
            return words.ASKS
        if live.asked is not None and live.asked.why:
            return words.waits_for_list(live.asked.why)
        return f"tries again, attempt {live.run.attempt} of {self.task.retry.attempts}"

    def _waits_for_parents(self) -> str:
        assert self.round is not None  # noqa: S101 - only asked for where there are parents
        missing, all_ = len(self.round.edges) - len(self.round.marks), len(self.round.edges)
        if self.blocked or self.ticket or not missing:
            return self.blocked
        return f"waits for {missing} of {all_} tasks" if missing > 1 else "waits for 1 task"


def _fingerprint(task: Task) -> int:
    """What decides when a task is due, as a number that is the same in every process, and never 0.

    An edit of anything else leaves the next start where it is.
    """
    bounds = (task.not_before, task.not_after, task.max_runs, task.random_delay)
    told = (task.enabled, task.schedule, task.timezone, bool(task.waits_for), bounds)
    return crc32(_encode(told)) | 1
