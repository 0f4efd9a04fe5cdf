"""Reasons, in the words that people read. Plain, short, present."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from desktopsched.model import Outcome, State

STILL_RUNNING = "the run before it is still under way"
PASSED_MEANWHILE = "the run before it was still under way"
LATER_WAITS = "a later start took its place in the queue"
LATER_DUE = "a later start was due as well"
LATEST_INSTEAD = "a later one runs instead"
TOO_MANY = "more than 1,000 are not run"
SKIPPED_BY_YOU = "skipped by you"
TASK_CHANGED = "and the task was changed"
TIME_OVER = "its time was over when the task was first seen"
LAST_DAY_OVER = "its last day is over"
PAUSED = "everything was paused"
DISABLED = "the task was disabled"
STOPPED = "stopped by you"
CANCELLED = "cancelled by you"
INTERRUPTED = "interrupted: the program or the computer stopped while it ran"
UNREADABLE = "interrupted: what its supervisor wrote of its end cannot be read"
ASKS = "asks the shared list"
OUT_OF_REACH = "the shared list was out of reach"
FENCED = "stopped: the shared list was out of reach for so long that another computer may have it"

_MISSED = "missed"
_ENDED = {
    State.SUCCEEDED: "succeeded",
    State.FAILED: "failed",
    State.SKIPPED: "was skipped",
    State.CANCELLED: "was cancelled",
}


def missed(why: str, then: str = "") -> str:
    """Why a missed due instant did not run: "missed: the computer slept from 02:10 to 07:31, skipped by you"."""
    words = f"{_MISSED}: {why}" if why else _MISSED
    return f"{words}, {then}" if then else words


def is_missed(outcome: Outcome) -> bool:
    """Whether a due instant did not run because it was missed, and not because a rule left it out."""
    return outcome.state is State.SKIPPED and outcome.reason.startswith(_MISSED)


def because(parent: str, state: State) -> str:
    """Why a child is skipped: "Database dump failed"."""
    return f"{parent} {_ENDED[state]}"


_WAITS, _GOES_ON, _RAN_ON = "waits: ", "goes on on ", "ran on "


def waits_for_list(why: str) -> str:
    """Why a start waits: "waits: the shared list is out of reach"."""
    return f"{_WAITS}{at_present(why)}"


def at_present(why: str) -> str:
    """Why nothing starts, while that lasts. What has become of it is told later: "missed: the shared list was …"."""
    return "the shared list is out of reach" if why == OUT_OF_REACH else why


def is_of_list(waiting: str) -> bool:
    """Whether this is why a start waits on a shared list."""
    return waiting == ASKS or waiting.startswith((_WAITS, _GOES_ON))


def list_wait(waiting: str) -> str:
    """Why a start waits on a shared list, without "waits: "; empty: it does not, or is just being asked about."""
    return waiting.removeprefix(_WAITS) if waiting.startswith(_WAITS) else ""


def is_elsewhere(waiting: str) -> bool:
    """Whether a task is said to run on another computer."""
    return waiting.startswith(_GOES_ON)


def goes_on_on(owners: Sequence[str]) -> str:
    """Where a task runs that does not run here: "goes on on desk-2"; empty: nowhere."""
    return f"{_GOES_ON}{', '.join(owners)}" if owners else ""


def ran_on(owner: str, outcome: Outcome) -> str:
    """What came of a run on another computer: "ran on desk-2", "ran on desk-2: exit code 1"."""
    return f"{_RAN_ON}{owner}: {outcome.reason}" if outcome.reason else f"{_RAN_ON}{owner}"


def computer_of(reason: str) -> str:
    """The computer that `ran_on` named; empty: it ran here."""
    return reason.removeprefix(_RAN_ON).partition(": ")[0] if reason.startswith(_RAN_ON) else ""


def replaced(instant: float, zone: ZoneInfo) -> str:
    """Why a run was stopped: "replaced by the 10:15 run"."""
    return f"replaced by the {datetime.fromtimestamp(instant, zone):%H:%M} run"


def ran_often_enough(starts: int) -> str:
    """Why a task does not start any more."""
    return f"it ran {starts} times, as often as it may"


def paused_after(name: str, reason: str) -> str:
    """Why a task is disabled now."""
    return f"{name} failed ({reason or 'no reason given'}) and is disabled, as it asks for"
