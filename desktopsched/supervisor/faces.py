"""What the parts of this room expect of each other. For type checkers: a supervisor never loads it."""

from collections.abc import Iterable, Sequence
from typing import Protocol


class Watch(Protocol):
    """The one place where a run waits: for output, for ends, for wishes."""

    output_ended: bool
    child_ended: bool
    ends: int  # grows with each watched process that ends

    def wait(self, seconds: float | None) -> None:
        """Wait until something happened, at most so long. It may return early, and for no reason."""

    def read(self) -> bytes:
        """What is in the pipe now, at most a chunk; nothing, if nothing is."""

    def attend(self, pidfds: Iterable[int]) -> None:
        """Count the ends of these processes too."""


class Member(Protocol):
    """One process of a run, held so that no other is ever taken for it."""

    pid: int
    pidfd: int | None
    asked: bool  # to end

    def send(self, number: int) -> None:
        """Signal it, if it is still there and ours to signal."""

    def parent(self) -> int:
        """The pid of its parent now; 0 if it is gone."""


class Tree(Protocol):
    """The processes that came from one child."""

    @property
    def group(self) -> int | None:
        """The id of the first process's group, while it can be nobody else's."""

    def living(self) -> Sequence[Member]:
        """Those that live now."""


class Stop(Protocol):
    """Whether somebody wants the run to end, and why."""

    @property
    def requested(self) -> bool:
        """Whether a stop was asked for."""

    @property
    def reason(self) -> str | None:
        """Why; None: it was not."""


class LogSink(Protocol):
    """A run's log; bounding its size is its own affair."""

    def write(self, data: bytes, /) -> object:
        """Append the bytes. May raise: the log is cut there."""

    def close(self) -> None:
        """Nothing more comes."""
