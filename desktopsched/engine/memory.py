"""What the engine must remember of a task over a restart, as frozen values.

The engine hands a task's whole new `Memory` out with each event that changes it; whoever keeps it gives it back to
`Dispatcher.schedule` at the next launch. What the edges between tasks remember travels apart, edge by edge
(`Marked`): a task may have thousands of parents. Instants are seconds since 1970, UTC.
"""

from msgspec import Struct, structs

from desktopsched.model import Cause, Outcome, Run, State


class Mark(Struct, frozen=True, gc=False):
    """The latest outcome of one parent, remembered by an edge until the child uses it (rule 6)."""

    state: State
    run: int  # the parent's run
    met: bool
    told: bool = False  # this round's skip was told because of it
    repairs: bool = False  # it wrote into a round that was over, or would have
    nominal: str = ""  # the name of the parent's start on all computers that share the list


class Marked(Struct, frozen=True, gc=False):
    """One edge remembers something new."""

    child: str
    parent: str
    mark: Mark
    fresh: bool = False  # a clean round began with it: the child's other edges forgot theirs


class Owed(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A span of missed due instants, after `after` and up to `until`, still to be decided or run (rule 7)."""

    after: float
    until: float
    count: int
    decided: bool = False  # True: they run, oldest first, one at a time
    first: float | None = (
        None  # the first due instant of the span, for people; memories of old do not have it
    )
    why: str = ""  # "the computer slept from 02:10 to 07:31"

    def without(self, instant: float) -> "Owed | None":
        """What is left of the span without its first due instant."""
        if instant >= self.until:
            return None
        return structs.replace(self, after=instant, count=max(self.count - 1, 1))


class Armed(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A start that was decided and has not begun: what it used up is used up."""

    scheduled_for: float
    cause: Cause = Cause.DEPENDENCY
    parents: tuple[int, ...] = ()
    repairs: bool = False
    generation: int = 0  # of the clock when it was decided
    nominal: str = ""  # its name on all computers that share the list

    @classmethod
    def of(cls, run: Run) -> "Armed":
        """The start of a run that has not begun."""
        return cls(
            scheduled_for=run.scheduled_for,
            cause=run.cause,
            parents=run.parents,
            repairs=run.repairs,
            generation=run.generation,
            nominal=run.nominal,
        )


class Memory(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What one task needs after a restart."""

    at: float = 0.0  # when this was so, by the clock of then
    first_seen: float  # the anchor of `every` and `after` where the file has none
    handled: float  # every due instant up to this one ran, was skipped, or is in `armed` or `owed`
    timing: int = 0  # fingerprint of what decides when the task is due; another one: it was edited meanwhile
    generation: int = 0  # of the clock, see `Run`
    starts: int = 0  # runs that count for `max_runs`
    armed: tuple[Armed, ...] = ()
    owed: tuple[Owed, ...] = ()  # the earliest first
    live: tuple[Run, ...] = ()  # begun and not ended: found at launch, they were interrupted
    retry_at: dict[int, float] = {}  # by run: when its next attempt is due
    interrupted: Run | None = None  # to be offered again
    interrupted_at: float | None = None  # the last sign of life before
    outcome: Outcome | None = None  # the last one
    outcome_run: int = 0
    ended: float | None = None  # when
