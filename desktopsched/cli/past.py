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
from desktopsched.storage.records import Records, RunRecord
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
    records = History(home.history).records
    runs = records.runs(task and _id_in_history(home, records, task), count)
    if as_json:
        for run in runs:
            click.echo(json.dumps(_as_message(run, zone), ensure_ascii=False))
        return
    head = ("Run", "Task", "Due", "Started", "Took", "Cause", "Result")
    print_table(head, [_history_line(run, now, zone) for run in runs])
    if not runs:
        click.echo(f"{task} has not run yet." if task else "Nothing has run yet.", err=True)


def _id_in_history(home: Home, records: Records, name: str) -> str:
    """The id of a task; one that is not on the list any more is asked for by its id. UnknownTaskError, StorageError."""
    try:
        return named(home, name).id
    except (UnknownTaskError, StorageError):
        if records.runs(name, 1):
            return name
        raise


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
@click.argument("run", shell_complete=task_ids)
@click.pass_obj
def log(home: Home, run: str) -> None:
    """The output of a run, as it came: of the one with this number, or of the latest of a task."""
    records = History(home.history).records
    record = records.run(int(run)) if run.isdecimal() else _latest(home, records, run)
    if record is None:
        raise click.UsageError(f"There is no run {run}. `desktopsched history` lists them.")
    for piece in RunLogs(home.logs).whole(record.task_id, record.id):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def _latest(home: Home, records: Records, name: str) -> RunRecord:
    found = records.latest_begun(_id_in_history(home, records, name))
    if found is None:
        raise click.UsageError(f"{name} has not run yet: there is no output of it.")
    return found
