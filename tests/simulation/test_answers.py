"""The ledger asked for every due instant of random histories: one fate for each, and the one that it really had."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktopsched import keeping
from desktopsched.engine.events import Event, RunFinished, RunSkipped, RunStarted
from desktopsched.engine.occurrences import newest
from desktopsched.engine.slot import Slot
from desktopsched.ledger import Fate, Ledger
from desktopsched.model import Cause, Overlap, Task
from desktopsched.storage.history import History as Kept
from tests.simulation.history import History
from tests.simulation.test_histories import SEEDS

NEWEST = 80
CHANGED = {Fate.NOT_DUE, Fate.DISABLED}


def played(seed: int, *, calm: bool) -> History:
    """A history that stops in the middle of whatever happens."""
    history = History(seed, calm=calm)
    # Where the computer is when a program dies, the next one finds out: that is for a test of the program.
    history.acts = tuple(act for act in history.acts if act is not History._travel)
    for _ in range(random.Random(seed).randint(5, 40)):
        history._weather()
        history.rng.choice(history.acts)(history)
        history.world.run()
    return history


def possible(history: History, slot: Slot, due: float, log: list[Event]) -> set[Fate]:
    """What may be said of a due instant, by what the engine did and has in mind."""
    mine = [
        event
        for event in log
        if isinstance(event, RunStarted | RunFinished | RunSkipped)
        and event.run.task_id == slot.task.id
        and event.run.cause is not Cause.MANUAL
    ]
    ends = {event.run.id for event in mine if isinstance(event, RunFinished)}
    begun = {
        event.run.id for event in mine if isinstance(event, RunStarted) and event.run.scheduled_for == due
    }
    if begun:
        return {Fate.RAN, Fate.INTERRUPTED} if begun <= ends else {Fate.RUNNING}
    if any(isinstance(event, RunFinished) and event.run.scheduled_for == due for event in mine):
        return {Fate.CANCELLED}
    if any(one.scheduled_for == due for one in slot.memory(0.0).armed):
        return {Fate.DECIDED}
    for owed in slot.owed:
        if owed.after < due <= owed.until:
            return {Fate.CATCHING_UP if owed.decided else Fate.ASKED}
    for event in mine:
        first = event.run.scheduled_for if event.run.first is None else event.run.first
        if isinstance(event, RunSkipped) and first <= due <= event.run.scheduled_for:
            return {Fate.SKIPPED}
    return _without_a_record(history, slot, due)


def _without_a_record(history: History, slot: Slot, due: float) -> set[Fate]:
    if not slot.task.enabled:
        return CHANGED
    if slot.spent:
        return {Fate.SPENT, *CHANGED}
    if due <= slot.cursor:
        return CHANGED
    if slot.live and slot.task.overlap in {Overlap.SKIP, Overlap.QUEUE}:
        return {Fate.WAITING}
    if history.world.dispatcher.paused:
        return {Fate.PAUSED}
    return {Fate.DECIDED} if slot.ticket and slot.nominal == due else set()


def asked(history: History, path: Path) -> Iterator[tuple[Task, float, Fate, set[Fate]]]:
    """For the newest due instants of each task: what the ledger says, and what it may."""
    log = [*history.log, *history.world.events]
    kept = Kept(path)
    kept.open()
    try:
        for event in log:
            keeping.keep(event, kept)
        kept.flush()
        dispatcher = history.world.dispatcher
        board, now = dispatcher._agenda.board, history.world.clock.time
        ledger = Ledger(kept.records, now, dispatcher.zone, paused=dispatcher.paused)
        memories, unreadable = keeping.memories(kept)
        assert unreadable == []
        for task, status in dispatcher.tasks():
            slot = board.slots[task.id]
            anchor = slot.first_seen
            dues, _ = newest(task, anchor, now, NEWEST, zone=board.zone, anchor=anchor)
            for due in [] if task.waits_for else dues:
                answer = ledger.why(task, memories.get(task.id), due, status.waiting)
                assert answer.due == due
                yield task, due, answer.fate, possible(history, slot, due, log)
    finally:
        kept.close()
        history.world.kill()


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("calm", [True, False])
def test_every_due_instant_of_random_histories_has_the_fate_that_it_had(tmp_path: Path, calm: bool) -> None:
    told: Counter[Fate] = Counter()
    for seed in range(300_000, 300_000 + SEEDS // 5):
        for task, due, fate, right in asked(played(seed, calm=calm), tmp_path / f"{seed}.sqlite3"):
            assert fate in right, (seed, task, due)
            told[fate] += 1
    assert told[Fate.NOT_KNOWN] == 0
    seen = {Fate.RAN, Fate.SKIPPED, Fate.SPENT, Fate.PAUSED, Fate.ASKED, Fate.CANCELLED}
    assert seen <= told.keys(), "a ledger that is asked nothing passes no test"
