"""DESIGN §5, rule 1: the loop. A fake clock, a real loop thread where waking up is the subject."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from desktopsched.engine.dispatcher import Dispatcher
from desktopsched.engine.events import Event
from desktopsched.engine.pool import Workers
from desktopsched.model import At, Outcome, Run, State, Task
from tests.engine.world import NOON, FakeClock, World, every, task

OK = Outcome(State.SUCCEEDED)


def at(task_id: str, seconds: float, priority: int = 0) -> Task:
    return task(task_id, schedule=At(datetime.fromtimestamp(NOON + seconds, UTC)), priority=priority)


class Loop:
    """A dispatcher whose loop runs in a thread of its own, on a fake clock."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.done: list[str] = []
        self.threads: set[int] = set()
        self.pool = Workers()
        self.dispatcher = Dispatcher(self.perform, self.pool, clock=self.clock, workers=1)
        self.thread = threading.Thread(target=self.dispatcher.loop)

    def perform(self, task: Task, run: Run) -> Outcome:
        self.done.append(task.id)
        self.threads.add(threading.get_ident())
        return OK

    def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.clock.settle()

    @property
    def wakeups(self) -> int:
        return self.dispatcher.statistics().wakeups


@contextmanager
def running(*tasks: Task) -> Iterator[Loop]:
    loop = Loop()
    loop.dispatcher.schedule(*tasks)
    loop.thread.start()
    loop.clock.settle()
    yield loop
    loop.dispatcher.stop()
    loop.thread.join(10)
    loop.pool.shutdown()
    assert not loop.thread.is_alive()


def test_nothing_due_waits_until_the_top_of_the_heap() -> None:
    with running(at("a", 100), at("b", 50)) as loop:
        assert loop.clock.waits == [NOON + 50]


def test_with_nothing_to_do_it_waits_without_end() -> None:
    with running() as loop:
        assert loop.clock.waits == [None]


def test_it_wakes_once_per_distinct_due_instant() -> None:
    tasks = [at(f"t{i}", 10 * (1 + i // 50)) for i in range(200)]
    with running(*tasks) as loop:
        for _ in range(4):
            loop.advance(10)
        assert loop.wakeups == 4
        loop.pool.shutdown()
        assert sorted(loop.done) == sorted(t.id for t in tasks)


def test_an_insert_that_becomes_the_top_wakes_it_and_no_other() -> None:
    with running(at("first", 100)) as loop:
        loop.dispatcher.schedule(at("later", 200))
        loop.dispatcher.schedule(at("as-late", 100))
        loop.clock.settle()
        assert loop.wakeups == 0
        loop.dispatcher.schedule(at("earlier", 50))
        loop.clock.settle()
        assert loop.wakeups == 1
        assert loop.clock.waits == [NOON + 100, NOON + 50]


def test_a_bulk_insert_wakes_it_once() -> None:
    with running() as loop:
        loop.dispatcher.schedule(*(at(f"t{i}", 1000 - i) for i in range(500)))
        loop.clock.settle()
        assert loop.wakeups == 1


def test_a_wake_up_without_a_reason_starts_nothing_and_waits_again() -> None:
    with running(at("a", 100)) as loop:
        loop.clock.wake()
        loop.clock.settle()
        assert loop.done == []
        assert loop.clock.waits == [NOON + 100, NOON + 100]


def test_idle_time_wakes_nobody() -> None:
    with running(*(at(f"t{i}", 86_400) for i in range(1000))) as loop:
        loop.advance(86_000)
        assert loop.wakeups == 0


def test_the_loop_never_runs_the_work_itself() -> None:
    with running(at("a", 1)) as loop:
        loop.advance(1)
        loop.pool.shutdown()
        assert loop.done == ["a"]
        assert loop.threads.isdisjoint({loop.thread.ident, threading.get_ident()})


def test_everything_due_at_once_is_taken_in_priority_then_insertion_order() -> None:
    tasks = [at("low", 10, -5), at("first", 10), at("high", 10, 100), at("second", 10), at("sooner", 9, -100)]
    world = World(*tasks, workers=1)
    world.suspend(60)
    assert [run.task_id for run in world.performed] == ["high", "first", "second", "low", "sooner"]


def test_what_is_due_earlier_starts_earlier() -> None:
    world = World(at("b", 20), at("a", 10, -100), at("c", 30, 100))
    world.advance(60)
    assert world.story() == [
        "12:00:10 a start 12:00:10",
        "12:00:10 a succeeded",
        "12:00:20 b start 12:00:20",
        "12:00:20 b succeeded",
        "12:00:30 c start 12:00:30",
        "12:00:30 c succeeded",
    ]


def test_a_storm_costs_the_pool_as_many_calls_as_there_are_workers() -> None:
    world = World(*(at(f"t{i}", 10) for i in range(1000)), workers=4)
    world.advance(10)
    assert len(world.performed) == 1000
    assert world.pool.submitted == 4


@pytest.mark.parametrize("pool", [ThreadPoolExecutor(4), Workers()], ids=["ThreadPoolExecutor", "Workers"])
def test_any_executor_will_do(pool: ThreadPoolExecutor | Workers) -> None:
    done: list[str] = []
    ended = threading.Event()

    def perform(task: Task, run: Run) -> Outcome:
        done.append(task.id)
        if len(done) == 500:
            ended.set()
        return OK

    clock = FakeClock()
    dispatcher = Dispatcher(perform, pool, clock=clock, workers=4)
    dispatcher.schedule(*(at(f"t{i}", 1) for i in range(500)))
    clock.advance(1)
    dispatcher.turn()
    assert ended.wait(10)
    pool.shutdown()
    assert sorted(done) == sorted(f"t{i}" for i in range(500))


def test_a_listener_that_fails_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    world = World(every("a", 60))

    def fail(event: Event) -> None:
        raise LookupError

    world.dispatcher._guard._listener = fail
    with caplog.at_level("CRITICAL", logger="desktopsched.engine.guard"):
        world.advance(180)
    assert world.starts("a") == ["12:01:00", "12:02:00", "12:03:00"]


def test_an_action_that_raises_costs_one_run(caplog: pytest.LogCaptureFixture) -> None:
    clock, pool = FakeClock(), World().pool
    calls: list[str] = []

    def perform(task: Task, run: Run) -> Outcome:
        calls.append(task.id)
        raise LookupError("a bug")

    dispatcher = Dispatcher(perform, pool, clock=clock)
    dispatcher.schedule(every("a", 60))
    with caplog.at_level("CRITICAL", logger="desktopsched.engine.hands"):
        for _ in range(2):
            clock.advance(60)
            dispatcher.turn()
            pool.run_calls()
    assert calls == ["a", "a"]
    ((_, status),) = dispatcher.tasks()
    assert status.outcome is not None
    assert "LookupError: a bug" in status.outcome.reason


def test_a_stop_that_comes_before_the_loop_is_not_lost() -> None:
    loop = Loop()
    loop.dispatcher.stop()
    loop.thread.start()
    loop.thread.join(10)
    loop.pool.shutdown()
    assert not loop.thread.is_alive()
