"""A run: one start of a task for one due instant, and what came of it."""

import enum
from collections.abc import Callable

from msgspec import Struct, field

from desktopsched.model.action import Command


class State(enum.StrEnum):
    """The state of a task, and of a run."""

    PENDING = "pending"  # waits for its time, for its parents, or for its next attempt
    READY = "ready"  # is due and waits for a free worker
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"  # did not run, for a reason that is said
    CANCELLED = "cancelled"  # stopped by the person, or replaced by a newer run

    @property
    def final(self) -> bool:
        """Whether this state is an outcome."""
        return self not in _OPEN


_OPEN = frozenset({State.PENDING, State.READY, State.RUNNING})


class Cause(enum.StrEnum):
    """Why a run exists."""

    SCHEDULE = "schedule"
    DEPENDENCY = "dependency"
    MANUAL = "manual"
    CATCH_UP = "catch-up"
    QUEUED = "queued"  # came while the task was running, and waited for it


class Outcome(Struct, frozen=True, omit_defaults=True, gc=False):
    """How a run, or one attempt of it, ended."""

    state: State  # a final one
    reason: str = ""  # in plain words, for people: "exit code 1", "timed out after 30 min"
    exit_code: int | None = None


class StopRequest:
    """Asks a run to end. Given to the run when it is made, so a stop that comes before the process does is not lost.

    `request` is called from any thread; a callback runs in the thread that requests, or at once, in the
    caller's own, when the request came first. In a race of the two a callback may run twice: it must bear that.
    """

    __slots__ = ("_callbacks", "reason")

    def __init__(self) -> None:
        self.reason: str | None = None  # set once a stop was asked for: "stopped by you"
        self._callbacks: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether a stop was asked for."""
        return self.reason is not None

    def request(self, reason: str) -> None:
        """Ask the run to end, saying why. The first reason stands."""
        if self.reason is None:
            self.reason = reason
        for callback in tuple(self._callbacks):
            callback()

    def on_request(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` when a stop is asked for; at once, if it was already. Returns how to take it back."""
        self._callbacks.append(callback)
        if self.requested:
            callback()
        return lambda: self._callbacks.remove(callback)


class LeftRunning(Exception):  # noqa: N818 - nothing went wrong
    """Raised by who performs a run, instead of an outcome: the program ends, and the run goes on without it."""


class Run(Struct, frozen=True, kw_only=True):
    """One start of `task_id` for the due instant `scheduled_for`. Instants are seconds since 1970, UTC."""

    id: int  # grows by one with each run of this home: "run 412"
    task_id: str
    scheduled_for: (
        float  # what the schedule says; for a start by hand or by parents, the instant it was decided
    )
    cause: Cause
    attempt: int = 1
    parents: tuple[int, ...] = ()  # the runs whose outcomes let this one start
    generation: int = 0  # of the clock: keeps starts distinct after the clock was set back
    repairs: bool = (
        False  # writes into a round that is over (rule 6): a run by hand, and what follows from it
    )
    instead: Command | None = None  # what a person had it do in place of the task's action, this once
    count: int = 1  # of a SKIPPED record: how many due instants it stands for
    first: float | None = (
        None  # of a SKIPPED record that stands for several: the first; `scheduled_for` is the last
    )
    nominal: str = ""  # the name of this start on all computers that share the list; empty: nobody shares it
    token: int = 0  # of the claim under which it was begun; 0: none was needed, or none is had
    owner: str = ""  # the other computer that performed it; empty: this one
    stop: StopRequest = field(default_factory=StopRequest)
