"""The parser: what is accepted means what Debian's cron makes of it; what is refused comes with a remedy."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.model import Cron, InvalidCronError
from desktopsched.model.cron import LONGEST, parse_cron
from desktopsched.model.cron_field import FIELDS

ROOT = Path(__file__).parents[2]
CASES = json.loads((ROOT / "tests/data/cron_cases.json").read_text(encoding="utf-8"))
LONG_LIST = ",".join(str(k % 60) for k in range(20_000)) + " * * * *"  # C094, floraison/fugit #104

REFUSED = [case for case in CASES if "expected_error" in case]
ACCEPTED = [case for case in CASES if "expected_error" not in case and case["id"] != "C094"]


def refusal(expression: str) -> str:
    with pytest.raises(InvalidCronError) as caught:
        parse_cron(expression)
    return str(caught.value)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_what_cron_does_not_mean_is_refused_with_what_to_write(case: dict[str, Any]) -> None:
    text = refusal(case["expr"])
    assert any(word in text for word in ("Write ", "write '", "Change ", "Leave ")), text
    assert "invalid" not in text.lower()


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["id"])
def test_what_cron_reads_is_accepted(case: dict[str, Any]) -> None:
    assert parse_cron(case["expr"]).minutes


@pytest.mark.parametrize(
    ("expression", "part", "remedy"),
    [
        ("60 * * * *", "Minutes go from 0 to 59", "'0'"),
        ("0 25 * * *", "Hours go from 0 to 23. Change '25'", "'1'"),
        ("0 0 32 * *", "Days of the month go from 1 to 31", "'31'"),
        ("0 0 1 13 *", "Months go from 1 to 12", "'12'"),
        ("0 0 * * 8", "Days of the week go from 0 to 7", "'1'"),
        ("0 22-2 * * *", "hour field is a range that runs backwards", "'22-23,0-2'"),
        ("0 22-3/2 * * *", "runs backwards", "'22,0,2'"),
        ("0 0 * * sat-sun", "day-of-week field is a range that runs backwards", "'6-7'"),
        ("0 0 * * fri-mon", "runs backwards", "'5-7,1'"),
        ("0 0 1 nov-feb *", "month field is a range that runs backwards", "'11-12,1-2'"),
        ("5/15 * * * *", "a step needs a range", "'5-59/15'"),
        ("59/15 * * * *", "a step needs a range", "'59'"),
        ("*/0 * * * *", "step of 0", "'*'"),
        ("*/ * * * *", "without a step", "'*'"),
        ("*/5/2 * * * *", "two steps", "'*/5'"),
        ("0 0 L * *", "last day of the month (L)", "'28'"),
        ("0 0 * * 5L", "last such day of the month (L)", "'5'"),
        ("0 0 15W * *", "nearest working day (W)", "'15'"),
        ("0 0 LW * *", "nearest working day (W)", "'28'"),
        ("0 10 * * mon#2", "one week of the month (#)", "'mon'"),
        ("0 0 ? * *", "question mark", "'*'"),
        ("H * * * *", "picked by the program", "'17'"),
        ("R * * * *", "picked by the program", "'17'"),
        ("H(0-29)/10 * * * *", "picked by the program", "'17'"),
        ("0 0 * * H(1-5)", "picked by the program", "'1'"),
        ("0~30 * * * *", "picked by the program", "'17'"),
        ("+5 * * * *", "sign", "'5'"),
        ("-5 * * * *", "sign", "'5'"),
        ("5.5 * * * *", "not a whole number", "'5'"),
        ("*-5 * * * *", "star and a range", "'*'"),
        ("1,,2 * * * *", "empty place", "'1,2'"),
        (", * * * *", "empty place", "'*'"),
        ("0 0 * * monday", "three letters", "'mon'"),
        ("0 0 * sept *", "three letters", "'sep'"),
        ("0 17 * * MON_FRI", "not a range", "'MON-FRI'"),
        ("0 0 * mon *", "belongs in the day-of-week field", "'*'"),
        ("0 0 * * feb", "belongs in the month field", "'*'"),
        ("x * * * *", "cannot be read in the minute field", "a number from 0 to 59"),
        ("0 0 * * x-fri", "cannot be read in the day-of-week field", "a name such as 'fri'"),
        ("0 0 12 * * 5", "There are 6 fields", "'0 12 * * 5'"),
        ("0 0 * * 1 0 2027", "There are 7 fields", "'0 * * 1 0'"),
        ("0 0 12 * * ?", "There are 6 fields", "Leave out the seconds: write '0 12 * * *' if"),
        ("0 12 * * 1 backup", "There are 6 fields", ". Write '0 12 * * 1' if what follows"),
        ("0 0 31 2 * backup", "There are 6 fields", ". Write for example '0 9 * * *'."),
        ("0 9", "There are 2 fields", "'0 9 * * *'"),
        ("", "five fields", "'0 9 * * *'"),
        ("0\xa09 * * *", "no-break space", "ordinary blank"),
        ("1–5 * * * *", "en dash", "'-'"),
        ("٣ * * * *", "arabic-indic digit three", "digits"),
        ("0 0 * *\n*", "character that cron does not read", "ordinary blank"),
        ("@HOURLY", "small letters", "'@hourly'"),
        ("@reboot", "not a time", "'@daily'"),
        ("@every 5m", "interval", "'15m'"),
        ("@often", "no nickname", "@hourly"),
        ("0 0 31 2 *", "never happens", "29 or less"),
        ("0 0 31 4,6,9,11 *", "never happens", "30 or less"),
        ("0 0 30 2 */2", "never happens", "29 or less"),
    ],
)
def test_a_refusal_names_the_field_the_fault_and_the_remedy(expression: str, part: str, remedy: str) -> None:
    text = refusal(expression)
    assert part in text
    assert remedy in text


@pytest.mark.parametrize(
    "remedy", ["22-23,0-2 * * * *", "5-59/15 * * * *", "0 0 * * 5-7,1", "0 0 1 11-12,1-2 *", "0 0 * * 6-7"]
)
def test_remedies_are_accepted_themselves(remedy: str) -> None:
    parse_cron(remedy if remedy[0] != "2" else "0 " + remedy[:-2])


@pytest.mark.parametrize(
    ("written", "example"),
    [
        ("30", "30 * * * *"),
        ("30 2", "30 2 * * *"),
        ("99 2", "0 2 * * *"),
        ("9:00", "0 * * * *"),
        ("0 25 1", "0 * 1 * *"),
        ("0 0 31 2", "0 9 * * *"),  # would never happen
        (
            ",".join(map(str, range(50))),
            "0 9 * * *",
        ),  # too long to be repeated, and half of it would mean nothing
    ],
)
def test_the_example_for_too_few_fields_can_be_read(written: str, example: str) -> None:
    assert f"for example '{example}'" in refusal(written)
    parse_cron(example)


@pytest.mark.parametrize(
    ("expression", "fault", "remedy"),
    [
        ("0 0 30 2 *", "February has no day 30", "or choose another month."),
        ("0 0 31 4,6 *", "none of the months has a day 31", "or choose other months."),
    ],
)
def test_a_day_that_a_month_does_not_have_is_said_of_that_month(
    expression: str, fault: str, remedy: str
) -> None:
    text = refusal(expression)
    assert text.startswith(f"This never happens: {fault}. Change the day")
    assert text.endswith(remedy)


def test_hundred_thousand_characters_are_refused_at_once_z07() -> None:
    start = process_time()
    assert "at most 1,000" in refusal(LONG_LIST)
    assert "at most 1,000" in refusal("*" * 100_000)
    assert process_time() - start < 0.05


@pytest.mark.parametrize(
    "expression", [LONG_LIST, "0 0 30 2 *", "*/0 * * * *", "1-59/2,*/7 1-23 1-31 jan-dec 1-5"]
)
def test_each_key_of_an_expression_is_answered_within_50_ms_u16(expression: str) -> None:
    parse_cron("* * * * *")  # the import of croniter is paid once, not per key
    for length in [*range(min(len(expression), LONGEST + 3)), len(expression)]:
        start = process_time()
        with suppress(InvalidCronError):
            parse_cron(expression[:length])
        assert process_time() - start < 0.05


def test_only_the_longest_expression_is_still_read() -> None:
    fitting = "0," * ((LONGEST - 10) // 2) + "0 * * * *"
    assert parse_cron(fitting).minutes == (0,)
    assert "characters" in refusal(fitting + " " * LONGEST)


def values(expression: str) -> list[tuple[int, ...]]:
    fields = parse_cron(expression)
    return [fields.minutes, fields.hours, fields.days, fields.months, fields.weekdays]


@pytest.mark.parametrize("index", range(5), ids=[field.name for field in FIELDS])
def test_each_range_and_step_gives_exactly_its_numbers(index: int) -> None:
    """C001, C003, C004: croniter takes the range 5-5 for the whole field; and weekday 7 is Sunday, 0."""
    field = FIELDS[index]
    for low in range(field.least, field.most + 1):
        for high in range(low, field.most + 1, 3 if field.most > 31 else 1):
            for step in (1, 2, 3, 7):
                texts = ["*"] * 5
                texts[index] = f"{low}-{high}/{step}"
                wanted = {value % 7 if index == 4 else value for value in range(low, high + 1, step)}
                if index == 2:
                    texts[4] = "1"  # either day field is enough, so that no date is impossible
                assert values(" ".join(texts))[index] == tuple(sorted(wanted))


@given(
    st.lists(st.integers(0, 59), min_size=1, max_size=8),
    st.lists(st.sampled_from(["jan", "FEB", "Mar", "04", "5-7", "aug-dec/2"]), min_size=1),
)
def test_lists_are_unions_in_any_order(minutes: list[int], months: list[str]) -> None:
    found = parse_cron(f"{','.join(map(str, minutes))} 0 1 {','.join(months)} *")
    parts = {"jan": [1], "FEB": [2], "Mar": [3], "04": [4], "5-7": [5, 6, 7], "aug-dec/2": [8, 10, 12]}
    assert found.minutes == tuple(sorted(set(minutes)))
    assert found.months == tuple(sorted({number for month in months for number in parts[month]}))


@given(
    st.text(alphabet="0123456789*,-/ \tLWHR#?@abcdefghijklmnopqrstuvwxyz", max_size=30) | st.text(max_size=30)
)
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    said = ""
    try:
        parse_cron(text)
    except InvalidCronError as error:
        said = str(error)
    assert said == "" or len(said) > 30


@pytest.mark.parametrize(
    ("expression", "both", "wildcard"),
    [
        ("0 0 13 * 5", False, False),
        ("0 0 13 * *", True, False),
        ("0 0 */2 * 1", True, False),
        ("0 0 13 * */7", True, False),
        ("0 0 13,* * 5", False, False),  # only a star in first place counts (C012)
        ("0 0 1-31 * 1", False, False),
        ("*,5 0 * * *", True, True),
        ("0 */2 * * *", True, True),
        ("5,* 0-23 * * *", True, False),
        ("@hourly", True, True),
        ("@daily", True, False),
        ("@weekly", True, False),
        ("@yearly", True, False),
    ],
)
def test_a_leading_star_decides_the_day_rule_and_the_kind(
    expression: str, both: bool, wildcard: bool
) -> None:
    fields = parse_cron(expression)
    assert (fields.both_days, fields.wildcard) == (both, wildcard)


def test_a_step_wider_than_its_field_is_noted_c025_c028() -> None:
    assert "not every 90 minutes" in parse_cron("*/90 * * * *").notes[0]
    assert "not every 36 hours" in parse_cron("0 */36 * * *").notes[0]
    assert parse_cron("*/45 */2 * * *").notes == ()


def test_equal_expressions_share_one_value() -> None:
    assert parse_cron("1 2 * * *") is parse_cron("1 2 * * *")
    assert hash(parse_cron("1 2 * * *")) == hash(parse_cron("01  2 * * 0-6"))


def test_a_schedule_with_a_wrong_expression_cannot_be_made() -> None:
    with pytest.raises(InvalidCronError, match="never happens"):
        Cron("0 0 31 2 *")


def test_a_program_without_cron_tasks_does_not_load_croniter() -> None:
    code = "import sys, desktopsched.engine.occurrences; sys.exit('croniter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
