"""The dispatcher: one guarded loop over the timetable (rule 1), and all that can be asked of the engine.

It holds the parts together: the agenda decides, under the guard's lock; the hands perform what is READY on threads of
a pool; the loop waits for what is due next, and looks at the clock each time that it wakes.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched.engine.absence import Absence, Why
from desktopsched.engine.agenda import Agenda
from desktopsched.engine.claims import Claims, Elsewhere, Unshared
from desktopsched.engine.clock import Clock, SystemClock
from desktopsched.engine.events import Event, TaskStatus
from desktopsched.engine.fates import Fate
from desktopsched.engine.guard import Guard
from desktopsched.engine.hands import Hands, Perform
from desktopsched.engine.memory import Mark, Memory
from desktopsched.engine.pool import Workers
from desktopsched.model import CatchUp, Command, Task

_CLOCK_STEP = 2.0
"""Seconds: wall clock against boot time moved by more than this, so somebody set it (smaller steps are drift)."""

_NOTHING: Mapping[str, Memory] = {}
_NO_MARKS: Mapping[str, Mapping[str, Mark]] = {}
_UNKNOWN: Mapping[int, Fate] = {}


def ignore(event: Event) -> None:
    """The listener that hears nothing."""


class Statistics(Struct, frozen=True, kw_only=True):
    """What the dispatcher did so far, and holds now."""

    wakeups: int  # returns from the clock's wait
    due: int  # entries of the timetable that are valid
    heap: int  # all of them
    ready: int
    busy: int  # workers
    now: float  # by the dispatcher's clock
    looked: float  # when the loop looked at the clock last
    next_due: float | None


class Dispatcher:
    """Runs tasks when they are due. Every method may be called from any thread; `loop` belongs to one.

    `perform(task, run)` does the work on a thread of `pool`; `listener(event)` hears everything in order, one event at
    a time, from whichever thread made it, outside the lock. At most `workers` runs are performed at once; reminders
    and `open` need none. `first_run` is the number of the first run.
    """

    def __init__(
        self,
        perform: Perform,
        pool: Executor,
        *,
        clock: Clock | None = None,
        claims: Claims | None = None,
        listener: Callable[[Event], None] = ignore,
        workers: int = 8,
        first_run: int = 1,
    ) -> None:
        self._clock: Clock = SystemClock() if clock is None else clock
        self._claims: Claims = Unshared() if claims is None else claims
        self._agenda = Agenda(
            zone=self._clock.zone(), workers=workers, first_run=first_run, shared=self._claims.shared
        )
        submit = pool.hand_off if isinstance(pool, Workers) else pool.submit
        self._guard = Guard(self._agenda, self._clock, submit, listener)
        self._do = self._guard.do
        self._hands = Hands(self._guard, perform, self._claims)
        self._offset = self._clock.now() - self._clock.boottime()
        self._slept = self._clock.boottime() - self._clock.uptime()
        self._wakeups = 0
        self._looked = self._clock.now()

    # --- what is on the list -------------------------------------------------------------------------------

    def schedule(
        self,
        *tasks: Task,
        memory: Mapping[str, Memory] = _NOTHING,
        marks: Mapping[str, Mapping[str, Mark]] = _NO_MARKS,
        fates: Mapping[int, Fate] = _UNKNOWN,
        strict: bool = True,
        alive: float | None = None,
    ) -> None:
        """Add tasks, all or none. Those in `memory` (and `marks`, by child and parent) go on from where they were.

        Of the runs that were under way, by number, `fates` says what became of them; the others were interrupted.
        Those that still run are handed to `perform` like any other, which follows them instead of starting them.
        `alive`: the last sign of life of the program before this one.

        CycleError, DuplicateTaskError, and UnknownTaskError for a parent that is not there; then nothing was changed.
        Without `strict` such a child is taken, and says that it waits for something that will not come.
        """

        def add(now: float) -> None:
            if alive is not None:
                self._agenda.begin_after(alive, now)
            self._agenda.roster.add(tasks, now, memory, marks, fates=fates, strict=strict)

        self._do(add)

    def replace(self, task: Task, *, strict: bool = True) -> None:
        """Replace a definition: it keeps its history and is armed anew.

        CycleError, UnknownTaskError (see `schedule`).
        """
        self._do(lambda now: self._agenda.roster.edit(task, now, strict=strict))

    def check(self, tasks: Sequence[Task]) -> None:
        """Whether `follow` would take this list. CycleError, DuplicateTaskError."""
        self._agenda.roster.check_list(tasks)

    def follow(self, tasks: Sequence[Task], *, memory: Mapping[str, Memory] = _NOTHING) -> dict[str, Memory]:
        """Make the list this one, all or nothing. CycleError, DuplicateTaskError. A parent may be missing.

        Tasks that come and are in `memory` go on from there. Returns what those that left remembered.
        """
        return self._do(lambda now: self._agenda.roster.follow(tasks, now, memory))

    def remove(self, task_id: str) -> None:
        """Take a task off the list; a run under way goes on. UnknownTaskError."""
        self._do(lambda now: self._agenda.roster.remove(task_id, now))

    def tasks(self) -> list[tuple[Task, TaskStatus]]:
        """Every task as it is now."""
        with self._guard.lock:
            return [(slot.task, slot.status()) for slot in self._agenda.board.slots.values()]

    # --- what people ask for -------------------------------------------------------------------------------

    def run_now(self, task_id: str, *, downstream: bool = False, instead: Command | None = None) -> int:
        """Start a task by hand; with `downstream`, then everything after it, in order. UnknownTaskError.

        `instead`: a command that this run performs in place of what the task says.

        Returns the number of the run. One that waits already, for a worker or its next attempt, is hurried on instead.
        """
        request = self._request()
        return self._do(
            lambda now: self._agenda.run_now(
                task_id, now, downstream=downstream, instead=instead, request=request
            )
        )

    def cancel(self, task_id: str) -> bool:
        """Stop the runs under way, or else cancel the pending start. Whether there was one. UnknownTaskError."""
        return self._do(lambda now: self._agenda.cancel(task_id, now))

    def decide(self, task_id: str, choice: CatchUp, *, rerun: bool = False) -> None:
        """Answer for missed runs (ALL, LATEST or SKIP); `rerun` also starts an interrupted run again.

        UnknownTaskError.
        """
        request = self._request()
        self._do(lambda now: self._agenda.decide(task_id, choice, now, rerun=rerun, request=request))

    def _request(self) -> str:
        """What nobody else calls a start that a person asks for, where other computers have the list too."""
        return secrets.token_hex(8) if self._claims.shared else ""

    def pause(self) -> None:
        """Start nothing more until `resume`, except by hand."""
        self._do(self._agenda.pause)

    def resume(self) -> None:
        """Start tasks again."""
        self._do(self._agenda.resume)

    @property
    def doubted(self) -> float | None:
        """The instant that the clock has to pass before it is believed; None: it is."""
        return self._agenda.board.doubted

    def trust_clock(self) -> None:
        """Believe the clock: everything goes on by it."""
        self._do(self._agenda.trust_clock)

    def hold(self) -> None:
        """Pause without a word to anybody: for a program that only runs one thing by hand."""
        with self._guard.lock:
            self._agenda.board.holding = True
            self._agenda.board.ready.pause()

    @property
    def paused(self) -> bool:
        """Whether nothing starts."""
        return self._agenda.board.ready.paused

    @property
    def zone(self) -> ZoneInfo:
        """The computer's time zone, as the loop saw it last."""
        return self._agenda.board.zone

    @property
    def workers(self) -> int:
        """How many runs are performed at once, at most."""
        return self._agenda.starts.workers

    @workers.setter
    def workers(self, number: int) -> None:
        def change(now: float) -> None:
            self._agenda.starts.workers = number
            self._agenda.starts.tell_silent(now)

        self._do(change)

    @property
    def settle_delay(self) -> float:
        """Seconds after the computer woke up before missed runs start."""
        return self._agenda.board.pacing.delay

    @settle_delay.setter
    def settle_delay(self, seconds: float) -> None:
        self._agenda.board.pacing.delay = seconds

    def publish(self, event: Event) -> None:
        """Let the listener hear an event of somebody else's, in its place among the engine's own."""
        self._guard.publish(event)

    def statistics(self) -> Statistics:
        """Figures for tests, measurements and the curious."""
        with self._guard.lock:
            board = self._agenda.board
            return Statistics(
                wakeups=self._wakeups,
                due=len(board.timetable),
                heap=board.timetable.size,
                ready=len(board.ready),
                busy=self._agenda.starts.busy,
                now=self._clock.now(),
                looked=self._looked,
                next_due=self._agenda.next_due,
            )

    # --- what a shared list says -----------------------------------------------------------------------------

    def learn(self, task_id: str, run_id: int, news: Elsewhere | None) -> None:
        """News of a run that goes on on another computer. None: nobody performs it any more, so it is claimed anew."""
        self._do(lambda now: self._agenda.asking.learn(task_id, run_id, news, now))

    def fence(self, task_id: str, run_id: int) -> None:
        """Stop a run that another computer may have by now; whoever claims it then performs it."""
        self._do(lambda now: self._agenda.asking.fence(task_id, run_id, now))

    def withhold(self, reason: str) -> None:
        """Nothing can be claimed until `claim_again`: what is due waits, and what was missed is kept."""
        self._do(lambda now: self._agenda.asking.withhold(reason, now))

    def claim_again(self) -> None:
        """Starts can be claimed again."""
        self._do(self._agenda.asking.go_on)

    @property
    def withheld(self) -> str:
        """Why nothing can be claimed at present; empty: it can."""
        return self._agenda.board.withheld

    # --- the loop ------------------------------------------------------------------------------------------

    def loop(self) -> None:
        """Wait for what is due and hand it over, until `stop`."""
        while not self._guard.stopping:
            until = self.turn()
            if (
                not self._guard.stopping
            ):  # a stop that comes just after this is not lost: `wake` holds for the next wait
                self._clock.wait(until)
                self._wakeups += 1

    def turn(self) -> float | None:
        """One turn of the loop: hand over everything that is due. Returns when the next thing is, if there is one."""
        return self._do(self._fall_due)

    def look(self) -> None:
        """Let the loop look at the clock and the zone now: something says that they changed. From any thread."""
        self._clock.wake()

    def stop(self) -> None:
        """Let `loop` return. Runs under way go on; those that are READY stay so."""
        self._guard.stopping = True
        self._clock.wake()

    def stop_runs(self, reason: str) -> None:
        """Ask every run under way to end."""
        self._do(lambda _: self._agenda.stop_runs(reason))

    def close(self) -> None:
        """Give back what the clock borrowed from the system. `loop` has returned."""
        self._clock.close()

    def _fall_due(self, now: float) -> float | None:
        self._looked = now
        self._look_at_clock(now)
        self._agenda.fall_due(now)
        due = self._agenda.next_due
        self._guard.wait_for(due)
        return due

    def _look_at_clock(self, now: float) -> None:
        boottime = self._clock.boottime()
        slept, before = boottime - self._clock.uptime(), self._slept
        if slept - before > _CLOCK_STEP:
            self._slept = slept
            self._agenda.was_away(Absence(Why.SLEPT, now - (slept - before), now), now)
        offset = now - boottime
        step, self._offset = offset - self._offset, offset
        if abs(step) > _CLOCK_STEP:
            self._agenda.clock_set(step, now)
        zone = self._clock.zone()
        if zone is not self._agenda.board.zone:
            self._agenda.zone_changed(zone, now)
