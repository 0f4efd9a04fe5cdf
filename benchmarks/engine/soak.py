"""`python -m benchmarks.engine.soak [--hours 24]`: many hours at fifty runs a second, in simulated time.

The clock is set by hand, from one due instant to the next; everything else is real: the rules, the threads of the pool,
and a history on the disk that keeps what it keeps. What must not grow is printed for each hour: memory, threads, open
files, entries of the timetable.
"""

import argparse
import gc
import math
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from benchmarks.engine.observed import descriptors, resident
from benchmarks.engine.product import SUCCEEDED
from desktopsched import keeping
from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.events import Event, RunFinished
from desktopsched.engine.pool import Workers
from desktopsched.model import Command, Every, Outcome, Run, Task
from desktopsched.storage.history import History

_TASKS, _INTERVAL = 500, 10.0  # fifty a second
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
_KEPT = 20  # runs of each task in the history
_FLUSHED = 500  # runs after which the disk may catch up: simulated time is a hundred times as fast as it


class HandClock:
    """Time stands still until the soak moves it. It never waits."""

    def __init__(self) -> None:
        self._now, self._zone = _BEGIN, ZoneInfo("UTC")

    def now(self) -> float:
        return self._now

    def boottime(self) -> float:
        return self._now

    def uptime(self) -> float:
        return self._now

    def zone(self) -> ZoneInfo:
        return self._zone

    def wait(self, until: float | None) -> None:
        """Let time pass at once."""
        self._now = self._now if until is None else max(self._now, until)

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        """Nothing was lent."""


class Soak:
    """The engine with a history, without processes."""

    def __init__(self, folder: Path) -> None:
        self.finished = 0
        self._idle = threading.Condition()
        self._clock = HandClock()
        self.history = History(folder / "history.sqlite3")
        self.history.open()
        self._pool = Workers(8)
        self.dispatcher = Dispatcher(self._perform, self._pool, clock=self._clock, listener=self._hear)
        first = [datetime.fromtimestamp(_BEGIN + 1 + i * _INTERVAL / _TASKS, UTC) for i in range(_TASKS)]
        action = Command(argv=("true",))
        self.dispatcher.schedule(
            *[
                Task(id=f"t{i}", name=f"t{i}", action=action, schedule=Every(interval=_INTERVAL, start=start))
                for i, start in enumerate(first)
            ]
        )

    @staticmethod
    def _perform(task: Task, run: Run) -> Outcome:  # noqa: ARG004 - the protocol names them
        return SUCCEEDED

    def _hear(self, event: Event) -> None:
        keeping.keep(event, self.history)
        if isinstance(event, RunFinished):
            with self._idle:
                self.finished += 1
                self._idle.notify()

    def hour(self) -> None:
        """One hour: due instant by due instant, each run to its end."""
        end = self._clock.now() + 3_600.0
        expected = self.finished
        while True:
            until = self.dispatcher.turn()
            due = math.inf if until is None else until
            if self.dispatcher.statistics().due == _TASKS:  # nothing runs
                if due > end:
                    break
                self._clock.wait(due)
                expected += 1
                if not expected % _FLUSHED:
                    self.history.flush()
                continue
            with self._idle:
                while self.finished < expected:
                    self._idle.wait()
        self.history.prune(self._clock.now() - 86_400.0, _KEPT)
        self.history.flush()
        gc.collect()

    def close(self) -> None:
        self.dispatcher.stop()
        self._pool.shutdown()
        self.history.close()


def main() -> None:
    """Print one line an hour."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--hours", type=int, default=24)
    hours = asked.parse_args().hours
    print("| hour | runs | MB | threads | open files | timetable | seconds |\n" + "| ---: " * 7 + "|")
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder))
        for hour in range(1, hours + 1):
            begun = time.perf_counter()
            soak.hour()
            taken, memory = time.perf_counter() - begun, resident() / 1e6
            figures = soak.dispatcher.statistics()
            print(
                f"| {hour} | {soak.finished:,} | {memory:.1f} | {threading.active_count()} | {descriptors()} "
                f"| {figures.heap} | {taken:.1f} |",
                flush=True,
            )
        soak.close()


if __name__ == "__main__":
    main()
