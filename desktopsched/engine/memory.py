"""What the engine must remember of a task over a restart, as frozen values.

The engine hands a task's whole new `Memory` out with each event that changes it; whoever keeps it gives it back to
`Dispatcher.schedule` at the next launch. Instants are seconds since 1970, UTC.
"""

from msgspec import Struct

from desktopsched.model import Cause, Outcome, Run, State


class Mark(Struct, frozen=True, omit_defaults=True):
    """The latest outcome of one parent, remembered by an edge until the child uses it (rule 6)."""

    state: State
    run: int  # the parent's run
    met: bool


class Owed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Missed due instants, after `after` and up to `until`, that are still to be decided or run (rule 7)."""

    after: float
    until: float
    count: int
    decided: bool = False  # True: they run, oldest first, one at a time


class Armed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A start that was decided and has not happened yet: a child whose edges are used up."""

    scheduled_for: float
    cause: Cause
    parents: tuple[int, ...] = ()
    repairs: bool = False


class Memory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the engine must remember of a task over a restart."""

    first_seen: float  # the anchor of `every` and `after` where the file has none
    handled: float  # every due instant up to this one ran, was skipped, or is owed
    generation: int = 0  # of the clock, see Run
    starts: int = 0  # runs by schedule or parents so far, for `max_runs`
    marks: dict[str, Mark] = {}  # by parent
    told: bool = False  # this round's skip was recorded
    armed: tuple[Armed, ...] = ()
    owed: Owed | None = None
    live: tuple[Run, ...] = ()  # started and not ended; found at launch they were interrupted
    retry_at: dict[int, float] = {}  # by run: when its next attempt is due
    interrupted: Run | None = None  # to be offered again
    outcome: Outcome | None = None  # the last one
    outcome_run: int = 0
    ended: float | None = None  # when
