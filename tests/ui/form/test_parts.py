"""The pure parts: ids, loops, amounts, commands as one line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from desktopsched.model import InvalidTaskError
from desktopsched.model.duration import format_duration
from desktopsched.model.fields import ID_PATTERN
from desktopsched.model.identity import new_id
from desktopsched.ui.form.command_line import join_words, shell_signs, split_words
from desktopsched.ui.form.loops import find_loops
from desktopsched.ui.form.measures import DURATION, FACTOR, PERCENT, count, read_codes, say_duration

WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


@given(st.text(max_size=100), st.lists(st.text(max_size=4)))
def test_an_id_is_one_whatever_the_name(name: str, others: list[str]) -> None:
    first = new_id(name, others)
    second = new_id(name, [*others, first])
    assert ID_PATTERN.fullmatch(first)
    assert ID_PATTERN.fullmatch(second)
    assert second != first


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Database dump", "database-dump"),
        ("  Größe (alt)  ", "grosse-alt"),
        ("备份", "task"),
        ("x" * 80, "x" * 64),
        (".hidden", "hidden"),
    ],
)
def test_ids(name: str, found: str) -> None:
    assert new_id(name, ()) == found


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_a_line_splits_into_the_words_it_was_joined_of(words: list[str]) -> None:
    assert split_words(join_words(words)) == words


def test_braces_need_no_quotes_and_pipes_do() -> None:
    assert join_words(["a", "b-{c}.d", "x|y", "~/z"]) == "a b-{c}.d 'x|y' '~/z'"
    with pytest.raises(InvalidTaskError, match="Close it"):
        split_words("a 'b")


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        ("a b", ""),
        ("a | b", "|"),
        ("ls *.txt", "*"),
        ("echo $HOME", "$H"),
        ("cd ~/x", "~"),
        ("grep 'a|b' c", ""),
    ],
)
def test_signs_of_a_shell(line: str, sign: str) -> None:
    assert shell_signs(line) == sign


@given(st.integers(0, 10**13).map(lambda n: n / 10**6).filter(lambda n: n < 3 * 10**8))
def test_a_duration_is_said_exactly(seconds: float) -> None:
    raw = format_duration(seconds)
    assert DURATION.read(say_duration(raw)) == re.sub(r"\s", "", raw)


@pytest.mark.parametrize(
    ("typed", "raw"),
    [
        ("20 min", "20m"),
        ("1h30m", "1h30m"),
        ("1 hour 5 minutes", "1h5m"),
        ("90 sec", "90s"),
        ("soon", "soon"),
    ],
)
def test_durations_as_people_type_them(typed: str, raw: str) -> None:
    assert DURATION.read(typed) == raw


@pytest.mark.parametrize(
    ("raw", "way", "found"),
    [
        ("30s", 1, "35s"),
        ("20m", 1, "25m"),
        ("20m", -1, "15m"),
        ("1m", -1, "55s"),
        ("0s", -1, "0s"),
        ("22m", 1, "25m"),
    ],
)
def test_durations_step_to_round_values(raw: str, way: int, found: str) -> None:
    assert DURATION.step(raw, way) == found


def test_numbers_have_their_units() -> None:
    times = count("time", "times", least=1)
    assert (times.say(1), times.say(3), times.read("3 times"), times.read("x")) == (
        "1 time",
        "3 times",
        3,
        "x",
    )
    assert times.say("x") == "x"
    assert (times.step(1, -1), times.step(1, 1)) == (1, 2)
    assert (PERCENT.say(0.25), PERCENT.read("25 %"), PERCENT.step(0.25, 1)) == ("25 %", 0.25, 0.3)
    assert (FACTOR.say(2.5), FACTOR.read("× 2.5"), FACTOR.step(2.5, -1)) == ("× 2.5", 2.5, 2)
    assert (read_codes("0, 3"), read_codes(UNSET)) == ([0, 3], UNSET)


def test_other_loops_among_the_ancestors_are_not_told() -> None:
    assert find_loops("a", "A", ["b"], {"b": ["c"], "c": ["b"]}, {}) == ()


def test_a_loop_is_found_past_another_one() -> None:
    (found,) = find_loops(
        "a", "A", ["b"], {"b": ["x", "d"], "x": ["y"], "y": ["x"], "d": ["a"]}, {"b": "B", "d": "D"}
    )
    assert found.headline == "D → B → A would wait for itself."


def test_a_loop_of_10_000_tasks_is_found_and_named_briefly() -> None:
    others = {f"t{n}": [f"t{n + 1}"] for n in range(10_000)} | {"t10000": ["a"]}
    (found,) = find_loops("a", "A", ["t0"], others, {})
    assert found.headline == "t10000 → t9999 → t9998 → … (9,997 more) → t0 → A would wait for itself."


def test_a_task_that_waits_for_itself() -> None:
    (found,) = find_loops("a", "A", ["a"], {}, {})
    assert found.headline == "A would wait for itself."


def test_long_names_and_those_from_right_to_left_leave_the_sentence_readable() -> None:
    (found,) = find_loops("a", "גיבוי", ["b"], {"b": ["a"]}, {"b": "x" * 200})
    assert found.headline == f"{'x' * 39}… → \u2068גיבוי\u2069 would wait for itself."
