"""Keeping: what the engine says becomes what the history keeps, and back at the next launch. Free of Qt.

The engine and the history do not know each other: here a `Memory` becomes bytes, and an event becomes a record.
"""

import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import structs

from desktopsched.claiming.events import ClaimSettled, FinishRefused, HandedOver, TakenBack
from desktopsched.claiming.shared import Left
from desktopsched.engine.events import (
    Absent,
    Event,
    Paused,
    Remembered,
    Resumed,
    RunFinished,
    RunRetrying,
    RunSkipped,
    RunStarted,
    TaskAdded,
    TaskChanged,
    TaskDisabled,
    TaskEdited,
    TaskRemoved,
    ZoneChanged,
)
from desktopsched.engine.memory import Mark, Marked, Memory
from desktopsched.model import IfLost, Outcome, Run, State, StopRequest, Task
from desktopsched.storage.history import History
from desktopsched.storage.records import EVERYBODY, RunRecord

_PAUSED = "paused"
_CLOSED = "closed"
_ZONE = "zone"
_HANDED_OVER = "handed over"
_SECRET = "secret"  # noqa: S105 - the name of a row

UNLISTED = "its task was taken off the list before it ended"


def _out(value: object) -> Any:
    if isinstance(value, StopRequest):
        return None  # it belongs to the process that lives now
    raise NotImplementedError(type(value).__name__)


def _in(kind: type, _: object) -> Any:
    if kind is StopRequest:
        return StopRequest()
    raise NotImplementedError(kind.__name__)


_encoder = msgspec.json.Encoder(enc_hook=_out)
_memory = msgspec.json.Decoder(Memory, dec_hook=_in)
_mark = msgspec.json.Decoder(Mark)


def keep(event: Event, history: History) -> None:
    """Keep what must survive. Blocks for nothing. Called with one event at a time, in order.

    The history gathers the parts of a change until `Remembered` ends it, and stores them all or none.
    """
    match event:
        case Remembered(memories=memories):
            history.remember([(task_id, _encoder.encode(memory)) for task_id, memory in memories])
        case Absent(absence=absence):
            history.absent(absence.began, absence.ended, absence.why.value)
        case ZoneChanged(zone=zone):
            _zone_changed(history, zone, event.at)
        case Paused() | Resumed():
            history.set_setting(_PAUSED, "yes" if isinstance(event, Paused) else "")
        case HandedOver() | TakenBack() | ClaimSettled() | FinishRefused():
            _keep_claim(event, history)
        case RunStarted() | RunRetrying() | RunFinished() | RunSkipped():
            _keep_run(event, history)
        case _:
            _keep_task(event, history)


def _keep_claim(event: HandedOver | TakenBack | ClaimSettled | FinishRefused, history: History) -> None:
    match event:
        case HandedOver() | TakenBack():
            history.set_setting(_HANDED_OVER, "yes" if isinstance(event, HandedOver) else "")
        case ClaimSettled(run_id=run_id):
            history.hold_settled(run_id)
        case FinishRefused(run=run, outcome=outcome, why=why):
            history.run_noted(run.id, "; ".join(filter(None, (outcome.reason, f"it does not count: {why}"))))


def _keep_run(event: RunStarted | RunRetrying | RunFinished | RunSkipped, history: History) -> None:
    run, at = event.run, event.at
    match event:
        case RunStarted():
            history.run_started(run, at)
        case RunRetrying(outcome=outcome):
            history.run_retrying(run, outcome, at)
        case RunFinished(outcome=outcome, marks=marks):
            history.run_finished(run, outcome, at, _rows(marks))
        case RunSkipped(outcome=outcome, marks=marks):
            history.run_skipped(run, outcome, at, _rows(marks))


def _keep_task(event: Event, history: History) -> None:
    match event:
        case TaskAdded(task=task, fresh=True):
            history.changed(task.id, "added", event.at)
        case TaskAdded(task=task, retimed=True):
            history.changed(task.id, "edited", event.at)
        case TaskEdited(task=task, marks=marks, retimed=retimed, switched=switched):
            history.set_marks(task.id, _rows(marks))
            if retimed or switched:
                what = "edited" if retimed else "enabled" if task.enabled else "disabled"
                history.changed(task.id, what, event.at)
        case TaskDisabled(task=task):
            history.set_marks(task.id, ())
            history.changed(task.id, "disabled", event.at)
        case TaskChanged(task_id=task_id, edges_used=True):
            history.set_marks(task_id, ())
        case TaskRemoved(task_id=task_id):
            history.forget(task_id)
            history.changed(task_id, "removed", event.at)
        case _:
            pass  # nothing that lasts


def _rows(marks: Iterable[Marked]) -> list[tuple[str, str, bytes, bool]]:
    return [(one.child, one.parent, _encoder.encode(one.mark), one.fresh) for one in marks]


def was_paused(history: History) -> bool:
    """Whether everything was paused when the program ended."""
    return history.records.settings().get(_PAUSED) == "yes"


def has_handed_over(history: History) -> bool:
    """Whether this computer claimed nothing of a shared list when the program ended."""
    return history.records.settings().get(_HANDED_OVER) == "yes"


def home_secret(history: History) -> str:
    """What this home alone knows, so that it finds its own claims again; made when it is first needed. StorageError."""
    found = history.records.settings().get(_SECRET)
    if found:
        return found
    made = secrets.token_hex(32)
    history.set_setting(_SECRET, made)
    history.flush()  # before anything is claimed with it
    return made


def left_claims(history: History, memories: Mapping[str, Memory], tasks: Iterable[Task]) -> list[Left]:
    """Claims of an earlier program that the store has no outcome for."""
    promises = {task.id: task.if_lost for task in tasks}
    going = {run.id for task_id in memories.keys() & promises.keys() for run in memories[task_id].live}
    found = []
    for hold in history.records.holds():
        record = history.records.run(hold.run_id)
        if record is None:
            history.hold_settled(hold.run_id)
            continue
        run = structs.replace(_run_of(record), nominal=hold.nominal, token=hold.token)
        outcome = None
        if record.ended is not None:
            outcome = Outcome(record.state, record.reason, record.exit_code)
        elif record.id not in going:
            outcome = Outcome(State.CANCELLED, UNLISTED)
        found.append(Left(run, outcome, promises.get(record.task_id, IfLost.NEVER_TWICE)))
    return found


def keep_zone(history: History, zone: str, now: float) -> None:
    """The program begins in this zone, which may be another one than when it ended."""
    before = history.records.settings().get(_ZONE, zone)
    if before != zone:
        _zone_changed(history, zone, now)
    else:
        history.set_setting(_ZONE, zone)


def _zone_changed(history: History, zone: str, at: float) -> None:
    history.set_setting(_ZONE, zone)
    history.changed(EVERYBODY, "zone", at)


def keep_closed(history: History, now: float) -> None:
    """The program ends, and not by accident."""
    history.set_setting(_CLOSED, str(now))


def last_alive(history: History, memories: Iterable[Memory]) -> float | None:
    """When the program ended, or its last sign of life before it was cut off; None: this is the first launch."""
    try:
        closed = float(history.records.settings().get(_CLOSED, "0"))
    except ValueError:  # somebody else wrote it
        closed = 0.0
    runs = history.records.last_instant()
    return max([closed, runs, *(memory.at for memory in memories)]) or None


def memories(history: History) -> tuple[dict[str, Memory], list[str]]:
    """What each task must remember, and the ids of those whose memory cannot be read."""
    found, unreadable = {}, []
    for task_id, blob in history.records.memories().items():
        try:
            found[task_id] = _memory.decode(blob)
        except msgspec.DecodeError:  # a damaged row, or one of another version: the task begins anew
            unreadable.append(task_id)
    return found, unreadable


def forgotten(history: History, memories: Mapping[str, Memory], listed: Collection[str]) -> list[Run]:
    """Runs without an end that no task of the list knows of: it was taken off, or its memory was lost."""
    known = {run.id for task_id in memories.keys() & set(listed) for run in memories[task_id].live}
    return [_run_of(record) for record in history.records.open_runs() if record.id not in known]


def _run_of(record: RunRecord) -> Run:
    return Run(
        id=record.id,
        task_id=record.task_id,
        scheduled_for=record.scheduled_for,
        cause=record.cause,
        attempt=record.attempts,
        generation=record.generation,
        token=record.token,
    )


def end_forgotten(history: History, run: Run, end: tuple[Outcome, float] | None, now: float) -> None:
    """Such a run has an end, too: its own, if it is known."""
    outcome, at = end or (Outcome(State.CANCELLED, UNLISTED), now)
    history.run_finished(run, outcome, min(at, now))
    history.remember([])


def forget_unlisted(history: History, memories: Mapping[str, Memory], listed: Collection[str]) -> None:
    """Tasks that were taken off the list while the program was closed have nothing under way."""
    for task_id, memory in memories.items():
        if task_id not in listed and memory.live:
            ended = structs.replace(memory, live=(), retry_at={})
            history.remember([(task_id, _encoder.encode(ended))])


def marks(history: History) -> tuple[dict[str, dict[str, Mark]], list[str]]:
    """What the edges remember, by child and parent, and the ids of children with one that cannot be read."""
    found: dict[str, dict[str, Mark]] = {}
    unreadable = []
    for child, edges in history.records.marks().items():
        try:
            found[child] = {parent: _mark.decode(blob) for parent, blob in edges.items()}
        except msgspec.DecodeError:  # as above: the edges of this child begin anew
            unreadable.append(child)
    return found, unreadable
