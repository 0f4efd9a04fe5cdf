"""The dispatcher: one guarded loop over the timetable (rule 1), a pool that it hands work to, a listener that it tells.

It owns the lock, the clock and the pool; what is due and what follows from it is decided by the agenda, under the lock.
Listeners, stop requests, the pool and the clock are called outside it, so that none of them can block a decision.

Hand-off: READY is one queue, and the pool gets calls that empty it: each takes the first READY run, performs it,
reports its outcome and takes the next, in one hold of the lock. So a storm of 100,000 runs costs the pool as many
calls as there are workers, and any `concurrent.futures.Executor` will do.
"""

import logging
import math
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from msgspec import Struct, structs

from desktopsched.engine.absence import Absence, Why
from desktopsched.engine.agenda import Agenda
from desktopsched.engine.claims import Answer, Claims, Elsewhere, Unshared
from desktopsched.engine.clock import Clock, SystemClock
from desktopsched.engine.events import Event, TaskStatus
from desktopsched.engine.fates import Fate
from desktopsched.engine.memory import Mark, Memory
from desktopsched.engine.pool import Workers
from desktopsched.engine.slot import Live
from desktopsched.model import CatchUp, Command, LeftRunning, Outcome, Run, State, StopRequest, Task

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

_CLOCK_STEP = 2.0
"""Seconds: wall clock against boot time moved by more than this, so somebody set it (smaller steps are drift)."""

_NOTHING: Mapping[str, Memory] = {}
_NO_MARKS: Mapping[str, Mapping[str, Mark]] = {}
_UNKNOWN: Mapping[int, Fate] = {}


class Perform(Protocol):
    """Does the work of one attempt, on a pool thread. What it raises is a bug: logged, and the attempt FAILED."""

    def __call__(self, task: Task, run: Run) -> Outcome:
        """Perform, and say how it ended. `run.stop` tells when it should end early.

        LeftRunning when the program ends and the run goes on: then it has not ended for the engine either.
        """


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


class _Todo(Struct, gc=False):
    """What is to be done once the lock is given back, beside telling the listener."""

    calls: Sequence[Callable[[], None]] = ()
    stops: Sequence[tuple[StopRequest, str]] = ()
    wake: bool = False


_NO_MORE = _Todo()


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
        self._perform = perform
        self._submit: Callable[[Callable[[], None]], object] = (
            pool.hand_off if isinstance(pool, Workers) else pool.submit
        )
        self._clock: Clock = SystemClock() if clock is None else clock
        self._claims: Claims = Unshared() if claims is None else claims
        self._listener = listener
        self._lock = threading.Lock()
        self._delivering = threading.Lock()
        self._outbox: deque[Event] = deque()
        self._agenda = Agenda(
            zone=self._clock.zone(), workers=workers, first_run=first_run, shared=self._claims.shared
        )
        self._emptying = 0  # calls in the pool that empty READY
        self._reports: deque[tuple[Live, Outcome] | None] = deque()  # of those, what they bring
        self._exchanging = threading.Lock()
        self._following = 0  # calls in the pool that follow a run of an earlier program, on a worker too
        self._until = -math.inf  # what the loop waits for; −∞ while it is not waiting
        self._offset = self._clock.now() - self._clock.boottime()
        self._slept = self._clock.boottime() - self._clock.uptime()
        self._wakeups = 0
        self._looked = self._clock.now()
        self._stopping = False

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
        with self._lock:
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
        with self._lock:
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
        def change(_: float) -> None:
            self._agenda.starts.workers = number

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
        self._outbox.append(event)
        self._deliver()

    def statistics(self) -> Statistics:
        """Figures for tests, measurements and the curious."""
        with self._lock:
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
        while not self._stopping:
            until = self.turn()
            if (
                not self._stopping
            ):  # a stop that comes just after this is not lost: `wake` holds for the next wait
                self._clock.wait(until)
                self._wakeups += 1

    def turn(self) -> float | None:
        """One turn of the loop: hand over everything that is due. Returns when the next thing is, if there is one."""
        with self._lock:
            now = self._looked = self._clock.now()
            self._look_at_clock(now)
            self._agenda.fall_due(now)
            due = self._agenda.next_due
            self._until = math.inf if due is None else due
            todo = self._collect(now)
        self._carry_out(todo)
        return due

    def look(self) -> None:
        """Let the loop look at the clock and the zone now: something says that they changed. From any thread."""
        self._clock.wake()

    def stop(self) -> None:
        """Let `loop` return. Runs under way go on; those that are READY stay so."""
        self._stopping = True
        self._clock.wake()

    def stop_runs(self, reason: str) -> None:
        """Ask every run under way to end."""
        self._do(lambda _: self._agenda.stop_runs(reason))

    def close(self) -> None:
        """Give back what the clock borrowed from the system. `loop` has returned."""
        self._clock.close()

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

    # --- between the lock and the world --------------------------------------------------------------------

    def _do(self, change: Callable[[float], _T]) -> _T:
        """Let the agenda decide under the lock, then carry out what follows."""
        with self._lock:
            now = self._clock.now()
            result = change(now)
            todo = self._collect(now)
        self._carry_out(todo)
        return result

    def _collect(self, now: float) -> _Todo:
        """Under the lock, at the end of a change: take from the board what is to be done outside it."""
        board = self._agenda.board
        if board.touched:
            board.remember(now)
        if board.events:
            self._outbox.extend(board.events)
            board.events.clear()
        hands_free = self._emptying < self._agenda.starts.workers
        calls = self._calls() if board.free or board.followed or (hands_free and board.ready) else ()
        due = self._agenda.next_due
        wake = due is not None and due < self._until
        if due is not None and wake:
            self._until = due  # the loop is on its way: a later insert need not wake it again
        if not (calls or wake or board.stops):
            return _NO_MORE
        stops, board.stops = board.stops, []
        return _Todo(calls, stops, wake)

    def _calls(self) -> Sequence[Callable[[], None]]:
        if self._stopping:
            return ()  # what is READY stays so; it is not handled, and so it is not lost
        board, starts = self._agenda.board, self._agenda.starts
        calls: list[Callable[[], None]] = []
        if board.free:
            kept = [live for live in board.free if board.ready.paused and not live.by_hand]
            calls = [partial(self._perform_free, live) for live in board.free if live not in kept]
            board.free = kept
        calls += [partial(self._perform_followed, live) for live in board.followed]
        self._following += len(board.followed)
        board.followed.clear()
        more = min(len(board.ready), starts.workers - self._emptying - self._following)
        if more > 0:
            self._emptying += more
            calls += [self._empty_ready] * more
        return calls

    def _carry_out(self, todo: _Todo) -> None:
        """Outside the lock: wake the loop, tell the listener, ask runs to stop, give the pool its calls."""
        if todo.wake:
            self._clock.wake()
        if self._outbox:
            self._deliver()
        for request, reason in todo.stops:
            request.request(reason)
        for call in todo.calls:
            self._submit(call)

    def _deliver(self) -> None:
        """Tell the listener, in order. One thread at a time tells; another that has news leaves it to that one."""
        outbox, listener = self._outbox, self._listener
        while outbox and self._delivering.acquire(False):
            try:
                while outbox:
                    event = outbox.popleft()
                    try:
                        listener(event)
                    except Exception:  # noqa: BLE001 - a listener's bug is not everybody's
                        _log.exception("A listener failed", extra={"action": "listener.failed"})
            finally:
                self._delivering.release()

    # --- on pool threads -----------------------------------------------------------------------------------

    def _empty_ready(self) -> None:
        """Perform READY runs, first in line first, until there is none, or somebody else is taking them."""
        live = self._exchange(None)
        while live is not None:
            outcome = self._attempt(live)
            live = self._exchange(None if outcome is None else (live, outcome))

    def _exchange(self, ended: tuple[Live, Outcome] | None) -> Live | None:
        """Report a run that ended and take the next; None: there is nothing to do for this thread.

        One thread at a time is inside. Another that comes leaves its report and its place to that one, which asks the
        pool for as many threads as there is work: were they to queue for the lock instead, each release of it would
        be a switch of threads, and those cost more than all else in a storm of short runs.
        """
        self._reports.append(ended)
        live: Live | None = None
        todos: list[_Todo] = []
        while self._reports and self._exchanging.acquire(False):
            try:
                with self._lock:
                    now = self._clock.now()
                    live = self._settle_reports(live, now)
                    todos.append(self._collect(now))
            finally:
                self._exchanging.release()
        for todo in todos:
            self._carry_out(todo)
        return live

    def _settle_reports(self, live: Live | None, now: float) -> Live | None:
        """Under the lock: end what was reported. Returns the caller's run: the one it has, or the first in line."""
        while self._reports:
            ended = self._reports.popleft()
            self._emptying -= 1  # who reported has left, or is the caller
            if ended is not None:
                self._agenda.end(*ended, now)
        if live is None and not self._stopping:
            live = self._agenda.starts.take(now)
            self._emptying += live is not None
        return live

    def _perform_free(self, live: Live) -> None:
        """Perform a run that needs no worker."""
        with self._lock:
            if live.state is not State.READY or self._stopping:
                return
            now = self._clock.now()
            self._agenda.starts.set_out(live, now)
            todo = self._collect(now)
        self._carry_out(todo)
        outcome = self._attempt(live)
        if outcome is not None:
            self._do(partial(self._agenda.end, live, outcome))

    def _perform_followed(self, live: Live) -> None:
        """Perform a run that began under an earlier program, which claimed it."""
        outcome = self._attempt(live, claimed=True)
        if outcome is None:
            return

        def end(now: float) -> None:
            self._following -= 1
            self._agenda.end(live, outcome, now)

        self._do(end)

    def _attempt(self, live: Live, *, claimed: bool = False) -> Outcome | None:
        """Perform it. None: it goes on without this program, or it does not start here now."""
        task, instead = live.slot.task, live.run.instead
        if instead is not None:
            task = structs.replace(task, action=instead)
        try:
            if self._claims.shared and not claimed and not self._may_perform(task, live):
                return None
            return self._perform(task, live.run)
        except LeftRunning:
            return None
        except Exception as error:  # noqa: BLE001 - one action's bug costs one run
            _log.exception("A run could not be performed", extra={"action": "run.broken", "run": live.run.id})
            return Outcome(
                State.FAILED, f"the program could not perform it ({type(error).__name__}: {error})"
            )

    def _may_perform(self, task: Task, live: Live) -> bool:
        """Ask whether it is this computer's to perform, and follow the answer."""
        answer: Answer = self._claims.claim(task, live.run)
        return self._do(lambda now: self._agenda.asking.answer(live, answer, now))
