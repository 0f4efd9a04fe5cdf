"""What the tool tip of a next run says: the instant in full, how far away it is and why, and what follows. No Qt.

Told the instant and the zone.
"""

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from desktopsched import phrases
from desktopsched.engine.occurrences import next_after
from desktopsched.model import Cron, Every, InvalidTaskError, Task
from desktopsched.ui.row import Row

_WEEK = 7 * 86_400


def due_tip(row: Row, now: float, zone: ZoneInfo) -> str:
    """Lines, the first of which matters most; empty where it is not known when the task runs."""
    due = row.status.due
    if row.gave_up:
        return "It asks to be paused when it fails.\nEnable it once the cause is gone."
    if due is None:
        return ""
    lines = [phrases.full(due, zone), f"{phrases.until(due, now)}{_why(row)}"]
    if row.task.timezone and row.task.timezone != zone.key:
        lines.append(_elsewhere(due, row.task.timezone))
    if not row.retrying:
        lines.append(_then(row.task, due, zone))
    return "\n".join(line for line in lines if line)


def _why(row: Row) -> str:
    """What it is that gives this instant."""
    if row.retrying:
        return f", {row.status.waiting}" if row.status.waiting else ""
    match row.task.schedule:
        case Cron(expression=expression):
            why = f", from cron {expression}"
        case Every(interval=interval):
            why = f", every {phrases.span(interval)}"
        case _:
            why = ""
    return f"{why}, with a random delay" if row.task.random_delay else why


def _elsewhere(due: float, name: str) -> str:
    """The clock of the task's own zone, where that is another one."""
    try:
        return f"{datetime.fromtimestamp(due, ZoneInfo(name)):%a %H:%M} in {name}"
    except (KeyError, ValueError, OSError):  # the engine has told what is wrong with it
        return ""


def _then(task: Task, due: float, zone: ZoneInfo) -> str:
    """The two that follow: "Then 14:30, and Sunday 02:30". What is drawn by lot is only known to the engine."""
    if task.random_delay or not isinstance(task.schedule, Cron | Every):
        return ""
    instants = [due]
    try:
        while (
            len(instants) < 3 and (after := next_after(task, instants[-1], zone=zone, anchor=due)) is not None
        ):
            instants.append(after)
    except InvalidTaskError:
        return ""
    words = [_day_and_clock(one, before, due, zone) for before, one in pairwise(instants)]
    return f"Then {', and '.join(words)}" if words else "Then no more"


def _day_and_clock(instant: float, before: float, first: float, zone: ZoneInfo) -> str:
    """With the day, if that is another one than of the instant before it."""
    there, earlier = datetime.fromtimestamp(instant, zone), datetime.fromtimestamp(before, zone)
    if there.date() == earlier.date():
        return f"{there:%H:%M}"
    if instant - first < _WEEK:
        return f"{there:%A %H:%M}"
    year = f" {there.year}" if there.year != earlier.year else ""
    return f"{there.day} {there:%B}{year} {there:%H:%M}"
