"""Random histories of the real engine, by seed. `DESKTOPSCHED_EXAMPLES=5000` plays that many."""

import os

import pytest

from desktopsched.engine.events import RunStarted
from tests.faultlines import Record
from tests.simulation.history import History, WrongError

SEEDS = int(os.environ.get("DESKTOPSCHED_EXAMPLES", "200"))
BLOCK = 20


@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_no_history_loses_a_start_or_has_one_twice(first: int, report: Record) -> None:
    starts = 0
    for seed in range(first, min(first + BLOCK, SEEDS)):
        history = History(seed)
        try:
            history.play(40)
            history.account()
        except WrongError as wrong:
            pytest.fail(f"seed {seed}: {wrong}")
        starts += sum(isinstance(event, RunStarted) for event in (*history.log, *history.world.events))
        history.world.kill()
    report(
        f"random histories from seed {first}: kills at any event, clock steps, zones, edits, pauses, sleep",
        BLOCK,
        "no start lost, none twice, each with its true end",
        f"{starts:,} starts, no history refused",
    )
    assert starts > 5 * BLOCK, "an engine that does nothing passes no test"


def test_no_due_instant_is_lost_where_every_one_can_be_counted() -> None:
    for seed in range(SEEDS // 4):
        history = History(100_000 + seed, calm=True)
        try:
            history.play(30)
            history.account()
        except WrongError as wrong:
            pytest.fail(f"seed {100_000 + seed}, calm: {wrong}")
        history.world.kill()


@pytest.mark.parametrize("broken", ["a start twice", "a start lost"])
def test_the_account_notices_what_is_wrong(broken: str, report: Record) -> None:
    """The control: histories that were tampered with are refused."""
    noticed = 0
    for seed in range(20):
        history = History(seed, calm=True)
        history.play(20)
        scheduled = [
            event
            for event in history.world.events
            if isinstance(event, RunStarted)
            and event.run.cause.value == "schedule"
            and event.run.attempt == 1
        ]
        if not scheduled:
            continue
        event = scheduled[-1]
        history.account()
        if broken == "a start twice":
            history.world.events.append(event)
        else:
            lost = event.run.id
            kept = [
                one for one in history.world.events if getattr(getattr(one, "run", None), "id", 0) != lost
            ]
            history.world.events[:] = kept
        try:
            history.account()
        except WrongError:
            noticed += 1
        history.world.kill()
    report(
        f"control: histories with {broken}",
        20,
        "they are refused",
        f"{noticed} of 20 had such a start: refused",
    )
    assert noticed >= 3
