"""What the engine must remember of a task over a restart, as frozen values.

The engine hands a task's whole new `Memory` out with each event that changes it; whoever keeps it gives it back to
`Dispatcher.schedule` at the next launch. What the edges between tasks remember travels apart, edge by edge
(`Marked`): a task may have thousands of parents. Instants are seconds since 1970, UTC.
"""

from msgspec import Struct, structs

from desktopsched.model import Cause, Outcome, Run, State


class Mark(Struct, frozen=True):
    """The latest outcome of one parent, remembered by an edge until the child uses it (rule 6)."""

    state: State
    run: int  # the parent's run
    met: bool
    told: bool = False  # this round's skip was told because of it


class Marked(Struct, frozen=True):
    """One edge remembers something new."""

    child: str
    parent: str
    mark: Mark
    fresh: bool = False  # a clean round began with it: the child's other edges forgot theirs


class Owed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A span of missed due instants, after `after` and up to `until`, still to be decided or run (rule 7)."""

    after: float
    until: float
    count: int
    decided: bool = False  # True: they run, oldest first, one at a time

    def after_run(self, scheduled_for: float) -> "Owed | None":
        """What is left of the span once the run for one of its instants has begun."""
        if not self.decided or not self.after < scheduled_for <= self.until:
            return self
        if scheduled_for == self.until:
            return None
        return structs.replace(self, after=scheduled_for, count=max(self.count - 1, 1))


class Armed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A start that was decided and has not begun: the edges of a child were met and are used up."""

    scheduled_for: float
    cause: Cause = Cause.DEPENDENCY
    parents: tuple[int, ...] = ()
    repairs: bool = False


class Memory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one task needs after a restart."""

    first_seen: float  # the anchor of `every` and `after` where the file has none
    handled: float  # every due instant up to this one ran, was skipped, or is owed
    timing: int = 0  # fingerprint of what decides when the task is due; another one: it was edited meanwhile
    generation: int = 0  # of the clock, see `Run`
    starts: int = 0  # runs that count for `max_runs`
    armed: tuple[Armed, ...] = ()
    owed: tuple[Owed, ...] = ()  # the earliest first
    live: tuple[Run, ...] = ()  # begun and not ended: found at launch, they were interrupted
    retry_at: dict[int, float] = {}  # by run: when its next attempt is due
    interrupted: Run | None = None  # to be offered again
    outcome: Outcome | None = None  # the last one
    outcome_run: int = 0
    ended: float | None = None  # when
