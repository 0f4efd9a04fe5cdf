"""The peers: Python schedulers as their documentation has them used, each with a pool of eight threads."""

import asyncio
import logging
import sched
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from benchmarks.engine.scheduler import WORKERS, Args, Call, Scheduler


class Asyncio(Scheduler):
    """`loop.call_at` in a thread's event loop; the callback submits to the pool."""

    def start(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS)
        self._events = self._make_loop()
        self._thread = threading.Thread(target=self._events.run_forever, daemon=True)
        self._thread.start()
        self.settle()
        self._offset = time.time() - self._events.time()

    def _make_loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.new_event_loop()

    def stop(self) -> None:
        self._events.call_soon_threadsafe(self._events.stop)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _inside(self, work: Callable[[], Any]) -> Any:
        """Do something on the loop's thread."""
        done: Future[Any] = Future()

        def go() -> None:
            done.set_result(work())

        self._events.call_soon_threadsafe(go)
        return done.result()

    def call_at(self, when: float, call: Call, *args: Any) -> Any:
        events: Any = self._events  # mypy 2.4.1 fails over a call that takes a call and its arguments
        events.call_soon_threadsafe(events.call_at, when - self._offset, self._pool.submit, call, *args)

    def insert_each(self, whens: Sequence[float], call: Call, arguments: Iterable[Args]) -> list[Any]:
        call_at, submit, offset = self._events.call_at, self._pool.submit, self._offset

        def insert() -> list[Any]:
            return [
                call_at(when - offset, submit, call, *args)
                for when, args in zip(whens, arguments, strict=False)
            ]

        handles: list[Any] = self._inside(insert)
        return handles

    def cancel_each(self, handles: Sequence[Any]) -> None:
        def cancel() -> None:
            for handle in handles:
                handle.cancel()

        self._inside(cancel)

    def every(self, interval: float, call: Call) -> float:
        events, submit = self._events, self._pool.submit

        def begin() -> float:
            start = events.time()

            def tick(number: int) -> None:
                events.call_at(start + (number + 1) * interval, tick, number + 1)
                submit(call)

            events.call_at(start + interval, tick, 1)
            return start

        start: float = self._inside(begin)
        return start + self._offset

    def settle(self) -> None:
        self._inside(lambda: None)

    @property
    def thread(self) -> int | None:
        return self._thread.native_id


class Uvloop(Asyncio):
    """The same on libuv, whose timers have a resolution of a millisecond."""

    def _make_loop(self) -> asyncio.AbstractEventLoop:
        import uvloop

        loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
        return loop


class Sched(Scheduler):
    """The standard library's `sched`, run in a thread; its delay is a wait that an earlier insert ends."""

    def start(self) -> None:
        self._pool = ThreadPoolExecutor(WORKERS)
        self._woken, self._running = threading.Event(), True
        self._sched = sched.scheduler(time.time, self._delay)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._running = False
        self._woken.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _delay(self, seconds: float) -> None:
        if seconds <= 0:
            time.sleep(0)
        else:
            self._woken.wait(seconds)
            self._woken.clear()

    def _run(self) -> None:
        while self._running:
            self._sched.run()
            self._woken.wait()
            self._woken.clear()

    def call_at(self, when: float, call: Call, *args: Any) -> Any:
        event = self._sched.enterabs(when, 1, self._pool.submit, (call, *args))
        waiting: list[Any] = self._sched._queue  # type: ignore[attr-defined]
        if waiting and waiting[0] is event:
            self._woken.set()
        return event

    def every(self, interval: float, call: Call) -> float:
        start = time.time()

        def tick(number: int) -> None:
            self._sched.enterabs(start + (number + 1) * interval, 1, tick, (number + 1,))
            self._pool.submit(call)

        self._sched.enterabs(start + interval, 1, tick, (1,))
        self._woken.set()
        return start

    @property
    def thread(self) -> int | None:
        return self._thread.native_id


class APScheduler3(Scheduler):
    """`BackgroundScheduler` with its memory store and pool; a late job runs whenever that is."""

    per_second = 4_000

    def start(self) -> None:
        logging.disable(logging.CRITICAL)
        from apscheduler.executors.pool import ThreadPoolExecutor as Pool
        from apscheduler.schedulers.background import BackgroundScheduler
        from apscheduler.triggers.date import DateTrigger
        from apscheduler.triggers.interval import IntervalTrigger

        self._once, self._interval = DateTrigger, IntervalTrigger
        self._jobs = BackgroundScheduler(
            executors={"default": Pool(WORKERS)},
            timezone=UTC,
            job_defaults={"misfire_grace_time": None, "coalesce": False, "max_instances": WORKERS},
        )
        self._jobs.start()

    def stop(self) -> None:
        self._jobs.shutdown(wait=False)

    def call_at(self, when: float, call: Call, *args: Any) -> Any:
        return self._jobs.add_job(call, self._once(datetime.fromtimestamp(when, UTC)), args)

    def insert_all(self, whens: Sequence[float], call: Call, arguments: Iterable[Args]) -> list[Any]:
        self._jobs.pause()  # so each insert does not wake it
        try:
            return self.insert_each(whens, call, arguments)
        finally:
            self._jobs.resume()

    def cancel(self, handle: Any) -> None:
        handle.remove()

    def every(self, interval: float, call: Call) -> float:
        start = time.time()
        first = datetime.fromtimestamp(start + interval, UTC)
        self._jobs.add_job(call, self._interval(seconds=interval, start_date=first, timezone=UTC))
        return start

    @property
    def thread(self) -> int | None:
        number: int | None = self._jobs._thread.native_id
        return number
