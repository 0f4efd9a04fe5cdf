"""Workers that take READY runs from the dispatcher: real threads, one inside at a time, nothing lost between them."""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.events import Event, RunFinished
from desktopsched.engine.pool import Workers
from desktopsched.model import Outcome, Run, Task
from tests.engine.world import OK, FakeClock, task


class Threads(Executor):
    """Each call gets a thread of its own."""

    def __init__(self) -> None:
        self.started: list[threading.Thread] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.started.append(threading.Thread(target=fn, args=args, kwargs=kwargs))
        self.started[-1].start()
        return Future()


class Ended:
    """A listener that waits for runs to end."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()
        self._changed = threading.Condition()

    def __call__(self, event: Event) -> None:
        if isinstance(event, RunFinished):
            with self._changed:
                self.names[event.run.task_id] += 1
                self._changed.notify_all()

    def wait(self, runs: int) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.names.total() >= runs, timeout=60)


@pytest.fixture
def _threads_that_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_threads_that_take_turns_often")
@pytest.mark.parametrize("workers", [1, 2, 8])
def test_a_storm_runs_each_task_once_and_no_more_at_once_than_there_are_workers(workers: int) -> None:
    at_once, most, lock, ended, pool = 0, 0, threading.Lock(), Ended(), Workers(workers)

    def perform(task: Task, run: Run) -> Outcome:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        with lock:
            at_once -= 1
        return OK

    names = [f"t{number}" for number in range(1_000)]
    dispatcher = Dispatcher(perform, pool, clock=FakeClock(), listener=ended, workers=workers)
    dispatcher.schedule(*[task(name) for name in names])
    for name in names:
        dispatcher.run_now(name)
    assert ended.wait(len(names))
    pool.shutdown()
    assert ended.names == Counter(names)
    assert 1 <= most <= workers
    assert dispatcher.statistics().busy == dispatcher.statistics().ready == 0


def test_short_runs_do_not_wait_behind_a_long_one() -> None:
    gate, ended, pool = threading.Event(), Ended(), Workers(2)

    def perform(task: Task, run: Run) -> Outcome:
        if task.id == "long":
            gate.wait(60)
        return OK

    names = [f"t{number}" for number in range(200)]
    dispatcher = Dispatcher(perform, pool, clock=FakeClock(), listener=ended, workers=2)
    dispatcher.schedule(task("long", priority=1), *[task(name) for name in names])
    for name in ("long", *names):
        dispatcher.run_now(name)
    assert ended.wait(len(names)), "with the long one still under way"
    gate.set()
    assert ended.wait(len(names) + 1)
    pool.shutdown()


def test_a_worker_that_finds_another_one_inside_leaves_its_report_and_goes() -> None:
    clock, pool, ended = FakeClock(), Threads(), Ended()
    gates = {name: threading.Event() for name in "ab"}
    performing: dict[str, threading.Thread] = {}
    both, inside, go_on = threading.Barrier(3), threading.Event(), threading.Event()
    now = clock.now

    def perform(task: Task, run: Run) -> Outcome:
        performing[task.id] = threading.current_thread()
        both.wait(60)
        gates[task.id].wait(60)
        return OK

    def now_held() -> float:
        inside.set()
        go_on.wait(60)
        return now()

    dispatcher = Dispatcher(perform, pool, clock=clock, listener=ended, workers=2)
    dispatcher.schedule(task("a"), task("b"))
    dispatcher.run_now("a")
    dispatcher.run_now("b")
    both.wait(60)
    clock.now = now_held  # type: ignore[method-assign]
    gates["a"].set()
    assert inside.wait(60)
    gates["b"].set()
    performing["b"].join(60)
    assert not performing["b"].is_alive(), "it did not wait for the one inside"
    assert not ended.names
    go_on.set()
    assert ended.wait(2)
    for thread in pool.started:
        thread.join()
    assert ended.names == Counter("ab")
    assert dispatcher.statistics().busy == 0
