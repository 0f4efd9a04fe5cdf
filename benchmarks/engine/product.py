"""Desktopsched's engine under measurement: real tasks, all rules, every event told, every run recorded in memory.

A task's action carries the function to call: making that is no duty of a scheduler, but each peer takes a function.
"""

import itertools
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, structs

from benchmarks.engine.scheduler import WORKERS, Args, Call, Scheduler
from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.events import Event, RunFinished, RunSkipped, RunStarted
from desktopsched.engine.pool import Workers
from desktopsched.model import At, Command, Every, Outcome, Overlap, Run, Schedule, State, Task

SUCCEEDED = Outcome(State.SUCCEEDED)


class Record(Struct, frozen=True, gc=False):
    """One line of a history: what became of a run, and when."""

    run: int
    task: str
    scheduled_for: float
    at: float
    state: State


class Calling(Command, frozen=True, kw_only=True, gc=False):
    """A command that is a call in this process."""

    call: Call
    args: Args = ()


def perform(task: Task, run: Run) -> Outcome:  # noqa: ARG001 - the protocol names it
    """Make the call."""
    action = task.action
    assert isinstance(action, Calling)
    action.call(*action.args)
    return SUCCEEDED


_ENDED = (RunFinished, RunSkipped)
_SWITCH = 0.0001  # seconds: as the window sets it (`ui.application`), so that painting delays nothing


class Product(Scheduler):
    """One dispatcher with its own pool, as the program has it."""

    per_second = 100_000

    def start(self) -> None:
        self.records: list[Record] = []
        self._numbers = itertools.count()
        self._pool = Workers(2 * WORKERS)
        self.dispatcher = Dispatcher(perform, self._pool, workers=WORKERS, listener=self._record)
        self._loop = threading.Thread(target=self.dispatcher.loop, daemon=True)
        self._loop.start()

    def _record(self, event: Event) -> None:
        """As the history does: what happens to runs is kept, of tasks only what they are now."""
        if isinstance(event, RunStarted):
            run, state = event.run, State.RUNNING
        elif isinstance(event, _ENDED):
            run, state = event.run, event.outcome.state
        else:
            return
        self.records.append(Record(run.id, run.task_id, run.scheduled_for, event.at, state))

    def stop(self) -> None:
        self.dispatcher.stop()
        self._loop.join()
        self.dispatcher.close()
        self._pool.shutdown(wait=False)

    def call_at(self, when: float, call: Call, *args: Any) -> str:
        task = self._task(At(datetime.fromtimestamp(when, UTC)), Calling(call=call, args=args))
        self.dispatcher.schedule(task)
        return task.id

    def insert_all(self, whens: Sequence[float], call: Call, arguments: Iterable[Args]) -> list[str]:
        plain = Calling(call=call)
        tasks = [
            self._task(
                At(datetime.fromtimestamp(when, UTC)), Calling(call=call, args=args) if args else plain
            )
            for when, args in zip(whens, arguments, strict=False)
        ]
        self.dispatcher.schedule(*tasks)
        return [task.id for task in tasks]

    def _task(self, schedule: Schedule, action: Calling) -> Task:
        name = f"t{next(self._numbers)}"
        return Task(id=name, name=name, action=action, schedule=schedule)

    def cancel(self, handle: Any) -> None:
        self.dispatcher.cancel(handle)

    def every(self, interval: float, call: Call) -> float:
        start = datetime.fromtimestamp(time.time() + interval, UTC)
        task = self._task(Every(interval=interval, start=start), Calling(call=call))
        self.dispatcher.schedule(structs.replace(task, overlap=Overlap.PARALLEL))  # as the peers do
        return start.timestamp() - interval

    @property
    def thread(self) -> int | None:
        return self._loop.native_id


class BesideAWindow(Product):
    """The same in a process that has a busy thread, as the window's is when it paints."""

    def start(self) -> None:
        sys.setswitchinterval(_SWITCH)
        super().start()
