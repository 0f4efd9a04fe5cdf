"""The list at a glance: what the status bar and the banners say. Pure, no Qt."""

from collections.abc import Callable, Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.model import needs_worker
from desktopsched.ui.choice import View
from desktopsched.ui.row import Row
from desktopsched.ui.tally import Tally

_NAMED = 3  # tasks that are named before the others are counted


class Summary(Struct, frozen=True, kw_only=True):
    """Counts, and what comes next."""

    tasks: int = 0
    running: int = 0
    busy: int = 0  # workers that are taken
    next_name: str = ""
    next_due: float | None = None
    missed: int = 0  # runs that wait for an answer
    missing: tuple[str, ...] = ()  # the tasks that they are of
    interrupted: int = 0  # runs that could start again


def summarise(tally: Tally, get: Callable[[str], Row]) -> Summary:
    """As the tally has it; `get` gives a row by its id."""
    first = next((get(task_id) for _, task_id in tally.nearest(1)), None)
    under_way = map(get, tally.busy)
    return Summary(
        tasks=len(tally.views[View.ALL]),
        running=tally.runs,
        busy=sum(len(row.status.running) for row in under_way if needs_worker(row.task.action)),
        next_name=first.task.name if first else "",
        next_due=first.status.due if first else None,
        missed=sum(tally.asking.values()),
        missing=tuple(get(task_id).task.name for task_id in tally.asking),
        interrupted=tally.interrupted,
    )


def after_next(summary: Summary, now: float) -> str:
    """What stands after the name of the next task: when it is due, and the counts."""
    parts = [phrases.until(summary.next_due, now)] if summary.next_due is not None else []
    if summary.running:
        parts.append(f"{summary.running:,} running")
    return " · ".join((*parts, counted(summary.tasks, "task")))


def waits_for(summary: Summary, now: float, zone: ZoneInfo, *, paused: bool) -> str:
    """What the scheduler does at the moment, in words for those who do not know that there is one."""
    if paused:
        return "all tasks paused"
    if summary.next_due is None and summary.running:
        return "waiting for what runs to end"  # only then its next start is planned
    if summary.next_due is None:
        return "nothing starts by itself" if summary.tasks else "waiting for a first task"
    if summary.next_due - now < 1:
        return "starting now"
    return f"waiting for {phrases.clock(summary.next_due, now, zone)}"


def counted(count: int, noun: str) -> str:
    """How many, with the noun: "1 task", "14 tasks"."""
    return f"1 {noun}" if count == 1 else f"{count:,} {noun}s"


def named(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"
