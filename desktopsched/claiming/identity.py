"""Who this computer is on a shared list, and what it shows the store for a start. Pure.

A nonce is made of a secret of this home, the start and the token that is to be had: so it is the same after a crash,
and a claim whose answer was lost is found to be one's own without anything that would have to be kept first. A home
that was copied to another computer has the secret too; the stamp of a start is random, so the two never start one.
"""

from hashlib import blake2b

from msgspec import Struct

from desktopsched.model import After, Cause, Run, Task
from desktopsched.sharing.claim import LEASE, Claim, Hold, Wish
from desktopsched.sharing.key import Key


class Identity(Struct, frozen=True, kw_only=True):
    """Of one home. SharingError for an id of a list that no store could hold."""

    list_id: str
    computer: str  # what people call it
    secret: str
    lease: float = LEASE  # seconds

    def key(self, run: Run) -> Key:
        """The start of a run."""
        return Key(self.list_id, run.task_id, run.nominal)

    def nonce(self, key: Key, token: int) -> str:
        """Of the one try to have a start under a token."""
        text = "\n".join((key.list_id, key.task_id, key.nominal, str(token)))
        return blake2b(text.encode(), key=self.secret.encode()[:64], digest_size=16).hexdigest()

    def wish(self, task: Task, run: Run, token: int = 1) -> Wish:
        """To have it under a token; 1: to be the first."""
        key = self.key(run)
        return Wish(
            key=key,
            due=_due(task, run),
            owner=self.computer,
            nonce=self.nonce(key, token),
            lease=self.lease,
        )

    def hold(self, key: Key, token: int) -> Hold:
        """What this computer has, if it has it."""
        return Hold(key, token, self.nonce(key, token), self.lease)

    def owns(self, claim: Claim) -> bool:
        """Whether it is this home's, in this life of the program or an earlier one."""
        return claim.nonce == self.nonce(claim.key, claim.token)


def _due(task: Task, run: Run) -> float | None:
    """Before this instant no store lets it start, whatever a computer's clock says. None: it is due when asked for."""
    if run.cause is Cause.MANUAL or run.nominal.startswith("by hand"):
        return None
    if run.cause is Cause.DEPENDENCY and (task.schedule is None or isinstance(task.schedule, After)):
        return None  # the instant is one of this computer's clock
    return run.scheduled_for
