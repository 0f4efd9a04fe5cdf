"""W4 and W5: how often the process wakes up when there is nothing to do, and when there is one thing to do."""

import gc
import threading
import time

from benchmarks.engine.observed import Countdown, wakeups
from benchmarks.engine.scheduler import NO_ARGS, Scheduler
from benchmarks.engine.starts import Figures, far_instants, nothing


def idle(scheduler: Scheduler, *, n: int, seconds: float) -> Figures:
    """W4: n tasks, none of them due."""
    scheduler.start()
    scheduler.insert_all(far_instants(n), nothing, NO_ARGS)
    scheduler.settle()
    gc.collect()
    time.sleep(2.0)
    me, before, cpu = threading.get_native_id(), wakeups(), time.process_time()
    time.sleep(seconds)
    cpu, after = time.process_time() - cpu, wakeups()
    return {
        "wakeups": sum(count - before.get(thread, 0) for thread, count in after.items() if thread != me),
        "cpu_ms": cpu * 1e3,
    }


def one_by_one(scheduler: Scheduler, *, n: int, gap: float) -> Figures:
    """W5: how often the waiting thread wakes up for each due instant."""
    scheduler.start()
    scheduler.insert_each([time.time() + 0.05 + 0.01 * i for i in range(8)], nothing, NO_ARGS)
    scheduler.settle()
    time.sleep(0.5)  # all threads are there
    countdown = Countdown(n)
    first = time.time() + max(0.5, 3.0 * n / scheduler.per_second)
    scheduler.insert_each([first + i * gap for i in range(n)], countdown.hit, NO_ARGS)
    scheduler.settle()
    gc.collect()
    time.sleep(max(0.0, first - 0.1 - time.time()))
    thread, before = scheduler.thread or 0, wakeups()
    time.sleep(n * gap + 0.2)
    after = wakeups()
    return {
        "per_instant": round((after[thread] - before[thread]) / n, 2) if thread in after else float("nan"),
        "missing": countdown.missing(),
    }
