"""Whether the store answers, and when it is asked again if it does not. Pure; boot time is given. Not thread-safe."""

import math

FIRST_PAUSE = 0.1
"""Seconds: a connection that broke is mostly there again at once."""

LONGEST_PAUSE = 15.0
"""Seconds: a server that comes back is found soon, and one that is down is not hammered."""

DOUBTED = 2
"""Times in a row that it was there and then took nothing: its disk is full, or its memory."""

HELD_UP = 20.0
"""Seconds of silence that end no lease: when it begins, at least two thirds are left of each."""

ALL_BACK = LONGEST_PAUSE + 10.0
"""Seconds after a longer one within which everybody else has found the store again, also with a question that hung.

Until then what gives no sign of life may belong to somebody who could not give one, and is left alone.
"""


class Reach:
    """Its owner locks."""

    def __init__(self) -> None:
        self.reason = ""  # why it does not answer; empty: it does
        self.since: float | None = None  # since when no step had its answer, by the wall clock
        self.probe_at = 0.0  # boot time
        self.pause = FIRST_PAUSE
        self._silent_from = self._all_back = -math.inf  # boot time
        self._proven = True  # it took something since it was found
        self._in_vain = 0  # times in a row that it did not

    @property
    def doubtful(self) -> bool:
        """Whether it answered questions of late, and took nothing."""
        return self._in_vain >= DOUBTED

    def lost(self, reason: str, boottime: float, now: float) -> None:
        """A step had no answer. `now`: by the wall clock, for people."""
        if not self.reason:
            self._in_vain += not self._proven
            self.pause = max(self.pause, LONGEST_PAUSE if self.doubtful else FIRST_PAUSE)
            self.probe_at = boottime + self.pause
        if self.since is None:
            self.since, self._silent_from = now, boottime
        self.reason = reason

    def silent(self, boottime: float) -> None:
        """It was asked whether it is there, and said nothing."""
        self.pause = min(self.pause * 2, LONGEST_PAUSE)
        self.probe_at = boottime + self.pause

    def found(self, boottime: float) -> None:
        """It is there again. The next pause is a longer one all the same, until a step has its answer."""
        if boottime - self._silent_from > HELD_UP:
            self._all_back = boottime + ALL_BACK
        self.reason, self._proven = "", False
        self.pause = min(self.pause * 2, LONGEST_PAUSE)

    def answered(self, *, took: bool) -> None:
        """A step had its answer. `took`: it is one that changes something there."""
        if took:
            self._proven, self._in_vain = True, 0
        if not self.doubtful:
            self.pause = FIRST_PAUSE
            self.since = None

    def may_others_be_cut_off(self, boottime: float) -> bool:
        """Whether others may have been kept from giving a sign of life, and be on their way back."""
        return bool(self.reason) or boottime < self._all_back
