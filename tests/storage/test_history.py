"""The history: whole changes, durable when somebody waits, and no result lost while the disk is full."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from msgspec import structs

from desktopsched.model import Cause, Outcome, Run, State, StorageError
from desktopsched.storage import schema, writer
from desktopsched.storage.errors import NewerFormatError
from desktopsched.storage.history import History
from desktopsched.storage.records import AttemptRecord, HoldRecord, Records, RunRecord
from desktopsched.storage.reserve import Reserve
from tests.faultlines import Record

OK = Outcome(State.SUCCEEDED, exit_code=0)
BAD = Outcome(State.FAILED, "exit code 3", 3)
NOON = 1_774_872_000.0  # 2026-03-30 12:00 UTC


Memories = Sequence[tuple[str, bytes]]


def started(history: History, run: Run, at: float, memory: bytes) -> None:
    history.run_started(run, at)
    history.remember([(run.task_id, memory)])


def retrying(history: History, run: Run, outcome: Outcome, at: float, memory: bytes) -> None:
    history.run_retrying(run, outcome, at)
    history.remember([(run.task_id, memory)])


def finished(history: History, run: Run, outcome: Outcome, at: float, memories: Memories) -> None:
    history.run_finished(run, outcome, at)
    history.remember(memories)


def skipped(history: History, run: Run, outcome: Outcome, at: float, memories: Memories) -> None:
    history.run_skipped(run, outcome, at)
    history.remember(memories)


def a_run(id_: int, task: str = "a", at: float = NOON, cause: Cause = Cause.SCHEDULE, **more: Any) -> Run:
    return Run(id=id_, task_id=task, scheduled_for=at + id_, cause=cause, **more)


class Errors(list[str]):
    """What the history reported, and a way to wait for it."""

    def __init__(self) -> None:
        self.came = threading.Event()
        self.over = threading.Event()

    def report(self, error: StorageError) -> None:
        self.append(str(error))
        self.came.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    return folder / "history.sqlite3"


@pytest.fixture
def errors() -> Errors:
    return Errors()


@pytest.fixture
def history(path: Path, errors: Errors) -> Iterator[History]:
    made = History(path, on_error=errors.report, on_recovery=errors.over.set, now=lambda: NOON)
    made.open()
    yield made
    made.close()


def perform(history: History, run: Run, outcome: Outcome = OK, seconds: float = 2.0) -> None:
    started(history, run, run.scheduled_for, b"started")
    finished(history, run, outcome, run.scheduled_for + seconds, [(run.task_id, b"finished")])


# What is kept


def test_a_run_is_kept_with_its_attempts(history: History) -> None:
    run = a_run(1, parents=(7, 8), generation=2, repairs=True)
    again = structs.replace(run, attempt=2)
    started(history, run, NOON + 1, b"1")
    retrying(history, run, BAD, NOON + 2, b"2")
    history.flush()
    waiting = history.records.run(1)
    assert waiting
    assert (waiting.state, waiting.reason, waiting.ended) == (State.PENDING, "exit code 3", None)
    started(history, again, NOON + 30, b"3")
    finished(history, again, OK, NOON + 31, [("a", b"4"), ("child", b"5")])
    history.flush()
    assert history.records.run(1) == RunRecord(
        id=1,
        task_id="a",
        scheduled_for=NOON + 1,
        cause=Cause.SCHEDULE,
        generation=2,
        count=1,
        state=State.SUCCEEDED,
        reason="",
        exit_code=0,
        started=NOON + 1,
        ended=NOON + 31,
        attempts=2,
        parents=(7, 8),
        repairs=True,
    )
    assert history.records.attempts(1) == (
        AttemptRecord(
            attempt=1, started=NOON + 1, ended=NOON + 2, state=State.FAILED, reason="exit code 3", exit_code=3
        ),
        AttemptRecord(
            attempt=2, started=NOON + 30, ended=NOON + 31, state=State.SUCCEEDED, reason="", exit_code=0
        ),
    )
    assert history.records.memories() == {"a": b"4", "child": b"5"}


def test_m22_what_was_skipped_leaves_one_record_that_counts(history: History) -> None:
    skipped(history, a_run(1, count=3), Outcome(State.SKIPPED, "still running"), NOON + 5, [("a", b"m")])
    history.flush()
    record = history.records.run(1)
    assert record
    assert (record.state, record.count, record.started, record.attempts) == (State.SKIPPED, 3, None, 0)
    assert history.records.attempts(1) == ()
    assert history.records.memories() == {"a": b"m"}


def test_an_instant_finds_its_start_or_else_the_record_that_counts_it(history: History) -> None:
    perform(history, a_run(1, at=NOON))
    counted = Run(id=2, task_id="a", scheduled_for=NOON + 50, first=NOON + 20, count=4, cause=Cause.SCHEDULE)
    skipped(history, counted, Outcome(State.SKIPPED, "missed"), NOON + 60, [("a", b"m")])
    perform(history, a_run(3, at=NOON + 27))
    history.flush()
    found = history.records.of_instant
    assert [getattr(found("a", NOON + after), "id", None) for after in (1, 20, 30, 50, 51)] == [
        1,
        2,
        3,
        2,
        None,
    ]
    assert found("b", NOON + 30) is None


def test_absences_and_changes_are_kept_as_long_as_the_runs_of_their_time(history: History) -> None:
    history.absent(NOON, NOON + 60, "the computer slept")
    history.absent(NOON, NOON + 60, "the computer slept")
    history.absent(NOON + 100, NOON + 160, "Desktopsched was closed")
    history.changed("a", "edited", NOON + 5)
    history.changed("b", "removed", NOON + 120)
    history.flush()
    assert [began for began, _, _ in history.records.absences()] == [NOON, NOON + 100]
    assert history.records.absences(NOON + 90) == ((NOON + 100, NOON + 160, "Desktopsched was closed"),)
    assert history.records.changes("a") == ((NOON + 5, "edited"),)
    history.prune(NOON + 90, 10)
    history.flush()
    assert history.records.changes("a") == ()
    assert len(history.records.absences()) == 1


def test_a_history_with_something_in_every_table_is_whole_for_every_sqlite(tmp_path: Path) -> None:
    """Some versions look for a value in the wrong place where a key stands behind it, and call that damage."""
    path = tmp_path / "history.sqlite3"
    first = History(path)
    first.open()
    finished(first, a_run(1), BAD, NOON + 1, [("a", b"m")])
    started(first, structs.replace(a_run(2), token=1, nominal="noon"), NOON + 2, b"m")
    first.set_marks("b", [("b", "a", b"k", False)])
    first.remember([])
    first.set_setting("paused", "yes")
    first.absent(NOON, NOON + 60, "the computer slept")
    first.changed("a", "edited", NOON + 5)
    first.close()
    with closing(sqlite3.connect(path)) as connection:
        for table in schema.TABLES:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() > (0,), table
        assert connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    again = History(path)
    assert again.open() is None
    again.close()


def test_a_claim_is_remembered_from_its_start_until_it_is_settled(history: History) -> None:
    run = structs.replace(a_run(1), token=3, nominal="noon")
    started(history, run, NOON, b"m")
    history.flush()
    assert history.records.holds() == (HoldRecord(1, "noon", 3),)
    finished(history, run, BAD, NOON + 1, [])
    history.flush()
    assert history.records.holds() == (HoldRecord(1, "noon", 3),)
    history.hold_settled(1)
    history.flush()
    assert history.records.holds() == ()
    (record,) = history.records.runs()
    assert (record.token, record.owner) == (3, "")


def test_a_run_that_another_computer_performed_is_kept_with_its_name(history: History) -> None:
    finished(history, structs.replace(a_run(1), owner="desk-2"), BAD, NOON + 1, [])
    history.run_noted(1, "it does not count")
    history.flush()
    (record,) = history.records.runs()
    assert (record.owner, record.token, record.started) == ("desk-2", 0, None)
    assert record.reason == "it does not count"
    assert history.records.holds() == ()


def test_memories_and_settings_are_replaced_and_forgotten(history: History) -> None:
    history.remember([("a", b"1")])
    history.remember([("b", b"1")])
    history.remember([("a", bytes(range(256)))])
    history.forget("b")
    history.remember([])
    history.set_setting("paused", "false")
    history.set_setting("paused", "true")
    history.flush()
    assert history.records.memories() == {"a": bytes(range(256))}
    assert history.records.settings() == {"paused": "true"}


def test_runs_are_listed_newest_first_and_page_by_page(history: History) -> None:
    for number in range(1, 31):
        perform(history, a_run(number, task="ab"[number % 2]))
    history.flush()
    records = history.records
    assert [run.id for run in records.runs(limit=3)] == [30, 29, 28]
    assert [run.id for run in records.runs("a", limit=3)] == [30, 28, 26]
    assert [run.id for run in records.runs("a", limit=3, before=26)] == [24, 22, 20]
    assert [run.id for run in records.runs()] == list(range(30, 10, -1))
    assert records.runs("nobody") == ()
    assert records.last_run_id() == 30
    assert records.run(31) is None


def test_outcomes_and_durations_of_each_task(history: History) -> None:
    for number in range(1, 7):
        perform(history, a_run(number), OK if number % 2 else BAD, seconds=number)
    perform(history, a_run(7, task="b"))
    started(history, a_run(8, task="c"), NOON, b"")
    history.flush()
    outcomes = history.records.last_outcomes(per_task=3)
    assert {task: [run.id for run in runs] for task, runs in outcomes.items()} == {
        "a": [6, 5, 4],
        "b": [7],
        "c": [],
    }
    assert history.records.durations("a", limit=2) == (5.0, 3.0)
    assert history.records.durations("b") == (2.0,)


def test_m16_runs_without_an_end_are_found_at_launch(history: History, path: Path) -> None:
    """M16, X11."""
    perform(history, a_run(1))
    started(history, a_run(2), NOON, b"live")
    started(history, a_run(3), NOON, b"live")
    retrying(history, a_run(3), BAD, NOON + 1, b"live")
    history.close()
    assert [run.id for run in Records(path).open_runs()] == [2, 3]
    again = History(path)
    again.open()
    finished(again, a_run(2), Outcome(State.FAILED, "interrupted"), NOON + 9, [("a", b"over")])
    again.close()
    assert [run.id for run in Records(path).open_runs()] == [3]


def test_a_history_that_does_not_exist_answers_with_nothing(path: Path) -> None:
    records = Records(path)
    assert (records.runs(), records.last_run_id(), records.memories(), records.open_runs()) == ((), 0, {}, ())
    assert (records.last_outcomes(), records.durations("a"), records.settings()) == ({}, (), {})
    assert not path.exists()


# Promises


def test_nothing_runs_before_open(path: Path) -> None:
    made = History(path)
    assert not path.exists()
    with pytest.raises(StorageError, match="is not open"):
        made.flush()
    made.close()


def test_a_start_is_durable_when_the_wait_is_over(history: History, path: Path) -> None:
    started(history, a_run(1), NOON, b"m")
    history.wait_recorded(1)
    assert [run.id for run in Records(path).open_runs()] == [1]


def test_a_start_may_be_waited_for_before_it_is_queued(history: History) -> None:
    waiter = threading.Thread(target=partial(history.wait_recorded, 1, attempt=2))
    waiter.start()
    started(history, a_run(1), NOON, b"m")
    retrying(history, a_run(1), BAD, NOON, b"m")
    started(history, a_run(1, attempt=2), NOON, b"m")
    waiter.join(10)
    assert not waiter.is_alive()


def test_a_start_that_is_never_queued_is_not_waited_for_without_end(history: History) -> None:
    with pytest.raises(StorageError, match="was not recorded within"):
        history.wait_recorded(5, seconds=0.01)


def test_one_due_instant_starts_once(history: History, errors: Errors) -> None:
    """The unique index is the last guard: the second start is refused, and everything round it is kept."""
    first, second = a_run(1), structs.replace(a_run(1), id=2)
    started(history, first, NOON, b"first")
    history.remember([("x", b"kept")])
    started(history, second, NOON, b"second")
    history.remember([("y", b"kept")])
    with pytest.raises(StorageError, match="UNIQUE"):
        history.wait_recorded(2)
    history.wait_recorded(1)
    history.flush()
    assert [run.id for run in history.records.runs()] == [1]
    assert history.records.memories() == {"a": b"first", "x": b"kept", "y": b"kept"}
    assert len(errors) == 1


@pytest.mark.parametrize(
    "other",
    [{"cause": Cause.MANUAL}, {"cause": Cause.CATCH_UP}, {"generation": 1}, {"task_id": "b"}],
    ids=str,
)
def test_other_starts_at_the_same_instant_are_distinct(
    history: History, errors: Errors, other: dict[str, Any]
) -> None:
    started(history, a_run(1), NOON, b"")
    started(history, structs.replace(a_run(1), id=2, **other), NOON, b"")
    history.flush()
    assert [run.id for run in history.records.runs()] == [2, 1]
    assert errors == []


def test_a_crowd_of_starts_shares_transactions(history: History) -> None:
    def start(number: int) -> None:
        started(history, a_run(number), NOON, b"m")
        history.wait_recorded(number)

    threads = [threading.Thread(target=start, args=(number,)) for number in range(1, 51)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(history.records.open_runs()) == 50


def test_a_bug_in_one_change_costs_no_other(
    history: History, errors: Errors, caplog: pytest.LogCaptureFixture
) -> None:
    history.remember([("a", b"1")])
    history.remember([("b", object())])  # type: ignore[list-item]
    started(history, structs.replace(a_run(1), id=2**70), NOON, b"")
    history.remember([("c", b"1")])
    history.flush()
    assert history.records.memories() == {"a": b"1", "c": b"1"}
    assert len(errors) == 2
    assert [record.getMessage() for record in caplog.records] == ["A change of the history is wrong"]
    caplog.clear()


@pytest.mark.logs_warnings
def test_a_listener_that_fails_does_not_end_the_writing(path: Path) -> None:
    def fail(_: object) -> None:
        raise RuntimeError

    made = History(path, on_error=fail)
    made.open()
    made.remember([("b", object())])  # type: ignore[list-item]
    made.remember([("c", b"1")])
    made.flush()
    assert made.records.memories() == {"c": b"1"}
    made.close()


# Full disks


def _limit(history: History, extra: int) -> None:
    """No more than `extra` pages beyond those that there are: SQLite then says that the disk is full."""
    connection = history._open_writer()._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + extra}")


def test_a_full_disk_is_reported_and_everything_is_kept_until_there_is_space(
    history: History, errors: Errors, path: Path
) -> None:
    """L13: no run starts whose start cannot be kept; what ended meanwhile is not lost."""
    started(history, a_run(1), NOON, b"m")
    history.flush()
    _limit(history, 0)
    history.remember([("big", bytes(100_000))])
    finished(history, a_run(1), OK, NOON + 1, [("a", b"done")])
    started(history, a_run(2), NOON, b"m")
    with pytest.raises(StorageError, match="full"):
        history.wait_recorded(2)
    assert errors.came.wait(10)
    assert len(errors) == 1
    with pytest.raises(StorageError, match="full"):
        history.flush()
    trouble = history.trouble
    assert "full" in str(trouble)
    assert len(errors) == 1  # told once, not at each try
    assert not path.with_name("history.sqlite3.reserve").exists()  # given back
    _limit(history, 1_000)
    history.flush()
    assert errors.over.wait(10)
    assert history.trouble is None
    assert history.records.memories() == {"a": b"m", "big": bytes(100_000)}
    assert [(run.id, run.state) for run in history.records.runs()] == [
        (2, State.RUNNING),
        (1, State.SUCCEEDED),
    ]
    assert path.with_name("history.sqlite3.reserve").stat().st_size == 1024 * 1024


def test_the_reserve_is_given_back_before_anything_is_reported(path: Path, errors: Errors) -> None:
    made = History(path, on_error=errors.report)
    made.open()
    made.remember([("a", b"m")])
    made.flush()
    reserve = made._open_writer()._reserve
    give_back = reserve.give_back

    def give_back_pages() -> bool:
        _limit(made, 1_000)
        return give_back()

    reserve.give_back = give_back_pages  # type: ignore[method-assign]
    _limit(made, 0)
    made.remember([("big", bytes(100_000))])
    made.flush()
    made.close()
    assert errors == []
    assert len(Records(path).memories()["big"]) == 100_000


@pytest.mark.logs_warnings
def test_closing_on_a_full_disk_says_what_is_lost(
    path: Path, errors: Errors, caplog: pytest.LogCaptureFixture
) -> None:
    made = History(path, on_error=errors.report)
    made.open()
    _limit(made, 0)
    made.remember([("big", bytes(100_000))])
    made.close()
    assert len(errors) == 1
    assert "1 changes of the history could not be written" in caplog.text


def test_what_failed_is_tried_again_unasked(
    history: History, errors: Errors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "RETRY", 0.01)
    _limit(history, 0)
    history.remember([("big", bytes(100_000))])
    assert errors.came.wait(10)
    _limit(history, 1_000)
    assert errors.over.wait(10)
    assert len(history.records.memories()["big"]) == 100_000


def test_a_reserve_takes_real_space_and_is_not_followed_through_a_link(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path / "reserve", size=100_000)
    reserve.keep()
    assert reserve.path.stat().st_blocks * 512 >= 100_000
    assert stat.S_IMODE(reserve.path.stat().st_mode) == 0o600
    assert reserve.give_back()
    assert not reserve.give_back()
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    reserve.path.symlink_to(victim)
    reserve.keep()
    assert victim.read_bytes() == b"precious"


# Damage, versions, sizes


def test_the_database_is_its_owners_alone(history: History, path: Path) -> None:
    history.remember([("a", b"")])
    history.flush()
    modes = {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert modes == {0o600}


def test_commits_are_durable_by_the_settings_of_the_connection(history: History) -> None:
    connection = history._open_writer()._connection
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def _filled(path: Path) -> bytes:
    with closing(schema.open_database(path, NOON)) as connection:
        rows = [(number, f"task{number}", b"x" * 200) for number in range(50)]
        connection.executemany(
            "INSERT INTO runs VALUES (?, ?, 1, 'manual', 0, 1, 'failed', ?, 1, 1, 1, 1, '[]', 0, NULL, '', 0)",
            rows,
        )
    return path.read_bytes()


def test_a_damaged_history_is_moved_aside_whole_and_a_new_one_begun(path: Path) -> None:
    """Each block of 512 bytes overwritten in turn: the history opens, and says so when it had to begin anew."""
    good = _filled(path)
    moved = 0
    for at in range(0, len(good), 512):
        damaged = good[:at] + b"\xa5" * 512 + good[at + 512 :]
        path.write_bytes(damaged)
        path.with_name(path.name + "-wal").unlink(missing_ok=True)
        made = History(path, now=lambda: NOON)
        found = made.open()
        made.remember([("a", b"goes on")])
        made.close()
        assert Records(path).memories()["a"] == b"goes on"
        if found:
            moved += 1
            assert found.aside.name.startswith("history.sqlite3.damaged-20260330T120000Z")
            assert found.aside.read_bytes() == damaged
            assert len(Records(path).runs(limit=100)) == found.runs
    assert moved > 5


@pytest.mark.parametrize(
    "content", [b"not a database, but long enough to be looked at" * 50, b"SQLite format 3\0"]
)
def test_what_is_no_database_is_moved_aside_with_its_companions(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.with_name("history.sqlite3-wal").write_bytes(b"wal")
    path.with_name("history.sqlite3-shm").write_bytes(b"shm")
    made = History(path, now=lambda: NOON)
    found = made.open()
    made.close()
    assert found
    assert found.aside.read_bytes() == content
    assert found.runs == 0
    assert Records(path).last_run_id() == 0


def test_a_newer_history_is_refused_untouched(path: Path, report: Record) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerFormatError, match="knows formats up to 4") as refused:
        History(path).open()
    report("a history of a newer format", 1, "it is left untouched, and said", str(refused.value))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (99,)


def test_an_older_history_is_brought_up_to_date_after_a_copy_was_kept(path: Path, report: Record) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"{schema.STEPS[0]};PRAGMA user_version = 1")
        connection.execute(
            "INSERT INTO runs VALUES (7, 'a', 1, 'manual', 0, 1, 'failed', '', 1, 1, 1, 1, '[]', 0)"
        )
    made = History(path, now=lambda: NOON)
    assert made.open() is None
    made.close()
    (run,) = made.records.runs()
    assert (run.id, run.first) == (7, None)
    report("a history of an older format", 1, "a copy, then the new format", "its run is there")
    copy = path.with_name("history.sqlite3.format1-20260330T120000Z")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        assert connection.execute("SELECT id FROM runs").fetchall() == [(7,)]


def test_a_history_that_knows_of_absences_is_taken_for_sound(path: Path) -> None:
    history = History(path)
    history.open()
    history.absent(100.0, 200.0, "closed")
    history.changed("a", "edited", 150.0)
    history.close()
    again = History(path)
    assert again.open() is None
    assert again.records.absences() == ((100.0, 200.0, "closed"),)
    again.close()


def test_absences_of_the_second_format_are_kept_and_not_taken_for_damage(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"{schema.STEPS[0]}{schema.STEPS[1]}PRAGMA user_version = 2")
        connection.execute("INSERT INTO absences (began, ended, why) VALUES (100.0, 200.0, 'closed')")
        connection.commit()
    history = History(path)
    assert history.open() is None
    assert history.records.absences() == ((100.0, 200.0, "closed"),)
    history.close()


def test_a_step_that_fails_leaves_the_version_as_it_was(path: Path) -> None:
    _filled(path)
    steps = {**schema.STEPS, max(schema.STEPS) + 1: "CREATE TABLE half (x); ALTER TABLE nowhere ADD COLUMN y"}
    with pytest.raises(StorageError, match="nowhere"):
        schema.open_database(path, NOON, steps)
    with closing(schema.open_database(path, NOON)) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema WHERE name = 'half'").fetchall() == []


def test_a_symbolic_link_is_refused(path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere"))
    with pytest.raises(StorageError, match="symbolic link"):
        History(path).open()


def test_old_runs_are_pruned_but_the_last_of_each_task(history: History) -> None:
    for number in range(1, 11):
        perform(history, a_run(number, task="often"))
    perform(history, a_run(11, task="once"))
    started(history, a_run(12, task="live"), NOON, b"")
    perform(history, a_run(13, task="live"))
    history.flush()
    assert history.prune(before=NOON - 1, per_task=4) == 6
    history.flush()
    assert [run.id for run in history.records.runs()] == [13, 12, 11, 10, 9, 8, 7]
    assert history.records.attempts(1) == ()
    assert history.prune(before=NOON + 1_000, per_task=4) == 3
    history.flush()
    assert [run.id for run in history.records.runs()] == [13, 12, 11, 10]


def test_z06_100_000_runs_open_fast_and_are_not_rewritten(path: Path) -> None:
    with closing(schema.open_database(path, NOON)) as connection:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO runs VALUES (?, ?, ?, 'schedule', 0, 1, 'succeeded', '', 0, ?, ?, 1, '[]', 0, NULL, '', 0)",
            ((number, f"task{number % 1000}", number, number, number + 1) for number in range(1, 100_001)),
        )
        connection.execute("COMMIT")
    before = path.stat().st_size
    begin = time.perf_counter()
    made = History(path)
    made.open()
    assert made.records.last_run_id() == 100_000
    assert made.records.open_runs() == ()
    assert len(made.records.last_outcomes(20)) == 1_000
    assert time.perf_counter() - begin < 30  # measured: 0.3 s
    perform(made, a_run(100_001))
    made.flush()
    written = path.with_name("history.sqlite3-wal").stat().st_size
    made.close()
    assert written < 100_000 < before


RECORD_FOR_EVER = """
    import sys
    from pathlib import Path
    from desktopsched.model import Cause, Outcome, Run, State
    from desktopsched.storage.history import History
    history = History(Path(sys.argv[1]))
    assert history.open() is None
    number = history.records.last_run_id()
    while True:
        number += 1
        run = Run(id=number, task_id="a", scheduled_for=float(number), cause=Cause.SCHEDULE)
        history.run_started(run, 1.0)
        history.remember([("a", b"%d started" % number)])
        history.wait_recorded(number)
        print(number, flush=True)
        history.run_finished(run, Outcome(State.SUCCEEDED), 2.0)
        history.remember([("a", b"%d finished" % number)])
"""


def test_what_was_acknowledged_is_there_after_kill_9(path: Path) -> None:
    """A started row that was waited for is never lost, and a memory never belongs to another change than its run."""
    acknowledged = 0
    for number in range(10):
        process = subprocess.Popen(
            [sys.executable, "-c", dedent(RECORD_FOR_EVER), str(path)], stdout=subprocess.PIPE
        )
        with process:
            assert process.stdout
            for _ in range(number * 3 + 1):
                acknowledged = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().split()
        acknowledged = int(rest[-1]) if rest else acknowledged
        records = Records(path)
        last = records.runs(limit=1)[0]
        assert last.id >= acknowledged
        expected = b"%d finished" if last.ended else b"%d started"
        assert records.memories()["a"] == expected % last.id
        assert os.path.exists(path)  # noqa: PTH110 - the loop's file, by its own name
