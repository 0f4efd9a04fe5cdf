"""`desktopsched import`: what comes from elsewhere, shown before it is added, and added switched off."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import structs

from desktopsched.cli.act import asked, program_for_one_act
from desktopsched.cli.table import print_table
from desktopsched.control.wire import NobodyThereError
from desktopsched.model import Cron, StorageError, Task
from desktopsched.model.crontab import Crontab, Entry, read_crontab, same_start
from desktopsched.model.document import write_task
from desktopsched.model.identity import new_id
from desktopsched.storage.home import Home
from desktopsched.storage.taskfile import TaskFile

_LARGEST = 16 * 1024 * 1024  # bytes; 3,000 lines take about 200 KB


@click.group("import")
def import_() -> None:
    """Bring in tasks from elsewhere. They arrive switched off, to be looked at first."""


@import_.command()
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--dry-run", is_flag=True, help="Show what would come, and add nothing.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each line that asks for a run.")
@click.pass_obj
def crontab(home: Home, file: str, *, dry_run: bool, as_json: bool) -> None:
    """Each line of a crontab as a task: `crontab -l | desktopsched import crontab -`.

    A line that makes no task says why. What is on the list already is not added again.
    """
    found = read_crontab(_read(file))
    known = TaskFile(home.tasks).load(mend=False)
    taken = {task.id for task in (*known.tasks, *known.stand_ins)}
    tasks: list[Task] = []
    rows: list[tuple[Entry, Task | None, str]] = []
    for entry in found.entries:
        task, told = _wanted(entry, known.tasks)
        if task is not None:
            task = structs.replace(task, id=new_id(task.name, taken), enabled=False)
            taken.add(task.id)
            tasks.append(task)
        rows.append((entry, task, told))
    _show(found, rows, as_json=as_json)
    if tasks and not dry_run:
        _add(home, tasks)
    what = "would be added" if dry_run else "added, switched off"
    click.echo(f"{len(tasks)} of {len(found.entries)} lines {what}.", err=True)


def _read(file: str) -> str:
    try:
        data = sys.stdin.buffer.read(_LARGEST + 1) if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise StorageError(f"Cannot read {file}: {error.strerror or error}.") from error
    if len(data) > _LARGEST:
        raise StorageError(f"{file} has more than {_LARGEST:,} bytes. That is no crontab.")
    return data.decode("utf-8", "replace")


def _wanted(entry: Entry, known: Sequence[Task]) -> tuple[Task | None, str]:
    """The task to add, if there is one, and what is to be said of the line."""
    task = entry.task
    if task is None:
        return None, entry.problem
    twin = next((one for one in known if same_start(one, task)), None)
    if twin is not None:
        return None, f"on the list already, as {twin.name}"
    return task, " ".join(entry.notes)


def _show(found: Crontab, rows: Sequence[tuple[Entry, Task | None, str]], *, as_json: bool) -> None:
    if as_json:
        for entry, task, told in rows:
            written = None if task is None else write_task(task)
            message = {"line": entry.number, "text": entry.text, "task": written, "told": told}
            click.echo(json.dumps(message, ensure_ascii=False))
        return
    lines = [
        (str(entry.number), task.id if task else "–", _when(task), entry.command or entry.text, told)
        for entry, task, told in rows
    ]
    print_table(("Line", "Id", "When", "Command", ""), lines)
    for setting in found.settings:
        click.echo(f"Line {setting.number}, {setting.name}: {setting.meaning}")


def _when(task: Task | None) -> str:
    return task.schedule.expression if task is not None and isinstance(task.schedule, Cron) else "–"


def _add(home: Home, tasks: Sequence[Task]) -> None:
    """All or none; by the running program, if there is one."""
    try:
        list(asked(home, {"do": "add", "tasks": [write_task(task) for task in tasks]}))
    except NobodyThereError:
        with program_for_one_act(home) as program:
            program.task_list.add(*tasks)
