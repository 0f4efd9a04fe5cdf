"""What the tray shows: the list at a glance, as values and as words. Pure, no Qt; told the instant and the zone."""

import enum
import heapq
from datetime import date, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.model import State
from desktopsched.ui.choice import View
from desktopsched.ui.row import Row, stopwatch
from desktopsched.ui.rows import Rows
from desktopsched.ui.summary import counted

RUNNING_MOST, TASKS_MOST = 8, 40
"""So many are in the menu; the others are in the window."""


class Sign(enum.Enum):
    """What the icon carries. The first that holds, from above."""

    PAUSED = "paused"
    FAILED = "failed"
    RUNNING = "running"
    CALM = "calm"


class Item(Struct, frozen=True, kw_only=True):
    """A task in the menu."""

    task_id: str
    name: str
    since: float | None = None  # of a running one
    usual: float | None = None


class TraySummary(Struct, frozen=True, kw_only=True):
    """All that the tray knows. Instants are seconds since 1970, UTC."""

    next: Item | None = None
    due: float | None = None
    running: tuple[Item, ...] = ()
    runs: int = 0  # under way
    failed: tuple[Item, ...] = ()  # those whose last run failed today
    tasks: tuple[Item, ...] = ()  # the first TASKS_MOST, in the order in which they are offered
    more: int = 0  # tasks beside those
    edition: int = -1  # of the rows of which `tasks` are
    paused: bool = False
    paused_until: float | None = None
    is_open: bool = True  # the list is read, and tasks may be asked for

    @property
    def sign(self) -> Sign:
        """What the icon carries."""
        if self.paused:
            return Sign.PAUSED
        if self.failed:
            return Sign.FAILED
        return Sign.RUNNING if self.runs else Sign.CALM


def summarise_for_tray(
    rows: Rows,
    now: float,
    zone: ZoneInfo,
    *,
    paused: bool,
    paused_until: float | None = None,
    before: TraySummary | None = None,
) -> TraySummary:
    """As the tally has it. `before`: what was said last; of it the tasks hold as long as none came, went or changed."""
    today, tally = datetime.fromtimestamp(now, zone).date(), rows.tally
    first = next((rows[task_id] for _, task_id in tally.nearest(1)), None)
    failed = (rows[task_id] for task_id in tally.views[View.FAILED])
    same = before is not None and before.edition == rows.edition
    return TraySummary(
        next=_item(first) if first is not None else None,
        due=first.status.due if first is not None else None,
        running=tuple(_item(rows[one]) for one in tally.busy if rows[one].status.running),
        runs=tally.runs,
        failed=tuple(_item(row) for row in failed if _failed_on(row, today, zone)),
        tasks=before.tasks if before is not None and same else _offered(rows),
        more=max(len(rows) - TASKS_MOST, 0),
        edition=rows.edition,
        paused=paused,
        paused_until=paused_until,
    )


def _offered(rows: Rows) -> tuple[Item, ...]:
    first = heapq.nsmallest(TASKS_MOST, rows.all(), key=lambda row: row.task.name.casefold())
    return tuple(Item(task_id=row.task.id, name=row.task.name) for row in first)


def _failed_on(row: Row, day: date, zone: ZoneInfo) -> bool:
    outcome, ended = row.status.outcome, row.status.ended
    if outcome is None or outcome.state is not State.FAILED or ended is None:
        return False
    return datetime.fromtimestamp(ended, zone).date() == day


def _item(row: Row) -> Item:
    since = min(row.since.values()) if row.since else None
    return Item(task_id=row.task.id, name=row.task.name, since=since, usual=row.usual)


# --- words -------------------------------------------------------------------------------------------------


def next_words(summary: TraySummary, now: float, zone: ZoneInfo) -> tuple[str, str]:
    """What comes next, and when: "14:51, in 1 min"."""
    if summary.next is None or summary.due is None:
        return "Nothing is planned", ""
    when = f"{phrases.clock(summary.due, now, zone)}, {phrases.until(summary.due, now)}"
    return f"Next: {summary.next.name}", when


def running_words(item: Item, now: float) -> str:
    """How long it runs already, and how long it usually does: "2:14 of ~14:00"."""
    if item.since is None:
        return ""
    elapsed = stopwatch(max(now - item.since, 0.0))
    return elapsed if item.usual is None else f"{elapsed} of ~{stopwatch(item.usual)}"


def failed_words(summary: TraySummary) -> str:
    """How many failed."""
    return f"{counted(len(summary.failed), 'task')} failed today"


def quit_words(summary: TraySummary) -> str:
    """What quitting would do."""
    return f"{counted(summary.runs, 'run')} would stop" if summary.runs else ""


def paused_words(summary: TraySummary, now: float, zone: ZoneInfo) -> str:
    """How long it is paused."""
    return (
        f"until {phrases.clock(summary.paused_until, now, zone)}" if summary.paused_until is not None else ""
    )


def tip(summary: TraySummary, now: float, zone: ZoneInfo) -> str:
    """What the icon says when the pointer rests on it, and to those who hear it."""
    lines = ["Desktopsched"]
    if summary.paused:
        lines.append(f"Everything is paused {paused_words(summary, now, zone)}".rstrip())
    if summary.runs:
        lines.append(f"{summary.runs} running")
    if summary.failed:
        lines.append(failed_words(summary))
    if summary.due is not None and not summary.paused:
        said, _ = next_words(summary, now, zone)
        lines.append(
            f"{said}, {phrases.clock(summary.due, now, zone)}"
        )  # no "in 1 min": a tip is not told anew
    return "\n".join(lines)
