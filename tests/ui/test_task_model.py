import time as time_

import pytest
from msgspec import structs
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from desktopsched.engine import words
from desktopsched.engine.events import RunSkipped
from desktopsched.model import Cause, Cron, Edge, Every, OnFailure, Outcome, Reminder, State
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.roles import Column, Role
from desktopsched.ui.rows import Rows
from desktopsched.ui.strip import Bar
from desktopsched.ui.task_model import TaskModel
from tests.ui.scenery import (
    BERLIN,
    MARKUP,
    NOON,
    added,
    changed,
    edited,
    finished,
    past,
    removed,
    run,
    started,
    status,
    task,
)


class Time:
    """A moment that the test moves."""

    def __init__(self) -> None:
        self.now = NOON


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def model(time: Time) -> TaskModel:
    model = TaskModel(lambda: time.now, lambda: BERLIN)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    return model


def drawn(model: QAbstractItemModel, columns: tuple[Column, ...] = (Column.NAME,)) -> list[str]:
    """The table as lines of text: groups with what they sum up, tasks indented."""
    lines = []
    for place in range(model.rowCount()):
        if model.index(place, 0).data(Role.TASK_ID) is None:
            lines.append(str(model.index(place, 0).data()))
        else:
            lines.append("  " + " | ".join(str(model.index(place, column).data()) for column in columns))
    return lines


def cell(model: TaskModel, task_id: str, column: Column) -> str:
    index = model.index_of(task_id)
    return str(index.siblingAtColumn(column).data())


def test_tasks_stand_below_their_groups_in_the_order_in_which_they_came(model: TaskModel) -> None:
    model.apply([added(task("a", group="Files")), added(task("b")), added(task("c", group="Files"))])
    assert drawn(model) == ["Files  2 tasks", "  A", "  C", "No group  1 task", "  B"]


def test_a_later_task_joins_its_group(model: TaskModel) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    model.apply([added(task("c", group="Files"))])
    assert drawn(model) == ["Files  2 tasks", "  A", "  C", "Office  1 task", "  B"]


def test_ten_thousand_new_tasks_are_one_change_of_the_layout(model: TaskModel) -> None:
    layouts: list[int] = []
    model.layoutChanged.connect(lambda: layouts.append(model.rowCount()))
    model.apply([added(task(f"t{n}", group=f"Group {n % 2}")) for n in range(10_000)])
    assert layouts == [10_002]


def test_newcomers_of_a_long_list_are_placed_together_a_moment_later(qtbot: QtBot, model: TaskModel) -> None:
    model.apply([added(task(f"t{number}")) for number in range(2_500)])
    model._took, model._settled = 1.0, time_.monotonic()  # as on a slow computer
    with qtbot.waitSignal(model.layoutChanged):
        model.apply([added(task("b"))])
        model.apply([added(task("c"))])
        assert model.rowCount() == 2_501
    assert drawn(model)[-2:] == ["  B", "  C"]
    model._took, model._settled = 1.0, time_.monotonic()
    model.apply([added(task("d")), removed("b")])
    assert drawn(model)[-2:] == ["  C", "  D"]


def test_tasks_stand_as_in_the_file_and_those_that_it_does_not_have_behind_them() -> None:
    order = ["c", "a", "b"]
    model = TaskModel(lambda: NOON, lambda: BERLIN, order=lambda: order)
    model.apply([added(task("a")), added(task("bad")), added(task("b"))])
    model.apply([added(task("c"))])
    assert drawn(model)[1:] == ["  C", "  A", "  B", "  Bad"]
    order.reverse()
    model.apply([edited(task("a", group="Files"))])
    model.apply([edited(task("a"))])
    assert drawn(model)[1:] == ["  B", "  A", "  C", "  Bad"]


def test_a_group_goes_with_its_last_task(model: TaskModel) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    model.apply([removed("a")])
    assert drawn(model) == ["Office  1 task", "  B"]


def test_a_task_that_changes_its_group_moves_there(model: TaskModel) -> None:
    model.apply([added(task("a", group="Files")), added(task("b", group="Files"))])
    model.apply([edited(task("a", "Another", group="Office"))])
    assert drawn(model) == ["Files  1 task", "  B", "Office  1 task", "  Another"]


def test_added_edited_and_removed_in_one_batch_leaves_what_is_left(model: TaskModel) -> None:
    model.apply(
        [
            added(task("a")),
            added(task("b")),
            edited(task("a", group="New")),
            changed("b", status(State.READY)),
            removed("b"),
        ]
    )
    assert drawn(model) == ["New  1 task", "  A"]


def test_persistent_indexes_stay_with_their_task_when_a_group_before_it_goes(model: TaskModel) -> None:
    from PySide6.QtCore import QPersistentModelIndex

    model.apply([added(task("a", group="Files")), added(task("b", group="Office"))])
    kept = QPersistentModelIndex(model.index_of("b"))
    model.apply([removed("a")])
    assert kept.data(Role.TASK_ID) == "b"
    assert kept.row() == 1


def test_a_parent_that_stands_later_in_the_file_is_called_by_its_name(model: TaskModel) -> None:
    model.apply([added(task("child", waits_for=(Edge("parent"),)))])
    assert cell(model, "child", Column.SCHEDULE) == "After parent succeeds"
    model.apply([added(task("parent", "Database dump"))])
    assert cell(model, "child", Column.SCHEDULE) == "After Database dump succeeds"
    model.apply([edited(task("parent", "Dump"))])
    assert cell(model, "child", Column.SCHEDULE) == "After Dump succeeds"


def test_a_run_goes_from_running_to_its_result(model: TaskModel, time: Time) -> None:
    columns = (Column.STATE, Column.NEXT, Column.RESULT, Column.DURATION)
    model.apply([added(task("a", schedule=Every(interval=900)), status(due=NOON + 240))])
    assert drawn(model, columns)[1] == "  Pending | in 4 min  14:04 | Has not run yet | –"
    one = run("a")
    model.apply([started(one)])
    time.now += 46
    model.tick(1, 1)
    assert drawn(model, columns)[1] == "  Running | running now | Has not run yet | 0:46"
    time.now += 38
    model.apply([finished(one, Outcome(State.SUCCEEDED, exit_code=0), time.now, due=NOON + 900)])
    assert drawn(model, columns)[1] == "  Succeeded | in 13 min  14:15 | Exit 0  14:01 | 1 min 24 s"


def test_a_running_task_is_measured_by_what_is_usual(model: TaskModel, time: Time) -> None:
    model.apply([added(task("a"))])
    model.remember({"a": past(100.0, 120.0, 80.0)})
    assert cell(model, "a", Column.DURATION) == "1 min 40 s"
    model.apply([started(run("a"))])
    time.now += 50
    model.tick(1, 1)
    shown = model.index_of("a").siblingAtColumn(Column.DURATION).data(Role.CELL)
    assert (shown.text, shown.aside, shown.share, shown.late) == ("0:50", "~1:40", 0.5, False)
    time.now += 100
    model.tick(1, 1)
    assert model.index_of("a").siblingAtColumn(Column.DURATION).data(Role.CELL).late


def test_a_failed_reminder_and_a_disabled_task_say_so(model: TaskModel) -> None:
    bell = task("bell", action=Reminder(message="Stand up"))
    model.apply([added(bell), added(task("off", enabled=False)), added(task("bad"))])
    model.apply(
        [
            finished(run("bell"), Outcome(State.SUCCEEDED)),
            finished(run("bad", 2), Outcome(State.FAILED, "exit code 3", 3)),
        ]
    )
    assert cell(model, "bell", Column.RESULT) == "Shown  14:00"
    assert cell(model, "off", Column.NEXT) == "Disabled"
    assert cell(model, "bad", Column.RESULT) == "Exit 3  14:00"
    assert drawn(model)[0] == "No group  3 tasks  1 failed"


def test_a_task_that_disabled_itself_when_it_failed_says_after_how_many_failures(model: TaskModel) -> None:
    failed = Outcome(State.FAILED, "exit code 1", 1)
    off = status(outcome=failed, outcome_run=9, ended=NOON, enabled=False)
    given_up = task("certs", on_failure=OnFailure.PAUSE, enabled=False)
    model.apply([added(given_up, off), added(task("hand", enabled=False), off)])
    assert cell(model, "certs", Column.NEXT) == "Paused  after a failure"
    bars = [Bar(run=9 - n, state=state) for n, state in enumerate([failed.state] * 3 + [State.SUCCEEDED])]
    model.remember({"certs": tuple(bars)})
    shown = model.index_of("certs").siblingAtColumn(Column.NEXT).data(Role.CELL)
    assert (shown.words, shown.icon, shown.alarm) == ("Paused  after 3 failures", "pause", True)
    assert cell(model, "hand", Column.NEXT) == "Disabled"


def test_a_result_of_a_missed_run_says_when_it_was_due_or_that_it_was_caught_up(model: TaskModel) -> None:
    late = run("late", 2, cause=Cause.CATCH_UP)
    missed = structs.replace(run("missed"), scheduled_for=NOON - 3 * 3_600)
    why = Outcome(State.SKIPPED, words.missed("Desktopsched was closed"))
    model.apply([added(task("late")), added(task("missed")), added(task("old"))])
    model.apply([started(late), finished(late, Outcome(State.SUCCEEDED, exit_code=0))])
    after = status(outcome=why, outcome_run=1, ended=NOON)
    model.apply([RunSkipped(at=NOON, run=missed, outcome=why, status=after)])
    two_days = structs.replace(run("old", 3), scheduled_for=NOON - 2 * 86_400)
    after = status(outcome=why, outcome_run=3, ended=NOON)
    model.apply([RunSkipped(at=NOON, run=two_days, outcome=why, status=after)])
    assert cell(model, "late", Column.RESULT) == "Exit 0  14:00  catch-up"
    assert cell(model, "missed", Column.RESULT) == "Missed at 11:00"
    assert cell(model, "old", Column.RESULT) == "Missed  Wed 14:00"


def tip(model: TaskModel, task_id: str, column: Column) -> list[str]:
    return str(model.index_of(task_id).siblingAtColumn(column).data(Role.TOLD)).split("\n")


def test_the_tip_of_a_next_run_has_the_instant_in_full_its_rule_and_what_follows(model: TaskModel) -> None:
    due = NOON + 12 * 3_600 + 30 * 60  # 02:30 of the next day; a day later the clocks go back
    cron = task("dump", schedule=Cron("30 2,14 * * *"))
    model.apply([added(cron, status(due=due)), added(task("once"), status(due=due))])
    model.apply([added(task("off", enabled=False))])
    assert tip(model, "dump", Column.NEXT) == [
        "Saturday 24 October 2026, 02:30 CEST",
        "in 12 h 30 min, from cron 30 2,14 * * *",
        "Then 14:30, and Sunday 02:30",
    ]
    assert tip(model, "once", Column.NEXT) == ["Saturday 24 October 2026, 02:30 CEST", "in 12 h 30 min"]
    assert tip(model, "off", Column.NEXT) == ["Disabled"]


def test_the_tip_of_a_next_run_names_a_zone_that_is_not_the_computers(model: TaskModel) -> None:
    far = task("far", schedule=Every(interval=3 * 86_400), timezone="America/New_York")
    model.apply([added(far, status(due=NOON + 60))])
    assert tip(model, "far", Column.NEXT) == [
        "Friday 23 October 2026, 14:01 CEST",
        "in 1 min, every 3 d",
        "Fri 08:01 in America/New_York",
        "Then Monday 13:01, and Thursday 13:01",
    ]


def test_the_tip_of_a_result_says_why_and_when_in_full(model: TaskModel) -> None:
    model.apply([added(task("a"))])
    model.apply([finished(run("a"), Outcome(State.FAILED, "exit code 3", 3))])
    assert tip(model, "a", Column.RESULT) == [
        "Exit 3  14:00",
        "exit code 3",
        "Ended Friday 23 October 2026, 14:00 CEST",
    ]


def test_a_task_between_two_attempts_can_be_stopped_and_says_that_it_tries_again(model: TaskModel) -> None:
    model.apply([added(task("a")), started(run("a"))])
    waits = status(due=NOON + 5, waiting="tries again, attempt 2 of 3")
    model.apply([changed("a", waits)])
    row = model.rows["a"]
    assert row.busy
    assert row.state is State.PENDING
    assert cell(model, "a", Column.NEXT) == "in 5 s  tries again, attempt 2 of 3"
    assert cell(model, "a", Column.STATE) == "Pending"
    assert list(model.rows.tally.views[View.RUNNING]) == []  # which is what the table says too


def test_events_about_unknown_tasks_change_nothing(model: TaskModel) -> None:
    model.apply([changed("ghost", status()), started(run("ghost")), removed("ghost")])
    assert drawn(model) == []


def test_a_change_is_told_of_its_own_lines_and_of_the_head_of_the_group(model: TaskModel) -> None:
    model.apply([added(task(f"t{n}", group="Files")) for n in range(6)])
    told: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    model.apply([changed(f"t{n}", status(State.READY)) for n in (1, 3, 4)])
    assert told == [(0, 0), (2, 2), (4, 5)]


def test_a_group_counts_what_waits_for_a_run_under_way_as_pending(model: TaskModel) -> None:
    failed = status(outcome=Outcome(State.FAILED, "exit code 1", 1))
    model.apply(
        [
            added(task("a", group="Files")),
            added(task("b", group="Files", waits_for=(Edge("a"),)), failed),
            added(task("c", group="Files", waits_for=(Edge("b"),)), failed),
            added(task("d", group="Files"), failed),
        ]
    )
    assert drawn(model)[0] == "Files  4 tasks  3 failed"
    model.apply([started(run("a"))])
    assert drawn(model)[0] == "Files  4 tasks  1 running, 1 failed, 2 pending"
    assert [cell(model, one, Column.STATE) for one in "abcd"] == ["Running", "Pending", "Pending", "Failed"]
    model.choose(Choice(text="b"))
    assert drawn(model)[0] == "Files  1 task"


def test_ticking_tells_when_the_visible_tasks_are_due_and_how_far_those_are_that_run(
    model: TaskModel,
) -> None:
    model.apply([added(task(f"t{n}")) for n in range(9)])
    model.apply([started(run("t2")), started(run("t7"))])
    told: list[tuple[int, int, int, int]] = []
    model.dataChanged.connect(
        lambda first, last: told.append((first.row(), last.row(), first.column(), last.column()))
    )
    model.tick(2, 4)
    assert told == [(2, 4, Column.NEXT, Column.NEXT), (3, 3, Column.STRIP, Column.DURATION)]


def test_task_text_in_tool_tips_is_escaped_and_in_cells_it_is_as_it_is(model: TaskModel) -> None:
    model.apply([added(task("x", MARKUP, notes="<i>notes</i>"))])
    index = model.index_of("x").siblingAtColumn(Column.NAME)
    assert index.data() == MARKUP
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;x" in tip
    assert "&lt;i&gt;notes" in tip
    assert "<img" not in tip


def test_those_who_hear_the_table_get_a_sentence(model: TaskModel, time: Time) -> None:
    model.apply([added(task("a", "Verify dump", schedule=Cron("@hourly")), status(due=NOON + 3_600))])
    model.remember({"a": past(130.0)})
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert model.index_of("a").data(spoken) == (
        "Verify dump, pending, next run in 1 h  15:00, last result Has not run yet"
    )
    model.apply([started(run("a", cause=Cause.MANUAL))])
    time.now += 46
    model.tick(1, 1)
    assert model.index_of("a").data(spoken) == "Verify dump, running for 46 s, usually 2 min 10 s"


def test_roles_that_are_not_answered_are_none(model: TaskModel) -> None:
    model.apply([added(task("a"))])
    assert model.index_of("a").data(Qt.ItemDataRole.FontRole) is None
    assert model.data(QModelIndex()) is None


def test_a_parent_that_comes_after_its_child_is_named_in_it() -> None:
    """As the engine tells of an undone removal: first that the child waits again, then that the parent is back."""
    rows = Rows()
    parent, child = task("a", "Alpha"), task("b", waits_for=(Edge("a"),))
    rows.add(task("b"), status())
    rows.edit(child, status())
    assert "After a succeeds" in rows["b"].schedule
    assert rows.add(parent, status()) == ["b"]
    assert "After Alpha succeeds" in rows["b"].schedule
    rows.remove("a")
    rows.add(task("a", "Beta"), status())
    assert "After Beta succeeds" in rows["b"].schedule


def test_the_state_tells_why_the_last_run_was_skipped_and_nothing_of_it_while_another_one_goes_on(
    model: TaskModel,
) -> None:
    why = "the condition was not met"
    skipped = status(outcome=Outcome(State.SKIPPED, reason=why))
    model.apply([added(task("a")), changed("a", skipped)])
    index = model.index_of("a").siblingAtColumn(Column.STATE)
    assert index.data(Role.TOLD) == f"Skipped\n{why}"
    model.apply([changed("a", structs.replace(skipped, state=State.RUNNING))])
    assert index.data(Role.TOLD) == "Running"
