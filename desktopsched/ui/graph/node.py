"""A node of the graph: what it says of its task at a moment. Values, no Qt. Told the instant and the zone."""

from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.model import On, State
from desktopsched.ui import row as rows
from desktopsched.ui.expected import Expectations
from desktopsched.ui.graph.links import Links
from desktopsched.ui.row import Row


class Node(Struct, frozen=True):
    """What a node shows: an icon, the name, a line below it, and a bar while it runs."""

    task_id: str
    name: str
    line: str
    state: State
    share: float | None  # 0–1 of the usual duration
    late: bool


def node(
    row: Row, links: Links, expected: Expectations, now: float, zone: ZoneInfo, *, soon: bool = False
) -> Node:
    """The node of a task. `soon`: what it waits for is under way, so it is its next run that counts."""
    duration = rows.duration_cell(row, now)
    return Node(
        task_id=row.task.id,
        name=row.task.name,
        line=_line(row, links, expected, now, zone, soon=soon),
        state=rows.shown_state(row, soon=soon),
        share=duration.share,
        late=duration.late,
    )


def spoken(row: Row, links: Links, now: float, zone: ZoneInfo) -> str:
    """All of it as a sentence, for those who hear the graph."""
    following = rows.next_cell(row, now, zone).words
    return f"{rows.sentence(row, following, now, zone)}, {waiting_words(row.task.id, links)}"


def waiting_words(task_id: str, links: Links) -> str:
    """How many tasks it waits for and how many wait for it: "waits for 1 task; 3 tasks wait for it"."""
    above, below = len(links.ancestors(task_id)), len(links.descendants(task_id))
    first = f"waits for {_tasks(above)}" if above else "waits for no other task"
    last = f"{_tasks(below)} {'waits' if below == 1 else 'wait'} for it" if below else "none waits for it"
    return f"{first}; {last}"


def _tasks(count: int) -> str:
    return "1 task" if count == 1 else f"{count:,} tasks"


def _line(row: Row, links: Links, expected: Expectations, now: float, zone: ZoneInfo, *, soon: bool) -> str:
    """The second line: what is most worth knowing now."""
    status = row.status
    if status.state is State.RUNNING and row.since:
        elapsed = rows.stopwatch(row.elapsed(now) or 0.0)
        return f"{elapsed} of ~{rows.stopwatch(row.usual)}" if row.usual is not None else f"for {elapsed}"
    if row.owners and not status.running:
        return f"on {row.owners}"
    if status.state is State.READY:
        return status.waiting or "due now"
    if row.retrying and status.due is not None:
        return f"next try {phrases.until(status.due, now)}"
    if not status.enabled:
        return _off(row, now, zone)
    return _past_or_future(row, links, expected, now, zone, soon=soon)


def _off(row: Row, now: float, zone: ZoneInfo) -> str:
    off = "paused" if row.gave_up else "disabled"
    return f"{_ended(row, now, zone, brief=True)}, {off}" if row.status.outcome else off


def _past_or_future(
    row: Row, links: Links, expected: Expectations, now: float, zone: ZoneInfo, *, soon: bool
) -> str:
    """How it ended or when it starts: whichever is nearer. What waits for others is told only about right."""
    status, parents = row.status, links.above(row.task.id)
    for_failures = bool(parents) and all(link.on is On.FAILURE for link in parents)
    guess = expected.start(row) if status.due is None else None
    start = guess.at if guess is not None else status.due
    ended = status.ended if status.outcome is not None else None
    if start is not None and (ended is None or start - now <= now - ended):
        if status.due is not None:
            return f"next {phrases.until(status.due, now)}"
        return rows.about(start, now, zone)
    if for_failures and rows.shown_state(row, soon=soon) in {State.PENDING, State.SKIPPED}:
        return "only on a failure"
    if ended is not None or status.outcome is not None:
        return _ended(row, now, zone)
    return status.waiting or ("has not run yet" if parents else "by hand")


def _ended(row: Row, now: float, zone: ZoneInfo, *, brief: bool = False) -> str:
    """How the last run ended: "14:31, took 1:24", "exit 1, 09:31", "skipped, 14:31"."""
    outcome, ended = row.status.outcome, row.status.ended
    if outcome is None:
        return "has not run yet"
    clock = phrases.clock(ended, now, zone) if ended is not None else ""
    if outcome.state is State.SUCCEEDED:
        worth = row.last is not None and row.last >= 1
        took = f"took {rows.stopwatch(round(row.last))}" if worth and row.last is not None else ""
        return ", ".join(part for part in (clock, took) if part) or "succeeded"
    what = outcome.state.value
    if outcome.state is State.FAILED and outcome.exit_code is not None:
        what = f"exit {outcome.exit_code}"
    return what if brief or not clock else f"{what}, {clock}"
