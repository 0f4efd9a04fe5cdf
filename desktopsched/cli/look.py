"""Commands that only look at the tasks: list, check. They take no lock and change nothing."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from desktopsched import keeping, phrases
from desktopsched.cli.options import as_json_option
from desktopsched.cli.table import print_table
from desktopsched.control.description import described
from desktopsched.control.wire import Message, NobodyThereError, ask
from desktopsched.engine.clock import WallClock
from desktopsched.engine.events import TaskStatus
from desktopsched.engine.memory import Memory
from desktopsched.engine.occurrences import next_after, random_delay
from desktopsched.model import Outcome, State, StorageError, Task
from desktopsched.storage.errors import UnreadableFileError
from desktopsched.storage.history import History
from desktopsched.storage.home import Home
from desktopsched.storage.taskfile import TaskFile


@click.command("list")
@as_json_option
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
    elif _paused(home):
        click.echo("Everything is paused: no task starts by itself until `desktopsched resume`.", err=True)


def _live(home: Home) -> Iterator[Message]:
    """The tasks as the running program has them; nothing when none runs."""
    try:
        yield from ask(home.socket, {"do": "list"})
    except NobodyThereError:
        return


def _paused(home: Home) -> bool:
    """By the running program; when none runs, as it will be in the next one."""
    try:
        return any(answer.get("paused") for answer in ask(home.socket, {"do": "paused"}))
    except NobodyThereError:
        return keeping.was_paused(History(home.history))


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
    where = f" on {', '.join(row['elsewhere'])}" if row.get("elsewhere") else ""
    return row["state"] + where, row["id"], row["name"], coming, last + when


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
