"""What a store promises, judged by its settings, in words for the person who has to trust it."""

import enum

from msgspec import Struct


class Promise(enum.StrEnum):
    """How far "never twice" holds."""

    STRICT = "strict"  # whatever was confirmed survives a crash and a loss of power
    BEST_EFFORT = "best effort"  # a crash may forget the last moments, and then a start may happen twice
    NONE = "none"  # not to be used: claims can vanish, or cannot be written


class Safety(Struct, frozen=True):
    """The judgement, with its reasons as sentences, the gravest first."""

    promise: Promise
    reasons: tuple[str, ...]
    identity: str  # of the store's content: another one means that the claims of before are gone

    @property
    def words(self) -> str:
        """For people."""
        return " ".join((_PROMISES[self.promise], *self.reasons))


Judgement = tuple[Promise, tuple[str, ...]]
"""A promise and its reasons."""

_PROMISES = {
    Promise.STRICT: "Each start happens at most once on all computers together.",
    Promise.BEST_EFFORT: "Each start happens once, unless the server crashes: then one may happen twice.",
    Promise.NONE: "This server cannot keep starts from happening twice.",
}
