"""How far the computer's clock is from the store's. Pure: readings are given."""

from collections.abc import Callable

from msgspec import Struct

from desktopsched.sharing.answers import Unknown

NOTABLE = 2.0
"""Seconds: a person is told of a larger difference; smaller ones change nothing that can be seen."""


class Offset(Struct, frozen=True):
    """The store's time less the computer's, in seconds. The truth is within `uncertainty` of it."""

    seconds: float
    uncertainty: float

    @property
    def words(self) -> str:
        """For people; empty where there is nothing to tell."""
        if abs(self.seconds) - self.uncertainty < NOTABLE:
            return ""
        way = "behind" if self.seconds > 0 else "ahead of"
        return (
            f"The clock of this computer is {abs(self.seconds):.0f} s {way} the clock of the shared list. Starts follow"
            " the shared list's; set this computer's clock."
        )


def measure(ask: Callable[[], float | Unknown], clock: Callable[[], float]) -> Offset | Unknown:
    """Ask the store for its time, between two looks at the clock; the answer was made somewhere between them."""
    before = clock()
    answer = ask()
    after = clock()
    if isinstance(answer, Unknown):
        return answer
    return Offset(answer - (before + after) / 2, (after - before) / 2)
