"""What other computers perform, and the engine wants to hear the end of. Any thread; it does not ask the store.

Nothing is looked at while nothing is open; else all of it in one read, and the ends of what is open no more.
"""

import math
import threading
from collections.abc import Sequence

from msgspec import Struct

from desktopsched.model import Run
from desktopsched.sharing.claim import Claim
from desktopsched.sharing.key import Key

EVERY = 3.0
"""Seconds between two looks."""

MOST = 20
"""Ends that are read in one look at most; the others in the next ones."""


class Open(Struct, frozen=True):
    """One run that goes on elsewhere."""

    run: Run
    key: Key
    owner: str
    token: int


class Away:
    """By run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[int, Open] = {}
        self._look_at = math.inf  # boot time

    def watch(self, one: Open, now: float) -> None:
        """Its end is wanted."""
        with self._lock:
            self._look_at = min(self._look_at, now + EVERY)
            self._open[one.run.id] = one

    def forget(self, run_id: int) -> None:
        """It is not."""
        with self._lock:
            self._open.pop(run_id, None)
            if not self._open:
                self._look_at = math.inf

    @property
    def next_look(self) -> float:
        """Boot time."""
        return self._look_at

    def looked(self, now: float) -> None:
        """The store was asked."""
        with self._lock:
            self._look_at = now + EVERY if self._open else math.inf

    def compare(
        self, found: Sequence[Claim], *, patient: bool
    ) -> tuple[list[tuple[Open, Claim]], list[Open]]:
        """What has changed of what is open, and what is not open any more. `patient`: not what seems abandoned."""
        claims = {claim.key: claim for claim in found}
        with self._lock:
            watched = list(self._open.values())
        changed = [
            (one, claim)
            for one in watched
            if (claim := claims.get(one.key)) is not None
            and ((claim.abandoned and not patient) or (claim.owner, claim.token) != (one.owner, one.token))
        ]
        return changed, [one for one in watched if one.key not in claims]
