"""A slot: everything the engine knows of one task now, and of its runs under way. Mutable, owned by the agenda."""

from zlib import crc32

import msgspec

from desktopsched.engine.events import TaskStatus
from desktopsched.engine.memory import Armed, Memory, Owed
from desktopsched.engine.rounds import Round
from desktopsched.engine.sweep import Sweep
from desktopsched.model import Cause, Outcome, Run, State, Task


class Live:
    """A run under way: READY, RUNNING, or PENDING between two attempts (then it is in the timetable, by `ticket`)."""

    __slots__ = (
        "begun",
        "by_hand",
        "due",
        "ended",
        "rerun",
        "run",
        "slot",
        "state",
        "sweeps",
        "ticket",
        "told",
        "worker",
    )

    def __init__(self, run: Run, slot: "Slot", sweep: Sweep | None = None) -> None:
        self.run = run
        self.slot = slot
        self.sweeps = () if sweep is None else (sweep,)  # whose members wait for its outcome
        self.state = State.READY
        self.begun = False
        self.by_hand = run.cause is Cause.MANUAL  # a person wants it now: no pause holds it
        self.due = run.scheduled_for  # of the next attempt, while PENDING
        self.ended: float | None = None  # when, if that was while the program was away
        self.ticket = 0
        self.rerun = False  # of an interrupted run, which is offered no more once this one has begun
        self.worker = False  # whether it holds one; the task's action may be another by the time that it ends
        self.told = ""  # of a skipped child: the parent whose mark remembers that it was told


class Slot:
    """One task. In the timetable (by `ticket`) while a start of it has an instant."""

    __slots__ = (
        "armed",
        "blocked",
        "children",
        "cursor",
        "due",
        "ended",
        "first_seen",
        "generation",
        "interrupted",
        "interrupted_at",
        "live",
        "nominal",
        "outcome",
        "outcome_run",
        "owed",
        "queued",
        "removed",
        "round",
        "starts",
        "task",
        "ticket",
        "timing",
    )

    def __init__(self, task: Task, memory: Memory) -> None:
        self.define(task)
        self.ticket = 0
        self.nominal = 0.0  # the instant that the schedule says, of the start in the timetable
        self.due = 0.0  # the same, random delay included
        self.cursor = memory.handled  # every due instant up to it was decided
        self.round = Round(task.waits_for, task.join) if task.waits_for else None
        self.children: list[Slot] = []
        self.live: list[Live] = []
        self.queued: Live | None = None  # the one start that waits for the run under way
        self.blocked = ""  # why it waits for something that will not come
        self.removed = False
        self._restore(memory)

    def define(self, task: Task) -> None:
        """Another definition, or the first."""
        self.task = task
        self.timing = _fingerprint(task)

    def _restore(self, memory: Memory) -> None:
        self.first_seen = memory.first_seen
        self.generation = memory.generation
        self.starts = memory.starts
        self.armed: list[Armed] = list(memory.armed)
        self.owed: list[Owed] = list(memory.owed)
        self.interrupted = memory.interrupted
        self.interrupted_at = memory.interrupted_at
        self.outcome: Outcome | None = memory.outcome
        self.outcome_run = memory.outcome_run
        self.ended = memory.ended

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
        states = {live.state for live in self.live}
        for state in (State.RUNNING, State.READY, State.PENDING):
            if state in states:
                return state
        if self.ticket or self.round is not None or self.outcome is None:
            return State.PENDING
        return self.outcome.state

    def remember(self, run: Run, outcome: Outcome, now: float) -> None:
        """The task's last outcome."""
        self.outcome, self.outcome_run, self.ended = outcome, run.id, now

    def use_armed(self, run: Run) -> None:
        """A start that was decided has begun, or was dropped."""
        if self.armed:
            self.armed = [one for one in self.armed if one.scheduled_for != run.scheduled_for]

    def memory(self, now: float) -> Memory:
        """What must survive a restart."""
        begun = [one for one in self.live if one.begun] if self.live else []
        return Memory(
            at=now,
            first_seen=self.first_seen,
            handled=self.cursor,
            timing=self.timing,
            generation=self.generation,
            starts=self.starts,
            armed=self._decided(),
            owed=tuple(self.owed) if self.owed else (),
            live=tuple([one.run for one in begun]) if begun else (),
            retry_at={one.run.id: one.due for one in self.live if one.ticket} if begun else {},
            interrupted=self.interrupted,
            interrupted_at=self.interrupted_at if self.interrupted is not None else None,
            outcome=self.outcome,
            outcome_run=self.outcome_run,
            ended=self.ended,
        )

    def _decided(self) -> tuple[Armed, ...]:
        """Starts that were decided and have not begun: of a child, those that its edges were used up for."""
        if self.round is not None:
            return tuple(self.armed)
        waiting = [one for one in self.live if not one.begun]
        if self.queued is not None:
            waiting.append(self.queued)
        return tuple([Armed.of(one.run) for one in waiting if one.run.cause is not Cause.MANUAL])

    def status(self) -> TaskStatus:
        """What people see."""
        asked = [owed for owed in self.owed if not owed.decided] if self.owed else []
        return TaskStatus(
            state=self.state,
            due=self._next(),
            running=tuple([one.run for one in self.live if one.state is State.RUNNING]) if self.live else (),
            waiting=self._waiting(),
            outcome=self.outcome,
            outcome_run=self.outcome_run,
            ended=self.ended,
            missed=sum([owed.count for owed in asked]) if asked else 0,
            missed_first=(asked[0].first or asked[0].until) if asked else None,
            missed_last=asked[-1].until if asked else None,
            interrupted=self.interrupted,
            interrupted_at=self.interrupted_at if self.interrupted is not None else None,
            enabled=self.task.enabled,
        )

    def _next(self) -> float | None:
        retries = [one.due for one in self.live if one.ticket] if self.live else []
        if self.ticket:
            return min([self.due, *retries])
        return min(retries) if retries else None

    def _waiting(self) -> str:
        for one in self.live:
            if one.state is State.READY:
                return "waits for a free worker"
            if one.ticket:
                return f"tries again, attempt {one.run.attempt} of {self.task.retry.attempts}"
        if not self.task.enabled:
            return "disabled"
        if self.live or self.round is None:
            return ""
        return self.blocked or self._awaited()

    def _awaited(self) -> str:
        assert self.round is not None  # noqa: S101 - only asked for where there are parents
        missing = len(self.round.edges) - len(self.round.marks)
        if self.ticket or not missing:
            return ""
        return f"waits for {missing} of {len(self.round.edges)} tasks" if missing > 1 else "waits for 1 task"


def _fingerprint(task: Task) -> int:
    """What decides when a task is due, as a number that is the same in every process, and never 0.

    An edit of anything else leaves the next start where it is.
    """
    bounds = (task.not_before, task.not_after, task.max_runs, task.random_delay)
    told = (task.enabled, task.schedule, task.timezone, bool(task.waits_for), bounds)
    return crc32(msgspec.json.encode(told)) | 1
