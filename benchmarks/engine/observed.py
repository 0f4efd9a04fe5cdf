"""What one can see of a process from inside: memory, switches of threads, times."""

import itertools
import math
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors() -> int:
    """Open files of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def wakeups() -> dict[int, int]:
    """By thread: how often it went to sleep by itself, and so was woken."""
    found = {}
    for thread in Path("/proc/self/task").iterdir():
        for line in (thread / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                found[int(thread.name)] = int(line.split()[1])
    return found


def percentile(ordered: Sequence[float], share: float) -> float:
    """Of values in order: the one that `share` of them are not above."""
    return ordered[max(0, math.ceil(len(ordered) * share) - 1)] if ordered else math.nan


def lateness(late: Sequence[float]) -> dict[str, float]:
    """Of seconds: the middle one, the worst of a hundred, the worst, in microseconds; and how many were early."""
    ordered = sorted(late)
    return {
        "p50_us": percentile(ordered, 0.5) * 1e6,
        "p99_us": percentile(ordered, 0.99) * 1e6,
        "worst_us": percentile(ordered, 1.0) * 1e6,
        "early": sum(one < 0 for one in ordered),
    }


class Countdown:
    """Counts calls from any thread, and tells when the last of them came."""

    def __init__(self, calls: int) -> None:
        self._calls = calls
        self._numbers = itertools.count(1)
        self._done = threading.Event()
        self.ended = math.inf

    def hit(self) -> None:
        """One call."""
        if next(self._numbers) == self._calls:
            self.ended = time.time()
            self._done.set()

    def wait(self, seconds: float) -> bool:
        """Whether all came in time."""
        return self._done.wait(seconds)

    def missing(self) -> int:
        """How many calls are missing (negative: came too often). To be asked once, at the end."""
        return self._calls - (next(self._numbers) - 1)
