"""The command `next`: when something is due. It takes no lock and changes nothing."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import click
from msgspec import structs

from desktopsched import phrases
from desktopsched.cli.complete import task_ids
from desktopsched.cli.named import named
from desktopsched.cli.options import as_json_option
from desktopsched.engine.clock import WallClock
from desktopsched.engine.occurrences import next_after, zone_of
from desktopsched.engine.zones import instant_of
from desktopsched.model import After, Command, Cron, Every, InvalidTaskError, Schedule, Task
from desktopsched.model.problem import Problem
from desktopsched.model.times import duration, instant
from desktopsched.model.times import zone as read_zone
from desktopsched.storage.home import Home

T = TypeVar("T")


@click.command("next")
@click.argument("task", required=False, shell_complete=task_ids)
@click.option("--cron", metavar="EXPR", help="Five fields, or a nickname such as @daily.")
@click.option("--every", metavar="DURATION", help="An interval such as 15m.")
@click.option(
    "--zone", metavar="ZONE", help="A time zone such as Europe/Berlin; the computer's, if not given."
)
@click.option("--from", "start", metavar="ISO", help="From this instant on; from now on, if not given.")
@click.option("-n", "count", type=click.IntRange(1, 100_000), default=5, show_default=True, help="How many.")
@as_json_option
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
    computers = ZoneInfo(_read("--zone", read_zone, zone)) if zone else clock.zone()
    now = clock.now() if start is None else instant_of(_read("--from", instant, start), computers)
    found = _try_out(cron, every) if task is None else named(home, task)
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
    schedule: Schedule = (
        _read("--cron", Cron, cron)
        if cron is not None
        else Every(interval=_read("--every", duration(1.0), every))
    )
    return Task(id="try", name="try", action=Command(), schedule=schedule)


def _read(option: str, read: Callable[[Any], T], raw: object) -> T:
    """What an option says; a mistake is told with its place. InvalidTaskError."""
    try:
        return read(raw)
    except InvalidTaskError as error:
        raise InvalidTaskError(str(Problem(option, str(error)))) from error


def _first_seen(home: Home, task: Task, now: float) -> float:
    """From when an interval counts whose schedule does not say; the history knows, and for others is not read."""
    if not isinstance(task.schedule, Every | After):
        return now
    from desktopsched import keeping
    from desktopsched.storage.history import History

    known, _ = keeping.memories(History(home.history))
    return known[task.id].first_seen if task.id in known else now


def _dues(task: Task, now: float, zone: ZoneInfo, anchor: float) -> Iterator[float]:
    due: float | None = now
    while due is not None:
        due = next_after(task, due, zone=zone, anchor=anchor)
        if due is not None:
            yield due
