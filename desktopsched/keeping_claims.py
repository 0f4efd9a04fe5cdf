"""Keeping claims: what of a shared list the history keeps, and back at the next launch. Free of Qt.

Loaded only where a list is shared; what every home keeps is in `keeping`.
"""

import secrets
from collections.abc import Iterable, Mapping

from msgspec import structs

from desktopsched import keeping
from desktopsched.claiming.events import ClaimSettled, FinishRefused, HandedOver, TakenBack
from desktopsched.claiming.shared import Left
from desktopsched.engine.events import Event
from desktopsched.engine.memory import Memory
from desktopsched.model import IfLost, Outcome, State, Task
from desktopsched.storage.history import History

_HANDED_OVER = "handed over"
_SECRET = "secret"  # noqa: S105 - the name of a row
_STORE = "claims at"


def keep(event: Event, history: History) -> None:
    """Keep what must survive. Blocks for nothing."""
    match event:
        case HandedOver() | TakenBack():
            history.set_setting(_HANDED_OVER, "yes" if isinstance(event, HandedOver) else "")
        case ClaimSettled(run_id=run_id):
            history.hold_settled(run_id)
        case FinishRefused(run=run, outcome=outcome, why=why):
            history.run_noted(run.id, "; ".join(filter(None, (outcome.reason, f"it does not count: {why}"))))
        case _:
            pass  # `keeping` does


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


def known_store(history: History, place: str) -> str:
    """Whose content was found last at an address; empty: nobody looked yet."""
    return history.records.settings().get(f"{_STORE} {place}", "")


def keep_store(history: History, place: str, identity: str) -> None:
    """That is what is expected there from now on."""
    history.set_setting(f"{_STORE} {place}", identity)


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
        run = structs.replace(keeping.run_of(record), nominal=hold.nominal, token=hold.token)
        outcome = None
        if record.ended is not None:
            outcome = Outcome(record.state, record.reason, record.exit_code)
        elif record.id not in going:
            outcome = Outcome(State.CANCELLED, keeping.UNLISTED)
        found.append(Left(run, outcome, promises.get(record.task_id, IfLost.NEVER_TWICE)))
    return found
