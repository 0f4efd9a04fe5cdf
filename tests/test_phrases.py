"""The words for instants and spans, as the design has them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from desktopsched import phrases
from desktopsched.model import Outcome, State

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 10, 23, 14, 32, 10, tzinfo=BERLIN).timestamp()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (46, "46 s"),
        (84, "1 min 24 s"),
        (120, "2 min"),
        (7_800, "2 h 10 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_spans(seconds: float, words: str) -> None:
    assert phrases.span(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.0, "under 0.1 s"), (0.42, "0.4 s"), (1.4, "1 s"), (84.0, "1 min 24 s")]
)
def test_what_was_quick_is_told_by_tenths_of_a_second(seconds: float, words: str) -> None:
    assert phrases.took(seconds) == words


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (datetime(2026, 10, 23, 14, 32, 10, tzinfo=BERLIN), "now"),
        (datetime(2026, 10, 23, 14, 32, 9, tzinfo=BERLIN), "now"),
        (datetime(2026, 10, 23, 14, 32, 50, tzinfo=BERLIN), "in 40 s"),
        (datetime(2026, 10, 23, 14, 36, 30, tzinfo=BERLIN), "in 4 min"),
        (datetime(2026, 10, 24, 2, 30, 30, tzinfo=BERLIN), "in 11 h 58 min"),
        (datetime(2026, 10, 26, 9, 0, tzinfo=BERLIN), "in 2 d 19 h"),
    ],
)
def test_how_far_away(when: datetime, words: str) -> None:
    assert phrases.until(when.timestamp(), NOW) == words


@pytest.mark.parametrize(
    ("when", "words"),
    [
        (datetime(2026, 10, 23, 14, 36, tzinfo=BERLIN), "14:36"),
        (datetime(2026, 10, 24, 2, 30, tzinfo=BERLIN), "Sat 02:30"),
        (datetime(2026, 11, 30, 10, 0, tzinfo=BERLIN), "30 Nov 10:00"),
        (datetime(2028, 1, 3, 10, 0, tzinfo=BERLIN), "3 Jan 2028 10:00"),
    ],
)
def test_clock_times_carry_as_much_of_the_date_as_they_need(when: datetime, words: str) -> None:
    assert phrases.clock(when.timestamp(), NOW, BERLIN) == words


def test_results() -> None:
    assert phrases.result(None) == "has not run yet"
    assert phrases.result(Outcome(State.SUCCEEDED)) == "succeeded"
    assert phrases.result(Outcome(State.FAILED, "exit code 1", 1)) == "failed: exit code 1"
    assert phrases.result(Outcome(State.CANCELLED)) == "cancelled"
