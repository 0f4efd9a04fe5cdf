"""Pacing: after the computer woke up, missed runs wait until the network is back, and then start one after the other.

What is on time, and what a person starts, is not held. Owned by one agenda; told the instant.
"""

from desktopsched.engine.slot import Slot
from desktopsched.engine.timetable import Timetable

APART = 0.5
"""Seconds from one start to the next: a laptop that has just woken up is not given everything at once."""


class Pacing:
    """In the timetable (by `ticket`) while starts are held."""

    def __init__(self, timetable: Timetable) -> None:
        self.delay = 0.0  # seconds
        self.ticket = 0
        self._timetable = timetable
        self._held: list[Slot] = []
        self._until = 0.0

    def woke(self, now: float) -> None:
        """The computer woke up at this instant."""
        if self.delay > 0:
            self._until = now + self.delay
            if self.ticket:  # it woke up before as well, and slept again before it had settled
                self._timetable.put(self, self._until, 0)

    def shift(self, step: float) -> None:
        """The clock was set: the delay is a span of time."""
        self._until += step
        if self.ticket:
            self._timetable.put(self, self._until, 0)

    def holds(self, slot: Slot, now: float) -> bool:
        """Whether a missed run of a task has to wait; then it is told by `release` when it need not any more."""
        if now >= self._until and not self._held:
            return False
        if slot not in self._held:
            self._held.append(slot)
            if not self.ticket:
                self._timetable.put(self, self._until, 0)
        return True

    def release(self, now: float) -> Slot | None:
        """The time has come for one of them: that of the highest priority. The next one follows a little later."""
        held = [slot for slot in self._held if not slot.removed]
        first = max(held, key=lambda slot: slot.task.priority, default=None)
        self._held = [slot for slot in held if slot is not first]
        if self._held:
            self._timetable.put(self, now + APART, 0)
        return first
