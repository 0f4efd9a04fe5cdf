import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from desktopsched.model import Command, Every, Outcome, State
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.roles import Column
from desktopsched.ui.task_model import TaskModel
from tests.ui.scenery import (
    BERLIN,
    NOON,
    added,
    changed,
    edited,
    finished,
    removed,
    run,
    started,
    status,
    task,
)


class Time:
    def __init__(self) -> None:
        self.now = NOON


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def model(clock: Time) -> TaskModel:
    model = TaskModel(lambda: clock.now, lambda: BERLIN)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    return model


def names(model: TaskModel) -> list[str]:
    rows = (model.row_at(place) for place in range(model.rowCount()))
    return [row.task.name for row in rows if row is not None]


def filled(model: TaskModel) -> None:
    model.apply(
        [
            added(
                task("a", "Photo sync", group="Files", schedule=Every(interval=900)), status(due=NOON + 60)
            ),
            added(task("b", "Mail", group="Office", enabled=False)),
            added(
                task("c", "Backup", group="Files", action=Command(argv=("rsync", "-a"))),
                status(due=NOON + 9e5),
            ),
            started(run("b")),
            finished(run("c", 2), Outcome(State.FAILED, "exit code 1", 1)),
        ]
    )


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        (Choice(), ["Photo sync", "Backup", "Mail"]),
        (Choice(view=View.RUNNING), ["Mail"]),
        (Choice(view=View.FAILED), ["Backup"]),
        (Choice(view=View.TODAY), ["Photo sync", "Mail"]),
        (Choice(view=View.DISABLED), []),
        (Choice(group="Files"), ["Photo sync", "Backup"]),
        (Choice(text="photo"), ["Photo sync"]),
        (Choice(text="RSYNC"), ["Backup"]),
        (Choice(text="office"), ["Mail"]),
        (Choice(text="files back"), ["Backup"]),
        (Choice(text="backp"), []),
    ],
)
def test_views_groups_and_words_choose_what_is_shown(
    model: TaskModel, choice: Choice, shown: list[str]
) -> None:
    filled(model)
    model.choose(choice)
    assert names(model) == shown


def test_rows_come_and_go_as_they_change_and_stand_where_they_came(model: TaskModel) -> None:
    model.apply([added(task(name, group="G")) for name in "abc"])
    model.choose(Choice(view=View.RUNNING))
    assert names(model) == []
    model.apply([started(run("c", 1))])
    model.apply([started(run("a", 2))])
    assert names(model) == ["A", "C"]
    model.apply([finished(run("a", 2), Outcome(State.SUCCEEDED)), removed("c")])
    assert names(model) == []
    model.choose(Choice())
    assert names(model) == ["A", "B"]


def test_a_hidden_task_may_change_its_group_and_be_removed(model: TaskModel) -> None:
    filled(model)
    model.choose(Choice(text="photo"))
    model.apply([edited(task("c", "Photo backup", group="New")), changed("b", status())])
    assert names(model) == ["Photo sync", "Photo backup"]
    model.apply([removed("b"), removed("c"), added(task("d", "Photo print"))])
    assert names(model) == ["Photo sync", "Photo print"]
    assert not model.index_of("b").isValid()


def test_many_rows_that_turn_at_once_are_one_change_of_the_layout(model: TaskModel) -> None:
    model.apply([added(task(f"t{n}")) for n in range(1_000)])
    model.choose(Choice(view=View.FAILED))
    layouts: list[int] = []
    model.layoutChanged.connect(lambda: layouts.append(1))
    model.apply([finished(run(f"t{n}", n + 1), Outcome(State.FAILED)) for n in range(1_000)])
    assert layouts == [1]
    assert len(names(model)) == 1_000


def test_the_day_ends_in_the_view_of_today(model: TaskModel, clock: Time) -> None:
    model.apply([added(task("a"), status(due=NOON + 20 * 3_600))])
    model.choose(Choice(view=View.TODAY))
    assert names(model) == []
    clock.now = NOON + 11 * 3_600
    model.tick()
    assert names(model) == ["A"]


def test_sorting_stays_within_groups_and_persistent_indexes_with_their_tasks(model: TaskModel) -> None:
    from PySide6.QtCore import QPersistentModelIndex

    filled(model)
    kept = QPersistentModelIndex(model.index_of("a"))
    model.sort(Column.NAME)
    assert names(model) == ["Backup", "Photo sync", "Mail"]
    assert kept.row() == 2  # below the head of its group and another task
    model.sort(Column.NEXT, Qt.SortOrder.DescendingOrder)
    assert names(model) == ["Backup", "Photo sync", "Mail"]
    model.sort(-1)
    assert names(model) == ["Photo sync", "Backup", "Mail"]


def test_thirty_thousand_tasks_are_filtered_and_sorted(clock: Time) -> None:
    model = TaskModel(lambda: clock.now, lambda: BERLIN)
    model.apply([added(task(f"t{n}", f"Task {n}", group=f"G{n % 30}")) for n in range(30_000)])
    model.choose(Choice(text="task 1299"))
    model.sort(Column.NAME)
    found = names(model)
    assert len(found) == 13
    assert found[:2] == ["Task 12990", "Task 12991"]
