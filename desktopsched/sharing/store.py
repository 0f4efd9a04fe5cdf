"""The protocol that all stores speak, step by step: claim → start → heartbeat … → finish.

Each step is one atomic change under a condition, in the store's own time, and may be repeated: an answer that was lost
on the way is given again. Whatever is waited for has its time-out, so a server that falls silent gives `Unknown`
within `ANSWER_WITHIN` seconds.
"""

from typing import Protocol

from desktopsched.model import Outcome
from desktopsched.sharing.answers import (
    ClaimAnswer,
    FinishAnswer,
    HeartbeatAnswer,
    LoseAnswer,
    ReleaseAnswer,
    StartAnswer,
    TakeOverAnswer,
    Unknown,
)
from desktopsched.sharing.claim import Claim, Hold, Wish
from desktopsched.sharing.key import Key
from desktopsched.sharing.safety import Safety

CONNECT_WITHIN = 4.0
"""Seconds for a connection to be made."""

REPLY_WITHIN = 4.0
"""Seconds for a reply on a connection that is there."""

ANSWER_WITHIN = 10.0
"""Seconds after which a silent server has given an answer, if only `Unknown`: more than both of the above."""

KEEP = 7 * 86_400.0
"""Seconds that the row of a finished start is kept at least after it was due."""

SETTLE = 3_600.0
"""Seconds for which what is to be pruned is refused before its row goes: longer than any step may be under way."""


class Store(Protocol):
    """Where claims are kept. Every method may be called from any thread; none raises because a server is away."""

    def claim(self, wish: Wish) -> ClaimAnswer:
        """Insert the row, unless there is one, it is not due by the store's time, or it may have been pruned."""

    def start(self, hold: Hold, stamp: str) -> StartAnswer:
        """`claimed` → `started`, and a new lease. `stamp`: random, of the one process that is to be spawned.

        Repeated with the same stamp it is confirmed again, and the lease begins anew: from then on it is trusted.
        """

    def heartbeat(self, hold: Hold, *, lasts: float | None = None) -> HeartbeatAnswer:
        """Renew the lease of what is `claimed` or `started`. The hold that is answered says how long it is.

        `lasts`: for so many seconds, this once, though nobody is there meanwhile: the owner leaves, the run goes on.
        """

    def finish(self, hold: Hold, outcome: Outcome) -> FinishAnswer:
        """`started` → how it ended."""

    def release(self, hold: Hold) -> ReleaseAnswer:
        """End the lease of what is `claimed`, so that another may take it over at once."""

    def take_over(self, wish: Wish, token: int, *, started: bool) -> TakeOverAnswer:
        """Make what was abandoned under `token` ours, under the next one. `started`: also if it had been started."""

    def lose(self, key: Key, token: int) -> LoseAnswer:
        """What was abandoned under `token` → `lost`."""

    def read(self, key: Key) -> Claim | Unknown | None:
        """The row; None: there is none."""

    def unfinished(self, list_id: str) -> tuple[Claim, ...] | Unknown:
        """All that is `claimed` or `started`, by key."""

    def prune(self, list_id: str, *, keep: float = KEEP, settle: float = SETTLE) -> int | Unknown:
        """Delete rows that are over and were due more than `keep` seconds ago; how many.

        First their tasks' floors are raised, so that what is deleted cannot be claimed again; where others may be in
        the middle of a step the rows go with the first call that comes at least `settle` seconds after that.
        ValueError if `keep` is less than KEEP.
        """

    def now(self) -> float | Unknown:
        """The store's time, in seconds since 1970, UTC."""

    def check(self) -> Safety | Unknown:
        """Read the server's settings, and say what they promise."""

    def close(self) -> None:
        """Give the connections back. Nobody asks any more."""
