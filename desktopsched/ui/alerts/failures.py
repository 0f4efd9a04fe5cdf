"""Failures: which of them are told, and how often. Pure, no Qt; told the instant.

A task may fail each second for months. It has one notice, which counts; while it stays quiet nothing comes up, and what
is remembered is one small value for each task that fails now.
"""

from zoneinfo import ZoneInfo

from msgspec import Struct, structs

from desktopsched import phrases
from desktopsched.engine import words
from desktopsched.model import OnFailure, Outcome, Run, State, Task

QUIET = 600.0
"""Seconds in which a task that fails again and again brings up no other notice; it only counts."""

_NAME_MOST = 90  # characters: what happened to it must be seen too


class Failing(Struct, frozen=True, kw_only=True):
    """A task whose last run failed. Instants are seconds since 1970, UTC."""

    task: Task
    run: Run
    reason: str
    at: float
    since: float  # the first failure in a row
    count: int = 1
    told: float | None = None  # when a notice of it came up

    @property
    def paused(self) -> bool:
        """Whether the task has disabled itself because of it."""
        return self.task.on_failure is OnFailure.PAUSE


class Failures:
    """The tasks that fail now."""

    def __init__(self) -> None:
        self._failing: dict[str, Failing] = {}

    def ended(self, task: Task, run: Run, outcome: Outcome, now: float) -> Failing | None:
        """A run has its outcome; what is to be told of it, if anything."""
        if outcome.state is not State.FAILED:
            if outcome.state is State.SUCCEEDED:
                self._failing.pop(task.id, None)
            return None
        if task.on_failure is OnFailure.IGNORE or outcome.reason == words.INTERRUPTED:
            return None  # the window for missed runs offers what was interrupted
        before = self._failing.get(task.id)
        found = Failing(task=task, run=run, reason=outcome.reason, at=now, since=now)
        if before is not None:
            found = structs.replace(found, since=before.since, count=before.count + 1, told=before.told)
        self._failing[task.id] = found
        return found

    def may_tell(self, failing: Failing) -> bool:
        """Whether a new notice may come up; with it, the quiet begins."""
        if failing.told is not None and failing.at - failing.told < QUIET:
            return False
        self._failing[failing.task.id] = structs.replace(failing, told=failing.at)
        return True

    def now(self, task_id: str) -> Failing | None:
        """How it stands with a task."""
        return self._failing.get(task_id)

    def forget(self, task_id: str) -> None:
        """The task is not on the list any more."""
        self._failing.pop(task_id, None)


def headline(failing: Failing, zone: ZoneInfo) -> str:
    """What happened."""
    name = failing.task.name
    if len(name) > _NAME_MOST:
        name = f"{name[: _NAME_MOST - 1]}…"
    if failing.count == 1:
        return f"{name} failed"
    return f"{name} failed {failing.count:,} times since {phrases.clock(failing.since, failing.at, zone)}"


def details(failing: Failing) -> str:
    """Why, and what follows: "Exit code 1 after 3 attempts, so the task is paused."."""
    why = failing.reason or "No reason was given"
    why = why[0].upper() + why[1:].rstrip(".")
    if failing.run.attempt > 1:
        why += f" after {failing.run.attempt} attempts"
    return f"{why}, so the task is paused." if failing.paused else f"{why}."
