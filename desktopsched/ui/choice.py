"""Which tasks the table shows: a view or a group of the sidebar, and the words of the search. Pure, no Qt."""

import enum
from collections.abc import Callable, Iterable
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched.model import Command, Open, Reminder, Script, State, Task
from desktopsched.ui.row import Row


class View(enum.StrEnum):
    """The views of the sidebar."""

    ALL = "All tasks"
    RUNNING = "Running"
    FAILED = "Failed"
    TODAY = "Today"
    DISABLED = "Disabled"


NOTHING = {
    View.ALL: "There are no tasks",
    View.RUNNING: "Nothing is running",
    View.FAILED: "Nothing has failed",
    View.TODAY: "Nothing more runs today",
    View.DISABLED: "No task is disabled",
}


class Choice(Struct, frozen=True, kw_only=True):
    """What is to be shown."""

    view: View = View.ALL
    group: str | None = None  # None: whatever group
    text: str = ""

    @property
    def everything(self) -> bool:
        """Whether it leaves nothing out."""
        return self.view is View.ALL and self.group is None and not self.text.strip()

    @property
    def nothing(self) -> str:
        """What is said where no task is shown."""
        if self.text.strip():
            return f"No task matches '{self.text.strip()}'"
        return "This group has no tasks yet" if self.group is not None else NOTHING[self.view]


Matches = Callable[[Row], bool]


def matcher(choice: Choice, haystack: Callable[[str], str], midnight: float) -> Matches:
    """Whether a row is among what is chosen. `midnight`: where today ends."""
    words = choice.text.casefold().split()
    group, fits = choice.group, _VIEWS[choice.view]

    def matches(row: Row) -> bool:
        if group is not None and row.task.group != group:
            return False
        if fits is not None and not fits(row, midnight):
            return False
        if not words:
            return True
        found = haystack(row.task.id)
        return all(word in found for word in words)

    return matches


def is_running(row: Row) -> bool:
    """Whether it belongs to the view Running. Between two attempts it is PENDING, as the table says too."""
    return bool(row.status.running or row.status.elsewhere)


def is_failed(row: Row) -> bool:
    """Whether it belongs to the view Failed."""
    return row.state is State.FAILED


def is_today(row: Row, midnight: float) -> bool:
    """Whether it runs, or is due before the day ends."""
    due = row.status.due
    return row.status.state is not State.PENDING or (due is not None and due < midnight)


_VIEWS: dict[View, Callable[[Row, float], bool] | None] = {
    View.ALL: None,
    View.RUNNING: lambda row, _: is_running(row),
    View.FAILED: lambda row, _: is_failed(row),
    View.TODAY: is_today,
    View.DISABLED: lambda row, _: not row.status.enabled,
}


def midnight(now: float, zone: ZoneInfo) -> float:
    """The instant at which today ends."""
    today = datetime.fromtimestamp(now, zone).date()
    return datetime.combine(today + timedelta(days=1), time(), zone).timestamp()


def haystack(task: Task) -> str:
    """Everything that a search looks in: name, id, group and what the task does."""
    return "\n".join((task.name, task.id, task.group, *_does(task))).casefold()


def _does(task: Task) -> Iterable[str]:
    match task.action:
        case Command(argv=argv, shell=shell):
            return (shell or " ".join(argv),)
        case Script(interpreter=interpreter, text=text):
            return interpreter, text
        case Reminder(message=message):
            return (message,)
        case Open(target=target):
            return (target,)
