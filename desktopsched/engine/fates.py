"""What became of the runs that were under way when the program ended, as far as it is known at the next launch.

Found by whoever knows about processes; the engine goes on from there. A run of which nothing is known was interrupted.
"""

from msgspec import Struct

from desktopsched.model import Outcome


class StillRunning(Struct, frozen=True):
    """It goes on: it is performed by being followed instead of started. `started` is when this attempt was."""

    started: float


class Ended(Struct, frozen=True):
    """It ended by itself while the program was away."""

    outcome: Outcome
    at: float


class Lost(Struct, frozen=True):
    """It was cut off, for a reason that says more than "interrupted"."""

    reason: str


Fate = StillRunning | Ended | Lost
