"""What the engine tells its listener: small frozen objects, in order, delivered outside its lock.

Instants are seconds since 1970, UTC. What the engine decides in one hold of its lock is one change. If it must survive
a restart, the events of that change end with `Remembered`: whoever keeps them stores them together, or none of them.

Values refer to no one who refers to them, so the collector of cycles need not look at them (`gc=False`): a listener may
keep hundreds of thousands.
"""

from msgspec import Struct

from desktopsched.engine.absence import Absence
from desktopsched.engine.memory import Marked, Memory
from desktopsched.model import CatchUp, Outcome, Run, State, Task


class Away(Struct, frozen=True, gc=False):
    """A run that another computer performs, where several share the list."""

    run: Run  # as this computer counts it
    owner: str  # what people call that computer
    token: int  # of its claim


class TaskStatus(Struct, frozen=True, kw_only=True, gc=False):
    """A task as people see it: its state and, beside it, its last outcome."""

    state: State
    due: float | None = None  # when the next start or attempt is due, random delay included
    running: tuple[Run, ...] = ()
    elsewhere: tuple[Away, ...] = ()  # RUNNING too, but nobody here can stop it
    waiting: str = (
        ""  # why it does not run, in plain words: "waits for Database dump", "waits for a free worker"
    )
    outcome: Outcome | None = None
    outcome_run: int = 0
    ended: float | None = None
    missed: int = 0  # due instants that wait for the user's answer
    missed_first: float | None = None  # the first of them
    missed_last: float | None = None
    interrupted: Run | None = None  # a run that the end of the program cut off, and that is offered again
    interrupted_at: float | None = None  # the program's last sign of life before it
    enabled: bool = True


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened, at an instant."""

    at: float


class TaskAdded(Event, frozen=True, kw_only=True, gc=False):
    """A task is on the list now. `fresh`: for the first time, as far as is remembered."""

    task: Task
    status: TaskStatus
    fresh: bool = False
    retimed: bool = False  # it is due at other times than when it was on the list last


class TaskEdited(Event, frozen=True, kw_only=True, gc=False):
    """Its definition was replaced. Its edges remember `marks`, and nothing else."""

    task: Task
    status: TaskStatus
    retimed: bool = False  # it is due at other times
    switched: bool = False  # on or off
    marks: tuple[Marked, ...] = ()


class TaskRemoved(Event, frozen=True, kw_only=True, gc=False):
    """It is not on the list any more."""

    task_id: str


class TaskChanged(Event, frozen=True, kw_only=True, gc=False):
    """It shows another state, due instant or reason now."""

    task_id: str
    status: TaskStatus
    edges_used: bool = False  # the marks of its edges are used up, all of them


class RunStarted(Event, frozen=True, kw_only=True, gc=False):
    """An attempt of a run begins: `run.attempt` says which."""

    run: Run
    status: TaskStatus


class RunGoesOn(RunStarted, frozen=True, kw_only=True, gc=False):
    """An attempt that began under an earlier program is still under way: it is followed. `at` is when it began."""


class RunOutput(Event, frozen=True, kw_only=True, gc=False):
    """A piece of a run's output, decoded for showing."""

    run: Run
    text: str


class RunRetrying(Event, frozen=True, kw_only=True, gc=False):
    """An attempt failed and another one follows at `retry_at`; the run goes on."""

    run: Run
    outcome: Outcome
    retry_at: float
    status: TaskStatus


class RunFinished(Event, frozen=True, kw_only=True, gc=False):
    """A run has its final outcome, and the edges to its children remember it."""

    run: Run
    outcome: Outcome
    status: TaskStatus
    marks: tuple[Marked, ...] = ()


class RunSkipped(Event, frozen=True, kw_only=True, gc=False):
    """`run.count` due instants passed without a run, for a reason; the last of them was `run.scheduled_for`."""

    run: Run
    outcome: Outcome
    status: TaskStatus
    marks: tuple[Marked, ...] = ()


class RunsMissed(Event, frozen=True, kw_only=True, gc=False):
    """Due instants passed while nothing could start them. `policy` says what happens to them; ASK: the user decides."""

    task_id: str
    first: float
    last: float
    count: int
    policy: CatchUp
    status: TaskStatus
    absence: Absence | None = None  # why, where that is known


class RunElsewhere(Event, frozen=True, kw_only=True, gc=False):
    """Another computer performs this start; it ends with a RunFinished or RunSkipped, as if it were performed here."""

    run: Run
    owner: str
    token: int
    status: TaskStatus


class ClaimsWithheld(Event, frozen=True, kw_only=True, gc=False):
    """Nothing can be claimed on the shared list, and so nothing starts here until `ClaimsGoOn`."""

    reason: str


class ClaimsGoOn(Event, frozen=True, kw_only=True, gc=False):
    """Starts are claimed again."""


class TaskDisabled(Event, frozen=True, kw_only=True, gc=False):
    """The task disabled itself after a failure (`on_failure: pause`); its definition is to be saved so.

    Its edges remember nothing more.
    """

    task: Task
    reason: str


class Paused(Event, frozen=True, kw_only=True, gc=False):
    """Nothing starts until it is resumed."""


class Resumed(Event, frozen=True, kw_only=True, gc=False):
    """Tasks start again."""


class Absent(Event, frozen=True, kw_only=True, gc=False):
    """For a while nothing could start."""

    absence: Absence


class ClockChanged(Event, frozen=True, kw_only=True, gc=False):
    """The wall clock was set, by `step` seconds."""

    step: float


class ClockDoubted(Event, frozen=True, kw_only=True, gc=False):
    """The clock is long before `alive`, when the program lived: nothing that repeats starts until it is past that."""

    alive: float


class ClockTrusted(Event, frozen=True, kw_only=True, gc=False):
    """The clock is believed again: it was set, or somebody said that it is right."""


class ZoneChanged(Event, frozen=True, kw_only=True, gc=False):
    """The computer's time zone is another one now."""

    zone: str


class Remembered(Event, frozen=True, kw_only=True, gc=False):
    """What tasks must remember over a restart, whole: the last event of a change that lasts."""

    memories: tuple[tuple[str, Memory], ...]
