from datetime import datetime

import pytest

from desktopsched.engine.absence import Absence, Why
from desktopsched.model import CatchUp
from desktopsched.ui.catch_up import words
from desktopsched.ui.catch_up.choices import Choices, MissedTask, Pick
from tests.ui.scenery import BERLIN, task


def at(day: int, hour: int, minute: int = 0) -> float:
    return datetime(2026, 10, day, hour, minute, tzinfo=BERLIN).timestamp()


NOW = at(26, 8, 55)
DUMP = MissedTask(
    task=task("dump", "Database dump"),
    schedule="Every day at 02:30 and 14:30",
    count=5,
    first=at(24, 2, 30),
    last=at(26, 2, 30),
    usual=1_200,
)
MAIL = MissedTask(task=task("mail", "Mail archive"), count=18, first=at(24, 0), last=at(26, 6), usual=1_140)
CUT = MissedTask(task=task("cut", "Photo sync"), interrupted=True, interrupted_at=at(23, 14, 31))


@pytest.mark.parametrize(
    ("away", "said"),
    [
        (
            Absence(Why.CLOSED, at(23, 18, 2), NOW),
            "While Desktopsched was closed (Fri 18:02 – Mon 08:55), 2 tasks missed 23 runs",
        ),
        (
            Absence(Why.SLEPT, at(26, 1, 0), NOW),
            "While the computer slept (01:00 – 08:55) and before, 2 tasks missed 23 runs",
        ),
        (
            Absence(Why.CLOSED, at(1, 18, 2), NOW),
            "While Desktopsched was closed (1 Oct 18:02 – Mon 08:55), 2 tasks missed 23 runs",
        ),
        (
            Absence(Why.CLOSED, NOW - 20, NOW),
            "While Desktopsched was closed and before, 2 tasks missed 23 runs",
        ),
        (Absence(Why.CLOCK, NOW - 9_000, NOW), "2 tasks missed 23 runs"),
        (None, "2 tasks missed 23 runs"),
    ],
)
def test_the_headline_says_what_happened_and_when(away: Absence | None, said: str) -> None:
    assert words.headline(away, Choices([DUMP, MAIL]), BERLIN) == said


def test_the_headline_puts_nothing_into_an_absence_that_was_missed_before_it() -> None:
    whole = Absence(Why.CLOSED, at(24, 0), NOW)
    assert "and before" not in words.headline(whole, Choices([DUMP, MAIL]), BERLIN)
    later = Absence(Why.CLOSED, at(24, 1), NOW)
    assert ") and before, 2 tasks missed" in words.headline(later, Choices([DUMP, MAIL]), BERLIN)


def test_interrupted_runs_are_in_the_headline() -> None:
    closed = Absence(Why.CLOSED, at(23, 18, 2), NOW)
    assert words.headline(closed, Choices([CUT]), BERLIN).endswith(", 1 run was interrupted")
    both = words.headline(None, Choices([CUT, DUMP]), BERLIN)
    assert both == "1 task missed 5 runs and 1 run was interrupted"


def test_the_plan_says_what_starts_and_about_how_long_it_takes() -> None:
    choices = Choices([DUMP, MAIL])
    assert words.plan(choices, 2) == "Your choices start 2 runs, at most 2 at a time, and take about 20 min."
    choices.pick(0, Pick.ALL)
    assert words.plan(choices, 2) == (
        "Your choices start 6 runs, at most 2 at a time, and take about 1 h 40 min."
    )
    assert words.plan(Choices([DUMP]), 2) == "Your choices start 1 run, which takes about 20 min."
    choices.pick_everywhere(Pick.SKIP)
    assert "start nothing" in words.plan(choices, 2)


def test_the_plan_is_honest_about_what_it_does_not_know() -> None:
    unknown = MissedTask(task=task("new"), count=2, first=at(26, 1), last=at(26, 2))
    assert words.plan(Choices([unknown]), 4) == "Your choices start 1 run."
    assert words.plan(Choices([unknown, DUMP]), 4).endswith("and take at least 20 min.")


def test_the_plan_makes_no_minute_of_a_few_seconds() -> None:
    quick = MissedTask(task=task("quick"), count=2, usual=3.0)
    assert words.plan(Choices([quick]), 4) == "Your choices start 1 run, which takes less than a minute."
    unknown = MissedTask(task=task("new"), count=2)
    assert words.plan(Choices([quick, unknown]), 4) == "Your choices start 2 runs, at most 4 at a time."


def test_the_plan_names_who_would_run_too_often() -> None:
    choices = Choices([MissedTask(task=task("beat", "Heartbeat"), count=240)])
    choices.pick(0, Pick.ALL)
    assert words.plan(choices, 2).startswith("Heartbeat would run more than 50 times")


@pytest.mark.parametrize(
    ("count", "pick", "said"),
    [
        (5, Pick.ALL, "Run all 5"),
        (5, Pick.LATEST, "Run latest"),
        (5, Pick.SKIP, "Skip"),
        (1, Pick.ALL, "Run it"),
        (5_000, Pick.ALL, "Run last 1,000"),
    ],
)
def test_segments_say_what_they_do(count: int, pick: Pick, said: str) -> None:
    (line,) = Choices([MissedTask(task=task("a"), count=count)]).lines
    assert words.pick_words(line, pick) == said


def test_first_and_last_have_their_day_unless_all_was_today() -> None:
    cut, dump = Choices([CUT, DUMP]).lines
    assert words.span_of(dump, NOW, BERLIN) == ("Sat 02:30", "Mon 02:30")
    today = MissedTask(task=task("a"), count=2, first=at(26, 1), last=at(26, 2))
    assert words.span_of(Choices([today]).lines[0], NOW, BERLIN) == ("01:00", "02:00")
    once = MissedTask(task=task("a"), count=1, first=at(26, 1), last=at(26, 1))
    assert words.span_of(Choices([once]).lines[0], NOW, BERLIN) == ("01:00", "")
    assert words.below(cut, NOW, BERLIN) == "was interrupted at Fri 14:31"


def test_tasks_with_a_rule_of_their_own_are_counted_and_listed() -> None:
    followed = {"A": CatchUp.LATEST, "B": CatchUp.SKIP, "C": CatchUp.SKIP}
    assert words.others({}) == ""
    assert words.others(followed) == (
        "3 other tasks follow their own rule: 1 ran its latest run, 2 were skipped."
    )
    assert words.others({"A": CatchUp.ALL}) == (
        "1 other task follows its own rule: 1 runs all that was missed."
    )
    assert words.others_listed(followed).splitlines()[0] == "A: ran its latest run"


def test_buttons_count() -> None:
    choices = Choices([DUMP, MAIL])
    assert words.run_button(choices, asked=False) == "Run selected (2 runs)"
    assert words.run_button(choices, asked=True) == "Yes, start 2 runs"
    assert words.skip_button(choices) == "Skip all 23"


def test_a_row_is_a_sentence() -> None:
    (line,) = Choices([DUMP]).lines
    said = words.sentence(line, Pick.LATEST, remembered=True, now=NOW, zone=BERLIN)
    assert said == (
        "Database dump missed 5 runs, from Sat 02:30 to Mon 02:30. Choice: Run latest."
        " Remembered for next time."
    )
