"""The form as a person meets it: refusals beside the field, the foot, keys, a loop, a test, a task that goes away."""

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import QDate, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktopsched.model import Command, Cron, Edge, On, Retry, Script, Task, Where
from desktopsched.model.duration import parse_duration
from desktopsched.storage.preferences import Theme
from desktopsched.ui.background import Background
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.form.located import Located
from desktopsched.ui.form.page import Around
from desktopsched.ui.look import Look
from tests.ui.form.conftest import NOW, OpenForm
from tests.ui.form.test_round_trip import FULL, saved, type_in
from tests.ui.scenery import BERLIN, MARKUP, FakeBench, task


def look_at(form: TaskForm) -> dict[str, str]:
    """What is wrong, by place."""
    return {field.place: words for field, words in form._look_at_all().problems.items()}


# ruff: noqa: E501 - sentences are compared whole
WRONG: list[tuple[str, str, str, str]] = [
    ("general.name", "", "name", "Write a name."),
    ("general.name", "x" * 201, "name", "The name is 201 characters long. Write at most 200."),
    ("what.command", "", "action.argv", "Write the command to run, such as rsync -a photos/ /backup/."),
    ("what.command", "echo 'x", "action.argv", "A quotation mark or backslash at the end has no partner. Close it."),
    ("what.timeout", "soon", "action.timeout", "'soon' is not a duration. Write a number with d, h, m or s, for example '45s', '15m' or '1h30m'."),
    ("what.codes", "0, x", "action.success_codes", "The list of exit codes must be a whole number from 0 to 4,294,967,295, not 'x'."),
    ("when.expression", "30 25 * * *", "schedule.expression", "Hours go from 0 to 23. Change '25', for example to '1'."),
    ("when.zone", "Europe/Berlln", "timezone", "'Europe/Berlln' is not a zone that this computer knows. Write an IANA name such as 'Europe/Berlin' or 'UTC'. Did you mean 'Europe/Berlin'?"),
    ("failure.attempts", "0", "retry.attempts", "The number of attempts must be from 1 to 1,000, not 0."),
    ("more.priority", "200", "priority", "The priority must be from -100 to 100, not 200."),
    ("more.not_before", "soon", "not_before", "'soon' is not a date and time. Write for example '2026-03-30T08:00'."),
    ("more.not_before", "31.2.2027 08:00", "not_before", "'31.2.2027 08:00' is not a date and time. Write for example '2026-03-30T08:00'."),
    ("more.not_before", "2027-02-31 08:00", "not_before", "There is no '2027-02-31 08:00': the day or the time does not exist. Choose another."),
]  # fmt: skip


@pytest.mark.parametrize(("control", "text", "place", "words"), WRONG)
def test_what_is_wrong_is_said_beside_its_field(
    open_form: OpenForm, control: str, text: str, place: str, words: str
) -> None:
    form = open_form(task("a", schedule=Cron("@daily")))
    part, name = control.split(".")
    type_in(getattr(getattr(form.page, part), name), text)
    assert look_at(form) == {place: words}
    field = next(field for field in form.page.fields if field.place == place)
    assert field.row.problem.text() == words
    assert field.section.title.property("wrong") is True
    assert form.foot.link.text() == f"1 thing to fix: {field.section.name}"
    assert not form.foot.save.isEnabled()


def test_the_foot_counts_and_leads_to_the_first_thing(open_form: OpenForm) -> None:
    form = open_form(task("a", schedule=Cron("@daily")), shown=True)
    type_in(form.page.when.expression, "x")
    type_in(form.page.more.grace, "x")
    look_at(form)
    assert form.foot.link.text() == "2 things to fix: When, More"
    form.foot.link.click()
    assert form.focusWidget() is form.page.when.expression.edit
    assert form.page.more.button.isChecked()


def test_an_empty_form_complains_only_when_it_is_saved(open_form: OpenForm) -> None:
    form = open_form()
    name, command = form.page.general.name, form.page.what.command
    assert form.foot.link.text() == ""
    type_in(name, "A")
    type_in(name, "")
    look_at(form)
    assert form.foot.link.text() == "3 things to fix: General, What, When"
    assert [box._wrong for box in (name, command)] == [True, False]  # nobody has come to the other one yet
    form.save()
    assert [box._wrong for box in (name, command)] == [True, True]


def test_the_first_letters_of_a_task_turn_nothing_red(open_form: OpenForm, qtbot: QtBot) -> None:
    form = open_form(shown=True)
    QTest.keyClicks(form.page.general.name.edit, "Dump")
    qtbot.waitUntil(lambda: form.foot.link.text() == "2 things to fix: What, When")
    assert form.foot.link.property("quiet") is True
    assert not form.foot.save.isEnabled()
    assert [section.name for section in form.page.sections if section.title.property("wrong")] == []
    form.foot.link.click()
    assert form.foot.link.property("quiet") is False
    assert form.focusWidget() is form.page.what.command.edit
    assert form.page.what.command._wrong


def test_what_is_wrong_in_a_field_is_said_once_the_person_has_left_it(
    open_form: OpenForm, qtbot: QtBot
) -> None:
    form = open_form(task("a", schedule=Cron("@daily")), shown=True)
    box = form.page.when.expression
    box.take_focus()
    QTest.keyClicks(box.edit, "30 25")
    qtbot.waitUntil(lambda: form.foot.link.text() == "1 thing to fix: When")
    assert form.foot.link.property("quiet") is True
    assert box._wrong is False
    QTest.keyClick(box.edit, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: box._wrong)
    assert form.foot.link.property("quiet") is False
    box.take_focus()
    QTest.keyClicks(box.edit, "30 2 * * *")
    qtbot.waitUntil(form.foot.link.isHidden)
    assert box._wrong is False
    QTest.keyClicks(box.edit, "x")
    qtbot.waitUntil(lambda: box._wrong)  # who comes back is told at once


def test_on_a_small_screen_with_large_type_nothing_of_the_form_is_cut(
    open_form: OpenForm, look: Look, qtbot: QtBot
) -> None:
    form = open_form(task("a", schedule=Cron("30 2 * * *")), shown=True)
    page, panel = form.page, form.page.when.panel
    assert panel.starts.x() > panel.headline.width()  # beside each other
    form.resize(look.px(1_024) * 100 // 150, look.px(426))
    qtbot.waitUntil(lambda: panel.starts.x() < panel.headline.width())
    assert page.horizontalScrollBar().maximum() == 0
    shown = [one for one in page.body.findChildren(QWidget) if one.isVisibleTo(page.body)]
    ends = {one.mapTo(page.body, QPoint(one.width(), 0)).x() for one in shown}
    assert max(ends) <= page.viewport().width()
    assert panel.height() >= panel.headline.height() + panel.starts.height()
    form.resize(look.px(860), look.px(600))
    qtbot.waitUntil(lambda: panel.starts.x() > panel.headline.width())


def test_what_does_not_fit_into_a_narrow_form_can_be_scrolled_to(
    open_form: OpenForm, look: Look, qtbot: QtBot
) -> None:
    form = open_form(task("a", schedule=Cron("30 2 * * *")), shown=True)
    form.resize(form.minimumSize())
    page = form.page
    qtbot.waitUntil(lambda: page.body.width() > page.viewport().width())
    missing = page.body.width() - page.viewport().width()
    assert page.horizontalScrollBar().maximum() == missing


def test_the_list_of_tasks_to_wait_for_is_as_high_as_what_is_offered(
    open_form: OpenForm, qtbot: QtBot
) -> None:
    others = [task(f"t{number}") for number in range(30)]
    form = open_form(task("a"), *others, shown=True)
    parents = form.page.parents
    heights = []
    for text in ("", "t12", "nothing"):
        parents.pick()
        parents.picker.search.setText(text)
        qtbot.waitUntil(lambda: parents.picker.height() == parents.picker.sizeHint().height())
        heights.append(parents.picker.list.height())
        parents.picker.hide()
    line = parents.picker.list.sizeHintForRow(0)
    assert heights[0] > 6 * line
    assert line <= heights[1] < 2 * line
    assert heights[2] == heights[1]


def test_the_example_of_a_date_is_tomorrow(open_form: OpenForm) -> None:
    form = open_form(task("a", schedule=Cron("@daily")))
    form.page.when.kind.buttons["at"].click()
    assert form.page.when.time.edit.placeholderText() == "2026-10-24 08:00"
    assert look_at(form) == {"schedule.time": "Write a date and time, such as 2026-10-24 08:00."}


def test_cron_is_looked_at_when_typing_pauses(open_form: OpenForm, qtbot: QtBot) -> None:
    form = open_form(task("a", schedule=Cron("30 2 * * *")), shown=True)
    box = form.page.when.expression
    box.edit.setFocus()
    box.edit.selectAll()
    QTest.keyClicks(box.edit, "0 9 * * mon-fri")
    assert form.page.when.panel.headline.text() == "Every day at 02:30"
    qtbot.waitUntil(lambda: form.page.when.panel.headline.text() == "Weekdays at 09:00")


def test_an_expression_of_60_000_characters_does_not_hold_up_the_keys(open_form: OpenForm) -> None:
    form = open_form(task("a", schedule=Cron("30 2 * * *")), shown=True)
    box = form.page.when.expression
    box.edit.setText("1," * 30_000 + "1 * * * *")
    box.edit.setFocus()
    took = []
    for _ in range(5):
        begin = time.thread_time()
        QTest.keyClick(box.edit, Qt.Key.Key_End)
        QTest.keyClick(box.edit, Qt.Key.Key_1)
        form._look_at_all()
        form.grab()
        took.append(time.thread_time() - begin)
    assert look_at(form)["schedule.expression"].endswith("Write at most 1,000.")
    assert sorted(took)[2] < 0.25, (
        took
    )  # of the processor, with a repaint of the whole form; measured: 16 ms without


def test_the_background_computes_the_preview(open_form: OpenForm, qtbot: QtBot) -> None:
    background = Background()
    form = open_form(task("a", schedule=Cron("30 2 * * *")), background=background)
    qtbot.waitUntil(lambda: form.page.when.panel.headline.text() == "Every day at 02:30")
    qtbot.waitUntil(lambda: form.page.when.zone._words.rowCount() > 100)
    background.close()


def loop() -> tuple[Task, Task, Task]:
    dump = task("dump", "Database dump", waits_for=(Edge("upload"),))
    upload = task("upload", "Upload dump", waits_for=(Edge("verify"),))
    return dump, upload, task("verify", "Verify dump", waits_for=(Edge("dump"),))


def test_a_loop_is_shown_before_it_is_saved_and_taken_out(open_form: OpenForm) -> None:
    form = open_form(*loop(), shown=True)
    parents = form.page.parents
    look_at(form)
    assert parents.error.isVisible()
    assert parents.error.headline.text() == "Verify dump → Upload dump → Database dump would wait for itself."
    assert parents.error.advice.text() == (
        "Verify dump already waits for this task. Take “Upload dump” out, or change what Verify dump waits for."
    )
    assert form.foot.link.text() == "1 thing to fix: Waits for"
    form.foot.link.click()
    assert form.focusWidget() is parents.error.link
    parents.error.link.click()
    assert saved(form).waits_for == ()


def test_a_parent_that_is_gone_is_named(open_form: OpenForm) -> None:
    form = open_form(task("a", waits_for=(Edge("gone"),)))
    assert look_at(form) == {"waits_for": "There is no task “gone” any more."}


def test_parents_are_added_by_search_and_given_a_condition(open_form: OpenForm) -> None:
    form = open_form(task("a"), task("b", "Backup"), task("c", "Cleaning"), shown=True)
    parents = form.page.parents
    parents.add.click()
    QTest.keyClicks(parents.picker.search, "clea")
    QTest.keyClick(parents.picker.search, Qt.Key.Key_Return)
    assert not parents.picker.isVisible()
    parents.chips[0].condition.menu().actions()[1].trigger()
    QTest.keyClick(parents.chips[0].cross, Qt.Key.Key_A)
    assert saved(form).waits_for == (Edge("c", On.FAILURE),)


def test_delete_takes_a_parent_out(open_form: OpenForm) -> None:
    form = open_form(task("a", waits_for=(Edge("b"),)), task("b"), shown=True)
    form.page.parents.chips[0].cross.setFocus()
    QTest.keyClick(form.page.parents.chips[0].cross, Qt.Key.Key_Delete)
    assert form.page.parents.raw() != [{"task": "b", "on": "success"}]
    assert saved(form).waits_for == ()


def test_signs_of_a_shell_are_pointed_out(open_form: OpenForm) -> None:
    form = open_form(task("a"), shown=True)
    assert not form.page.what.hint.isVisible()
    type_in(form.page.what.command, "ls | wc -l")
    assert form.page.what.hint.isVisible()
    form.page.what.hint.click()
    assert not form.page.what.hint.isVisible()
    assert saved(form).action == Command(shell="ls | wc -l")


def test_nothing_moves_below_the_command_while_it_is_typed(open_form: OpenForm) -> None:
    form = open_form(task("a", action=Command(argv=("true",))), shown=True)
    what = form.page.what
    look_at(form)
    before = what.folder.mapTo(form, what.folder.rect().topLeft())
    for line, note in (("ls | wc", what.hint), ("nosuchprogram x", what.located.of_command)):
        type_in(what.command, line)
        look_at(form)
        layout = form.page.body.layout()
        assert layout is not None
        layout.activate()
        assert note.isVisible()
        assert what.folder.mapTo(form, what.folder.rect().topLeft()) == before
        assert what.command.rect().contains(note.geometry())


@pytest.mark.parametrize(
    ("shown", "typed", "kept"),
    [
        ("30s", "45", "45s"),
        ("20m", "5", "5m"),
        ("1s", "0.5", "0.5s"),
        ("1h30m", "2", None),
        ("30s", "2 min", "2m"),
    ],
)
def test_a_number_alone_keeps_the_unit_that_was_shown(
    open_form: OpenForm, shown: str, typed: str, kept: str | None
) -> None:
    form = open_form(task("a", retry=Retry(attempts=2, delay=parse_duration(shown))), shown=True)
    delay = form.page.failure.delay
    delay.edit.selectAll()
    QTest.keyClicks(delay.edit, typed)
    problems = look_at(form)
    if kept is None:
        assert "'2' is not a duration" in problems["retry.delay"]
    else:
        assert parse_duration(str(delay.raw())) == parse_duration(kept)
        assert saved(form).retry.delay == parse_duration(kept)


def test_a_field_that_tab_comes_to_from_the_foot_is_scrolled_into_sight(open_form: OpenForm) -> None:
    form = open_form(task("a"), shown=True)
    form.resize(form.width(), form.minimumHeight())
    bar = form.page.verticalScrollBar()
    bar.setValue(bar.maximum())
    form.foot.save.setFocus()
    QTest.keyClick(form.foot.save, Qt.Key.Key_Tab)
    name = form.page.general.name.edit
    assert form.focusWidget() is name
    assert form.page.viewport().rect().contains(name.mapTo(form.page.viewport(), name.rect().center()))
    assert bar.value() < bar.maximum()


def press(form: TaskForm, words: str) -> None:
    """Answer the question that is open."""
    box = form._question
    assert box is not None
    next(button for button in box.buttons() if button.text() == words).click()


def test_escape_closes_what_was_not_changed(open_form: OpenForm) -> None:
    form = open_form(FULL, task("p"), shown=True)
    QTest.keyClick(form, Qt.Key.Key_Escape)
    assert not form.isVisible()


def test_escape_asks_if_something_was_changed(open_form: OpenForm) -> None:
    form = open_form(FULL, task("p"), shown=True)
    type_in(form.page.general.name, "Other")
    QTest.keyClick(form, Qt.Key.Key_Escape)
    press(form, "Keep editing")
    assert form.isVisible()
    form.reject()
    press(form, "Discard changes")
    assert not form.isVisible()


def test_ctrl_enter_saves(open_form: OpenForm, qtbot: QtBot) -> None:
    form = open_form(FULL, task("p"), shown=True)
    with qtbot.waitSignal(form.saved):
        QTest.keyClick(form.page.general.name.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert not form.isVisible()


def test_enter_alone_saves_nothing(open_form: OpenForm) -> None:
    form = open_form(FULL, task("p"), shown=True)
    QTest.keyClick(form.page.general.name.edit, Qt.Key.Key_Return)
    assert form.isVisible()


def test_tab_follows_the_reading_order(open_form: OpenForm) -> None:
    form = open_form(FULL, task("p"), shown=True)
    form.page.general.name.setFocus()
    seen: list[QWidget] = []
    for _ in range(80):
        here = form.focusWidget()
        if here in seen:
            break
        seen.append(here)
        form.focusNextChild()
    inside = [one for one in seen if form.page.isAncestorOf(one)]
    places = [one.mapTo(form.page.body, one.rect().center()) for one in inside]
    rows = [place.y() // 16 for place in places]
    assert len(inside) > 25
    assert rows == sorted(rows), [
        (one.accessibleName(), place.y()) for one, place in zip(inside, places, strict=True)
    ]
    assert seen[-1] is form.foot.save


@pytest.mark.parametrize("key", [Qt.Key.Key_Tab, Qt.Key.Key_Backtab])
def test_tab_reaches_the_segment_that_is_chosen_and_the_arrows_choose_from_there(
    open_form: OpenForm, key: Qt.Key
) -> None:
    form = open_form(shown=True)
    kinds = list(form.page.when.kind.buttons.values())
    form.page.general.name.setFocus()
    for _ in range(80):
        if form.focusWidget() in kinds:
            break
        QTest.keyClick(form.focusWidget(), key)
    assert form.focusWidget() is form.page.when.kind.buttons["cron"]
    QTest.keyClick(form.focusWidget(), Qt.Key.Key_Right)
    assert form.page.when.kind.value == ""
    assert form.focusWidget() is kinds[-1]
    QTest.keyClick(form.focusWidget(), Qt.Key.Key_Tab)
    assert form.page.parents.isAncestorOf(form.focusWidget())


def test_everything_that_takes_the_focus_has_a_name(open_form: OpenForm) -> None:
    form = open_form(FULL, task("p"), shown=True)
    form.page.what.environment.button.setChecked(True)
    nameless = []
    for button in form.page.what.kind.buttons.values():
        button.click()
        nameless += [
            one
            for one in form._tabs
            if one.isVisible() and not one.accessibleName() and not str(one.property("text"))
        ]
    assert nameless == []


def test_the_form_survives_its_task(open_form: OpenForm) -> None:
    form = open_form(FULL, task("p"), shown=True)
    type_in(form.page.general.name, "Kept")
    form.task_removed()
    assert form.banners.isVisible()
    assert form.foot.save.text() == "Save as new task"
    assert saved(form).id == "kept"


def test_the_theme_may_change_while_it_is_open(open_form: OpenForm, look: Look) -> None:
    form = open_form(FULL, *loop(), task("p"), shown=True)
    light = form.grab().toImage().pixelColor(3, 3)
    look.set_theme(Theme.DARK)
    dark = form.grab().toImage().pixelColor(3, 3)
    assert light.lightness() > 200
    assert dark.lightness() < 60


def test_no_piece_of_a_form_holds_up_the_ui_thread(qtbot: QtBot, look: Look) -> None:
    """By the processor time of this thread: what else the machine does is not the form's."""
    took: list[float] = []
    for _ in range(2):  # the first one loads fonts and icons
        took.clear()
        begin = time.thread_time()
        form = TaskForm(look, [FULL, task("p")], FULL, lambda: NOW, lambda: BERLIN, bench=FakeBench())
        qtbot.addWidget(form)
        while not form.is_made:
            took.append(time.thread_time() - begin)
            begin = time.thread_time()
            next(form._pieces or iter(()), None)
        form.show()
        took.append(time.thread_time() - begin)
        form.done(0)
    assert len(took) > 8
    assert max(took) < 0.05, took  # measured: 12 ms; all of it together: 50


def test_nothing_of_a_form_outlives_it(qtbot: QtBot, look: Look) -> None:
    form = TaskForm(look, [FULL, task("p")], FULL, lambda: NOW, lambda: BERLIN, bench=FakeBench())
    with qtbot.waitSignal(form.destroyed):
        form.deleteLater()
    with qtbot.captureExceptions() as raised:
        look.set_theme(Theme.DARK)
    assert raised == []
    del form
    gc.collect()
    assert [one for one in gc.get_objects() if isinstance(one, TaskForm) and isValid(one)] == []


def test_names_are_plain_text(open_form: OpenForm) -> None:
    form = open_form(
        task("a", MARKUP, waits_for=(Edge("b"),)), task("b", MARKUP, waits_for=(Edge("a"),)), shown=True
    )
    look_at(form)
    labels: list[Any] = form.findChildren(QLabel)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels if label.text())
    assert MARKUP[:39] in form.page.parents.error.headline.text()


def test_a_day_is_taken_from_the_calendar_and_the_time_is_kept(open_form: OpenForm) -> None:
    form = open_form(task("a"), shown=True)
    form.page.when.kind.buttons["at"].click()
    moment = form.page.when.time
    type_in(moment, "2026-11-02 07:15")
    moment.button.click()
    assert moment.calendar is not None
    assert moment.calendar.selectedDate() == QDate(2026, 11, 2)
    moment.calendar.clicked.emit(QDate(2026, 12, 24))
    assert not moment.calendar.isVisible()
    assert moment.edit.text() == "2026-12-24 07:15"
    look_at(form)
    assert form.page.when.help.text() == "Next in 61 d 17 h, 24 Dec 07:15."


def test_a_wheel_over_a_choice_changes_nothing(open_form: OpenForm) -> None:
    form = open_form(task("a"), shown=True)
    choice = form.page.general.priority
    before = choice.currentIndex()
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    choice.wheelEvent(event)
    assert not event.isAccepted()
    assert choice.currentIndex() == before


def test_a_form_that_was_closed_before_it_appeared_does_not_appear(open_form: OpenForm, qtbot: QtBot) -> None:
    form = open_form(task("a"))
    form.appear()
    form.reject()
    QTest.qWait(0)
    qtbot.waitUntil(lambda: form.is_made)
    assert not form.isVisible()


def test_the_form_says_which_file_a_command_runs_and_when_there_is_none(
    open_form: OpenForm, tmp_path: Path
) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o700)
    form = open_form(task("a", action=Command(argv=("./tool", "x"), cwd=str(tmp_path))), shown=True)
    what = form.page.what
    look_at(form)
    assert what.located.of_command.isHidden()
    assert f"Runs {tool}" in what.command.edit.toolTip()
    what.command.edit.setText("no-such-program-anywhere x")
    look_at(form)
    assert what.located.of_command.text() == "There is no program “no-such-program-anywhere”"
    assert what.located.of_command.isVisible()
    assert "on this computer now" in what.located.of_command.toolTip()
    assert what.command.edit.toolTip() == ""
    assert form.foot.save.isEnabled()  # it may be there by the time that it runs
    what.shell.setChecked(True)
    look_at(form)
    assert what.located.of_command.isHidden()


def test_a_missing_interpreter_is_said_beside_it(open_form: OpenForm) -> None:
    form = open_form(task("a", action=Script(interpreter=f"{'x' * 60} -u", text="1")), shown=True)
    located = form.page.what.located
    look_at(form)
    assert located.of_command.isHidden()
    assert located.of_script.text() == f"There is no program “{'x' * 23}…”"
    assert "x" * 60 in located.of_script.toolTip()
    form.page.what.interpreter.edit.setText("")
    look_at(form)
    assert located.of_script.isHidden()


def test_where_a_program_is_looked_for_is_asked_elsewhere_and_an_old_answer_is_dropped(
    qtbot: QtBot, look: Look
) -> None:
    waiting: list[tuple[Callable[[], object], Callable[[Any], object]]] = []

    class Later:
        def do(self, work: Callable[[], object], done: Callable[[Any], object]) -> None:
            waiting.append((work, done))

    told: list[str] = []
    located = Located(look, cast("Background", Later()), told.append)
    qtbot.addWidget(located.of_command)
    qtbot.addWidget(located.of_script)
    located.look_for({"type": "command", "argv": ["first"]})
    located.look_for({"type": "command", "argv": ["sh"], "env": {"PATH": "/nowhere"}})
    located.look_for({"type": "command", "argv": ["sh"], "env": {"PATH": "/nowhere"}})
    assert len(waiting) == 2
    waiting[0][1]("/bin/first")
    assert told == []
    waiting[1][1](waiting[1][0]())
    assert told == [""]
    assert located.of_command.text() == "There is no program “sh”"


def test_where_a_command_runs_is_no_question_without_a_cluster(open_form: OpenForm) -> None:
    form = open_form(task("a", action=Command(argv=("true",))), shown=True)
    assert not form.page.what.where.isVisible()


def test_a_task_of_a_cluster_says_what_is_missing_where_there_is_none(open_form: OpenForm) -> None:
    one = task("a", action=Command(argv=("true",), where=Where.DASK))
    what = open_form(one, shown=True).page.what
    assert what.where.isVisible()
    assert what.no_cluster.isVisible()
    assert "no address of a cluster" in what.no_cluster.text()
    what.where.buttons[""].click()
    assert not what.no_cluster.isVisible()
    assert what.where.isVisible()  # there is a way back
    there = open_form(one, around=Around(cluster=True), shown=True).page.what
    assert not there.no_cluster.isVisible()


def test_a_command_or_a_script_runs_on_this_computer_or_on_the_cluster(
    qtbot: QtBot, open_form: OpenForm
) -> None:
    around = Around(cluster=True)
    form = open_form(task("a", action=Command(argv=("no-such-program",))), around=around, shown=True)
    what = form.page.what
    assert what.where.value == ""
    assert what.where.isVisible()
    assert what.located.of_command.isVisible()
    what.where.buttons["dask"].click()
    qtbot.waitUntil(lambda: not what.located.of_command.isVisible())  # what a worker has is not known here
    what.kind.buttons["reminder"].click()
    assert not what.where.isVisible()
    what.kind.buttons["command"].click()
    assert saved(form).action == Command(argv=("no-such-program",), where=Where.DASK)
