"""Random histories of three computers that share a list, by seed. `DESKTOPSCHED_EXAMPLES=5000` plays that many."""

import pytest

from tests.faultlines import Record
from tests.simulation.history import WrongError
from tests.simulation.sharing import SharedHistory
from tests.simulation.test_histories import BLOCK, SEEDS


@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_no_history_of_three_computers_has_a_start_twice(first: int, report: Record) -> None:
    due = began = never = 0
    for seed in range(first, min(first + BLOCK, SEEDS)):
        history = SharedHistory(seed)
        try:
            history.play(30)
            history.account()
        except WrongError as wrong:
            pytest.fail(f"seed {seed}: {wrong}")
        finally:
            history.end()
        figures = history.figures()
        due, began, never = due + figures[0], began + figures[1], never + figures[2]
    report(
        f"three computers from seed {first}: deaths at any step, pauses past the lease, outages, lost answers, clocks",
        BLOCK,
        "no start twice, no outcome twice, one end of each due instant on every computer",
        f"{due:,} starts due, {began:,} began, {never:,} never did; no history refused",
    )
    assert began > due / 3, "computers that do nothing pass no test"


def test_where_nothing_goes_wrong_every_start_happens() -> None:
    for seed in range(500_000, 500_000 + SEEDS // 10):
        history = SharedHistory(seed, calm=True)
        history.play(10)
        history.account()
        history.end()
        due, began, _ = history.figures()
        assert began > 0.6 * due, seed  # the others were overlapped
