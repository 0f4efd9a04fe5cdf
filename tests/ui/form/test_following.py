"""A form that is open while the list changes: parents, groups, and its own task in another version."""

from collections.abc import Callable

import pytest
from msgspec import structs
from PySide6.QtCore import QObject, Signal

from desktopsched.engine.events import Event, TaskDisabled
from desktopsched.model import After, Command, Cron, Edge, On, Reminder, Script, State, Task
from desktopsched.ui.form.following import Following
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.form.page import Around
from tests.ui.form.conftest import OpenForm
from tests.ui.form.test_round_trip import saved, type_in
from tests.ui.scenery import NOON, FakeBench, added, changed, edited, removed, run, started, status, task


class List(QObject):
    """A list that changes, and says so."""

    arrived = Signal(tuple)

    def __init__(self, *tasks: Task) -> None:
        super().__init__()
        self.tasks = list(tasks)

    def becomes(self, *tasks: Task, event: Event | None = None) -> None:
        self.tasks = list(tasks)
        self.arrived.emit((event or edited(tasks[0]),))


Watch = Callable[..., tuple[TaskForm, List]]


@pytest.fixture
def watch(open_form: OpenForm) -> Watch:
    """Open the form of the first task."""

    def watch_(*tasks: Task, **more: object) -> tuple[TaskForm, List]:
        form, listed = open_form(*tasks, **more), List(*tasks)
        Following(form, lambda: listed.tasks, listed.arrived)
        return form, listed

    return watch_


def banner(form: TaskForm) -> str:
    return " ".join(one.accessibleName() for one in form.banners.banners)


def press(form: TaskForm, words: str) -> None:
    buttons = [button for one in form.banners.banners for button in one.buttons]
    next(button for button in buttons if button.text() == words).click()


def look_at(form: TaskForm) -> dict[str, str]:
    return {field.place: words for field, words in form._look_at_all().problems.items()}


# --- other tasks -------------------------------------------------------------------------------------------


def test_a_parent_that_is_renamed_gets_its_new_name(watch: Watch) -> None:
    child, parent = task("a", waits_for=(Edge("p"),)), task("p", "Parent")
    form, listed = watch(child, parent)
    listed.becomes(child, task("p", "Renamed"), event=edited(task("p", "Renamed")))
    (chip,) = form.page.parents.chips
    assert (chip.name, chip._label.text()) == ("Renamed", "Renamed")
    assert chip.accessibleName() == "Renamed succeeds"
    assert chip.cross.accessibleName() == "Take Renamed out"
    assert not form.changed
    assert banner(form) == ""


def test_a_parent_that_is_removed_is_named_as_it_was(watch: Watch) -> None:
    child = task("a", waits_for=(Edge("p"),))
    form, listed = watch(child, task("p", "Parent"))
    listed.becomes(child, event=removed("p"))
    assert form.page.parents.error.headline.text() == "There is no task “Parent” any more."
    assert form.foot.link.text() == "1 thing to fix: Waits for"
    listed.becomes(child, task("p", "Parent"), event=added(task("p", "Parent")))
    assert form.foot.link.text() == ""


def test_a_task_that_comes_later_can_be_waited_for(watch: Watch) -> None:
    form, listed = watch(task("a"), task("b"), shown=True)
    listed.becomes(task("a"), task("b"), task("c"), event=added(task("c")))
    form.page.parents.add.click()
    offered = form.page.parents.picker.list
    assert [offered.item(at).text() for at in range(offered.count())] == ["B", "C"]
    form.page.parents.picker.hide()


def test_a_loop_that_another_edit_closes_is_seen(watch: Watch) -> None:
    child, parent = task("a", waits_for=(Edge("p"),)), task("p", "Parent")
    form, listed = watch(child, parent)
    assert look_at(form) == {}
    waiting = task("p", "Parent", waits_for=(Edge("a"),))
    listed.becomes(child, waiting, event=edited(waiting))
    assert form.page.parents.error.headline.text() == "Parent → A would wait for itself."
    listed.becomes(child, parent, event=edited(parent))
    assert look_at(form) == {}


def test_parents_show_their_states_as_they_are_now(watch: Watch) -> None:
    states = {"p": State.PENDING}
    around = Around(state_of=lambda task_id: states[task_id])
    form, listed = watch(task("a", waits_for=(Edge("p"),)), task("p"), around=around)
    states["p"] = State.RUNNING
    listed.arrived.emit((started(run("p")),))
    assert form.page.parents.chips[0]._state is State.RUNNING


def test_new_groups_can_be_chosen_and_new_ids_are_taken(watch: Watch) -> None:
    form, listed = watch(None)
    listed.becomes(task("mine", group="Office"), event=added(task("mine")))
    assert form.page.general.group._words.stringList() == ["Office"]
    type_in(form.page.general.name, "Mine")
    look_at(form)
    assert form.page.more.id.text() == "mine-2"


def test_an_empty_form_is_not_blamed_because_the_list_changed(watch: Watch) -> None:
    form, listed = watch(None)
    listed.becomes(task("b"), event=added(task("b")))
    assert form.foot.link.text() == ""


# --- its own task ------------------------------------------------------------------------------------------


def test_another_version_of_the_task_is_told(watch: Watch) -> None:
    one = task("a", schedule=Cron("@daily"))
    form, listed = watch(one, shown=True)
    listed.becomes(structs.replace(one, enabled=False, schedule=Cron("@hourly")))
    assert banner(form) == ("Changed elsewhere meanwhile: enabled, expression. What you wrote stays.")
    listed.becomes(one)
    assert banner(form) == ""


def test_the_other_version_can_be_taken(watch: Watch) -> None:
    one = task("a")
    form, listed = watch(one)
    type_in(form.page.general.name, "Mine")
    type_in(form.page.what.command, "mine 'x")
    other = structs.replace(one, name="Other", action=Script(interpreter="sh", text="true"))
    listed.becomes(other)
    press(form, "Take the other version")
    assert (form.page.general.name.edit.text(), form.page.what.value) == ("Other", "script")
    assert not form.changed
    assert banner(form) == ""
    assert saved(form) == other


def test_mine_is_kept_and_the_rest_follows_the_other(watch: Watch) -> None:
    one = task("a", action=Command(argv=("a",), cwd="~/x"))
    form, listed = watch(one)
    type_in(form.page.general.name, "Mine")
    type_in(form.page.what.timeout, "1 min")
    other = structs.replace(one, name="Other", group="G", action=Command(argv=("b",), cwd="~/x"))
    listed.becomes(other)
    press(form, "Keep mine")
    assert form.page.what.command.edit.text() == "b"
    assert banner(form) == ""
    assert form.changed
    merged = Command(argv=("b",), cwd="~/x", timeout=60.0)
    assert saved(form) == structs.replace(other, name="Mine", action=merged)
    assert form.base == other


def test_saving_never_takes_back_what_another_changed(watch: Watch) -> None:
    one = task("a", group="G", waits_for=(Edge("p"),))
    form, listed = watch(one, task("p"))
    type_in(form.page.general.name, "Mine")
    other = structs.replace(one, enabled=False, waits_for=(Edge("p", On.FAILURE),))
    listed.becomes(other, task("p"))
    assert saved(form) == structs.replace(other, name="Mine")


def test_a_delay_is_not_counted_anew_by_another_ones_edit(watch: Watch) -> None:
    one = task("a", schedule=After(delay=60.0))
    form, listed = watch(one)
    type_in(form.page.general.name, "Mine")
    other = structs.replace(one, schedule=After(delay=90.0))
    listed.becomes(other)
    assert saved(form) == structs.replace(other, name="Mine")


def test_half_written_fields_survive_the_other_version(watch: Watch) -> None:
    one = task("a", schedule=Cron("@daily"))
    form, listed = watch(one)
    type_in(form.page.what.command, "echo 'half")
    type_in(form.page.when.expression, "30 2 *")
    environment = form.page.what.environment
    for value in ("1", "2"):
        environment.add.click()
        type_in(environment.rows[-1].name, "TWICE")
        type_in(environment.rows[-1].value, value)
    listed.becomes(structs.replace(one, name="Other"))
    press(form, "Keep mine")
    assert form.page.general.name.edit.text() == "Other"
    assert form.page.what.command.edit.text() == "echo 'half"
    assert form.page.when.expression.edit.text() == "30 2 *"
    assert [row.value.edit.text() for row in environment.rows] == ["1", "2"]


def test_a_typed_secret_survives_the_other_version(watch: Watch) -> None:
    bench = FakeBench()
    one = task("a", action=Command(argv=("a",), env={"A": "1"}))
    form, listed = watch(one, bench=bench)
    environment = form.page.what.environment
    environment.add.click()
    type_in(environment.rows[1].name, "PASS")
    environment.rows[1].kind.picked.emit(True)
    type_in(environment.rows[1].value, "s3cret")
    listed.becomes(structs.replace(one, action=Command(argv=("a",), env={"A": "1", "B": "2"})))
    press(form, "Keep mine")
    assert [row.name.edit.text() for row in environment.rows] == ["A", "PASS", "B"]
    form.save()
    assert list(bench.stored[0].values()) == ["s3cret"]


def test_a_command_that_goes_to_the_shell_elsewhere_goes_there_here_too(watch: Watch) -> None:
    one = task("a", action=Command(argv=("a",)))
    form, listed = watch(one)
    type_in(form.page.what.timeout, "1 min")
    listed.becomes(structs.replace(one, action=Command(shell="a | b")))
    press(form, "Keep mine")
    assert form.page.what.shell.isChecked()
    assert saved(form).action == Command(shell="a | b", timeout=60.0)


def test_of_many_differences_a_few_are_named(watch: Watch) -> None:
    one = task("a")
    form, listed = watch(one)
    listed.becomes(structs.replace(one, name="B", group="G", enabled=False, notes="N", priority=5, grace=1.0))
    assert banner(form) == (
        "Changed elsewhere meanwhile: name, group, enabled, notes, 2 more. What you wrote stays."
    )


def test_another_kind_of_action_elsewhere_does_not_take_mine(watch: Watch) -> None:
    one = task("a")
    form, listed = watch(one)
    type_in(form.page.what.command, "mine")
    listed.becomes(structs.replace(one, name="Other", action=Reminder(message="Stand up")))
    assert saved(form) == structs.replace(one, name="Other", action=Command(argv=("mine",)))


def test_a_task_that_disabled_itself_is_disabled_here_before_the_file_says_so(watch: Watch) -> None:
    one = task("a")
    form, listed = watch(one)
    type_in(form.page.general.name, "Mine")
    listed.arrived.emit((TaskDisabled(at=NOON, task=structs.replace(one, enabled=False), reason="failed"),))
    assert banner(form).startswith("Changed elsewhere meanwhile: enabled.")
    listed.arrived.emit((changed("a", status(enabled=False)),))
    assert banner(form).startswith("Changed elsewhere meanwhile: enabled.")
    press(form, "Keep mine")
    assert saved(form) == structs.replace(one, name="Mine", enabled=False)


def test_a_task_that_cannot_be_read_in_the_file_any_more_is_no_other_version(watch: Watch) -> None:
    form, listed = watch(task("a"), task("b"))
    listed.becomes(task("b"))
    assert banner(form) == ""


def test_a_removed_task_can_still_be_saved_as_a_new_one(watch: Watch) -> None:
    form, listed = watch(task("a"), task("b"))
    listed.becomes(task("b"), event=removed("a"))
    form.task_removed()
    assert banner(form).startswith("This task was removed meanwhile.")
    press(form, "Save as new")
    assert form.base is None
