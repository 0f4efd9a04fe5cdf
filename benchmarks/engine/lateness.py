"""W3, W3G, W6 and W9: how late calls come, with many idle tasks, beside a busy thread, after cancels, in a row."""

import gc
import itertools
import random
import threading
import time

from benchmarks.engine.observed import lateness, percentile
from benchmarks.engine.scheduler import NO_ARGS, Scheduler
from benchmarks.engine.starts import Figures, far_instants, nothing

_GRACE = 3.0  # seconds after which a call counts as missing


def calls(scheduler: Scheduler, *, idle: int, n: int, seconds: float, busy: bool = False) -> Figures:
    """W3: n calls at instants by chance, beside `idle` tasks; W3G: and beside a thread that never waits."""
    scheduler.start()
    scheduler.insert_all(far_instants(idle), nothing, NO_ARGS)
    late: list[float] = []

    def note(when: float) -> None:
        late.append(time.time() - when)

    chance = random.Random(3)
    gc.collect()
    first = time.time() + max(1.0, 3.0 * n / scheduler.per_second)
    whens = [first + seconds * chance.random() for _ in range(n)]
    scheduler.insert_each(whens, note, [(when,) for when in whens])
    scheduler.settle()
    ended = threading.Event()
    if busy:
        threading.Thread(target=_burn, args=(ended,), daemon=True).start()
    _wait_until(first + seconds + 0.3)
    while len(late) < n and time.time() < first + seconds + _GRACE:
        time.sleep(0.02)
    ended.set()
    return {**lateness(late), "missing": n - len(late)}


def _burn(ended: threading.Event) -> None:
    number = 0
    while not ended.is_set():
        for step in range(1_000):
            number += step


def _wait_until(instant: float) -> None:
    time.sleep(max(0.0, instant - time.time()))


def cancels(scheduler: Scheduler, *, n: int, cancelled: int, probes: int, seconds: float) -> Figures:
    """W6: of n tasks, take many back at once; how late the rest is meanwhile and afterwards."""
    scheduler.start()
    near = 500  # of those that are taken back, some are due soon
    doomed = scheduler.insert_all(far_instants(cancelled - near, 6), nothing, NO_ARGS)
    scheduler.insert_all(far_instants(n - cancelled - probes, 7), nothing, NO_ARGS)
    late: list[float] = []
    wrong: list[int] = []

    def note(when: float) -> None:
        late.append(time.time() - when)

    chance = random.Random(8)
    gc.collect()
    first = time.time() + max(0.6, 2.5 * (probes + near) / scheduler.per_second)
    whens = [first + seconds * chance.random() for _ in range(probes)]
    scheduler.insert_each(whens, note, [(when,) for when in whens])
    soon = [first + seconds * (0.7 + 0.3 * chance.random()) for _ in range(near)]
    doomed += scheduler.insert_each(soon, wrong.append, itertools.repeat((1,)))
    scheduler.settle()
    _wait_until(first + 0.25)
    chance.shuffle(doomed)
    begun = time.perf_counter()
    scheduler.cancel_each(doomed)
    scheduler.settle()
    taken = time.perf_counter() - begun
    _wait_until(max(first + seconds, time.time()) + 0.2)
    end = time.time() + 5
    while len(late) < probes and time.time() < end:
        time.sleep(0.02)
    return {
        "cancel_us": taken / cancelled * 1e6,
        **lateness(late),
        "wrong": len(wrong),
        "missing": probes - len(late),
    }


def in_a_row(scheduler: Scheduler, *, interval: float, seconds: float) -> Figures:
    """W9: every few milliseconds; whether it drifts."""
    scheduler.start()
    seen: list[float] = []
    start = scheduler.every(interval, lambda: seen.append(time.time()))
    time.sleep(seconds + 0.05)
    kept = sorted(one for one in list(seen) if one <= start + seconds + interval / 2)
    off = [one - (start + (number + 1) * interval) for number, one in enumerate(kept)]
    tenth = len(off) // 10
    middle = [percentile(sorted(map(abs, part)), 0.5) for part in (off, off[:tenth], off[-tenth:])]
    return {
        "p50_us": middle[0] * 1e6,
        "drift_us": (middle[2] - middle[1]) * 1e6,
        "missing": round(seconds / interval) - len(kept),
    }
