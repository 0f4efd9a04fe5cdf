"""Two computers, the same due starts, in lock step: exactly one has each.

Running free they would hardly ever meet. `DESKTOPSCHED_CLAIMS=10000` races that many on each store.
"""

import pytest

from tests.faultlines import Record
from tests.sharing.computers import computers, race
from tests.sharing.places import SIZE, Place

STARTS = SIZE or 100
ENOUGH = 0.4
"""The part of the claims that has to overlap, or it was no race: 4,000 of 10,000."""


@pytest.mark.timeout(3600)
def test_each_start_is_had_by_exactly_one(place: Place, list_id: str, report: Record) -> None:
    with computers(place, list_id, lease=60.0) as pair:
        tally = race(pair, STARTS, lambda tally: tally.overlaps >= STARTS * ENOUGH)
    report(
        f"two computers claim the same start at the same moment ({place.kind})",
        tally.starts,
        "exactly one has it; at least 2 in 5 overlap",
        f"{tally.once} had by one, {tally.doubled} by both, {tally.nobody} by nobody; {tally.overlaps} overlapped",
    )
    assert (tally.once, tally.doubled, tally.nobody, tally.unknown) == (tally.starts, 0, 0, 0)
    assert tally.overlaps >= STARTS * ENOUGH  # there were enough, and enough of them were a race


@pytest.mark.timeout(3600)
def test_a_race_would_show_a_store_that_looks_first_and_inserts_then(
    place: Place, list_id: str, report: Record
) -> None:
    with computers(place, list_id, "--wrong", lease=60.0) as pair:
        tally = race(pair, STARTS, lambda tally: tally.doubled > 0)
    report(
        f"the same with a store that looks, then inserts ({place.kind})",
        tally.starts,
        "some are had by both: the control must fail",
        f"{tally.doubled} had by both; {tally.overlaps} overlapped",
    )
    assert tally.doubled > 0
