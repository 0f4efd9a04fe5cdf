"""What the answer to a step is, from the row that was found where the step itself changed nothing. Pure.

All stores decide by these: a step is one conditional change, and if it changed nothing this says why. A step that is
repeated because its answer was lost finds its own traces, and is answered as it was the first time.
"""

from msgspec import Struct

from desktopsched.model import Outcome
from desktopsched.sharing.answers import (
    ClaimAnswer,
    Claimed,
    FinishAnswer,
    Finished,
    LoseAnswer,
    Lost,
    Pruned,
    Refused,
    Taken,
    TakeOverAnswer,
    TooEarly,
)
from desktopsched.sharing.claim import Claim, ClaimState, Hold, Wish


class Seen(Struct, frozen=True):
    """What a store had at one moment."""

    claim: Claim | None
    floor: float | None  # of the task: what was due then or before is not claimed any more
    now: float


def of_claim(wish: Wish, seen: Seen) -> ClaimAnswer:
    """Nothing was inserted: there is a row already, or there may be none."""
    claim = seen.claim
    if claim is not None:
        mine = claim.nonce == wish.nonce and claim.state is ClaimState.CLAIMED
        return Claimed(wish.hold(claim.token)) if mine else Taken(claim)
    due = seen.now if wish.due is None else wish.due
    if seen.floor is not None and due <= seen.floor:
        return Pruned(seen.floor)
    return TooEarly(max(due - seen.now, 0.0))


def of_finish(hold: Hold, outcome: Outcome, seen: Seen) -> FinishAnswer:
    """It was not `started` by us: finished like this before, or not ours to finish."""
    claim = seen.claim
    ours = claim is not None and claim.is_held(hold) and claim.state is ClaimState.of(outcome.state)
    return Finished(hold) if ours else Refused(claim)


def of_take_over(wish: Wish, seen: Seen) -> TakeOverAnswer:
    """It was not abandoned: taken over by this very try, or alive, over, or somebody else's by now."""
    claim = seen.claim
    if claim is not None and claim.nonce == wish.nonce and claim.state is ClaimState.CLAIMED:
        return Claimed(wish.hold(claim.token))
    return Refused(claim)


def of_lose(token: int, seen: Seen) -> LoseAnswer:
    """It was not abandoned under this token: given up before, or alive, over, or somebody else's by now."""
    claim = seen.claim
    if claim is not None and claim.token == token and claim.state is ClaimState.LOST:
        return Lost(claim)
    return Refused(claim)
