"""`desktopsched why`: why a task ran, or did not."""

import json

import click
from msgspec import structs

from desktopsched import keeping, phrases
from desktopsched.cli.act import asked
from desktopsched.cli.complete import task_ids
from desktopsched.cli.named import named_of
from desktopsched.control.wire import NobodyThereError
from desktopsched.engine.clock import WallClock
from desktopsched.engine.zones import instant_of
from desktopsched.ledger import Answer, Fate, Ledger
from desktopsched.model.times import instant
from desktopsched.storage.history import History
from desktopsched.storage.home import Home
from desktopsched.storage.taskfile import TaskFile


@click.command()
@click.argument("task", shell_complete=task_ids)
@click.option("--at", metavar="ISO", help="For what was due last up to this instant; else up to now.")
@click.option("--json", "as_json", is_flag=True, help="One line of JSON.")
@click.pass_obj
def why(home: Home, task: str, at: str | None, *, as_json: bool) -> None:
    """What became of the last start that a task was due for, and why."""
    zone = WallClock().zone()
    until = None if at is None else instant_of(instant(at), zone)
    answer = _ask(home, task, until)
    if as_json:
        message = structs.asdict(answer)
        message["due"] = None if answer.due is None else phrases.iso(answer.due, zone)
        click.echo(json.dumps(message, ensure_ascii=False))
    else:
        for sentence in answer.sentences:
            click.echo(sentence)


def _ask(home: Home, name: str, until: float | None) -> Answer:
    """The running program's answer; where none runs, what the files say."""
    try:
        message = next(asked(home, {"do": "why", "task": name, "at": until}))
    except NobodyThereError:
        return _from_files(home, name, until)
    fate, sentences = Fate(message["fate"]), tuple(message["sentences"])
    return Answer(due=message["due"], fate=fate, sentences=sentences, run=message["run"])


def _from_files(home: Home, name: str, until: float | None) -> Answer:
    tasks = TaskFile(home.tasks).load(mend=False).tasks
    found = named_of(tasks, name)
    history, clock = History(home.history), WallClock()
    known, _ = keeping.memories(history)
    alive = keeping.last_alive(history, known.values())
    paused = keeping.was_paused(history)
    names = {one.id: one.name for one in tasks}
    ledger = Ledger(
        history.records, clock.now(), clock.zone(), open_=False, alive=alive, paused=paused, names=names
    )
    return ledger.why(found, known.get(found.id), until)
