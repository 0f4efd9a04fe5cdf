from datetime import datetime
from typing import Any

import pytest

from desktopsched.model import After, At, Cron, Edge, Every, Join, On, Task
from desktopsched.ui.schedule_words import schedule_words
from tests.ui.scenery import task


def _words(**more: Any) -> str:
    one: Task = task("child", **more)
    return schedule_words(one, lambda task_id: task_id.capitalize())


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("30 2,14 * * *", "Every day at 02:30 and 14:30"),
        ("0 21 * * *", "Every day at 21:00"),
        ("@daily", "Every day at 00:00"),
        ("0 9 * * 1-5", "Weekdays at 09:00"),
        ("30 7 * * mon-sat", "Mon–Sat at 07:30"),
        ("0 9 * * 6,0", "Sat, Sun at 09:00"),
        ("0 9 * * 1", "Mon at 09:00"),
        ("@hourly", "Every hour"),
        ("13 * * * *", "Every hour at :13"),
        ("* * * * *", "Every minute"),
        ("*/15 * * * *", "Every 15 min"),
        ("*/15 * * * 1-5", "Every 15 min, Weekdays"),
        ("0 */6 * * *", "Every 6 hours from 00:00"),
        ("30 1-23/2 * * 1-5", "Every 2 hours from 01:30, Weekdays"),
        ("0 */5 * * *", "Cron 0 */5 * * *"),
        ("*/15 9-17 * * 1-5", "Every 15 min, Mon–Fri 09–18"),
        ("0 9-17 * * *", "Every hour, 09–17"),
        ("*/50 9-17 * * 1-5", "Cron */50 9-17 * * 1-5"),
        ("0 4 1 * *", "Day 1 of each month at 04:00"),
        ("0 0 13 * 5", "Cron 0 0 13 * 5"),
        ("0 0 1 1 *", "Cron 0 0 1 1 *"),
        ("0,10,25,45 6,7,8 * * *", "Cron 0,10,25,45 6,7,8 * * *"),
    ],
)
def test_common_cron_expressions_are_words_and_the_others_stay_as_they_are(
    expression: str, words: str
) -> None:
    assert _words(schedule=Cron(expression)) == words


def test_intervals_and_single_times_are_words() -> None:
    assert _words(schedule=Every(interval=900)) == "Every 15 min"
    assert _words(schedule=Every(interval=3_600)) == "Every hour"
    assert _words(schedule=Every(interval=21_600)) == "Every 6 hours"
    assert _words(schedule=Every(interval=172_800)) == "Every 2 days"
    assert _words(schedule=Every(interval=65)) == "Every 1 min 05 s"
    assert _words(schedule=At(datetime(2026, 10, 30, 10, 0))) == "Once, Fri 30 Oct 2026 at 10:00"  # noqa: DTZ001
    assert _words(schedule=After(delay=180)) == "Once, after 3 min"
    assert _words() == "By hand"


def test_parents_are_named_while_there_is_one() -> None:
    one, two = Edge("dump"), Edge("check", On.FAILURE)
    assert _words(waits_for=(one,)) == "After Dump succeeds"
    assert _words(waits_for=(two,)) == "After Check fails"
    assert _words(waits_for=(one, Edge("check"))) == "After 2 tasks succeed"
    assert _words(waits_for=(two, Edge("dump", On.FAILURE)), join=Join.ANY) == "If any of 2 tasks fails"
    assert _words(waits_for=(one,), schedule=Cron("0 21 * * *")) == "Every day at 21:00, after Dump succeeds"
