"""Reasons, in the words that people read. Plain, short, present."""

from datetime import datetime
from zoneinfo import ZoneInfo

from desktopsched.model import State

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
ELSEWHERE = "it runs on another computer"

_ENDED = {
    State.SUCCEEDED: "succeeded",
    State.FAILED: "failed",
    State.SKIPPED: "was skipped",
    State.CANCELLED: "was cancelled",
}


def missed(why: str, then: str = "") -> str:
    """Why a missed due instant did not run: "missed: the computer slept from 02:10 to 07:31, skipped by you"."""
    words = f"missed: {why}" if why else "missed"
    return f"{words}, {then}" if then else words


def because(parent: str, state: State) -> str:
    """Why a child is skipped: "Database dump failed"."""
    return f"{parent} {_ENDED[state]}"


def replaced(instant: float, zone: ZoneInfo) -> str:
    """Why a run was stopped: "replaced by the 10:15 run"."""
    return f"replaced by the {datetime.fromtimestamp(instant, zone):%H:%M} run"


def ran_often_enough(starts: int) -> str:
    """Why a task does not start any more."""
    return f"it ran {starts} times, as often as it may"


def paused_after(name: str, reason: str) -> str:
    """Why a task is disabled now."""
    return f"{name} failed ({reason or 'no reason given'}) and is disabled, as it asks for"
