"""The ledger: every due instant has one fate, and words for it that a person understands."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from msgspec import structs

from desktopsched import phrases
from desktopsched.engine.memory import Armed, Memory, Owed
from desktopsched.engine.occurrences import random_delay
from desktopsched.ledger import Answer, Fate, Ledger
from desktopsched.model import At, Cause, Command, Cron, Edge, Outcome, Overlap, Run, State, Task
from desktopsched.storage.history import History
from desktopsched.storage.records import EVERYBODY

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 30, 12, tzinfo=UTC).timestamp()  # a Monday, 14:00 in Berlin
HOUR = 3600.0
HOURLY = Task(id="a", name="Dump", action=Command(argv=("true",)), schedule=Cron("0 * * * *"))
MEMORY = Memory(first_seen=NOON - 10 * HOUR, handled=NOON)


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    found = History(tmp_path / "history.sqlite3", now=lambda: NOON)
    found.open()
    yield found
    found.close()


def why(
    history: History,
    *,
    now: float = NOON + 60,
    at: float | None = None,
    task: Task = HOURLY,
    memory: Memory | None = MEMORY,
    waiting: str = "",
    **more: Any,
) -> Answer:
    history.flush()
    return Ledger(history.records, now, BERLIN, **more).why(task, memory, at, waiting)


def ran(
    history: History, outcome: Outcome | None, *, due: float = NOON, late: float = 0.0, **more: Any
) -> None:
    run = Run(id=7, task_id="a", scheduled_for=due, cause=more.pop("cause", Cause.SCHEDULE), **more)
    history.run_started(run, due + late)
    if outcome is not None:
        history.run_finished(run, outcome, due + late + 84)
    history.remember([])


def skipped(
    history: History, reason: str, *, due: float = NOON, count: int = 1, first: float | None = None
) -> None:
    run = Run(id=8, task_id="a", scheduled_for=due, cause=Cause.SCHEDULE, count=count, first=first)
    history.run_skipped(run, Outcome(State.SKIPPED, reason), due + 1)
    history.remember([])


HEAD = "Dump was due on Monday 30 March 2026, 14:00 CEST. "
NEXT = " It is due next on Monday 30 March 2026, 15:00 CEST."


def test_a_run_on_time_is_told_with_its_outcome_and_what_is_next(history: History) -> None:
    ran(history, Outcome(State.FAILED, "exit code 3", 3))
    answer = why(history)
    assert (answer.fate, answer.run, answer.due) == (Fate.RAN, 7, NOON)
    assert (
        answer.words == HEAD + "Run 7 for it began on time and failed after 1 min 24 s: exit code 3." + NEXT
    )


@pytest.mark.parametrize(
    ("cause", "late", "said"),
    [
        (Cause.SCHEDULE, 40.0, "began 40 s late"),
        (Cause.CATCH_UP, 7_200.0, "began on Monday 30 March 2026, 16:00 CEST (caught up)"),
    ],
)
def test_a_late_run_and_one_that_was_caught_up_say_when_they_began(
    history: History, cause: Cause, late: float, said: str
) -> None:
    ran(history, Outcome(State.SUCCEEDED), cause=cause, late=late)
    assert f"Run 7 for it {said} and succeeded after" in why(history).words


def test_a_run_that_goes_on_and_one_whose_program_is_gone(history: History) -> None:
    ran(history, None)
    assert why(history).fate is Fate.RUNNING
    gone = why(history, open_=False, alive=NOON + 30)
    assert gone.fate is Fate.INTERRUPTED
    assert "its end is not known" in gone.words


def test_an_interrupted_run_says_so(history: History) -> None:
    ran(history, Outcome(State.FAILED, "interrupted: the program or the computer stopped while it ran"))
    assert why(history).fate is Fate.INTERRUPTED


def test_a_skip_gives_its_reason_and_counts_the_others(history: History) -> None:
    reason = "missed: the computer slept from 02:10 to 07:31"
    skipped(history, reason, due=NOON, count=4, first=NOON - 3 * HOUR)
    for hours in range(4):
        answer = why(history, at=NOON - hours * HOUR)
        assert answer.due == NOON - hours * HOUR
        assert answer.fate is Fate.SKIPPED
        assert f"It was skipped with 3 others: {reason}." in answer.words


def test_a_start_that_was_cancelled_says_by_whom(history: History) -> None:
    run = Run(id=9, task_id="a", scheduled_for=NOON, cause=Cause.SCHEDULE)
    history.run_finished(run, Outcome(State.CANCELLED, "cancelled by you"), NOON)
    history.remember([])
    answer = why(history)
    assert (answer.fate, "It did not start: cancelled by you." in answer.words) == (Fate.CANCELLED, True)


@pytest.mark.parametrize(
    ("decided", "fate", "said"),
    [(False, Fate.ASKED, "It waits for your answer"), (True, Fate.CATCHING_UP, "It will run, after")],
)
def test_what_was_missed_waits_for_an_answer_or_will_run(
    history: History, decided: bool, fate: Fate, said: str
) -> None:
    owed = Owed(after=NOON - 2 * HOUR, until=NOON, count=2, decided=decided, why="the computer slept")
    memory = Memory(first_seen=NOON - 10 * HOUR, handled=NOON, owed=(owed,))
    answer = why(history, memory=memory)
    assert answer.fate is fate
    assert f"It was missed: the computer slept. {said}" in answer.words


def test_a_decided_start_waits_for_a_worker(history: History) -> None:
    armed = Armed(scheduled_for=NOON, cause=Cause.SCHEDULE)
    memory = Memory(first_seen=NOON - 10 * HOUR, handled=NOON, armed=(armed,))
    assert why(history, memory=memory).fate is Fate.DECIDED


def test_before_it_was_made_while_it_was_disabled_and_by_another_schedule(history: History) -> None:
    assert why(history, memory=Memory(first_seen=NOON + 5, handled=NOON + 5)).fate is Fate.UNKNOWN_YET
    history.changed("a", "disabled", NOON - 5 * HOUR)
    history.changed("a", "enabled", NOON + 30)
    answer = why(history)
    assert answer.fate is Fate.DISABLED
    assert "The task was disabled until" in answer.words
    history.changed("a", "edited", NOON + 20)
    answer = why(history)
    assert (answer.fate, "When it runs was changed on" in answer.words) == (Fate.NOT_DUE, True)


def test_a_disabled_task_says_so_and_has_no_next(history: History) -> None:
    off = Task(id="a", name="Dump", action=HOURLY.action, schedule=HOURLY.schedule, enabled=False)
    assert why(history, task=off).words == HEAD + "It is disabled. It is disabled now."


def test_while_no_program_is_open_it_will_be_missed(history: History) -> None:
    answer = why(history, open_=False, alive=NOON - 90)
    assert answer.fate is Fate.NOT_OPEN
    assert "Desktopsched has not been open since Monday 30 March 2026, 13:58:30 CEST" in answer.words


def test_an_absence_explains_what_has_no_record(history: History) -> None:
    history.absent(NOON - 60, NOON + 30, "Desktopsched was closed")
    answer = why(history)
    assert (answer.fate, "At that time Desktopsched was closed." in answer.words) == (Fate.NOT_OPEN, True)


def test_what_is_older_than_the_history_is_not_known(history: History) -> None:
    assert why(history, at=NOON - 5 * HOUR).fate is Fate.NOT_KNOWN


def test_what_is_to_come_is_not_guessed(history: History) -> None:
    answer = why(history, at=NOON + 5 * HOUR)
    assert (answer.fate, answer.words) == (Fate.TO_COME, "That is still to come." + NEXT)


def otherwise(**fields: Any) -> Task:
    return structs.replace(HOURLY, **fields)


BEHIND = Memory(first_seen=NOON - 10 * HOUR, handled=NOON - HOUR)
UNDER_WAY = Run(id=7, task_id="a", scheduled_for=NOON - HOUR, cause=Cause.SCHEDULE)


def test_a_task_that_ran_as_often_as_it_may_is_not_about_to_start(history: History) -> None:
    spent = structs.replace(BEHIND, starts=3)
    for open_ in (True, False):
        answer = why(history, task=otherwise(max_runs=3), memory=spent, open_=open_, alive=NOON - 90)
        assert answer.fate is Fate.SPENT
        assert (
            answer.words
            == HEAD + "It did not start: it ran 3 times, as often as it may. It is not due again."
        )


def test_what_is_older_than_the_last_of_so_many_runs_is_not_known(history: History) -> None:
    ran(history, Outcome(State.SUCCEEDED))
    answer = why(
        history, task=otherwise(max_runs=1), memory=structs.replace(MEMORY, starts=1), at=NOON - HOUR
    )
    assert answer.fate is Fate.NOT_KNOWN


@pytest.mark.parametrize(
    ("overlap", "fate", "said"),
    [
        (Overlap.SKIP, Fate.WAITING, "The run before it is under way: what comes due meanwhile is skipped."),
        (Overlap.QUEUE, Fate.WAITING, "the latest of what comes due meanwhile starts after it."),
        (Overlap.PARALLEL, Fate.DECIDED, "It is to start at any moment"),
    ],
)
def test_what_comes_due_during_a_run_waits_for_its_end(
    history: History, overlap: Overlap, fate: Fate, said: str
) -> None:
    answer = why(history, task=otherwise(overlap=overlap), memory=structs.replace(BEHIND, live=(UNDER_WAY,)))
    assert (answer.fate, said in answer.words) == (fate, True)


def test_a_start_that_waits_for_its_random_delay_says_until_when(history: History) -> None:
    late = otherwise(random_delay=HOUR)
    starts = NOON + random_delay(late, NOON)
    said = f"It is to start on {phrases.full(starts, BERLIN)}, after its random delay."
    assert said in why(history, task=late, memory=BEHIND).words
    assert "It is to start at any moment." in why(history, task=late, memory=BEHIND, now=starts + 1).words


def test_a_start_at_the_end_of_its_random_delay_is_on_time(history: History) -> None:
    late = otherwise(random_delay=HOUR)
    ran(history, Outcome(State.SUCCEEDED), late=random_delay(late, NOON))
    assert "Run 7 for it began on time and succeeded" in why(history, task=late).words


def test_while_everything_is_paused_nothing_is_about_to_start(history: History) -> None:
    answer = why(history, memory=BEHIND, paused=True)
    assert answer.fate is Fate.PAUSED
    assert "Everything is paused: what comes due meanwhile is skipped." in answer.words
    single = otherwise(schedule=At(datetime.fromtimestamp(NOON, UTC)))
    assert (
        "Everything is paused: it starts when that is over."
        in why(history, memory=BEHIND, paused=True, task=single).words
    )


def test_what_was_not_decided_when_the_program_ended_is_decided_by_the_next(history: History) -> None:
    answer = why(history, memory=BEHIND, open_=False, alive=NOON + 30)
    assert answer.fate is Fate.NOT_OPEN
    assert "Desktopsched ended on Monday 30 March 2026, 14:00:30 CEST, before it was decided" in answer.words


def test_a_run_by_hand_at_that_very_moment_is_not_for_it(history: History) -> None:
    ran(history, Outcome(State.SUCCEEDED), cause=Cause.MANUAL)
    skipped(history, "missed", due=NOON + HOUR, count=2, first=NOON)
    assert why(history).fate is Fate.SKIPPED


def test_an_interrupted_run_is_not_hidden_by_its_second_start_that_did_not_happen(history: History) -> None:
    ran(history, Outcome(State.FAILED, "interrupted: the program or the computer stopped while it ran"))
    skipped(history, "it ran 3 times, as often as it may")
    assert why(history).fate is Fate.INTERRUPTED


def test_in_another_time_zone_it_was_not_due(history: History) -> None:
    history.changed(EVERYBODY, "zone", NOON + 30)
    answer = why(history)
    assert answer.fate is Fate.NOT_DUE
    assert "The computer was in another time zone until Monday 30 March 2026, 14:00:30 CEST" in answer.words
    assert why(history, task=otherwise(timezone="Europe/Berlin")).fate is Fate.NOT_KNOWN


CHILD = Task(id="a", name="Verify", action=HOURLY.action, waits_for=(Edge("dump"),))


def test_a_child_tells_its_last_run_and_what_it_waits_for(history: History) -> None:
    assert why(history, task=CHILD, waiting="waits for Database dump").words == (
        "Verify has not run before Monday 30 March 2026, 14:01 CEST. It waits for Database dump."
    )
    run = Run(id=8, task_id="a", scheduled_for=NOON, cause=Cause.DEPENDENCY)
    history.run_skipped(run, Outcome(State.SKIPPED, "Database dump failed"), NOON)
    history.remember([])
    answer = why(history, task=CHILD)
    assert answer.fate is Fate.SKIPPED
    assert "It was skipped: Database dump failed." in answer.words


@pytest.mark.parametrize(
    ("others", "state", "said"),
    [
        (0, State.SUCCEEDED, "because Database dump succeeded."),
        (0, State.FAILED, "because Database dump failed."),
        (2, State.SUCCEEDED, "because Database dump succeeded and 2 more ended."),
    ],
)
def test_a_child_that_ran_says_because_of_whom(
    history: History, others: int, state: State, said: str
) -> None:
    dump = Run(id=5, task_id="dump", scheduled_for=NOON, cause=Cause.SCHEDULE)
    history.run_started(dump, NOON)
    history.run_finished(dump, Outcome(state), NOON + 1)
    ran(
        history,
        Outcome(State.SUCCEEDED),
        due=NOON + 1,
        cause=Cause.DEPENDENCY,
        parents=(5, 4, 3)[: 1 + others],
    )
    answer = why(history, task=CHILD, names={"dump": "Database dump"})
    assert answer.sentences[0] == f"Verify was to start on Monday 30 March 2026, 14:00:01 CEST, {said}"


def test_a_child_whose_parent_is_not_in_the_history_any_more_is_told_without_it(history: History) -> None:
    ran(history, Outcome(State.SUCCEEDED), cause=Cause.DEPENDENCY, parents=(5,))
    assert why(history, task=CHILD).sentences[0] == "Verify was to start on Monday 30 March 2026, 14:00 CEST."


def test_a_task_without_a_schedule_starts_by_hand(history: History) -> None:
    by_hand = Task(id="a", name="Dump", action=HOURLY.action)
    assert why(history, task=by_hand).sentences[-1] == "It has no schedule: it starts by hand."


def test_no_answer_leaves_a_hole_in_its_words(history: History) -> None:
    for hours in range(-3, 3):
        words = why(history, at=NOON + hours * HOUR).words
        assert words
        assert not re.search(r"\{|\}|None|  ", words)


# --- a list that several computers share


def test_what_another_computer_performed_is_told_with_its_name(history: History) -> None:
    run = Run(id=7, task_id="a", scheduled_for=NOON, cause=Cause.SCHEDULE, owner="desk-2")
    history.run_finished(run, Outcome(State.FAILED, "ran on desk-2: exit code 1", 1), NOON + 5)
    history.remember([])
    answer = why(history)
    assert answer.fate is Fate.ELSEWHERE
    assert answer.words == HEAD + "Run 7 for it ran on desk-2: exit code 1; it failed." + NEXT


@pytest.mark.parametrize(
    ("waiting", "fate"),
    [
        ("goes on on desk-2", Fate.ELSEWHERE),
        ("waits: the shared list is out of reach", Fate.DECIDED),
        ("asks the shared list", Fate.DECIDED),
    ],
)
def test_what_the_shared_list_says_of_a_start_is_told(history: History, waiting: str, fate: Fate) -> None:
    armed = structs.replace(MEMORY, armed=(Armed(scheduled_for=NOON, cause=Cause.SCHEDULE),))
    answer = why(history, memory=armed, waiting=waiting)
    assert answer.fate is fate
    assert answer.words == HEAD + f"It {waiting}." + NEXT


def test_what_another_computer_performs_now_is_not_taken_for_what_comes_due_behind_it(
    history: History,
) -> None:
    undecided = structs.replace(MEMORY, handled=NOON - 60)
    answer = why(history, memory=undecided, waiting="goes on on desk-2", away={NOON: "desk-2"})
    assert answer.fate is Fate.ELSEWHERE
    assert answer.words == HEAD + "It goes on on desk-2." + NEXT


def test_what_waits_for_the_list_is_not_said_to_be_behind_a_run(history: History) -> None:
    undecided = structs.replace(MEMORY, handled=NOON - 60)
    answer = why(history, memory=undecided, waiting="waits: the shared list is out of reach")
    assert answer.fate is Fate.DECIDED
    assert answer.words == HEAD + "It, or the start before it, waits: the shared list is out of reach." + NEXT


def test_a_run_that_was_stopped_was_cancelled(history: History) -> None:
    ran(history, Outcome(State.CANCELLED, "stopped by you"))
    assert "began on time and was cancelled after 1 min 24 s: stopped by you." in why(history).words


@pytest.mark.parametrize(
    ("count", "said"), [(1, "skipped:"), (2, "skipped with 1 other:"), (3, "skipped with 2 others:")]
)
def test_a_record_of_several_says_of_how_many(history: History, count: int, said: str) -> None:
    run = Run(id=7, task_id="a", scheduled_for=NOON, cause=Cause.SCHEDULE, count=count)
    history.run_finished(run, Outcome(State.SKIPPED, "a later start was due as well"), NOON)
    history.remember([])
    assert f"It was {said} a later start was due as well." in why(history).words


@pytest.mark.parametrize(
    "waiting", ["waits: the shared list is out of reach", "goes on on desk-2", "tries again"]
)
def test_between_two_attempts_it_says_how_the_last_one_ended_and_what_is_waited_for(
    history: History, waiting: str
) -> None:
    run = Run(id=7, task_id="a", scheduled_for=NOON, cause=Cause.SCHEDULE)
    history.run_started(run, NOON)
    history.run_retrying(run, Outcome(State.CANCELLED, "stopped: another computer may have it"), NOON + 55)
    history.remember([])
    answer = why(history, waiting=waiting)
    assert answer.fate is Fate.RUNNING
    said = "Run 7 for it began on time. Its last attempt ended: stopped: another computer may have it."
    assert answer.words == HEAD + f"{said} It {waiting}." + NEXT
