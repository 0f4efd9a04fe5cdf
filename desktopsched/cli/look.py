"""Commands that only look: list, next, history, log, check. They take no lock and change nothing."""

import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

import click
from msgspec import structs

from desktopsched import keeping, phrases
from desktopsched.cli.table import print_table
from desktopsched.control.description import described
from desktopsched.control.wire import Message, NobodyThereError, ask
from desktopsched.engine.clock import WallClock
from desktopsched.engine.events import TaskStatus
from desktopsched.engine.memory import Memory
from desktopsched.engine.occurrences import next_after, random_delay, zone_of
from desktopsched.engine.zones import instant_of
from desktopsched.model import (
    Command,
    Cron,
    Every,
    InvalidTaskError,
    Outcome,
    Schedule,
    State,
    StorageError,
    Task,
    UnknownTaskError,
)
from desktopsched.model.times import duration, instant
from desktopsched.model.times import zone as read_zone
from desktopsched.storage.errors import UnreadableFileError
from desktopsched.storage.history import History
from desktopsched.storage.home import Home
from desktopsched.storage.records import RunRecord
from desktopsched.storage.runlogs import RunLogs
from desktopsched.storage.taskfile import TaskFile

_as_json = click.option("--json", "as_json", is_flag=True, help="One line of JSON for each.")


@click.command("list")
@_as_json
@click.pass_obj
def list_tasks(home: Home, *, as_json: bool) -> None:
    """Tasks, their states and their next runs."""
    clock = WallClock()
    now, zone = clock.now(), clock.zone()
    rows = list(_live(home)) or list(_at_rest(home, now, zone))
    if as_json:
        for row in rows:
            instants = {key: row[key] and phrases.iso(row[key], zone) for key in ("due", "ended")}
            click.echo(json.dumps(row | instants, ensure_ascii=False))
        return
    print_table(("State", "Id", "Name", "Next run", "Last result"), [_line(row, now, zone) for row in rows])
    if not rows:
        click.echo(
            f"There are no tasks yet. They belong into {home.tasks}; see also: init-examples", err=True
        )


def _live(home: Home) -> Iterator[Message]:
    """The tasks as the running program has them; nothing when none runs."""
    try:
        yield from ask(home.socket, {"do": "list"})
    except NobodyThereError:
        return


def _at_rest(home: Home, now: float, zone: ZoneInfo) -> Iterator[Message]:
    """The tasks as the files have them."""
    known, _ = keeping.memories(History(home.history))
    document = TaskFile(home.tasks).load(mend=False)
    for problem in document.head:
        click.echo(f"{home.tasks}: {problem}", err=True)
    if document.head and not document.entries:
        sys.exit(1)  # nothing is known of the tasks; that there are none is not said
    for task in (*document.tasks, *document.stand_ins):
        memory = known.get(task.id, Memory(first_seen=now, handled=now))
        spent = task.max_runs is not None and memory.starts >= task.max_runs
        due = None if spent else _next(task, max(now, memory.handled), zone, memory.first_seen)
        over = due is None and not task.waits_for and memory.outcome is not None
        status = TaskStatus(
            state=memory.outcome.state if over and memory.outcome else State.PENDING,
            due=due,
            waiting="" if task.enabled else "disabled",
            outcome=memory.outcome,
            ended=memory.ended,
            missed=sum(owed.count for owed in memory.owed if not owed.decided),
            enabled=task.enabled,
        )
        yield described(task, status)


def _next(task: Task, now: float, zone: ZoneInfo, anchor: float) -> float | None:
    if not task.enabled or task.waits_for:
        return None
    due = next_after(task, now, zone=zone, anchor=anchor)
    return due if due is None else due + random_delay(task, due)


def _line(row: Message, now: float, zone: ZoneInfo) -> tuple[str, ...]:
    due, outcome = row["due"], row["outcome"]
    coming = row["waiting"] or "–"
    if due is not None:
        coming = f"{phrases.until(due, now)}, {phrases.clock(due, now, zone)}"
    if row["missed"]:
        coming += f" ({row['missed']} missed)"
    last = phrases.result(None if outcome is None else Outcome(State(outcome), row["reason"]))
    when = f", {phrases.clock(row['ended'], now, zone)}" if row["ended"] else ""
    return row["state"], row["id"], row["name"], coming, last + when


@click.command("next")
@click.argument("task", required=False)
@click.option("--cron", metavar="EXPR", help="Five fields, or a nickname such as @daily.")
@click.option("--every", metavar="DURATION", help="An interval such as 15m.")
@click.option(
    "--zone", metavar="ZONE", help="A time zone such as Europe/Berlin; the computer's, if not given."
)
@click.option("--from", "start", metavar="ISO", help="From this instant on; from now on, if not given.")
@click.option("-n", "count", type=click.IntRange(1, 100_000), default=5, show_default=True, help="How many.")
@_as_json
@click.pass_obj
def next_runs(  # noqa: PLR0917 - click passes by name
    home: Home,
    task: str | None,
    cron: str | None,
    every: str | None,
    zone: str | None,
    start: str | None,
    count: int,
    as_json: bool,
) -> None:
    """When a task, or a schedule, is due: one instant a line, ISO 8601 with its offset."""
    if sum(one is not None for one in (task, cron, every)) != 1:
        raise click.UsageError("Name one task, or write one of --cron and --every.")
    clock = WallClock()
    computers = ZoneInfo(read_zone(zone)) if zone else clock.zone()
    now = clock.now() if start is None else instant_of(instant(start), computers)
    found = _try_out(cron, every) if task is None else _find(home, task)
    if zone:
        found = structs.replace(found, timezone="")
    anchor = now if task is None else _first_seen(home, found, now)
    if found.schedule is None:
        raise InvalidTaskError(
            f"{found.name} has no schedule of its own: it runs by hand or after other tasks."
        )
    own = zone_of(found, computers)
    for due in islice(_dues(found, now, computers, anchor), count):
        click.echo(json.dumps({"due": phrases.iso(due, own)}) if as_json else phrases.iso(due, own))


def _try_out(cron: str | None, every: str | None) -> Task:
    schedule: Schedule = Cron(cron) if cron is not None else Every(interval=duration(1.0)(every))
    return Task(id="try", name="try", action=Command(), schedule=schedule)


def _find(home: Home, name: str) -> Task:
    tasks = TaskFile(home.tasks).load(mend=False).tasks
    found = [one for one in tasks if one.id == name] or [one for one in tasks if one.name == name]
    if len(found) != 1:
        raise UnknownTaskError(name)
    return found[0]


def _first_seen(home: Home, task: Task, now: float) -> float:
    known, _ = keeping.memories(History(home.history))
    return known[task.id].first_seen if task.id in known else now


def _dues(task: Task, now: float, zone: ZoneInfo, anchor: float) -> Iterator[float]:
    due: float | None = now
    while due is not None:
        due = next_after(task, due, zone=zone, anchor=anchor)
        if due is not None:
            yield due


@click.command()
@click.argument("task", required=False)
@click.option(
    "-n", "count", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many."
)
@_as_json
@click.pass_obj
def history(home: Home, task: str | None, count: int, *, as_json: bool) -> None:
    """The latest runs, the newest first: of one task, or of all."""
    clock = WallClock()
    now, zone = clock.now(), clock.zone()
    runs = History(home.history).records.runs(task and _id_in_history(home, task), count)
    if as_json:
        for run in runs:
            click.echo(json.dumps(_as_message(run, zone), ensure_ascii=False))
        return
    head = ("Run", "Task", "Due", "Started", "Took", "Cause", "Result")
    print_table(head, [_history_line(run, now, zone) for run in runs])
    if not runs:
        click.echo("Nothing has run yet.", err=True)


def _id_in_history(home: Home, name: str) -> str:
    """The id of a task; one that is not on the list any more is asked for by its id."""
    try:
        return _find(home, name).id
    except (UnknownTaskError, StorageError):
        return name


def _as_message(run: RunRecord, zone: ZoneInfo) -> Message:
    message: Message = structs.asdict(run)
    for key in ("scheduled_for", "started", "ended"):
        message[key] = None if message[key] is None else phrases.iso(message[key], zone)
    return message


def _history_line(run: RunRecord, now: float, zone: ZoneInfo) -> tuple[str, ...]:
    started = phrases.clock(run.started, now, zone) if run.started else "–"
    took = phrases.span(run.ended - run.started) if run.started and run.ended else "–"
    result = phrases.result(Outcome(run.state, run.reason))
    if run.count > 1:
        result = f"{run.count} × {result}"
    due = phrases.clock(run.scheduled_for, now, zone)
    return str(run.id), run.task_id, due, started, took, run.cause.value, result


@click.command()
@click.argument("run", type=click.IntRange(1))
@click.pass_obj
def log(home: Home, run: int) -> None:
    """The output of a run, as it came."""
    record = History(home.history).records.run(run)
    if record is None:
        raise click.UsageError(f"There is no run {run}. `desktopsched history` lists them.")
    for piece in RunLogs(home.logs).whole(record.task_id, run):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.pass_obj
def check(home: Home, file: Path | None) -> None:
    """Name every problem of the task file, or of another one, with its place."""
    path = home.tasks if file is None else file
    if not path.exists():
        raise StorageError(f"There is no file {path}.")
    try:
        document = TaskFile(path).load(mend=False)
    except UnreadableFileError as unreadable:
        click.echo(str(unreadable))
        sys.exit(1)
    for problem in document.problems:
        click.echo(str(problem))
    if document.problems:
        sys.exit(1)
    number = len(document.tasks)
    click.echo(f"{path}: {number} {'task' if number == 1 else 'tasks'}, no problems.")
