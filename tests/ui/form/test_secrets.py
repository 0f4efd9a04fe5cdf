"""Secrets: typed once, stored before the task is saved, never shown again, never written into the list."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Secret, Task
from desktopsched.model.document import write_task
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.form.variable import Variable
from tests.ui.form.conftest import OpenForm
from tests.ui.form.test_round_trip import saved, type_in
from tests.ui.scenery import FakeBench, task

PASSWORD = QLineEdit.EchoMode.Password


@pytest.fixture
def bench() -> FakeBench:
    return FakeBench()


def with_env(**env: str | Secret) -> Task:
    return task("a", action=Command(argv=("a",), env=env))


def env_of(one: Task) -> dict[str, object]:
    assert isinstance(one.action, Command)
    return dict(one.action.env)


def add_secret(form: TaskForm, name: str, value: str) -> Variable:
    environment = form.page.what.environment
    environment.add.click()
    row = environment.rows[-1]
    type_in(row.name, name)
    row.kind.picked.emit(True)
    type_in(row.value, value)
    return row


def look_at(form: TaskForm) -> dict[str, str]:
    return {field.place: words for field, words in form._look_at_all().problems.items()}


def wait_for_saved(form: TaskForm) -> list[Task]:
    found: list[Task] = []
    form.saved.connect(found.append)
    form.save()
    return found


def test_a_secret_is_stored_first_and_the_task_names_it(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(with_env(), bench=bench, shown=True)
    row = add_secret(form, "PGPASSWORD", "s3cret")
    assert row.value.edit.echoMode() is PASSWORD
    found = wait_for_saved(form)
    (stored,) = bench.stored
    ((name, value),) = stored.items()
    assert (name.startswith("PGPASSWORD-"), value) == (True, "s3cret")
    assert found == []
    assert form.isVisible()
    assert form.foot.words.text() == "Storing the secret in the keychain …"
    assert not form.foot.save.isEnabled()
    assert form.cover.isVisible()
    assert form.cover.size() == form.page.size()
    QTest.keyClick(form, Qt.Key.Key_Tab)
    assert form.focusWidget() is form.foot.cancel
    bench.done()
    assert not form.isVisible()
    assert env_of(found[0]) == {"PGPASSWORD": Secret(name)}
    assert "s3cret" not in json.dumps(write_task(found[0]))


def test_when_it_cannot_be_stored_the_form_says_why_and_loses_nothing(
    open_form: OpenForm, bench: FakeBench
) -> None:
    form = open_form(with_env(), bench=bench, shown=True)
    add_secret(form, "PGPASSWORD", "s3cret")
    found = wait_for_saved(form)
    bench.failed("This computer has no keychain. Install one.")
    error = form.page.what.environment.error
    assert error.isVisible()
    assert error.headline.text() == "The secret was not stored, and nothing is lost."
    assert error.advice.text() == "This computer has no keychain. Install one."
    assert form.focusWidget() is error.link
    assert (found, form.isVisible(), form.cover.isHidden()) == ([], True, True)
    error.link.click()
    assert bench.stored[0] == bench.stored[1]
    assert not error.isVisible()
    bench.done()
    assert len(found) == 1


def test_a_stored_secret_is_not_shown_and_stays_as_it_is(open_form: OpenForm, bench: FakeBench) -> None:
    one = with_env(S=Secret("kept"))
    form = open_form(one, bench=bench, shown=True)
    form.page.what.environment.button.setChecked(True)
    (row,) = form.page.what.environment.rows
    assert (row.words.isVisible(), row.words.text()) == (True, "Stored in the keychain")
    assert [row.value.isVisible(), row.remove.isVisible()] == [False, False]
    assert not form.changed
    assert saved(form) == one
    assert bench.stored == []


def test_another_value_gets_a_name_of_its_own_so_that_undo_finds_the_old_one(
    open_form: OpenForm, bench: FakeBench
) -> None:
    form = open_form(with_env(S=Secret("kept")), bench=bench, shown=True)
    form.page.what.environment.button.setChecked(True)
    (row,) = form.page.what.environment.rows
    row.change.click()
    assert row.value.isVisible()
    assert row.value.edit.text() == ""
    assert not form.changed  # nothing was typed yet: the stored one stays
    type_in(row.value, "new")
    found = wait_for_saved(form)
    (stored,) = bench.stored
    assert "kept" not in stored
    bench.done()
    assert env_of(found[0]) == {"S": Secret(next(iter(stored)))}


def test_a_stored_secret_can_be_removed(open_form: OpenForm) -> None:
    form = open_form(with_env(S=Secret("kept"), A="1"))
    form.page.what.environment.rows[0].forget.click()
    assert env_of(saved(form)) == {"A": "1"}


def test_a_secret_without_a_value_is_refused_with_words(open_form: OpenForm) -> None:
    form = open_form(with_env())
    row = add_secret(form, "PASS", "")
    assert look_at(form) == {"action.env": "Write the value of the secret “PASS”."}
    assert row.value._wrong
    form.focus_problem()
    assert form.focusWidget() is row.value.edit


def test_a_text_that_becomes_a_secret_is_stored(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(with_env(PASS="s3cret"), bench=bench)
    (row,) = form.page.what.environment.rows
    row.kind.picked.emit(True)
    assert row.value.edit.echoMode() is PASSWORD
    wait_for_saved(form)
    assert list(bench.stored[0].values()) == ["s3cret"]


def test_secrets_of_what_is_no_process_are_not_stored(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(with_env(), bench=bench)
    add_secret(form, "PASS", "s3cret")
    form.page.what.kind.buttons["reminder"].click()
    form.page.what.message.edit.setPlainText("Stand up")
    assert len(wait_for_saved(form)) == 1
    assert bench.stored == []


def test_giving_up_while_it_is_stored_saves_nothing(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(with_env(), bench=bench, shown=True)
    add_secret(form, "PASS", "s3cret")
    found = wait_for_saved(form)
    form.done(0)
    bench.done()
    assert found == []
    assert form.cover.isHidden()


def test_ctrl_enter_twice_stores_once(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(with_env(), bench=bench)
    add_secret(form, "PASS", "s3cret")
    wait_for_saved(form)
    form.save()
    assert len(bench.stored) == 1


def test_the_same_name_twice_is_refused_and_not_lost(open_form: OpenForm, qtbot: QtBot) -> None:
    form = open_form(with_env())
    add_secret(form, "PASS", "one")
    add_secret(form, "PASS", "two")
    assert look_at(form) == {"action.env": "Environment has “PASS” twice. Keep one of them."}
    assert form.changed
