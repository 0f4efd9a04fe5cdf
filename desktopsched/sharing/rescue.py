"""What becomes of a start whose owner is gone, by the person's choice."""

import enum

from desktopsched.sharing.answers import LoseAnswer, Refused, TakeOverAnswer
from desktopsched.sharing.claim import Claim, ClaimState, Wish
from desktopsched.sharing.store import Store


class Policy(enum.StrEnum):
    """What is promised for a task."""

    NEVER_TWICE = "never-twice"  # started at most once; if its computer dies under it, it is lost
    RUN_AGAIN = "run-again"  # if its computer dies under it, another starts it; two may overlap for a moment


def rescue(store: Store, claim: Claim, wish: Wish, policy: Policy) -> TakeOverAnswer | LoseAnswer:
    """Take over, or give up, what was abandoned. Claimed, Lost, Refused (it was not abandoned), or Unknown.

    What was claimed and not started has no process, and can get none: whoever is late with his start is refused by the
    token. So it is taken over under both policies.
    """
    if not claim.abandoned:
        return Refused(claim)
    if claim.state is ClaimState.STARTED and policy is Policy.NEVER_TWICE:
        return store.lose(claim.key, claim.token)
    return store.take_over(wish, claim.token, started=policy is Policy.RUN_AGAIN)
