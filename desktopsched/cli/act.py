"""Commands that do something: run, stop, pause, resume, init-examples. They reach the running program, if any."""

import queue
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import click

from desktopsched.cli.complete import task_ids
from desktopsched.cli.signals import Signals
from desktopsched.control.requests import follow
from desktopsched.control.wire import Message, NobodyThereError, ask
from desktopsched.model import DesktopschedError, State
from desktopsched.program import Program
from desktopsched.storage.home import Home

_COULD_NOT = 3
_BY_SIGNAL = 128  # and the number of the signal: as shells say it
_CUT_SHORT = (
    "The program ended before it could say how everything ended. `desktopsched history` says what came of it."
)


class RefusedError(DesktopschedError):
    """The running program could not do it; the words are its own. `mistake`: of whoever asked."""

    def __init__(self, words: str, *, mistake: bool) -> None:
        super().__init__(words)
        self.mistake = mistake


def asked(home: Home, request: Message) -> Iterator[Message]:
    """The running program's answers. NobodyThereError; RefusedError with its own words."""
    for message in ask(home.socket, request):
        if "error" in message:
            raise RefusedError(message["error"], mistake=bool(message.get("mistake")))
        yield message


@click.command()
@click.argument("task", shell_complete=task_ids)
@click.option("--downstream", is_flag=True, help="Then everything that waits for it, in order.")
@click.pass_obj
def run(home: Home, task: str, *, downstream: bool) -> None:
    """Run a task now, with its output; end with its exit code. Inside the running program, if there is one."""
    try:
        sys.exit(_tell(asked(home, {"do": "run", "task": task, "downstream": downstream})))
    except NobodyThereError:
        with program_for_one_act(home) as program:
            sys.exit(_tell_stoppable(program, task, downstream=downstream))
    except KeyboardInterrupt:
        click.echo(f"The run goes on. To stop it: desktopsched stop {task}", err=True)
        sys.exit(_BY_SIGNAL + signal.SIGINT)


@contextmanager
def program_for_one_act(home: Home) -> Iterator[Program]:
    """A program that starts nothing by itself."""
    program = Program(home, "run")
    program.open(hold=True)
    for notice in program.notices:
        click.echo(notice, err=True)
    loop = threading.Thread(target=program.dispatcher.loop, name="dispatcher")
    loop.start()
    try:
        yield program
    finally:
        program.dispatcher.stop()
        loop.join()
        program.close(keep_running=True)  # what it took over at its start is not its own


def _tell_stoppable(program: Program, name: str, *, downstream: bool) -> int:
    """Follow a run in this process; Ctrl C, or the end of the terminal, stops it, and its end is waited for."""
    task_id, stopped = program.task_list.find(name).id, list[str]()

    def stop_on_signal() -> None:
        if found := signals.wait():
            stopped.append(found)
            program.dispatcher.cancel(task_id)

    with Signals("SIGINT", "SIGTERM", "SIGHUP") as signals:
        watcher = threading.Thread(target=stop_on_signal)
        watcher.start()
        try:
            code = _tell(follow(program, name, queue.SimpleQueue(), downstream=downstream))
        finally:
            signals.give_up()
            watcher.join()
    return _BY_SIGNAL + signal.Signals[stopped[0]] if stopped else code


def _tell(messages: Iterable[Message]) -> int:
    """Print output and ends as they come. The exit code of the first task that did not succeed; else 0.

    3 where the program ended first.
    """
    code, done = 0, False
    for message in messages:
        if "output" in message:
            sys.stdout.write(message["output"])
            sys.stdout.flush()
        elif "waits" in message:
            click.echo(f"It waits: {message['waits']}. {message.get('why', '')}".rstrip(), err=True)
        elif "ended" in message:
            code = code or _say_end(message)
        done = "done" in message
    if not done:
        click.echo(_CUT_SHORT, err=True)
    return code if done else _COULD_NOT


def _say_end(message: Message) -> int:
    if message["ended"] == State.SUCCEEDED.value:
        return 0
    click.echo(f"{message['task']} {message['ended']}: {message['reason'] or 'no reason given'}", err=True)
    return _exit_code(message["code"])


def _exit_code(code: int | None) -> int:
    """What this process ends in for a task that ended in `code`: a code that says failure, whatever happened."""
    return code if code is not None and 0 < code < 256 else 1


@click.command()
@click.argument("task", shell_complete=task_ids)
@click.pass_obj
def stop(home: Home, task: str) -> None:
    """Stop a task's run, or cancel its next start."""
    for message in asked(home, {"do": "stop", "task": task}):
        if not message["stopped"] and (owners := message.get("elsewhere")):
            raise click.ClickException(f"{task} runs on {', '.join(owners)}, and can be stopped only there.")
        if not message["stopped"]:
            raise click.ClickException(f"{task} does not run, and has no start that could be cancelled.")


@click.command()
@click.pass_obj
def pause(home: Home) -> None:
    """Let the running program start nothing more until `resume`."""
    list(asked(home, {"do": "pause"}))


@click.command()
@click.pass_obj
def resume(home: Home) -> None:
    """Let the running program start tasks again."""
    list(asked(home, {"do": "resume"}))


@click.command("trust-clock")
@click.pass_obj
def trust_clock(home: Home) -> None:
    """Say that the computer's clock is right, though it is long before the last run."""
    list(asked(home, {"do": "trust-clock"}))


@click.command("init-examples")
@click.pass_obj
def init_examples(home: Home) -> None:
    """Write the example list, if there are no tasks yet."""
    try:
        number = next(asked(home, {"do": "examples"}))["added"]
        hint = ""
    except NobodyThereError:
        with program_for_one_act(home) as program:
            number = program.task_list.load_examples()
        hint = "\nTo see them run: desktopsched (a window), or: desktopsched serve"
    click.echo(f"{number} example tasks are in {home.tasks}.{hint}")
