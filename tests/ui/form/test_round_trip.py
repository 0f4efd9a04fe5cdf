"""Every field both ways: a task that is opened and saved is the same task, and what is typed is what is saved."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec import structs

from desktopsched.model import (
    After,
    At,
    CatchUp,
    Command,
    Cron,
    Edge,
    Every,
    IfLost,
    Join,
    On,
    OnFailure,
    Open,
    Overlap,
    Reminder,
    Retry,
    Script,
    Secret,
    Task,
    Where,
)
from desktopsched.model.tables import ACTION, RETRY, SCHEDULE, TASK
from desktopsched.ui.form.form import TaskForm
from tests.model.test_document import TASKS
from tests.ui.form.conftest import OpenForm
from tests.ui.scenery import task


def saved(form: TaskForm) -> Task:
    found: list[Task] = []
    form.saved.connect(found.append)
    form.save()
    assert found, form.foot.link.text()
    return found[0]


def parents_of(one: Task) -> list[Task]:
    return [task(edge.task) for edge in one.waits_for]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(TASKS)
def test_a_task_that_is_opened_and_saved_is_the_same_task(open_form: OpenForm, one: Task) -> None:
    form = open_form(one, *parents_of(one))
    assert not form.changed
    assert saved(form) == one
    form.deleteLater()


FULL = Task(
    id="full",
    name="Full",
    group="Group",
    notes="One\nTwo",
    enabled=False,
    action=Command(
        argv=("a", "b c", ""),
        cwd="~/x",
        env={"A": "b", "S": Secret("s")},
        timeout=90.5,
        success_codes=(0, 3),
        where=Where.DASK,
    ),
    schedule=Every(interval=3000.0, start=datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=2)))),
    timezone="Europe/Berlin",
    waits_for=(Edge("p", On.FAILURE),),
    join=Join.ANY,
    retry=Retry(attempts=3, delay=30.0, backoff=2.5, max_delay=600.0, jitter=0.25),
    on_failure=OnFailure.PAUSE,
    overlap=Overlap.REPLACE,
    catch_up=CatchUp.LATEST,
    grace=120.0,
    priority=37,
    not_before=datetime(2026, 1, 1, 8, 0, 30),  # noqa: DTZ001 - wall time
    not_after=datetime(2027, 1, 1, tzinfo=UTC),
    max_runs=7,
    random_delay=5.0,
    if_lost=IfLost.RUN_AGAIN,
    prefers="desk-2",
)


def test_every_field_comes_back_from_its_control_too(open_form: OpenForm) -> None:
    """As if each of them had been typed anew."""
    form = open_form(FULL, task("p"))
    for field in form.page.fields:
        field._loaded = None
    assert saved(form) == FULL


def test_every_field_of_the_task_file_has_a_place_in_the_form(open_form: OpenForm) -> None:
    """But the id, which is shown: it is what a task is known by."""
    parts = {"action": ACTION, "schedule": SCHEDULE}
    wanted = {field.file_key for field in TASK.fields} - {"id", "retry", *parts}
    wanted |= {f"retry.{field.file_key}" for field in RETRY.fields}
    for place, kinds in parts.items():
        fields = (field for shape in kinds.kinds.values() for field in shape.fields)
        wanted |= {f"{place}.{field.file_key}" for field in fields} | {f"{place}.type"}
    assert {field.place for field in open_form().page.fields} == wanted


@pytest.mark.parametrize(
    "action",
    [
        Command(shell="a | b"),
        Script(interpreter="bash", text="echo 1\necho 2\n"),
        Reminder(message="Stand up\nand stretch", sound=True),
        Open(target="https://example.org/?a=1&b=2"),
    ],
)
def test_every_kind_of_action_comes_back_from_its_controls(open_form: OpenForm, action: Any) -> None:
    form = open_form(task("a", action=action))
    for field in form.page.fields:
        field._loaded = None
    assert saved(form).action == action


@pytest.mark.parametrize(
    "schedule",
    [
        At(datetime(2026, 10, 24, 8, 0)),  # noqa: DTZ001 - wall time
        After(delay=1200.0, since=datetime(2026, 10, 23, tzinfo=UTC)),
        Cron("@daily"),
        None,
    ],
)
def test_every_kind_of_schedule_comes_back_from_its_controls(open_form: OpenForm, schedule: Any) -> None:
    form = open_form(task("a", schedule=schedule))
    for field in form.page.fields:
        field._loaded = None
    assert saved(form).schedule == schedule


def type_in(box: Any, text: str) -> None:
    box.edit.setText(text)
    box.edited.emit()


def test_a_new_task_gets_an_id_from_its_name(open_form: OpenForm) -> None:
    form = open_form(None, task("buro-grosse"))
    type_in(form.page.general.name, "Büro: Größe")
    type_in(form.page.what.command, "rsync -a 'my photos/' /backup/")
    type_in(form.page.when.expression, "30 2 * * *")
    assert saved(form) == Task(
        id="buro-grosse-2",
        name="Büro: Größe",
        action=Command(argv=("rsync", "-a", "my photos/", "/backup/")),
        schedule=Cron("30 2 * * *"),
    )


def test_an_id_is_kept_on_an_edit(open_form: OpenForm) -> None:
    form = open_form(task("a", "A"))
    type_in(form.page.general.name, "Something else")
    assert saved(form).id == "a"


def test_a_new_interval_begins_when_it_is_saved(open_form: OpenForm) -> None:
    form = open_form()
    type_in(form.page.general.name, "A")
    type_in(form.page.what.command, "true")
    form.page.when.kind.buttons["every"].click()
    type_in(form.page.when.interval, "50 min")
    schedule = saved(form).schedule
    assert isinstance(schedule, Every)
    assert schedule.interval == 3000
    assert schedule.start is not None
    assert schedule.start.isoformat() == "2026-10-23T14:32:00+02:00"


def test_another_delay_is_counted_from_when_it_is_saved(open_form: OpenForm) -> None:
    form = open_form(task("a", schedule=After(delay=60.0, since=datetime(2026, 1, 1, tzinfo=UTC))))
    type_in(form.page.when.delay, "2h")
    schedule = saved(form).schedule
    assert isinstance(schedule, After)
    assert schedule.since is not None
    assert (schedule.delay, schedule.since.isoformat()) == (7200, "2026-10-23T14:32:00+02:00")


def test_a_delay_counts_anew_when_its_task_is_switched_on(open_form: OpenForm) -> None:
    since = datetime(2026, 1, 1, tzinfo=UTC)
    form = open_form(task("a", schedule=After(delay=60.0, since=since), enabled=False))
    form.page.general.enabled.click()
    schedule = saved(form).schedule
    assert isinstance(schedule, After)
    assert schedule.since is not None
    assert schedule.since > since


def test_an_old_interval_without_a_beginning_is_left_alone_when_its_task_is_renamed(
    open_form: OpenForm,
) -> None:
    form = open_form(task("a", schedule=Every(interval=60.0)))
    type_in(form.page.general.name, "B")
    assert saved(form) == task("a", "B", schedule=Every(interval=60.0))


def test_the_priority_is_the_same_in_words_and_as_a_number(open_form: OpenForm) -> None:
    form = open_form(task("a", priority=37))
    assert form.page.general.priority.currentText() == "37"
    form.page.general.priority.picked.emit(10)
    assert form.page.more.priority.raw() == 10
    assert form.page.general.priority.currentText() == "High"
    assert saved(form).priority == 10


def test_variables_are_added_changed_and_taken_out(open_form: OpenForm) -> None:
    form = open_form(task("a", action=Command(argv=("a",), env={"A": "1", "B": "2"})))
    environment = form.page.what.environment
    assert environment.button.text() == "Environment, 2 variables"
    environment.rows[0].remove.click()
    environment.add.click()
    type_in(environment.rows[1].name, "LANG")
    type_in(environment.rows[1].value, "C")
    action = saved(form).action
    assert isinstance(action, Command)
    assert action.env == {"B": "2", "LANG": "C"}


def test_a_script_that_was_dropped_becomes_a_draft(open_form: OpenForm) -> None:
    draft = TaskForm.of_script("/home/ann/photo_sync.sh")
    form = open_form(draft, draft=True)
    assert form.windowTitle() == "New task"
    form.page.when.kind.buttons[""].click()
    assert saved(form) == Task(
        id="photo-sync",
        name="Photo sync",
        action=Command(argv=("sh", "/home/ann/photo_sync.sh"), cwd="/home/ann"),
    )


def test_a_copy_gets_an_id_of_its_own(open_form: OpenForm) -> None:
    form = open_form(TaskForm.copy_of(FULL), FULL, task("p"), draft=True)
    assert saved(form) == structs.replace(FULL, id="full-copy", name="Full copy")
