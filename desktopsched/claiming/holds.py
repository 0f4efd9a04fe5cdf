"""What this computer has of a shared list: the starts that it performs, and the outcomes that the store has not yet.

Any thread may call; each method takes its lock for a moment, and none asks the store. Instants are boot time.
"""

import math
import threading

from msgspec import Struct, structs

from desktopsched.model import Outcome, Run
from desktopsched.sharing.claim import Hold
from desktopsched.sharing.fence import MARGIN, Fence

AGAIN = 2.0
"""Seconds after which an outcome is told again that the store would not hear."""


class Held(Struct):
    """One start that is performed here."""

    run: Run
    hold: Hold
    fence: Fence
    again: bool  # run again if lost: others may begin once the lease cannot be trusted
    next_beat: float
    fenced: bool = False
    lost: bool = False


class Ended(Struct):
    """One that ended here."""

    run: Run
    hold: Hold
    outcome: Outcome
    due: float = -math.inf  # when the store is told


class Holds:
    """By run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[int, Held] = {}
        self._ended: dict[int, Ended] = {}

    def __len__(self) -> int:
        return len(self._held) + len(self._ended)

    def take(self, run: Run, hold: Hold, fence: Fence, *, again: bool) -> None:
        """It is begun here."""
        with self._lock:
            self._held[run.id] = Held(run, hold, fence, again, fence.next_heartbeat)

    def adopt(self, run: Run, hold: Hold, now: float, *, again: bool) -> None:
        """It was begun by an earlier program, and goes on: its lease is trusted for no longer than it takes to ask."""
        with self._lock:
            fence = Fence(hold.lease, now - hold.lease + 2 * MARGIN)
            self._held[run.id] = Held(run, hold, fence, again, now)

    def of(self, run_id: int) -> Held | None:
        """What is had of a run."""
        return self._held.get(run_id)

    def drop(self, run_id: int) -> None:
        """It is not performed here any more, and has no outcome here."""
        with self._lock:
            self._held.pop(run_id, None)

    def end(self, run: Run, hold: Hold, outcome: Outcome) -> None:
        """It ended here: that is to be told."""
        with self._lock:
            held = self._held.pop(run.id, None)
            self._ended[run.id] = Ended(run, hold if held is None else held.hold, outcome)

    # --- what the keeper does ------------------------------------------------------------------------------

    def untrusted(self, now: float) -> list[Held]:
        """Those that others may begin by now; each once."""
        with self._lock:
            found = [
                one
                for one in self._held.values()
                if one.again and not one.fenced and not one.fence.holds(now)
            ]
            for one in found:
                one.fenced = True
            return found

    def give_up(self, held: Held) -> None:
        """The store says that it is another's."""
        held.lost = True
        held.fenced = held.fenced or held.again

    @property
    def next_fence(self) -> float:
        """When the next one cannot be trusted any more."""
        with self._lock:
            times = [one.fence.trusted_until for one in self._held.values() if one.again and not one.fenced]
            return min(times, default=math.inf)

    def next_beat(self) -> tuple[float, Held | None]:
        """Whose heartbeat is due first, and when."""
        with self._lock:
            beating = [one for one in self._held.values() if not (one.fenced or one.lost)]
            first = min(beating, key=lambda one: one.next_beat, default=None)
            return (math.inf if first is None else first.next_beat), first

    def next_end(self) -> tuple[float, Ended | None]:
        """Whose outcome is to be told first, and when."""
        with self._lock:
            first = min(self._ended.values(), key=lambda one: one.due, default=None)
            return (math.inf if first is None else first.due), first

    def kept(self, held: Held, hold: Hold, asked: float) -> None:
        """A heartbeat was confirmed; `asked` is the instant just before it. The store says how long a lease is."""
        held.hold = hold
        held.fence = structs.replace(held.fence.renewed(asked), lease=hold.lease)
        held.next_beat = held.fence.next_heartbeat

    def later(self, ended: Ended, now: float) -> None:
        """The store did not hear."""
        ended.due = now + AGAIN

    def told(self, ended: Ended) -> None:
        """The store has it."""
        with self._lock:
            self._ended.pop(ended.run.id, None)

    def going_on(self) -> list[Held]:
        """Those that go on here and are had, whoever is there to say so."""
        with self._lock:
            return [one for one in self._held.values() if not (one.fenced or one.lost)]

    def ended(self) -> list[Ended]:
        """All that is to be told."""
        with self._lock:
            return list(self._ended.values())
