"""What a store answers. Each kind is a type of its own, and "nobody knows" is one of them: it never starts anything."""

from msgspec import Struct

from desktopsched.sharing.claim import Claim, ClaimState, Hold


class Claimed(Struct, frozen=True):
    """The start is ours to begin. That is no leave to spawn a process: only `Started` is."""

    hold: Hold


class Taken(Struct, frozen=True):
    """Somebody has it, or had it."""

    claim: Claim


class TooEarly(Struct, frozen=True):
    """By the store's time it is not due yet: this computer's clock is ahead."""

    wait: float  # seconds


class Pruned(Struct, frozen=True):
    """It is so old that its row may have been pruned: whether it ran cannot be known any more."""

    floor: float


class Started(Struct, frozen=True):
    """The only answer upon which a process is spawned, once."""

    hold: Hold


class Kept(Struct, frozen=True):
    """The lease was renewed."""

    hold: Hold


class Finished(Struct, frozen=True):
    """The outcome is in the row."""

    hold: Hold


class Released(Struct, frozen=True):
    """It was not started, and anybody may take it over now."""

    hold: Hold


class Lost(Struct, frozen=True):
    """The row says now that nobody knows how it ended."""

    claim: Claim


class Refused(Struct, frozen=True):
    """It is not ours, or not in that state. None: the store does not know of it any more."""

    claim: Claim | None

    @property
    def why(self) -> str:
        """In words."""
        claim = self.claim
        if claim is None:
            return "the shared list does not know of it any more"
        if claim.state is ClaimState.LOST:
            return f"{claim.owner} had given no sign of life for too long (token {claim.token}, lost)"
        return f"{claim.owner} has it (token {claim.token}, {claim.state.value})"


class Unknown(Struct, frozen=True):
    """No answer came, or none that can be trusted: the step may have happened, or not. Ask again; start nothing."""

    reason: str  # in words, without a password


ClaimAnswer = Claimed | Taken | TooEarly | Pruned | Unknown
StartAnswer = Started | Refused | Unknown
HeartbeatAnswer = Kept | Refused | Unknown
FinishAnswer = Finished | Refused | Unknown
ReleaseAnswer = Released | Refused | Unknown
TakeOverAnswer = Claimed | Refused | Unknown
LoseAnswer = Lost | Refused | Unknown
