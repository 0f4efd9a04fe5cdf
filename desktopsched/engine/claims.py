"""Claims: the right to perform one start when several computers share a list. Sharing is a room of its own.

What the engine knows of it: whom it asks, the three kinds of answers, and that "nobody knows" starts nothing.
"""

import enum
from typing import Protocol

from msgspec import Struct

from desktopsched.model import Outcome, Run, Task


class Mine(Struct, frozen=True):
    """This computer may perform it, now and once: that is confirmed."""

    token: int  # of the claim; grows each time that the start changes hands


class Elsewhere(Struct, frozen=True):
    """Another computer performs it, or did."""

    owner: str  # what people call that computer; empty: which one, and whether it did, is not known any more
    token: int = 0
    outcome: Outcome | None = None  # None: it goes on there
    ago: float = 0.0  # seconds since it ended


class Over(enum.Enum):
    """What a start is that waited in vain, for as long as the task's grace lasts."""

    MISSED = enum.auto()  # nobody could be asked: the task's `catch_up` says what follows
    OVERLAPPED = (
        enum.auto()
    )  # the run before it is still under way, on another computer; that is soon certain
    NEVER = enum.auto()  # it goes on waiting


class Wait(Struct, frozen=True):
    """Not now: nothing may start. To be asked again."""

    why: str  # in words: "the shared list is out of reach"
    seconds: float  # until it is asked again, at the latest
    over: Over = Over.MISSED


Answer = Mine | Elsewhere | Wait


class Claims(Protocol):
    """Asked on a pool thread, just before a run is performed, and before each further attempt of it."""

    shared: bool  # whether there is anybody to ask

    def claim(self, task: Task, run: Run) -> Answer:
        """Whether this program may perform the start `(task.id, run.nominal)`. When in doubt: Wait."""


class Unshared:
    """One computer has the list to itself: it may perform every start, and nobody is asked."""

    shared = False

    def claim(self, task: Task, run: Run) -> Answer:  # noqa: ARG002 - the protocol names them
        """Yes."""
        return Mine(0)
