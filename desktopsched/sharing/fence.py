"""The fence: how long an owner may trust its own lease without asking anybody. Pure; boot time is given.

A renewed lease counts, at the store, from the moment at which the store heard of it. The owner does not know when that
was; only that it was not before he asked. So he trusts it from the moment at which he asked, and a margin less. Boot
time goes on while the computer sleeps, so the first thing to look at after a sleep is this.
"""

from msgspec import Struct, structs

MARGIN = 5.0
"""Seconds by which an owner stops before others may begin: the time to stop a process."""

BEATS = 3
"""Heartbeats in a lease: two may be lost."""


class Fence(Struct, frozen=True):
    """Of one hold. `lease` in seconds; `asked` is the boot time just before the last step that was confirmed."""

    lease: float
    asked: float

    @property
    def trusted_until(self) -> float:
        """Boot time; a lease that is hardly longer than the margin is trusted for half of it."""
        return self.asked + max(self.lease - MARGIN, self.lease / 2)

    @property
    def next_heartbeat(self) -> float:
        """Boot time at which the owner should give a sign of life."""
        return self.asked + self.lease / BEATS

    def holds(self, boottime: float) -> bool:
        """Whether nobody else can have it at this moment."""
        return boottime < self.trusted_until

    def renewed(self, asked: float) -> "Fence":
        """After a step that was confirmed; answers that come out of order take nothing back."""
        return structs.replace(self, asked=max(self.asked, asked))
