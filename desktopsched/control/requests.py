"""What a running program does for others who ask it over its socket. Each request is a message with a `do`."""

import queue
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import structs

from desktopsched.control.wire import Message
from desktopsched.diagnosis import diagnose_running
from desktopsched.engine.events import (
    Event,
    RunFinished,
    RunOutput,
    RunSkipped,
    RunStarted,
    TaskRemoved,
    TaskStatus,
)
from desktopsched.engine.zones import LATEST
from desktopsched.model import CatchUp, InvalidTaskError, Outcome, Run, State, Task
from desktopsched.model.graph import reach
from desktopsched.program import Program

Events = queue.SimpleQueue[Event | None]
"""What a follower hears; None: nothing more."""


def nothing() -> None:
    """There is no window to show."""


class Requests:
    """Answers for one program. Each request is answered on a thread of its own."""

    def __init__(self, program: Program, show: Callable[[], None] = nothing) -> None:
        self._program = program
        self._show = show
        self._followers: set[Events] = set()
        self._over = False

    def end(self) -> None:
        """Let those who follow a run go; and those who come from now on."""
        self._over = True
        for events in tuple(self._followers):
            events.put(None)

    def answer(self, request: Message) -> Iterator[Message]:  # noqa: C901, PLR0912 - one case for each request
        """The answers to a request, as they come about. A DesktopschedError is an answer too."""
        program = self._program
        match request:
            case {"do": "ping"}:
                yield {"kind": program.kind}
            case {"do": "show"}:
                self._show()
                yield {"shown": program.kind == "window"}
            case {"do": "list"}:
                yield from listing(program)
            case {"do": "run", "task": str(name)}:
                events: Events = queue.SimpleQueue()
                self._followers.add(events)
                if self._over:  # asked after the others were added: one of the two sees the other
                    events.put(None)
                try:
                    yield from follow(program, name, events, downstream=bool(request.get("downstream")))
                finally:
                    self._followers.discard(events)
            case {"do": "stop", "task": str(name)}:
                yield {"stopped": program.dispatcher.cancel(program.find(name).id)}
            case {"do": "pause"}:
                program.dispatcher.pause()
                yield {"paused": True}
            case {"do": "resume"}:
                program.dispatcher.resume()
                yield {"paused": False}
            case {"do": "trust-clock"}:
                program.dispatcher.trust_clock()
                yield {"trusted": True}
            case {"do": "reload"}:
                program.reload()
                yield {"problems": [str(problem) for problem in program.problems]}
            case {"do": "examples"}:
                yield {"added": program.load_examples()}
            case {"do": "why", "task": str(name)}:
                answer = program.why(program.find(name).id, _instant(request.get("at")))
                yield structs.asdict(answer) | {"fate": answer.fate.value}
            case {"do": "diagnose"}:
                yield from map(structs.asdict, diagnose_running(program))
            case {"do": "decide", "choice": str(choice)}:
                program.decide_all(_choice(choice))
                yield {"decided": choice}
            case _:
                raise InvalidTaskError(f"This program does not know how to do {request.get('do')!r}.")


def _choice(text: str) -> CatchUp:
    try:
        return CatchUp(text)
    except ValueError as error:
        raise InvalidTaskError(f"{text!r} is no answer for missed runs. Say all, latest or skip.") from error


def _instant(at: object) -> float | None:
    """Seconds since 1970; None: now."""
    if at is None or (isinstance(at, int | float) and 0 <= at < LATEST):
        return at
    raise InvalidTaskError(f"{at!r} is not an instant: write seconds since 1970.")


def listing(program: Program) -> Iterator[Message]:
    """Every task as it is now, a message each."""
    for task, status in program.dispatcher.tasks():
        yield described(task, status)


def described(task: Task, status: TaskStatus) -> Message:
    """A task as it is, for machines. Instants are seconds since 1970, UTC."""
    outcome = status.outcome
    return {
        "id": task.id,
        "name": task.name,
        "group": task.group,
        "enabled": task.enabled,
        "state": status.state.value,
        "due": status.due,
        "waiting": status.waiting,
        "missed": status.missed,
        "outcome": None if outcome is None else outcome.state.value,
        "reason": "" if outcome is None else outcome.reason,
        "ended": status.ended,
    }


def follow(program: Program, name: str, events: Events, *, downstream: bool) -> Iterator[Message]:
    """Run a task by hand, and tell what comes of it: its output as it comes, then how it and what follows ended.

    The last end that is told says `done` too: a program that ends between two messages would leave open whether that
    was all. Without it, how everything ended is not known. A follower that goes away stops listening; the run goes on.
    None in `events` lets it go.
    """
    task = program.find(name)
    stop_listening = program.listen(events.put)
    try:
        open_ = {task.id} | (_descendants(program, task) if downstream else set())
        ours = {program.dispatcher.run_now(task.id, downstream=downstream)}
        while open_ and (event := events.get()) is not None:
            for message in _tell(event, open_, ours):
                yield message if open_ else message | {"done": True}
    finally:
        stop_listening()


def _descendants(program: Program, task: Task) -> set[str]:
    children: dict[str, list[str]] = {}
    for one, _ in program.dispatcher.tasks():
        for edge in one.waits_for if one.enabled else ():
            children.setdefault(edge.task, []).append(one.id)
    return set(reach(task.id, lambda parent: children.get(parent, ())))


def _tell(event: Event, open_: set[str], ours: set[int]) -> Iterator[Message]:
    """The message for an event of the runs that are `ours`; a task whose run ended leaves `open_`."""
    match event:
        case RunStarted(run=run) if _ours(run, open_, ours):
            yield {"started": run.id, "task": run.task_id, "attempt": run.attempt}
        case RunOutput(run=run, text=text) if _ours(run, open_, ours):
            yield {"output": text, "task": run.task_id}
        case RunFinished(run=run, outcome=outcome) | RunSkipped(run=run, outcome=outcome) if _ours(
            run, open_, ours
        ):
            open_.discard(run.task_id)
            yield _ended(run, outcome)
        case TaskRemoved(task_id=task_id) if task_id in open_:
            open_.discard(task_id)
            yield {
                "ended": State.CANCELLED.value,
                "task": task_id,
                "reason": "the task was removed",
                "code": None,
            }
        case _:
            return


def _ours(run: Run, open_: set[str], ours: set[int]) -> bool:
    """Whether a run is one of those that are followed, or follows from one of them in a task that is followed."""
    if run.task_id in open_ and not ours.isdisjoint(run.parents):
        ours.add(run.id)
    return run.id in ours


def _ended(run: Run, outcome: Outcome) -> dict[str, Any]:
    return {
        "ended": outcome.state.value,
        "task": run.task_id,
        "run": run.id,
        "reason": outcome.reason,
        "code": outcome.exit_code,
    }
