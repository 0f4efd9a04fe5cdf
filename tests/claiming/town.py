"""Computers that share one list: each a lock-step world with a clock of its own, and one store in memory.

The true time is the store's. A computer's clock may be ahead of it or behind; its line to the store may be down, may
lose answers, and it may stand still, or die and come back on what its history kept.
"""

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from desktopsched.claiming.events import ClaimSettled
from desktopsched.claiming.identity import Identity
from desktopsched.claiming.shared import Left, SharedList
from desktopsched.engine.events import Event, RunFinished, RunSkipped, RunStarted
from desktopsched.engine.fates import Fate, StillRunning
from desktopsched.model import Run, Task
from desktopsched.sharing.answers import Finished, Released, Started, Unknown
from desktopsched.sharing.claim import Claim
from desktopsched.sharing.key import Key
from tests.engine.world import NOON, Died, FakeClock, World
from tests.sharing.memory import MemoryStore

LIST = "list"
NO_ANSWER = Unknown("the line is cut")


class Ledger:
    """What the store granted, ever."""

    def __init__(self) -> None:
        self.started: dict[tuple[Key, int], set[str]] = {}  # by token: the stamps
        self.finished: dict[Key, set[tuple[int, str]]] = {}


class Line:
    """One computer's line to the store: every step may fail before it happens, or lose its answer after that."""

    def __init__(self, store: MemoryStore, ledger: Ledger) -> None:
        self._store, self._ledger = store, ledger
        self.down = False
        self.cut: Callable[[str], str] = lambda _: (
            ""
        )  # of a step: "", "before", "after", or when its computer dies
        self.die: Callable[[], None] = lambda: None
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        step = getattr(self._store, name)

        def ask(*args: Any, **more: Any) -> Any:
            self.asked.append(name)
            cut = "before" if self.down else self.cut(name)
            if cut == "before":
                return NO_ANSWER
            if cut == "die before":
                self.die()
            answer = step(*args, **more)
            self._note(name, args, answer)
            if cut == "die after":
                self.die()
            return NO_ANSWER if cut == "after" else answer

        return step if name == "close" else ask

    def _note(self, name: str, args: tuple[Any, ...], answer: Any) -> None:
        if name == "start" and isinstance(answer, Started):
            self._ledger.started.setdefault((answer.hold.key, answer.hold.token), set()).add(args[1])
        if name == "finish" and isinstance(answer, Finished):
            finished = self._ledger.finished.setdefault(answer.hold.key, set())
            finished.add((answer.hold.token, args[1].state.value))
        assert not isinstance(answer, Released) or name == "release"


class Computer:
    """One of them. `world` is its program at present; None: it is off."""

    def __init__(self, town: "Town", name: str, *tasks: Task, skew: float = 0.0, **more: Any) -> None:
        self.town, self.name, self.tasks, self.skew = town, name, tasks, skew
        self.line = Line(town.store, town.ledger)
        self.still = False  # its processes are stopped: it does nothing, and time passes
        self.left: dict[int, Left] = {}  # as its history has it
        self.log: list[Event] = []
        self.performed: list[Run] = []  # by programs before this one
        self.workers = more.pop("workers", 8)
        self.followed: set[tuple[int, int]] = set()  # runs and attempts that went on from an earlier program
        self.about_to: Callable[[Run], object] = lambda _: None
        self.world: World | None = None
        self.world = self._program(FakeClock(town.time + skew), **more)

    def _program(self, clock: FakeClock, **more: Any) -> World:
        identity = Identity(list_id=LIST, computer=self.name, secret=f"secret of {self.name}")

        def share(clock: FakeClock) -> SharedList:
            shared = SharedList(self.line, identity, clock=clock)  # a store, by its names
            shared.go_on(list(self.left.values()))
            return shared

        self.line.die = self.crash
        return World(
            *self.tasks,
            workers=self.workers,
            clock=clock,
            share=share,
            about_to=lambda run: self.about_to(run),  # noqa: PLW0108 - whatever it is by then
            **more,
        )

    @property
    def now(self) -> World:
        """Its program, which runs."""
        assert self.world is not None
        return self.world

    @property
    def events(self) -> list[Event]:
        """Everything that its programs ever said."""
        return [*self.log, *(self.world.events if self.world else ())]

    def run(self) -> None:
        """Let everything happen that happens at this instant."""
        if self.world is None or self.still:
            return
        with suppress(Died):
            self.world.run()
        if self.world._dead:
            self.die()

    def crash(self) -> None:
        """It dies at this very moment, in the middle of a step."""
        world = self.world
        if world is not None:  # else it is only being started
            world._dead = True
            world.pool.abandon()
            raise Died

    def next(self) -> float | None:
        """When the next thing happens here, in true time."""
        if self.world is None or self.still:
            return None
        with suppress(Died):
            due = self.world.next()
            return None if due is None else self.town.time + due - self.world.clock.time
        self.die()
        return None

    def stop(self) -> None:
        """Its processes stand still."""
        self.still = True

    def resume(self) -> None:
        """They go on."""
        self.still = False

    def die(self) -> None:
        """The computer dies under whatever it does."""
        world = self.now
        world.kill()
        self._keep_history(world)
        self.log += world.events
        self.performed += world.performed
        self._dead, self.world = world, None

    def _keep_history(self, world: World) -> None:
        """What its history has of claims: with a start, until it is settled."""
        known = {task.id: task for task in self.tasks}
        for event in world.stored:
            match event:
                case RunStarted(run=run) if run.token:
                    self.left[run.id] = Left(run, None, known[run.task_id].if_lost)
                case RunFinished(run=run, outcome=outcome) | RunSkipped(run=run, outcome=outcome):
                    if run.id in self.left:
                        self.left[run.id] = Left(self.left[run.id].run, outcome)
                case ClaimSettled(run_id=run_id):
                    self.left.pop(run_id, None)
                case _:
                    pass

    def come_back(self, fates: Mapping[int, Fate] | None = None) -> None:
        """It is started again, on what its history kept."""
        dead = self._dead
        clock = FakeClock(self.town.time + self.skew)
        clock.awake = dead.clock.awake + (clock.time - dead.clock.time)
        numbers = [
            event.run.id for event in self.log if isinstance(event, RunStarted | RunFinished | RunSkipped)
        ]
        last = max([dead.dispatcher._agenda.board._next_run - 1, *numbers])
        for run in (run for memory in dead.last.values() for run in memory.live):
            if isinstance((fates or {}).get(run.id), StillRunning):
                self.followed.add((run.id, run.attempt))
        self.world = self._program(
            clock,
            memory=dict(dead.last),
            marks=dead.marks,
            fates=fates,
            first_run=last + 1,
            alive=dead.clock.time,
            like=dead,
        )
        self.town.run()

    def starts(self, task_id: str) -> list[str]:
        """The due instants that were performed here."""
        runs = [*self.performed, *(self.world.performed if self.world else ())]
        return [
            self.town.at(run.scheduled_for) for run in runs if run.task_id == task_id and run.attempt == 1
        ]

    def row(self, run: Run) -> Claim | None:
        """What the store has of a start."""
        return self.town.store.read(Key(LIST, run.task_id, run.nominal))


class Town:
    """All of them, and the true time."""

    def __init__(self, *, seed: int = 0) -> None:
        self.time = NOON
        self.store = MemoryStore(lambda: self.time)
        self.ledger = Ledger()
        self.rng = random.Random(seed)
        self.computers: list[Computer] = []

    def computer(self, name: str, *tasks: Task, skew: float = 0.0, **more: Any) -> Computer:
        """One more."""
        one = Computer(self, name, *tasks, skew=skew, **more)
        self.computers.append(one)
        return one

    def run(self) -> None:
        """Let everything happen that happens at this instant, on all of them."""
        for one in self.computers:
            one.run()

    def advance(self, seconds: float) -> None:
        """Let that much time pass, and everything in it happen."""
        end = self.time + seconds
        self.run()
        while self.time < end:
            soon = [end, *(due for one in self.computers if (due := one.next()) is not None)]
            step = max(min(soon) - self.time, 1e-6)
            self.time += step
            for one in self.computers:
                if one.world is not None:
                    one.world.clock.advance(step)
            self.run()

    def at(self, instant: float) -> str:
        """An instant in words."""
        return f"{datetime.fromtimestamp(instant, UTC):%H:%M:%S}"

    def rows(self) -> list[Claim]:
        """All that the store has."""
        return [claim for key in self.store._claims if (claim := self.store.read(key)) is not None]
