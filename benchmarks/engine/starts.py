"""W1 and W2: inserting tasks, and starting all of them at once."""

import gc
import random
import time
from collections.abc import Callable

from benchmarks.engine.observed import Countdown, resident
from benchmarks.engine.scheduler import NO_ARGS, Scheduler

Figures = dict[str, float]

_FAR = 3_600.0  # seconds: nothing that is inserted falls due while it is measured


def nothing() -> None:
    """What a task does that is not to do anything."""


def far_instants(number: int, seed: int = 1) -> list[float]:
    """Instants in the hour after the next one, in no order."""
    chance, base = random.Random(seed), time.time() + _FAR
    return [base + _FAR * chance.random() for _ in range(number)]


def insert(scheduler: Scheduler, *, n: int, bulk: bool = False) -> Figures:
    """W1: n tasks that are due in an hour or two, one by one or in bulk."""
    scheduler.start()
    whens = far_instants(n)
    way = scheduler.insert_all if bulk else scheduler.insert_each
    gc.collect()
    time.sleep(0.1)
    before, begun = resident(), time.perf_counter()
    handles = way(whens, nothing, NO_ARGS)
    taken = time.perf_counter() - begun
    scheduler.settle()
    gc.collect()
    return {"per_second": n / taken, "bytes": (resident() - before) / n, "missing": n - len(handles)}


def storm(make: Callable[[], Scheduler], *, n: int) -> Figures:
    """W2: n tasks at one instant, through eight threads."""
    scheduler = make()
    lead = max(0.3, 1.5 * n / scheduler.per_second)
    while True:
        scheduler.start()
        time.sleep(0.2)
        countdown = Countdown(n)
        gc.collect()
        due = time.time() + lead
        scheduler.insert_all([due] * n, countdown.hit, NO_ARGS)
        scheduler.settle()
        if time.time() < due - 0.02:
            break
        scheduler.stop()  # they fell due before all of them were in
        scheduler, lead = make(), lead * 2
    cpu = time.process_time()
    countdown.wait(lead + 60)
    cpu, ended = time.process_time() - cpu, countdown.ended
    time.sleep(0.2)
    return {"per_second": n / (ended - due), "cpu_us": cpu / n * 1e6, "missing": countdown.missing()}


def live(scheduler: Scheduler, *, n: int) -> Figures:
    """W2 live: "now", n times."""
    scheduler.start()
    time.sleep(0.2)
    countdown = Countdown(n)
    call_at, hit, now = scheduler.call_at, countdown.hit, time.time
    gc.collect()
    begun = now()
    for _ in range(n):
        call_at(now(), hit)
    countdown.wait(60)
    time.sleep(0.2)
    return {"per_second": n / (countdown.ended - begun), "missing": countdown.missing()}
