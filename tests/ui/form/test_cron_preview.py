"""A cron expression in words, its next starts, and what the clocks do to them."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from desktopsched.model.cron import parse_cron
from desktopsched.ui.form.cron_preview import Preview, preview
from tests.ui.scenery import BERLIN


def at(text: str, zone: ZoneInfo = BERLIN) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


def lines(found: Preview) -> list[str]:
    return [f"{one.date} {one.time} {one.until} {one.note}".strip() for one in found.starts]


def test_the_starts_before_the_clocks_go_back() -> None:
    found = preview("30 2,14 * * *", BERLIN, at("2026-10-23T14:32"))
    assert found.headline == "Every day at 02:30 and 14:30"
    assert found.aside == "Berlin time, about 60 runs a month"
    assert found.fields == ("minute 30 · hour 2 and 14", "any day, month, weekday")
    assert lines(found) == [
        "Sat 24 Oct 02:30 in 11 h 58 min",
        "Sat 24 Oct 14:30 in 23 h 58 min",
        "Sun 25 Oct 02:30 in 1 d 11 h 02:30 comes twice, runs once",
        "Sun 25 Oct 14:30 in 2 d",
        "Mon 26 Oct 02:30 in 2 d 12 h",
    ]


def test_a_time_that_does_not_exist_is_run_after_the_gap() -> None:
    found = preview("30 2 * * *", BERLIN, at("2026-03-28T14:00"))
    assert lines(found)[0] == "Sun 29 Mar 03:00 in 12 h 02:30 does not exist, runs at 03:00"
    assert not found.starts[1].note


def test_several_times_in_the_gap_run_once() -> None:
    found = preview("10,50 2 * * *", BERLIN, at("2026-03-28T14:00"))
    assert found.starts[0].note == "02:10 and 1 more do not exist, run once at 03:00"


def test_a_wildcard_runs_through_both_passes_and_leaves_out_the_gap() -> None:
    back = preview("*/30 * * * *", BERLIN, at("2026-10-25T01:40"))
    assert [one.note for one in back.starts] == [
        "02:00 comes twice, runs twice",
        "02:30 comes twice, runs twice",
        "02:00 comes twice, runs twice",
        "02:30 comes twice, runs twice",
        "",
    ]
    forth = preview("*/30 * * * *", BERLIN, at("2026-03-29T01:40"))
    assert [one.note for one in forth.starts] == ["02:00 and 1 more do not exist, left out", "", "", "", ""]


def test_a_zone_without_changes_has_no_notes() -> None:
    found = preview("30 2 * * *", ZoneInfo("UTC"), at("2026-03-28T14:00"))
    assert found.aside == "UTC, about 30 runs a month"
    assert not any(one.note for one in found.starts)


@pytest.mark.parametrize(
    ("expression", "headline", "fields"),
    [
        ("@hourly", "Every hour", ("minute 0 · any hour", "any day, month, weekday")),
        (
            "0 9 1 * 1",
            "At 09:00, on day 1 of the month, or on Monday",
            ("minute 0 · hour 9", "day 1 or Mon"),
        ),
        (
            "*/10 8-18 * * 1-5",
            "Every 10 min, Mon–Fri 08–19",
            ("minute 0 to 50 by 10 · hour 8 to 18", "Mon, Tue, Wed … Fri · any day, month"),
        ),
        (
            "5,20 8-18 * * *",
            "At 5 and 20 minutes past the hour, between 08:00 and 18:59",
            ("minute 5 and 20 · hour 8 to 18", "any day, month, weekday"),
        ),
        (
            "0 0 29 2 *",
            "At 00:00, on day 29 of the month, only in February",
            ("minute 0 · hour 0", "day 29 · Feb · any weekday"),
        ),
    ],
)
def test_words(expression: str, headline: str, fields: tuple[str, str]) -> None:
    found = preview(expression, BERLIN, at("2026-10-23T14:32"))
    assert (found.headline, found.fields) == (headline, fields)


def test_what_is_probably_not_meant_is_noted() -> None:
    found = preview("*/90 * * * *", BERLIN, at("2026-10-23T14:32"))
    assert found.notes == parse_cron("*/90 * * * *").notes != ()


def test_a_rare_date_has_its_year() -> None:
    found = preview("0 0 29 2 *", BERLIN, at("2026-10-23T14:32"))
    assert found.aside == "Berlin time, less than one run a year"
    assert found.starts[0].date == "Tue 29 Feb 2028"
