"""`serve`: the dispatcher without a window, until it is told to end. Its log goes to stdout, a line for each event."""

import logging
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from desktopsched import phrases
from desktopsched.cli.signals import HAND_OVER, Signals
from desktopsched.control.requests import Requests, trouble_of
from desktopsched.control.wire import Server
from desktopsched.engine import words
from desktopsched.engine.absence import Why
from desktopsched.engine.clock import WallClock
from desktopsched.engine.events import (
    Absent,
    ClaimsGoOn,
    ClaimsWithheld,
    ClockChanged,
    ClockDoubted,
    ClockTrusted,
    Event,
    Paused,
    Resumed,
    RunElsewhere,
    RunFinished,
    RunGoesOn,
    RunRetrying,
    RunSkipped,
    RunsMissed,
    RunStarted,
    TaskAdded,
    TaskDisabled,
    TaskEdited,
    TaskRemoved,
    ZoneChanged,
)
from desktopsched.model import CatchUp, Cause, DesktopschedError
from desktopsched.program import ClocksDiffer, Notice, Program
from desktopsched.storage.home import Home, our_uid

_RELOAD = "SIGHUP"  # not on Windows


@click.command()
@click.option(
    "--catch-up",
    type=click.Choice([CatchUp.ALL.value, CatchUp.LATEST.value, CatchUp.SKIP.value]),
    help="What happens to missed runs of tasks that would ask. Without it they wait for an answer.",
)
@click.pass_obj
def serve(home: Home, catch_up: str | None) -> None:
    """Run the tasks without a window until SIGTERM or Ctrl C. SIGHUP reads the task file again."""
    clock = WallClock()
    say = partial(_say, clock)
    logging.basicConfig(
        stream=sys.stdout, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    program = Program(home, "serve")
    names: dict[str, str] = {}
    program.listen(lambda event: _log_event(event, names, program, clock, say))
    with Signals("SIGTERM", "SIGINT", _RELOAD) as signals:
        program.open()
        handed_over = False
        try:
            handed_over = _serve(program, catch_up, signals, say)
        finally:
            program.close(keep_running=handed_over)
            say("handed over" if handed_over else "ended")


def _serve(program: Program, catch_up: str | None, signals: Signals, say: Callable[[str], None]) -> bool:
    """Until it is to end: whether somebody else goes on with the tasks, and with what runs."""
    program.home.prepare_runtime()
    requests = Requests(program, hand_over=signals.hand_over)
    server = Server(program.home.socket, requests.answer, requests.end)
    server.start()
    loop = threading.Thread(target=program.dispatcher.loop, name="dispatcher")
    loop.start()
    say(f"serving {program.home.tasks}, {len(program.dispatcher.tasks())} tasks")
    if our_uid() == 0 and os.name != "nt":
        say("running as root: the tasks have all rights of the system")
    for notice in program.notices:
        say(notice)
    _catch_up(program, catch_up, say)
    wanted = ""
    try:
        while (wanted := signals.wait()) == _RELOAD:
            _reload(program, say)
    finally:
        program.dispatcher.stop()
        loop.join()
        program.stop(keep_running=wanted == HAND_OVER, at_once=True)
        server.close()
    return wanted == HAND_OVER


def _reload(program: Program, say: Callable[[str], None]) -> None:
    try:
        program.task_list.reload()
    except DesktopschedError as error:
        say(f"not read again: {error}")
    else:
        say(f"read {program.home.tasks} again, {len(program.dispatcher.tasks())} tasks")


def _catch_up(program: Program, choice: str | None, say: Callable[[str], None]) -> None:
    waiting = [task.name for task, status in program.dispatcher.tasks() if status.missed]
    if waiting and choice:
        program.decide_all(CatchUp(choice))
    elif waiting:
        say(
            f"missed runs wait for a decision: {', '.join(waiting)}. Start with --catch-up, or open the window."
        )


def _say(clock: WallClock, words: str) -> None:
    """One line of the log. Where nobody reads it any more, the tasks go on without."""
    try:
        sys.stdout.write(f"{phrases.iso(clock.now(), clock.zone())} {words}\n")
        sys.stdout.flush()
    except OSError:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the process lives


def _log_event(
    event: Event, names: dict[str, str], program: Program, clock: WallClock, say: Callable[[str], None]
) -> None:
    said = _words(event, names) or _words_of_time(event, clock) or _words_of_sharing(event, names, program)
    if said:
        say(said)


def _words(event: Event, names: dict[str, str]) -> str:  # noqa: PLR0911 - one line for each kind
    """The log's line for an event; empty for those that are no news."""
    match event:
        case TaskAdded(task=task) | TaskEdited(task=task):
            names[task.id] = task.name
        case TaskRemoved(task_id=task_id):
            return f"{names.pop(task_id, task_id)} removed"
        case RunGoesOn(run=run):
            return f"{names.get(run.task_id, run.task_id)} goes on, run {run.id}"
        case RunStarted(run=run):
            again = f", attempt {run.attempt}" if run.attempt > 1 else ""
            why = "" if run.cause is Cause.SCHEDULE else f", {run.cause.value}"
            return f"{names.get(run.task_id, run.task_id)} started, run {run.id}{why}{again}"
        case RunRetrying(run=run, outcome=outcome, at=at, retry_at=retry_at):
            again = phrases.until(retry_at, at)
            return (
                f"{names.get(run.task_id, run.task_id)} failed, run {run.id}: {outcome.reason}; again {again}"
            )
        case RunFinished(run=run, outcome=outcome) | RunSkipped(run=run, outcome=outcome):
            count = f" × {run.count}" if run.count > 1 else ""
            reason = f": {outcome.reason}" if outcome.reason else ""
            return f"{names.get(run.task_id, run.task_id)} {outcome.state.value}{count}, run {run.id}{reason}"
        case RunsMissed(task_id=task_id, count=count, policy=policy):
            return f"{names.get(task_id, task_id)} missed {count}, catch-up: {policy.value}"
        case TaskDisabled(reason=text) | Notice(text=text):
            return text
        case Paused() | Resumed():
            return "paused" if isinstance(event, Paused) else "resumed"
        case _:
            pass
    return ""


def _words_of_time(event: Event, clock: WallClock) -> str:
    """The log's line for an event about the clock."""
    match event:
        case Absent(absence=absence) if absence.why is not Why.CLOCK:
            return absence.words(clock.zone())
        case ClockChanged(step=step):
            return f"the clock was set by {step:+.0f} s"
        case ClockDoubted(alive=alive):
            return (
                f"the clock is not believed: it is before {phrases.iso(alive, clock.zone())}, when Desktopsched was"
                " last open. What repeats waits until it is right; if it is: desktopsched trust-clock"
            )
        case ClockTrusted():
            return "the clock is believed again"
        case ZoneChanged(zone=zone):
            return f"the computer's zone is {zone} now"
        case _:
            return ""


def _words_of_sharing(event: Event, names: dict[str, str], program: Program) -> str:
    """The log's line for an event about a list that other computers have too."""
    match event:
        case RunElsewhere(run=run, owner=owner):
            return f"{names.get(run.task_id, run.task_id)} started on {owner}, run {run.id}"
        case ClaimsWithheld(reason=reason):
            waits = words.at_present(reason)
            return f"nothing starts here: {'. '.join(filter(None, (waits, trouble_of(program, waits))))}"
        case ClaimsGoOn():
            return "starts are claimed again"
        case ClocksDiffer(words=said):
            return said or "this computer's clock and the shared list's agree again"
        case _:
            return ""
