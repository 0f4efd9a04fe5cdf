"""READY: what is due and waits for a free worker, by priority, then due instant, then insertion (rule 3).

While everything is paused, only what a person started by hand is given out; the rest is held.
"""

import heapq
import itertools

from desktopsched.engine.slot import Live
from desktopsched.model import State

# An enum's attributes are slow to reach in Python 3.11.
_READY = State.READY


class Ready:
    """Not thread-safe: its owner locks. What was taken back meanwhile is not READY, and dropped when it surfaces."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, float, int, Live]] = []
        self._held: list[tuple[int, float, int, Live]] = []
        self._numbers = itertools.count()
        self.paused = False

    def __len__(self) -> int:
        """How many could be taken now, at most."""
        return len(self._heap)

    def put(self, live: Live, priority: int, due: float) -> None:
        """Let it wait."""
        entry = (-priority, due, next(self._numbers), live)
        if self.paused and not live.by_hand:
            self._held.append(entry)
        else:
            heapq.heappush(self._heap, entry)

    def hurry(self, live: Live) -> None:
        """Let it out, if it is held."""
        for entry in [entry for entry in self._held if entry[3] is live]:
            self._held.remove(entry)
            heapq.heappush(self._heap, entry)

    def take(self) -> Live | None:
        """The first in line, or None."""
        while self._heap:
            live = heapq.heappop(self._heap)[3]
            if live.state is _READY:
                return live
        return None

    def pause(self) -> None:
        """Hold everything that was not started by hand."""
        self.paused = True
        entries, self._heap = self._heap, []
        for entry in entries:
            (self._heap if entry[3].by_hand else self._held).append(entry)
        heapq.heapify(self._heap)

    def resume(self) -> None:
        """Give out again what was held."""
        self.paused = False
        self._heap += self._held
        self._held = []
        heapq.heapify(self._heap)
