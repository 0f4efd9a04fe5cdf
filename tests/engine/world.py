"""A small world for the dispatcher: a clock that is set by hand, and a pool whose threads run in lock step.

`perform` does not work, it sleeps: for as many seconds of the world's time as its task's run is to last. One thread
runs at any moment, the world's own or one of the pool's, so that every history is the same each time, without a sleep.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from datetime import UTC, datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

import msgspec

from desktopsched.claiming.events import ClaimSettled
from desktopsched.claiming.shared import SharedList
from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.events import (
    Event,
    Remembered,
    RunFinished,
    RunGoesOn,
    RunRetrying,
    RunSkipped,
    RunStarted,
    TaskChanged,
    TaskDisabled,
    TaskEdited,
    TaskRemoved,
)
from desktopsched.engine.fates import Fate
from desktopsched.engine.memory import Mark, Memory
from desktopsched.model import Action, Cause, Command, Cron, Edge, Every, On, Outcome, Run, State, Task

OK = Outcome(State.SUCCEEDED)
FAIL = Outcome(State.FAILED, "exit code 1", 1)
NOON = datetime(2025, 6, 2, 12, tzinfo=UTC).timestamp()  # a Monday


class FakeClock:
    """Time stands still until somebody moves it. The loop thread that waits is woken by `advance` and `wake` alone."""

    def __init__(self, now: float = NOON, zone: str = "UTC") -> None:
        self.time = now
        self.awake = 1_000_000.0  # boot time: moves with `advance`, not when the clock is set
        self.slept = 0.0
        self.place = ZoneInfo(zone)
        self.waits: list[float | None] = []
        self._changed = threading.Condition()
        self._until: float | None = None
        self._waiting = False
        self._woken = False
        self.closed = False

    def now(self) -> float:
        return self.time

    def boottime(self) -> float:
        return self.awake

    def uptime(self) -> float:
        return self.awake - self.slept

    def zone(self) -> ZoneInfo:
        return self.place

    def wait(self, until: float | None) -> None:
        with self._changed:
            self.waits.append(until)
            self._until, self._waiting = until, True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._woken or (until is not None and self.time >= until))
            self._woken = self._waiting = False

    def wake(self) -> None:
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def close(self) -> None:
        self.closed = True

    def advance(self, seconds: float) -> None:
        with self._changed:
            self.time += seconds
            self.awake += seconds
            self._changed.notify_all()

    def settle(self) -> None:
        """Block until the loop thread waits and has no reason to wake up."""
        with self._changed:
            assert self._changed.wait_for(self._at_rest, timeout=30)

    def _at_rest(self) -> bool:
        due = self._until is not None and self.time >= self._until
        return self._waiting and not self._woken and not due


class Died(BaseException):
    """Raised in performing threads of a world that was killed."""


class LockStep(Executor):
    """Threads of which one runs at a time, and only while the world waits for it."""

    def __init__(self) -> None:
        self._world = threading.Semaphore(0)
        self._calls: list[Callable[[], object]] = []
        self._turns: dict[threading.Thread, threading.Semaphore] = {}
        self.submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self._calls.append(lambda: fn(*args, **kwargs))
        self.submitted += 1
        return Future()

    def run_calls(self) -> bool:
        """Let every call that was handed over run until it sleeps or returns. Whether there was one."""
        any_ran = False
        while self._calls:
            any_ran = True
            call = self._calls.pop(0)
            thread = threading.Thread(target=self._run, args=(call,), daemon=True)
            self._turns[thread] = threading.Semaphore(0)
            thread.start()
            self._world.acquire()
        return any_ran

    def sleep(self) -> None:
        """On a pool thread: give the turn back to the world, until `wake`."""
        self._world.release()
        self._turns[threading.current_thread()].acquire()

    def wake(self, thread: threading.Thread) -> None:
        """On the world's thread: let a sleeping thread run until it sleeps again or ends."""
        self._turns[thread].release()
        self._world.acquire()

    def _run(self, call: Callable[[], object]) -> None:
        try:
            call()
        except Died:
            pass
        finally:
            del self._turns[threading.current_thread()]
            self._world.release()

    def abandon(self) -> None:
        """The program dies: what was handed over is not done."""
        self._calls.clear()


class World:
    """A dispatcher with its clock, its pool, and everything it ever said."""

    alive: ClassVar[list["World"]] = []  # ended by a fixture after each test

    def __init__(
        self,
        *tasks: Task,
        now: float = NOON,
        zone: str = "UTC",
        workers: int = 8,
        memory: dict[str, Memory] | None = None,
        marks: dict[str, dict[str, Mark]] | None = None,
        fates: Mapping[int, Fate] | None = None,
        first_run: int = 1,
        alive: float | None = None,
        settle: float = 0.0,
        like: "World | None" = None,
        clock: FakeClock | None = None,
        share: Callable[[FakeClock], SharedList] | None = None,
        about_to: Callable[[Run], object] = lambda _: None,
    ) -> None:
        World.alive.append(self)
        self.clock = FakeClock(now, zone) if clock is None else clock
        self.shared = None if share is None else share(self.clock)
        self.pool = LockStep()
        self.events: list[Event] = []
        self.lasts: dict[str, float] = defaultdict(float)  # how long runs of a task last, in seconds
        self.outcomes: dict[str, list[Outcome]] = defaultdict(
            list
        )  # what they end in, one after another; then OK
        if like is not None:
            self.lasts.update(like.lasts)
            self.outcomes.update(like.outcomes)
        self.about_to = about_to  # told of each run before it is performed
        self.performed: list[Run] = []
        self.actions: dict[str, list[Action]] = defaultdict(list)  # what was performed, by task
        self.last: dict[str, Memory] = dict(memory or {})  # what a store would have kept
        self.marks: dict[str, dict[str, Mark]] = {k: dict(v) for k, v in (marks or {}).items()}
        self.stored: list[Event] = []  # all of that, in order
        self._gathered: list[Event] = []
        self._asleep: list[tuple[float, int, threading.Thread, Run]] = []
        self._dead = False
        self.dispatcher = Dispatcher(
            self.perform,
            self.pool,
            clock=self.clock,
            claims=self.shared,
            listener=self.hear,
            workers=workers,
            first_run=first_run,
        )
        if self.shared is not None:
            self.shared.serve(self.dispatcher)
        self.dispatcher.settle_delay = settle
        self.dispatcher.schedule(
            *tasks, memory=memory or {}, marks=marks or {}, fates=fates or {}, alive=alive
        )
        self.run()

    # --- what the dispatcher is given

    def perform(self, task: Task, run: Run) -> Outcome:
        self.about_to(run)
        self.performed.append(run)
        self.actions[task.id].append(task.action)
        lasts = self.lasts[task.id]
        if lasts and not run.stop.requested:
            me = threading.current_thread()
            self._asleep.append((self.clock.time + lasts, len(self.performed), me, run))
            self._asleep.sort(key=lambda one: one[:2])
            run.stop.on_request(lambda: self._hurry(run))
            self.pool.sleep()
            if self._dead:
                raise Died
        if run.stop.requested:
            return Outcome(State.CANCELLED, run.stop.reason or "")
        waiting = self.outcomes[task.id]
        return waiting.pop(0) if waiting else OK

    def _hurry(self, run: Run) -> None:
        """A stop: the run ends now."""
        for index, (_, order, thread, one) in enumerate(self._asleep):
            if one is run:
                self._asleep[index] = (self.clock.time, order, thread, one)
        self._asleep.sort(key=lambda one: one[:2])

    def hear(self, event: Event) -> None:
        """Keep the event; and keep what a store would, which stores a change whole, once it is at its end."""
        self.events.append(event)
        if isinstance(event, ClaimSettled):  # it belongs to no change
            self._store(event)
        else:
            self._gathered.append(event)
        if self.shared is not None:
            self.shared.hear(event)
        if isinstance(event, Remembered):
            for part in self._gathered:
                self._store(part)
            self._gathered.clear()

    def _store(self, event: Event) -> None:
        self.stored.append(event)
        match event:
            case TaskRemoved(task_id=task_id):
                self.last.pop(task_id, None)
                self.marks.pop(task_id, None)
            case TaskEdited(task=task) | TaskDisabled(task=task):
                self.marks.pop(task.id, None)
            case TaskChanged(task_id=task_id, edges_used=True):
                self.marks.pop(task_id, None)
            case Remembered(memories=memories):  # through JSON, as a store would keep it
                self.last.update((task_id, decode(encode(memory))) for task_id, memory in memories)
        for marked in getattr(event, "marks", ()):
            kept = self.marks.setdefault(marked.child, {})
            if marked.fresh:
                kept.clear()
            kept[marked.parent] = marked.mark

    # --- time

    def run(self) -> None:
        """Let everything happen that happens at this instant."""
        while True:
            if self._dead:
                return
            self.dispatcher.turn()
            if self.pool.run_calls() or self._keep():
                continue
            if self._asleep and self._asleep[0][0] <= self.clock.time:
                _, _, thread, _ = self._asleep.pop(0)
                self.pool.wake(thread)
                continue
            return

    def _keep(self) -> bool:
        """One step of what a shared list asks for, if one is due."""
        if self.shared is None:
            return False
        due = self.shared.keeper.turn()
        return due is not None and due <= self.clock.awake

    def next(self) -> float | None:
        """When the next thing happens here, by this world's clock."""
        due = self.dispatcher.turn()
        soon = [one for one in (due, self._asleep[0][0] if self._asleep else None) if one is not None]
        kept = None if self.shared is None else self.shared.keeper.turn()
        if kept is not None:
            soon.append(self.clock.time + kept - self.clock.awake)
        return min(soon, default=None)

    def advance(self, seconds: float) -> None:
        """Let that much time pass, and everything in it happen."""
        self.until(self.clock.time + seconds)

    def until(self, instant: float) -> None:
        """Let time pass until then."""
        self.run()
        while True:
            soon = self.next()
            step = instant if soon is None else min(instant, soon)
            self.clock.advance(max(step - self.clock.time, 0.0))
            self.run()
            if step >= instant:
                return

    def suspend(self, seconds: float) -> None:
        """The computer sleeps: nothing happens, and the clock goes on."""
        self.clock.slept += seconds
        self.clock.advance(seconds)
        self._asleep = [(when + seconds, order, thread, run) for when, order, thread, run in self._asleep]
        self.run()

    def set_clock(self, seconds: float) -> None:
        """Somebody sets the clock, forward or (negative) back."""
        self.clock.time += seconds
        self._asleep = [(when + seconds, order, thread, run) for when, order, thread, run in self._asleep]
        self.run()

    # --- the end, and a new beginning

    def kill(self) -> None:
        """The program dies in the middle of whatever it does."""
        self._dead = True
        self.pool.abandon()
        for _, _, thread, _ in self._asleep:
            self.pool.wake(thread)
            thread.join()
        self._asleep.clear()

    def restart(
        self,
        *tasks: Task,
        after: float = 0.0,
        workers: int = 8,
        fates: Mapping[int, Fate] | None = None,
    ) -> "World":
        """Kill it, let time pass, and start a new program on what a store would have kept.

        `fates` are those of the runs that were under way; a run that goes on lasts as long again.
        """
        tasks = tasks or tuple(task for task, _ in self.dispatcher.tasks())
        self.kill()
        ids = {task.id for task in tasks}
        return World(
            *tasks,
            now=self.clock.time + after,
            zone=str(self.clock.place),
            workers=workers,
            memory={task_id: memory for task_id, memory in self.last.items() if task_id in ids},
            marks=self.marks,
            fates=fates,
            first_run=self.dispatcher._agenda.board._next_run,
            alive=self.clock.time,
            settle=self.dispatcher.settle_delay,
            like=self,
        )

    # --- what happened, as lines to compare whole

    def story(self, *task_ids: str, since: int = 0) -> list[str]:
        """Every start, skip and end: "12:00:00 a start 12:00:00", "12:00:07 a succeeded"."""
        lines = []
        for event in self.events[since:]:
            if isinstance(event, RunStarted | RunFinished | RunSkipped | RunRetrying):
                run = event.run
                if not task_ids or run.task_id in task_ids:
                    lines.append(f"{self.at(event.at)} {run.task_id} {self._words(event)}")
        return lines

    def _words(self, event: RunStarted | RunFinished | RunSkipped | RunRetrying) -> str:
        run = event.run
        if isinstance(event, RunStarted):
            if isinstance(event, RunGoesOn):
                return "goes on"
            cause = "" if run.cause is Cause.SCHEDULE else f" {run.cause}"
            attempt = f" attempt {run.attempt}" if run.attempt > 1 else ""
            return f"start {self.at(run.scheduled_for)}{cause}{attempt}"
        if isinstance(event, RunRetrying):
            return f"failed, again at {self.at(event.retry_at)}"
        count = f" ×{run.count}" if run.count > 1 else ""
        reason = f": {event.outcome.reason}" if event.outcome.reason else ""
        return f"{event.outcome.state}{count}{reason}"

    def starts(self, task_id: str) -> list[str]:
        """The instants that runs of a task were scheduled for, in the order in which they started."""
        return [
            self.at(run.scheduled_for)
            for run in self.performed
            if run.task_id == task_id and run.attempt == 1
        ]

    def at(self, instant: float) -> str:
        moment = datetime.fromtimestamp(instant, self.clock.place)
        day = "" if moment.date() == datetime.fromtimestamp(NOON, UTC).date() else f"{moment:%m-%d}T"
        return day + f"{moment:%H:%M:%S}"

    def status(self, task_id: str) -> Any:
        return {task.id: status for task, status in self.dispatcher.tasks()}[task_id]

    def due(self, task_id: str) -> str | None:
        due = self.status(task_id).due
        return None if due is None else self.at(due)

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]


def encode(memory: Memory) -> bytes:
    return msgspec.json.encode(memory, enc_hook=lambda _: None)


def decode(blob: bytes) -> Memory:
    return msgspec.json.decode(blob, type=Memory, dec_hook=lambda kind, _: kind())


def task(task_id: str, **fields: Any) -> Task:
    """A task that runs a command."""
    fields.setdefault("name", task_id)
    fields.setdefault("action", Command(argv=("true",)))
    return Task(id=task_id, **fields)


def every(task_id: str, interval: float, **fields: Any) -> Task:
    return task(task_id, schedule=Every(interval=interval), **fields)


def cron(task_id: str, expression: str, **fields: Any) -> Task:
    return task(task_id, schedule=Cron(expression), **fields)


def after(task_id: str, *parents: str, on: On = On.SUCCESS, **fields: Any) -> Task:
    return task(task_id, waits_for=tuple(Edge(parent, on) for parent in parents), **fields)
