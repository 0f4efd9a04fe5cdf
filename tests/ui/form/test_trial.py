"""Trying what is written: Stop in place of Test, the output, the end in words, and what is in the way of a test."""

import sys
import time
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from desktopsched.drafts import Drafts
from desktopsched.model import Command, Cron, Outcome, Reminder, Script, Secret, State, Task
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.form.output import PIECE_LINES, end_words, last_lines
from desktopsched.ui.form.trial import TrialButton
from desktopsched.ui.form.workbench import Workbench
from tests.ui.form.conftest import OpenForm
from tests.ui.form.test_round_trip import type_in
from tests.ui.scenery import FakeBench, task

PATIENCE = 60_000  # milliseconds for real processes


@pytest.fixture
def bench() -> FakeBench:
    return FakeBench()


@pytest.fixture
def real() -> Iterator[Workbench]:
    """A workbench that performs what it is given."""
    drafts = Drafts(time.time, grace=30.0)
    yield Workbench(lambda: drafts)
    drafts.stop("the test is over")
    drafts.close()


def button(form: TaskForm) -> TrialButton:
    return form.page.what.test


def words(form: TaskForm) -> str:
    return form.page.what.output.words.text()


def shown(form: TaskForm) -> str:
    return form.page.what.output.text.toPlainText()


def script(text: str) -> Task:
    return task("a", action=Script(interpreter=f"{sys.executable} -u", text=text))


def test_a_test_hands_over_what_is_written_and_shows_what_comes(
    open_form: OpenForm, bench: FakeBench
) -> None:
    form = open_form(task("a"), shown=True, bench=bench)
    type_in(form.page.general.name, "")
    type_in(form.page.what.command, "echo hi")
    button(form).click()
    assert [(one.task.id, one.task.action) for one in bench.drafts] == [("a", Command(argv=("echo", "hi")))]
    assert form.page.what.output.isVisible()
    assert words(form) == "Testing"
    assert bench.hearer is not None
    bench.hearer.heard("\x1b[31mhi\x1b[0m <b>x</b>\nmore")
    bench.hearer.ended(Outcome(State.FAILED, "exit code 1", 1), 3.25)
    assert shown(form) == "hi <b>x</b>\nmore\n"
    assert words(form) == "Test failed after 3.2 s: exit code 1"


def test_while_a_test_runs_stop_stands_in_its_place(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(task("a"), bench=bench)
    button(form).click()
    assert (button(form).text(), button(form).accessibleName()) == ("Stop", "Stop the test")
    button(form).click()
    assert bench.stops == ["stopped by you"]
    assert words(form) == "Stopping the test"
    assert not button(form).isEnabled()
    assert bench.hearer is not None
    bench.hearer.ended(Outcome(State.CANCELLED, "stopped by you"), 75.0)
    assert words(form) == "Test cancelled after 1 min 15 s: stopped by you"
    assert (button(form).text(), button(form).isEnabled()) == ("Test", True)


def test_a_test_can_be_stopped_though_what_is_written_is_wrong_by_now(
    open_form: OpenForm, bench: FakeBench
) -> None:
    form = open_form(task("a"), bench=bench)
    button(form).click()
    type_in(form.page.what.command, "")
    form._look_at_all()
    assert button(form).isEnabled()
    assert bench.hearer is not None
    bench.hearer.ended(Outcome(State.SUCCEEDED), 1.0)
    assert not button(form).isEnabled()


def test_closing_the_form_stops_its_test_and_nothing_is_heard_any_more(
    open_form: OpenForm, bench: FakeBench
) -> None:
    form = open_form(task("a"), shown=True, bench=bench)
    button(form).click()
    form.reject()
    assert not form.isVisible()
    assert bench.stops == ["the form was closed"]
    assert bench.hearer is None
    assert button(form).text() == "Test"


@pytest.mark.parametrize(
    ("control", "text", "why"),
    [
        ("command", "", "Write the command to run, such as rsync -a photos/ /backup/."),
        ("command", "echo 'x", "A quotation mark or backslash at the end has no partner. Close it."),
        ("timeout", "soon", "'soon' is not a duration."),
        ("codes", "x", "The list of exit codes must be a whole number"),
    ],
)
def test_what_cannot_be_run_cannot_be_tested_and_the_button_says_why(
    open_form: OpenForm, control: str, text: str, why: str
) -> None:
    form = open_form(task("a"))
    type_in(getattr(form.page.what, control), text)
    form._look_at_all()
    assert not button(form).isEnabled()
    assert button(form).accessibleDescription().startswith(f"It cannot be tested yet. {why}")
    assert "It cannot be tested yet" in button(form).toolTip()


def test_mistakes_elsewhere_are_not_in_the_way_of_a_test(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(task("a", schedule=Cron("@daily")), bench=bench)
    type_in(form.page.when.expression, "x")
    type_in(form.page.general.name, "n" * 300)
    type_in(form.page.more.grace, "x")
    form._look_at_all()
    assert button(form).isEnabled()
    button(form).click()
    assert len(bench.drafts) == 1
    assert bench.drafts[0].task.schedule is None


def test_a_test_uses_secrets_that_were_typed_and_not_stored_yet(
    open_form: OpenForm, bench: FakeBench
) -> None:
    form = open_form(task("a", action=Command(argv=("a",), env={"OLD": Secret("old")})), bench=bench)
    environment = form.page.what.environment
    environment.add.click()
    type_in(environment.rows[1].name, "PASS")
    environment.rows[1].kind.picked.emit(True)
    type_in(environment.rows[1].value, "s3cret")
    button(form).click()
    (draft,) = bench.drafts
    action = draft.task.action
    assert isinstance(action, Command)
    name = action.env["PASS"]
    assert isinstance(name, Secret)
    assert draft.read_secret(name.secret) == "s3cret"
    assert bench.stored == []


def test_a_reminder_has_no_room_for_output_and_can_be_tested(open_form: OpenForm, bench: FakeBench) -> None:
    form = open_form(task("a", action=Reminder(message="Stand up")), shown=True, bench=bench)
    button(form).click()
    assert bench.hearer is not None
    bench.hearer.ended(Outcome(State.SUCCEEDED), 0.02)
    assert words(form) == "Test succeeded in 0.1 s"
    assert not form.page.what.output.text.isVisible()


@pytest.mark.parametrize(
    ("outcome", "seconds", "said"),
    [
        (Outcome(State.SUCCEEDED, exit_code=0), 0.0, "Test succeeded in 0.1 s"),
        (Outcome(State.SUCCEEDED, "log cut: no space", 0), 12.4, "Test succeeded in 12 s: log cut: no space"),
        (
            Outcome(State.FAILED, "timed out after 1 min"),
            60.1,
            "Test failed after 1 min: timed out after 1 min",
        ),
        (
            Outcome(State.SKIPPED, "There is no desktop to show it on"),
            0.0,
            "Test skipped: There is no desktop to show it on",
        ),
    ],
)
def test_the_end_is_said_in_words_with_its_duration(outcome: Outcome, seconds: float, said: str) -> None:
    assert end_words(outcome, seconds) == said


def test_a_flood_of_output_stays_bounded(open_form: OpenForm) -> None:
    form = open_form(task("a"))
    form.page.what.output.begin()
    for _ in range(5):
        form.page.trial.heard("line\n" * 100_000)
    assert form.page.what.output.text.blockCount() <= 2_001


def test_of_a_piece_with_very_many_lines_the_last_ones_are_shown_and_the_others_counted() -> None:
    lines = [f"{at}\n" for at in range(1_000)]
    shown_ = last_lines("".join(lines) + "rest").splitlines()
    assert shown_[0] == "… 600 lines not shown …"
    assert shown_[1:] == [*(line.strip() for line in lines[600:]), "rest"]
    assert last_lines("".join(lines[:PIECE_LINES])) == "".join(lines[:PIECE_LINES])


@pytest.mark.parametrize("line", ["y\n", "x" * 63 + "\n", "x" * 40_000])
def test_a_flood_does_not_hold_up_the_ui_thread(open_form: OpenForm, line: str) -> None:
    """By the processor time of this thread: what else the machine does is not the form's."""
    form = open_form(task("a"), shown=True)
    form.page.what.output.begin()
    piece = (line * 32_768)[:32_768]  # as much as comes at once
    took = []
    for _ in range(5):
        begin = time.thread_time()
        form.page.trial.heard(piece)
        form.page.what.output.repaint()
        took.append(time.thread_time() - begin)
    assert sorted(took)[2] < 0.05, took  # measured: 9 ms


# --- with real processes -----------------------------------------------------------------------------------


def test_a_draft_is_performed_and_its_output_comes_to_the_form(
    qtbot: QtBot, open_form: OpenForm, real: Workbench
) -> None:
    form = open_form(script("print('hello')"), bench=real)
    button(form).click()
    qtbot.waitUntil(lambda: words(form).startswith("Test succeeded in "), timeout=PATIENCE)
    assert shown(form) == "hello\n"


def test_stop_ends_the_process(qtbot: QtBot, open_form: OpenForm, real: Workbench) -> None:
    form = open_form(script("import time; print('ready'); time.sleep(600)"), bench=real)
    button(form).click()
    qtbot.waitUntil(lambda: "ready" in shown(form), timeout=PATIENCE)
    button(form).click()
    qtbot.waitUntil(lambda: words(form).startswith("Test cancelled after "), timeout=PATIENCE)


def test_a_form_that_is_gone_hears_nothing_and_leaves_no_process(
    qtbot: QtBot, open_form: OpenForm, real: Workbench
) -> None:
    """The harness fails this test if the process is left."""
    form = open_form(script("import time; print('ready'); time.sleep(600)"), bench=real)
    button(form).click()
    qtbot.waitUntil(lambda: "ready" in shown(form), timeout=PATIENCE)
    with qtbot.waitSignal(real._over, timeout=PATIENCE):
        form.reject()
    assert words(form) == "Testing"
