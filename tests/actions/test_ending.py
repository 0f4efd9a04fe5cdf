"""Words for endings."""

import pytest

from desktopsched.actions.ending import duration_in_words, outcome_of, signal_in_words, with_note
from desktopsched.model import Outcome, State


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1800, "30 min"), (5400, "1 h 30 min"), (0.5, "0.5 s"), (90061, "1 d 1 h 1 min 1 s"), (0, "0 s")],
)
def test_durations(seconds: float, words: str) -> None:
    assert duration_in_words(seconds) == words


def test_r10_signals_have_their_name_where_they_have_one() -> None:
    assert signal_in_words(15) == "signal 15 (SIGTERM)"
    assert signal_in_words(40) == "signal 40"


def test_signal_is_a_failure_whatever_codes_are_successes() -> None:
    assert outcome_of(-9, (0, -9, 9)).state is State.FAILED


def test_note_is_added_to_a_reason() -> None:
    assert with_note(Outcome(State.FAILED, "exit code 3", 3), "x") == Outcome(
        State.FAILED, "exit code 3; x", 3
    )
    assert with_note(Outcome(State.SUCCEEDED), "x").reason == "x"
    assert with_note(Outcome(State.SUCCEEDED), "").reason == ""
