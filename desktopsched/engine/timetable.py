"""The timetable: a heap of what is due when, in (due instant, −priority, insertion) order.

Never searched: what is cancelled or moved is marked stale at once and dropped when it surfaces; when over half of the
heap is stale it is rebuilt, so that a million edits leak nothing (rule 2). Not thread-safe: its owner locks.
"""

import heapq
import itertools
from collections.abc import Iterable
from typing import Protocol

_FEW = 64  # stale entries that are never worth a rebuild


class Item(Protocol):
    """Something that falls due. Its `ticket` is the number of its one valid entry; 0: it is not in the timetable."""

    ticket: int


Entry = tuple[
    float, int, int, Item
]  # compared in C; the insertion number is unique, so items are never compared


class Timetable:
    """Which item is due when. Instants are seconds since 1970, UTC."""

    def __init__(self) -> None:
        self._heap: list[Entry] = []
        self._numbers = itertools.count(1)
        self._stale = 0

    def __len__(self) -> int:
        return len(self._heap) - self._stale

    @property
    def size(self) -> int:
        """Entries held, stale ones included."""
        return len(self._heap)

    @property
    def top(self) -> float | None:
        """The earliest due instant. Stale entries above it are dropped on the way."""
        heap = self._heap
        while heap and heap[0][3].ticket != heap[0][2]:
            heapq.heappop(heap)
            self._stale -= 1
        return heap[0][0] if heap else None

    def put(self, item: Item, due: float, priority: int) -> None:
        """Enter the item; an earlier entry of it turns stale."""
        heapq.heappush(self._heap, self._entry(item, due, priority))
        self._compact()

    def put_many(self, items: Iterable[tuple[Item, float, int]]) -> None:
        """Enter many at once: one rebuild of the heap instead of a walk for each."""
        heap, new = self._heap, [self._entry(item, due, priority) for item, due, priority in items]
        if len(new) * 8 > len(heap):
            heap += new
            heapq.heapify(heap)
        else:
            for entry in new:
                heapq.heappush(heap, entry)
        self._compact()

    def discard(self, item: Item) -> None:
        """Take the item out, if it is in."""
        if item.ticket:
            item.ticket = 0
            self._stale += 1
            self._compact()

    def take(self, now: float) -> list[Item]:
        """Take out everything due at `now`, in order."""
        heap, due = self._heap, []
        while heap and heap[0][0] <= now:
            _, _, number, item = heapq.heappop(heap)
            if item.ticket == number:
                item.ticket = 0
                due.append(item)
            else:
                self._stale -= 1
        return due

    def _entry(self, item: Item, due: float, priority: int) -> Entry:
        if item.ticket:
            self._stale += 1
        item.ticket = next(self._numbers)
        return due, -priority, item.ticket, item

    def _compact(self) -> None:
        if self._stale > _FEW and self._stale * 2 > len(self._heap):
            self._heap = [entry for entry in self._heap if entry[3].ticket == entry[2]]
            heapq.heapify(self._heap)
            self._stale = 0
