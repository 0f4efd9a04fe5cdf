"""A task: what to do, when, and what if. Frozen; an edit is a copy (`msgspec.structs.replace`)."""

from datetime import datetime

from msgspec import Struct

from desktopsched.model.action import Action
from desktopsched.model.policy import CatchUp, Edge, IfLost, Join, OnFailure, Overlap, Retry
from desktopsched.model.schedule import Schedule


class Task(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A definition. The fields stand in the order in which the task file has them."""

    id: str  # stable, unique: 1–64 of a-z 0-9 . _ -
    name: str  # free, 1–200 characters
    group: str = ""
    notes: str = ""
    enabled: bool = True
    action: Action
    schedule: Schedule | None = None  # None: by hand, or by its parents alone
    timezone: str = ""  # an IANA name; empty: the computer's zone, followed when it changes
    waits_for: tuple[Edge, ...] = ()
    join: Join = Join.ALL
    retry: Retry = Retry()
    on_failure: OnFailure = OnFailure.ALERT
    overlap: Overlap = Overlap.SKIP
    catch_up: CatchUp = CatchUp.ASK
    grace: float = 60.0  # seconds by which a start may be late without counting as missed
    priority: int = 0  # −100…100, the higher starts first
    not_before: datetime | None = (
        None  # due instants before it do not exist; naive: wall time in the task's zone
    )
    not_after: datetime | None = None  # nor do those after it
    max_runs: int | None = (
        None  # that many runs by schedule or parents, then no more; manual runs do not count
    )
    random_delay: float = 0.0  # up to this many seconds are added to a due instant (`engine.occurrences`)
    if_lost: IfLost = IfLost.NEVER_TWICE  # where several computers share the list, and one dies under a run
    prefers: str = ""  # the computer that performs it if it is there: the others let it go first
