"""A random history of one seed: tasks of every kind, and all that can happen to them; then the account of it.

The engine is the real one, in the lock-step world. What a store kept of it is enough to go on at any moment: a kill
cuts the events at any point, and the next life begins with the changes that were whole by then.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import structs

from desktopsched.engine.events import (
    Event,
    Paused,
    Remembered,
    Resumed,
    RunFinished,
    RunGoesOn,
    RunSkipped,
    RunStarted,
    TaskDisabled,
    TaskEdited,
)
from desktopsched.engine.fates import Ended, Fate, StillRunning
from desktopsched.engine.occurrences import newest, next_after, once, random_delay
from desktopsched.engine.timetable import Item
from desktopsched.model import (
    After,
    At,
    CatchUp,
    Cause,
    Cron,
    Edge,
    Every,
    Join,
    On,
    OnFailure,
    Overlap,
    Reminder,
    Retry,
    Schedule,
    State,
    Task,
    needs_worker,
)
from tests.engine.world import FAIL, NOON, OK, World, decode, encode, task

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata")
STEPS = (0.5, 5, 20, 60, 100, 600, 2000)


class WrongError(AssertionError):
    """What a history must never show."""


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(NOON + seconds, UTC)


def a_task(rng: random.Random, number: int) -> Task:
    """A task of any kind; it may wait for those before it."""
    schedules: tuple[Callable[[], Schedule | None], ...] = (
        lambda: Every(
            interval=rng.choice([7.0, 30.0, 60.0, 61.5, 300.0, 3600.0]), start=rng.choice([None, moment(500)])
        ),
        lambda: Cron(rng.choice(["* * * * *", "*/5 * * * *", "30 12 * * *", "0 * * * *", "15 13,14 * * *"])),
        lambda: At(moment(rng.choice([60, 600, 4000]))),
        lambda: After(delay=rng.choice([5.0, 100.0, 2000.0])),
        lambda: None,
    )
    fields: dict[str, Any] = {
        "schedule": rng.choice(schedules)(),
        "overlap": rng.choice(list(Overlap)),
        "catch_up": rng.choice(list(CatchUp)),
        "grace": rng.choice([0.0, 5.0, 60.0, 400.0]),
        "priority": rng.choice([0, 0, 5, -5]),
        "retry": rng.choice([Retry(), Retry(), Retry(attempts=3, delay=rng.choice([0.0, 1.0, 20.0, 90.0]))]),
        "on_failure": rng.choice([OnFailure.ALERT, OnFailure.ALERT, OnFailure.ALERT, OnFailure.PAUSE]),
        "random_delay": rng.choice([0.0, 0.0, 0.0, 3.0]),
        "max_runs": rng.choice([None, None, None, None, 3]),
        "not_after": rng.choice([None, None, None, None, moment(3000)]),
    }
    if number and rng.random() < 0.45:
        parents = rng.sample(range(number), rng.randint(1, min(number, 2)))
        fields["waits_for"] = tuple(Edge(f"t{parent}", rng.choice(list(On))) for parent in parents)
        fields["join"] = rng.choice(list(Join))
    if rng.random() < 0.15:
        fields["action"] = Reminder(message="m")
    return task(f"t{number}", **fields)


class History:
    """One seed's history. `play` it, then `account` for it."""

    def __init__(self, seed: int, *, calm: bool = False) -> None:
        """`calm`: nobody edits a task or sets the clock, so that every due instant can be counted."""
        self.acts: tuple[Callable[[History], None], ...] = self._CALM if calm else self._ACTS
        self.rng = random.Random(seed)
        self.tasks = {one.id: one for one in (a_task(self.rng, n) for n in range(self.rng.randint(1, 5)))}
        self.log: list[Event] = []  # of earlier lives
        self.workers = self.rng.choice([1, 2, 8])
        self.edited: set[str] = set()  # whose due instants cannot be counted from the definition alone
        self.clock_was_set = False
        self.settle = self.rng.choice([0.0, 30.0])
        self.world = World(*self.tasks.values(), workers=self.workers, settle=self.settle)

    def play(self, steps: int) -> None:
        """Let things happen."""
        for _ in range(steps):
            self._weather()
            self.rng.choice(self.acts)(self)
            self.world.run()
            self._look()
        self._come_to_rest()

    def _weather(self) -> None:
        """How long runs last from here on, and how they end."""
        for name in self.tasks:
            self.world.lasts[name] = self.rng.choice([0, 0, 0, 3, 40, 100])
            self.world.outcomes[name] = self.rng.choices([OK, FAIL], [3, 2], k=self.rng.randint(0, 4))

    def _some(self) -> str:
        return self.rng.choice(list(self.tasks))

    # --- what can happen

    def _pass_time(self) -> None:
        self.world.advance(self.rng.choice(STEPS))

    def _sleep(self) -> None:
        self.world.suspend(self.rng.choice(STEPS) * self.rng.choice([1, 5]))

    def _set_clock(self) -> None:
        self.clock_was_set = True
        self.world.set_clock(self.rng.choice([-30, -300, -5000, -18000, 100, 4000]))

    def _travel(self) -> None:
        self.clock_was_set = True
        self.world.clock.place = ZoneInfo(self.rng.choice(ZONES))

    def _run(self) -> None:
        self.world.dispatcher.run_now(self._some(), downstream=self.rng.random() < 0.3)

    def _stop(self) -> None:
        self.world.dispatcher.cancel(self._some())

    def _decide(self) -> None:
        choice = self.rng.choice([CatchUp.ALL, CatchUp.LATEST, CatchUp.SKIP])
        self.world.dispatcher.decide(self._some(), choice, rerun=self.rng.random() < 0.5)

    def _pause(self) -> None:
        self.world.dispatcher.pause()

    def _resume(self) -> None:
        self.world.dispatcher.resume()

    def _edit(self) -> None:
        before = self.tasks[self._some()]
        change: dict[str, Any] = self.rng.choice(
            [
                {"name": f"name {self.rng.random()}"},
                {"enabled": not before.enabled},
                {"priority": self.rng.randint(-5, 5)},
                {"overlap": self.rng.choice(list(Overlap))},
                {"schedule": Every(interval=45.0)},
                {"waits_for": ()},
            ]
        )
        self.edited.add(before.id)
        self.world.dispatcher.replace(structs.replace(before, **change))

    def _die(self) -> None:
        """At any event since the last life began, or right now."""
        world = self.world
        end = self.rng.choice([len(world.events), self.rng.randint(0, len(world.events))])
        whole = [
            i
            for i, event in enumerate(world.events[:end])
            if isinstance(event, Remembered | Paused | Resumed)
        ]
        if not whole:
            return  # it did not live long enough to leave anything
        heard = world.events[: whole[-1] + 1]
        kept, paused = self._stored(heard)
        self.log += heard
        after = self.rng.choice([0, 1, 60, 300, 5000])
        numbers = [
            event.run.id for event in self.log if isinstance(event, RunStarted | RunFinished | RunSkipped)
        ]
        world.kill()
        self.world = World(
            now=world.clock.time + after,
            zone=str(world.clock.place),
            workers=self.workers,
            first_run=max(numbers, default=0) + 1,
            like=world,
        )
        if paused:
            self.world.dispatcher.pause()
        self.world.last, self.world.marks = dict(kept.last), {k: dict(v) for k, v in kept.marks.items()}
        self.before = kept
        self.world.dispatcher.settle_delay = self.settle
        fates = self._fates(kept, world.clock.time, after)
        self.world.dispatcher.schedule(
            *self.tasks.values(),
            memory=kept.last,
            marks=kept.marks,
            fates=fates,
            strict=False,
            alive=world.clock.time,
        )

    def _fates(self, kept: World, died: float, after: float) -> dict[int, Fate]:
        """What became of the runs under way: some were cut off, some ended meanwhile, some go on."""
        fates: dict[int, Fate] = {}
        for task_id, memory in kept.last.items():
            one = self.tasks.get(task_id)
            for run in memory.live if one is not None and needs_worker(one.action) else ():
                ended = Ended(self.rng.choice([OK, FAIL]), died + self.rng.uniform(0, after))
                going = sum(isinstance(fate, StillRunning) for fate in fates.values())
                options = [None, ended, *([StillRunning(died)] if going < self.workers else [])]
                fate = self.rng.choice(options)
                if fate is not None and run.id not in memory.retry_at:
                    fates[run.id] = fate
        return fates

    def _stored(self, heard: list[Event]) -> tuple[World, bool]:
        """What a store has after these events, on top of what it had when this life began; and whether it is paused."""
        kept = World()
        before: World | None = getattr(self, "before", None)
        if before is not None:
            kept.last, kept.marks = dict(before.last), {k: dict(v) for k, v in before.marks.items()}
        paused = getattr(self, "was_paused", False)
        for event in heard:
            kept.hear(event)
            if isinstance(event, TaskEdited | TaskDisabled):
                self.tasks[event.task.id] = event.task
            if isinstance(event, Paused | Resumed):
                paused = isinstance(event, Paused)
        self.was_paused = paused
        return kept, paused

    _CALM = (
        *(_pass_time,) * 8,
        *(_sleep, _run, _stop, _decide) * 2,
        *(_die,) * 3,
        _pause,
        *(_resume,) * 2,
    )
    _ACTS = (*_CALM, _edit, _edit, _set_clock, _travel)

    # --- what must hold at every moment

    def _look(self) -> None:
        self.tasks = {one.id: one for one, _ in self.world.dispatcher.tasks()}
        agenda = self.world.dispatcher._agenda
        board = agenda.board
        valid = Counter(id(entry[3]) for entry in board.timetable._heap if entry[3].ticket == entry[2])
        for slot in board.slots.values():
            name = slot.task.id
            items: list[Item] = [slot, *slot.live]
            for item in items:
                if valid[id(item)] != (1 if item.ticket else 0):
                    raise WrongError(f"{name}: it is in the timetable {valid[id(item)]} times")
            if any(live.state is State.PENDING and not live.ticket for live in slot.live):
                raise WrongError(f"{name}: a run waits for nothing")
            if slot.queued is not None and not slot.live:
                raise WrongError(f"{name}: a start waits in the queue behind nothing")
            if self._stuck(slot):
                raise WrongError(f"{name}: it has a next due instant and nothing waits for that")
            memory = structs.replace(slot.memory(0.0), live=(), interrupted=None)
            if decode(encode(memory)) != memory:
                raise WrongError(f"{name}: its memory does not survive its JSON")
        if agenda.starts.busy != sum(live.worker for slot in board.slots.values() for live in slot.live):
            raise WrongError(f"{agenda.starts.busy} workers are busy, and with what?")
        if agenda.starts.busy > self.workers:
            raise WrongError("more runs at once than workers")

    def _stuck(self, slot: Any) -> bool:
        one = slot.task
        if (
            not one.enabled
            or slot.round is not None
            or one.schedule is None
            or slot.spent
            or slot.live
            or slot.ticket
        ):
            return False
        board = self.world.dispatcher._agenda.board
        return next_after(one, slot.cursor, zone=board.zone, anchor=slot.first_seen) is not None

    # --- the account

    def _come_to_rest(self) -> None:
        world = self.world
        world.dispatcher.resume()
        for name in self.tasks:
            world.lasts[name] = 0
            world.outcomes[name] = []
            world.dispatcher.decide(name, CatchUp.ALL)
        world.advance(7000)
        self._look()
        if world.dispatcher.statistics().busy:
            raise WrongError("workers are busy in the end")

    def account(self) -> None:
        """Every start is one, every run ends once, and every due instant that can be counted has its end."""
        log = [*self.log, *self.world.events]
        starts: Counter[tuple[str, float, int]] = Counter()
        ended: set[int] = set()
        live: defaultdict[str, set[int]] = defaultdict(set)
        for event in log:
            if isinstance(event, RunStarted):
                self._account_start(event, starts, ended, live[event.run.task_id])
            elif isinstance(event, RunFinished | RunSkipped):
                if event.run.id in ended:
                    raise WrongError(f"run {event.run.id} ends twice")
                ended.add(event.run.id)
                live[event.run.task_id].discard(event.run.id)
        for key, times in starts.items():
            if times > 1:
                raise WrongError(f"started twice: {key}")
        if not self.clock_was_set:
            for name in set(self.tasks) - self.edited:
                self._count(name, log)

    def _account_start(
        self,
        event: RunStarted,
        starts: Counter[tuple[str, float, int]],
        ended: set[int],
        live: set[int],
    ) -> None:
        run = event.run
        if run.id in ended:
            raise WrongError(f"run {run.id} starts after its end")
        live.add(run.id)
        again = run.cause is Cause.CATCH_UP and run.repairs  # an interrupted run, which a person wanted again
        again = again or isinstance(event, RunGoesOn)
        if run.attempt == 1 and run.cause is not Cause.MANUAL and not again:
            starts[run.task_id, run.scheduled_for, run.generation] += 1
        parallel = run.task_id in self.edited or self.tasks[run.task_id].overlap is Overlap.PARALLEL
        if len(live) > 1 and not parallel:
            raise WrongError(f"{run.task_id} has two live runs")

    def _count(self, name: str, log: list[Event]) -> None:
        """Each due instant of a task that nobody edited: started, counted in a record, cancelled, or owed."""
        world, one = self.world, self.tasks[name]
        if one.waits_for or one.schedule is None or once(one) or one.max_runs or not one.enabled:
            return
        slot = world.dispatcher._agenda.board.slots[name]
        mine = [
            event
            for event in log
            if isinstance(event, RunStarted | RunFinished | RunSkipped)
            and event.run.task_id == name
            and event.run.cause is not Cause.MANUAL
        ]
        begun = {event.run.id for event in mine if isinstance(event, RunStarted)}
        rerun = {event.run.id for event in mine if event.run.cause is Cause.CATCH_UP and event.run.repairs}
        started = {
            event.run.scheduled_for
            for event in mine
            if isinstance(event, RunStarted) and event.run.id not in rerun
        }
        skipped = sum(
            event.run.count for event in mine if isinstance(event, RunSkipped) and event.run.id not in rerun
        )
        dropped = {
            event.run.scheduled_for
            for event in mine
            if isinstance(event, RunFinished) and event.run.id not in begun | rerun
        }
        dues, _ = newest(
            one, slot.first_seen, slot.cursor, 10**6, zone=world.clock.place, anchor=slot.first_seen
        )
        total = len(started) + skipped + len(dropped) + sum(owed.count for owed in slot.owed)
        if total != len(dues):
            raise WrongError(f"{name}: {len(dues)} due instants, {total} accounted for")
        spans = [
            (event.run.scheduled_for if event.run.first is None else event.run.first, event.run.scheduled_for)
            for event in mine
            if isinstance(event, RunSkipped)
        ]
        for due in dues:
            if due in started | dropped or any(first <= due <= last for first, last in spans):
                continue
            if not any(owed.after < due <= owed.until for owed in slot.owed):
                raise WrongError(f"{name}: nothing says what became of {due}")
        late = next_after(one, slot.cursor, zone=world.clock.place, anchor=slot.first_seen)
        if late is not None and late + random_delay(one, late) <= world.clock.time:
            raise WrongError(f"{name}: an instant passed undecided")
