"""A week: the clocks go back, the computer sleeps, the clock is set, the program dies; each due instant has its end."""

import random
from datetime import datetime
from zoneinfo import ZoneInfo

from desktopsched.engine.events import Event, RunFinished, RunSkipped, RunStarted
from desktopsched.engine.occurrences import newest
from desktopsched.model import CatchUp, Cause, Overlap, Retry, Task
from tests.engine.world import FAIL, OK, World, after, cron, every
from tests.faultlines import Record

BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2025, 10, 20, tzinfo=BERLIN).timestamp()  # on Sunday the clocks go back
HOUR, DAY = 3600.0, 86_400.0

TASKS: tuple[Task, ...] = (
    cron("nightly", "30 2 * * *", catch_up=CatchUp.LATEST),  # in the hour that comes twice
    cron("twice", "30 2,14 * * *", catch_up=CatchUp.ALL, retry=Retry(attempts=3, delay=30.0)),
    cron("quarter", "*/15 * * * *", catch_up=CatchUp.SKIP),
    cron("office", "0 9-17 * * 1-5", catch_up=CatchUp.ASK),
    every("ten", 600.0, catch_up=CatchUp.LATEST, overlap=Overlap.QUEUE),
    every("odd", 437.0, catch_up=CatchUp.SKIP, random_delay=20.0),
    after("child", "twice"),
)


class Week:
    """Seven days, by seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.log: list[Event] = []
        self.world = World(*TASKS, now=MONDAY, zone="Europe/Berlin", settle=30.0)
        self.lives = 1

    def play(self) -> None:
        while self.world.clock.time < MONDAY + 7 * DAY:
            self._weather()
            day = self.rng.random()
            if day < 0.15:
                self.world.suspend(self.rng.uniform(0.5, 9) * HOUR)
            elif day < 0.22:
                self.world.set_clock(self.rng.choice([-1_800.0, -5_000.0, 300.0, 7_200.0]))
            elif day < 0.32:
                self._die(self.rng.choice([2.0, 90.0, 4 * HOUR]))
            elif day < 0.36:
                self.world.dispatcher.decide("office", self.rng.choice([CatchUp.ALL, CatchUp.SKIP]))
            else:
                self.world.advance(self.rng.uniform(0.2, 4) * HOUR)
            self.world.run()
        for task in TASKS:
            self.world.lasts[task.id] = 0.0
            self.world.dispatcher.decide(task.id, CatchUp.LATEST)
        self.world.advance(2 * HOUR)
        self.log += self.world.events

    def _weather(self) -> None:
        for task in TASKS:
            self.world.lasts[task.id] = self.rng.choice([0.0, 5.0, 40.0, 900.0])
            self.world.outcomes[task.id] = self.rng.choices([OK, FAIL], [4, 1], k=3)

    def _die(self, gone: float) -> None:
        self.log += self.world.events
        self.lives += 1
        self.world = self.world.restart(*TASKS, after=gone)

    def unaccounted(self, task: Task) -> list[float]:
        """The due instants of the week that no event names."""
        mine = [
            event
            for event in self.log
            if isinstance(event, RunStarted | RunFinished | RunSkipped)
            and event.run.task_id == task.id
            and event.run.cause is not Cause.MANUAL
        ]
        named = {event.run.scheduled_for for event in mine}
        spans = [(event.run.first, event.run.scheduled_for) for event in mine if event.run.first is not None]
        slot = self.world.dispatcher._agenda.board.slots[task.id]
        spans += [(owed.after + 1e-3, owed.until) for owed in slot.owed]
        dues, _ = newest(task, MONDAY, MONDAY + 7 * DAY, 10**6, zone=BERLIN, anchor=slot.first_seen)
        assert len(dues) > 6
        return [due for due in dues if due not in named and not any(a <= due <= b for a, b in spans)]


def test_every_due_instant_of_a_week_is_accounted_for(report: Record) -> None:
    starts = lives = 0
    for seed in range(12):
        week = Week(seed)
        week.play()
        for task in TASKS:
            if task.schedule is not None:
                assert week.unaccounted(task) == [], (seed, task.id)
        began = [event.run for event in week.log if isinstance(event, RunStarted) and event.run.attempt == 1]
        scheduled = [
            (run.task_id, run.scheduled_for, run.generation)
            for run in began
            if run.cause in {Cause.SCHEDULE, Cause.QUEUED, Cause.CATCH_UP} and not run.repairs
        ]
        assert len(scheduled) == len(set(scheduled)), seed
        starts += len(began)
        lives += week.lives
        week.world.kill()
    report(
        "a simulated week with sleep, clock steps, crashes and the change to summer time",
        12,
        "every due instant has one named end, none begins twice",
        f"{starts:,} starts in {lives} lives of the program; none is unaccounted for",
    )
    assert starts > 10_000
    assert lives > 40


def test_the_control_a_forgotten_instant_is_noticed() -> None:
    week = Week(1)
    week.play()
    forgotten = next(
        event.run for event in week.log if isinstance(event, RunStarted) and event.run.task_id == "ten"
    )
    week.log = [event for event in week.log if getattr(getattr(event, "run", None), "id", 0) != forgotten.id]
    assert week.unaccounted(next(task for task in TASKS if task.id == "ten"))
    week.world.kill()
