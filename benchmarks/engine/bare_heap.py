"""The least: a heap, one thread that waits on a lock, and eight that take what is due in chunks.

No task, no state, no event, no record, no rule. Python cannot do it much faster, so it is the limit that the product
is held against.
"""

import ctypes
import heapq
import itertools
import math
import queue
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.engine.scheduler import WORKERS, Args, Call, Scheduler

_CHUNK = 64
_SET_TIMER_SLACK, _SLACK = 29, 1_000  # prctl(2); nanoseconds

Entry = list[Any]  # when, number, call or None once it is cancelled, arguments


class BareHeap(Scheduler):
    """The limit."""

    per_second = 500_000

    def start(self) -> None:
        self._heap: list[Entry] = []
        self._numbers = itertools.count()
        self._lock, self._wake = threading.Lock(), threading.Lock()
        self._wake.acquire()
        self._next, self._dead, self._running = math.inf, 0, True
        self._chunks: queue.SimpleQueue[list[Entry]] = queue.SimpleQueue()
        for _ in range(WORKERS):
            threading.Thread(target=self._work, daemon=True).start()
        self._loop = threading.Thread(target=self._wait, daemon=True)
        self._loop.start()

    def stop(self) -> None:
        self._running = False
        self._poke()

    def _work(self) -> None:
        get = self._chunks.get
        while True:
            for entry in get():
                call = entry[2]
                if call is not None:
                    call(*entry[3])

    def _wait(self) -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_SET_TIMER_SLACK, ctypes.c_ulong(_SLACK), 0, 0, 0)
        while self._running:
            with self._lock:
                self._hand_over(time.time())
                self._next = self._heap[0][0] if self._heap else math.inf
            rest = self._next - time.time()
            if rest > 0:
                self._wake.acquire(timeout=min(rest, 86_400.0))

    def _hand_over(self, now: float) -> None:
        heap, due = self._heap, []
        while heap and heap[0][0] <= now:
            due.append(heapq.heappop(heap))
        size = max(1, min(_CHUNK, len(due) // (2 * WORKERS)))
        for first in range(0, len(due), size):
            self._chunks.put(due[first : first + size])
        while heap and heap[0][2] is None:
            heapq.heappop(heap)
            self._dead -= 1

    def _poke(self) -> None:
        if self._wake.locked():
            self._wake.release()

    def call_at(self, when: float, call: Call, *args: Any) -> Entry:
        entry: Entry = [when, next(self._numbers), call, args]
        with self._lock:
            heapq.heappush(self._heap, entry)
            early = when < self._next
            if early:
                self._next = when
        if early:
            self._poke()
        return entry

    def insert_all(self, whens: Sequence[float], call: Call, arguments: Iterable[Args]) -> list[Entry]:
        numbers = self._numbers
        new: list[Entry] = [
            [when, next(numbers), call, args] for when, args in zip(whens, arguments, strict=False)
        ]
        with self._lock:
            self._heap += new
            heapq.heapify(self._heap)
            self._next = self._heap[0][0]
        self._poke()
        return new

    def cancel(self, handle: Any) -> None:
        if handle[2] is not None:
            handle[2], handle[3] = None, ()
            self._dead += 1
            if self._dead > 64 and self._dead * 2 > len(self._heap):
                with self._lock:
                    self._heap[:] = [entry for entry in self._heap if entry[2] is not None]
                    heapq.heapify(self._heap)
                    self._dead = 0

    def every(self, interval: float, call: Call) -> float:
        start = time.time()

        def tick(number: int) -> None:
            self.call_at(start + (number + 1) * interval, tick, number + 1)
            call()

        self.call_at(start + interval, tick, 1)
        return start

    @property
    def thread(self) -> int | None:
        return self._loop.native_id
