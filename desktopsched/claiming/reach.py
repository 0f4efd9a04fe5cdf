"""Whether the store answers, and when it is asked again if it does not. Pure; boot time is given. Not thread-safe."""

FIRST_PAUSE = 0.1
"""Seconds: a connection that broke is mostly there again at once."""

LONGEST_PAUSE = 15.0
"""Seconds: a server that comes back is found soon, and one that is down is not hammered."""


class Reach:
    """Its owner locks."""

    def __init__(self) -> None:
        self.reason = ""  # why it does not answer; empty: it does
        self.since: float | None = None  # since when no step had its answer, by the wall clock
        self.probe_at = 0.0  # boot time
        self.pause = FIRST_PAUSE

    def lost(self, reason: str, boottime: float, now: float) -> None:
        """A step had no answer. `now`: by the wall clock, for people."""
        if not self.reason:
            self.probe_at = boottime + self.pause
        if self.since is None:
            self.since = now
        self.reason = reason

    def silent(self, boottime: float) -> None:
        """It was asked whether it is there, and said nothing."""
        self.pause = min(self.pause * 2, LONGEST_PAUSE)
        self.probe_at = boottime + self.pause

    def found(self) -> None:
        """It is there again. The next pause is a longer one all the same, until a step has its answer."""
        self.reason = ""
        self.pause = min(self.pause * 2, LONGEST_PAUSE)

    def answered(self) -> None:
        """A step had its answer."""
        self.pause = FIRST_PAUSE
        self.since = None
