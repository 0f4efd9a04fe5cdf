"""Commands that look at what has run: history, log. They take no lock and change nothing."""

import json
import sys
from zoneinfo import ZoneInfo

import click
from msgspec import structs

from desktopsched import phrases
from desktopsched.cli.complete import task_ids
from desktopsched.cli.named import named
from desktopsched.cli.options import as_json_option
from desktopsched.cli.table import print_table
from desktopsched.control.wire import Message
from desktopsched.engine.clock import WallClock
from desktopsched.model import Outcome, StorageError, UnknownTaskError
from desktopsched.storage.history import History
from desktopsched.storage.home import Home
from desktopsched.storage.records import RunRecord
from desktopsched.storage.runlogs import RunLogs


@click.command()
@click.argument("task", required=False, shell_complete=task_ids)
@click.option(
    "-n", "count", type=click.IntRange(1, 1_000_000), default=20, show_default=True, help="How many."
)
@as_json_option
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
        return named(home, name).id
    except (UnknownTaskError, StorageError):
        return name


def _as_message(run: RunRecord, zone: ZoneInfo) -> Message:
    message: Message = structs.asdict(run)
    for key in ("scheduled_for", "started", "ended"):
        message[key] = None if message[key] is None else phrases.iso(message[key], zone)
    return message


def _history_line(run: RunRecord, now: float, zone: ZoneInfo) -> tuple[str, ...]:
    started = phrases.clock(run.started, now, zone) if run.started else "–"
    took = phrases.took(run.ended - run.started) if run.started and run.ended else "–"
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
