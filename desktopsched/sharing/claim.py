"""A claim: the permanent row that says who performs one due start. Frozen values; instants are the store's, UTC."""

import enum

from msgspec import Struct, structs

from desktopsched.model import Outcome, State
from desktopsched.sharing.key import Key

LEASE = 60.0
"""Seconds that a claim is trusted after its owner's last sign of life."""

REASON_MOST = 500
"""Characters of an outcome's reason that a row keeps."""

OWNER_MOST = 200
"""Characters of a computer's name that a row keeps."""


def _kept(text: str, most: int) -> str:
    """What every store can hold of a text: none takes half a surrogate pair, and PostgreSQL takes no NUL."""
    return text[:most].replace("\0", "\ufffd").encode(errors="replace").decode()


def reason_of(outcome: Outcome) -> str:
    """An outcome's reason, as a row keeps it. A finish must not fail for what somebody's program said."""
    return _kept(outcome.reason, REASON_MOST)


class ClaimState(enum.StrEnum):
    """Where a claimed start is."""

    CLAIMED = "claimed"  # somebody may start it; no process exists
    STARTED = "started"  # its process was about to be spawned, or was
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    LOST = "lost"  # its owner died or was cut off; nobody knows how it ended

    @property
    def open(self) -> bool:
        """Whether something may still change."""
        return self in OPEN

    @classmethod
    def of(cls, state: State) -> "ClaimState":
        """The state of a claim whose run ended so. ValueError where that is no end."""
        if not state.final:
            raise ValueError(f"a run that is {state.value} has not ended")
        return cls(state.value)


OPEN = frozenset({ClaimState.CLAIMED, ClaimState.STARTED})


class Hold(Struct, frozen=True):
    """What an owner shows at each step after its claim. Worth nothing once the row says another token or nonce."""

    key: Key
    token: int  # grows by one each time the start changes hands
    nonce: str
    lease: float  # seconds


class Wish(Struct, frozen=True, kw_only=True):
    """One try to claim. Repeated with the same nonce it is the same try, so a lost answer costs nothing."""

    key: Key
    due: float | None  # None: a start by hand, due when the store hears of it
    owner: str  # what people call this computer
    nonce: str  # random, and never used for another try
    lease: float = LEASE

    def __post_init__(self) -> None:
        structs.force_setattr(self, "owner", _kept(self.owner, OWNER_MOST))
        if self.due is not None:  # stores keep whole microseconds: what comes back must be the same instant
            structs.force_setattr(self, "due", round(self.due, 6))

    def hold(self, token: int) -> Hold:
        """What is had once the wish came true."""
        return Hold(self.key, token, self.nonce, self.lease)


class Claim(Struct, frozen=True, kw_only=True):
    """The row, as it was at `read_at`."""

    key: Key
    due: float
    owner: str
    nonce: str
    token: int
    state: ClaimState
    lease_end: float
    claimed_at: float
    read_at: float
    stamp: str = ""  # of the one start that was confirmed
    started_at: float | None = None
    finished_at: float | None = None
    exit_code: int | None = None
    reason: str = ""

    @property
    def lease_left(self) -> float:
        """Seconds; 0 when it is over."""
        return max(self.lease_end - self.read_at, 0.0)

    @property
    def abandoned(self) -> bool:
        """Whether its owner gave no sign of life for a whole lease, and it is not over."""
        return self.state.open and self.lease_end <= self.read_at

    def is_held(self, hold: Hold) -> bool:
        """Whether this is still the hold's."""
        return self.token == hold.token and self.nonce == hold.nonce

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, for the other computers and for the children; None: it has not. A lost one failed."""
        if self.state.open:
            return None
        if self.state is ClaimState.LOST:
            return Outcome(State.FAILED, f"lost: {self.owner} gave no sign of life any more")
        return Outcome(State(self.state.value), self.reason, self.exit_code)
