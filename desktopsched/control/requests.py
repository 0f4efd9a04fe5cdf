"""What a running program does for others who ask it over its socket. Each request is a message with a `do`."""

import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import structs

from desktopsched.control.description import described
from desktopsched.control.wire import Message
from desktopsched.diagnosis import diagnose_running
from desktopsched.engine import words
from desktopsched.engine.events import (
    Event,
    RunElsewhere,
    RunFinished,
    RunOutput,
    RunSkipped,
    RunStarted,
    TaskChanged,
    TaskRemoved,
)
from desktopsched.engine.zones import LATEST
from desktopsched.model import CatchUp, InvalidTaskError, Outcome, Run, State, Task
from desktopsched.model.document import read_task
from desktopsched.model.graph import reach
from desktopsched.program import Program

Events = queue.SimpleQueue[Event | None]
"""What a follower hears; None: nothing more."""


def nothing(_file: str) -> None:
    """There is no window to show."""


class Requests:
    """Answers for one program. Each request is answered on a thread of its own."""

    def __init__(
        self,
        program: Program,
        show: Callable[[str], None] = nothing,
        hand_over: Callable[[], None] | None = None,
    ) -> None:
        """`show`: raise the window, and show the task list of this path in it; an empty path is none.

        `hand_over`: end the program and leave what runs to the one that asks; None: it does not.
        """
        self._program = program
        self._show, self._hand_over = show, hand_over
        self._followers: set[Events] = set()
        self._over = False

    def end(self) -> None:
        """Let those who follow a run go; and those who come from now on."""
        self._over = True
        for events in tuple(self._followers):
            events.put(None)

    def answer(self, request: Message) -> Iterator[Message]:
        """The answers to a request, as they come about. A DesktopschedError is an answer too."""
        match request:
            case {"do": "ping"}:
                yield {"kind": self._program.kind}
            case {"do": "show"}:
                self._show(str(request.get("file") or ""))
                yield {"shown": self._program.kind == "window"}
            case {"do": "hand over"}:
                if self._hand_over is None:
                    raise InvalidTaskError("This program does not hand its tasks over.")
                yield {"handing over": self._program.kind}
                self._hand_over()
            case {"do": "run", "task": str(name)}:
                yield from self._run(name, downstream=bool(request.get("downstream")))
            case {"do": "list" | "paused" | "why" | "diagnose"}:
                yield from _told(self._program, request)
            case _:
                yield _done(self._program, request)

    def _run(self, name: str, *, downstream: bool) -> Iterator[Message]:
        events: Events = queue.SimpleQueue()
        self._followers.add(events)
        if self._over:  # asked after the others were added: one of the two sees the other
            events.put(None)
        try:
            yield from follow(self._program, name, events, downstream=downstream)
        finally:
            self._followers.discard(events)


def _told(program: Program, request: Message) -> Iterator[Message]:
    """What is asked for and changes nothing."""
    match request:
        case {"do": "list"}:
            yield from listing(program)
        case {"do": "paused"}:
            yield {"paused": program.dispatcher.paused}
        case {"do": "why", "task": str(name)}:
            answer = program.why(program.task_list.find(name).id, _instant(request.get("at")))
            yield structs.asdict(answer) | {"fate": answer.fate.value}
        case {"do": "diagnose"}:
            yield from map(structs.asdict, diagnose_running(program))


def _done(program: Program, request: Message) -> Message:  # noqa: PLR0911 - one for each request
    """What changes something: done, and what came of it."""
    match request:
        case {"do": "stop", "task": str(name)}:
            return _stopped(program, program.task_list.find(name))
        case {"do": "pause"}:
            program.dispatcher.pause()
            return {"paused": True}
        case {"do": "resume"}:
            program.dispatcher.resume()
            return {"paused": False}
        case {"do": "trust-clock"}:
            program.dispatcher.trust_clock()
            return {"trusted": True}
        case {"do": "hand claims over" | "take claims back"}:
            return {"handed over": program.give_way(request["do"] == "hand claims over")}
        case {"do": "reload"}:
            program.task_list.reload()
            return {"problems": [str(problem) for problem in program.task_list.problems]}
        case {"do": "add", "tasks": list(entries)}:
            program.task_list.add(*_tasks(entries))
            return {"added": len(entries)}
        case {"do": "examples"}:
            return {"added": program.task_list.load_examples()}
        case {"do": "decide", "choice": str(choice)}:
            program.decide_all(_choice(choice))
            return {"decided": choice}
        case _:
            raise InvalidTaskError(f"This program does not know how to do {request.get('do')!r}.")


def _stopped(program: Program, task: Task) -> Message:
    """Whether there was something to stop; what other computers perform is not, and they are named."""
    stopped = program.dispatcher.cancel(task.id)
    statuses = [status for one, status in program.dispatcher.tasks() if one.id == task.id]
    return {"stopped": stopped, "elsewhere": [one.owner for status in statuses for one in status.elsewhere]}


def _tasks(entries: Sequence[object]) -> list[Task]:
    """As the task file has them. InvalidTaskError for the first mistake."""
    tasks = []
    for number, entry in enumerate(entries):
        task, problems = read_task(entry, f"tasks[{number}]")
        if task is None:
            raise InvalidTaskError(str(problems[0]))
        tasks.append(task)
    return tasks


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


def follow(program: Program, name: str, events: Events, *, downstream: bool) -> Iterator[Message]:
    """Run a task by hand, and tell what comes of it: its output as it comes, then how it and what follows ended.

    The last end that is told says `done` too: a program that ends between two messages would leave open whether that
    was all. Without it, how everything ended is not known. A follower that goes away stops listening; the run goes on.
    None in `events` lets it go.
    """
    task = program.task_list.find(name)
    stop_listening = program.listen(events.put)
    try:
        open_ = {task.id} | (_descendants(program, task) if downstream else set())
        ours = {program.dispatcher.run_now(task.id, downstream=downstream)}
        said = {""}  # once each: it is asked about again and again
        while open_ and (event := events.get()) is not None:
            if isinstance(event, TaskChanged) and event.task_id in open_:
                waits = words.list_wait(event.status.waiting)
                if waits not in said:
                    said.add(waits)
                    yield {"waits": waits, "why": trouble_of(program, waits)}
            for message in _tell(event, open_, ours):
                yield message if open_ else message | {"done": True}
    finally:
        stop_listening()


def trouble_of(program: Program, waits: str) -> str:
    """What there is to say of a shared list, where a start `waits` since it is out of reach; else nothing."""
    out_of_reach = waits == words.at_present(words.OUT_OF_REACH)
    return program.shared.trouble if out_of_reach and program.shared is not None else ""


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
        case RunElsewhere(run=run, owner=owner) if _ours(run, open_, ours):
            yield {"waits": f"{owner} performs it"}
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
