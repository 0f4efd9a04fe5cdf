"""What other computers perform, as the window shows it: in table, log and graph, on buttons and banners."""

from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktopsched.engine import words
from desktopsched.engine.events import Away, ClaimsGoOn, ClaimsWithheld, RunElsewhere, TaskStatus
from desktopsched.model import IfLost, Outcome, Run, State
from desktopsched.ui.choice import View
from desktopsched.ui.expected import Expectations
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.form.page import Around
from desktopsched.ui.giving_way import HAND_OVER, TAKE_BACK
from desktopsched.ui.graph.links import Links
from desktopsched.ui.graph.node import node
from desktopsched.ui.log_source import past_source
from desktopsched.ui.look import Look
from desktopsched.ui.offers import offers
from desktopsched.ui.roles import Column, Role
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.transcript import Transcript
from desktopsched.ui.wishes import Wish, items
from tests.ui.form.conftest import OpenForm
from tests.ui.form.conftest import open_form as open_form  # noqa: PLC0414 - a fixture
from tests.ui.scenery import BERLIN, NOON, FakeSession, added, finished, run, started, status, task
from tests.ui.test_main_window import banners, made, opens, press
from tests.ui.test_transcript import shown

THERE = structs.replace(run("a"), owner="desk-2")


def away(one: Run = THERE, owner: str = "desk-2", token: int = 3) -> TaskStatus:
    return status(State.RUNNING, elsewhere=(Away(one, owner, token),), waiting=words.goes_on_on([owner]))


def begins() -> RunElsewhere:
    return RunElsewhere(at=NOON, run=run("a"), owner="desk-2", token=3, status=away())


def ran(state: State, reason: str = "", code: int | None = None) -> Outcome:
    outcome = Outcome(state, reason, code)
    return structs.replace(outcome, reason=words.ran_on("desk-2", outcome))


@pytest.fixture
def model(qapp: object) -> TaskModel:
    found = TaskModel(lambda: NOON, lambda: BERLIN)
    found.apply([added(task("a", "Backup"))])
    return found


def cell(model: TaskModel, column: Column) -> str:
    return str(model.index_of("a").siblingAtColumn(column).data())


def told(model: TaskModel, column: Column) -> str:
    return str(model.index_of("a").siblingAtColumn(column).data(Role.TOLD))


# --- the table ---------------------------------------------------------------------------------------------


def test_a_run_of_another_computer_is_running_there(model: TaskModel) -> None:
    model.apply([begins()])
    assert cell(model, Column.STATE) == "Running"
    assert cell(model, Column.NEXT) == "running  on desk-2"
    assert "a" in model.rows.tally.views[View.RUNNING]
    assert model.rows.tally.runs == 0  # of this computer's workers none is taken
    assert told(model, Column.STATE).splitlines() == [
        "Running",
        "Runs on desk-2 (token 3 on desk-2).",
        "Only desk-2 can stop it, and has its output. “Why?” says how long its lease lasts.",
    ]


def test_what_began_here_and_was_taken_over_does_not_go_on_here(model: TaskModel) -> None:
    model.apply([started(run("a"), NOON - 90), begins()])
    assert cell(model, Column.DURATION) == "–"
    assert model.rows["a"].since == {}
    model.apply([finished(THERE, ran(State.SUCCEEDED))])
    assert cell(model, Column.DURATION) == "–"


def test_there_is_nothing_to_stop_and_the_reason_is_said(model: TaskModel) -> None:
    model.apply([begins()])
    row = model.rows["a"]
    assert not row.idle
    offer = offers([row], tasks=1, paused=False).stop
    assert (offer.enabled, offer.tip) == (False, "Only desk-2 can stop it, and has its output.")
    stop = next(item for item in items([row]) if item.wish is Wish.STOP)
    assert stop.why_not == offer.tip


def test_what_runs_here_as_well_can_be_stopped(model: TaskModel) -> None:
    model.apply([added(task("a", "Backup"), structs.replace(away(), running=(run("a", 2),)))])
    assert offers([model.rows["a"]], tasks=1, paused=False).stop.enabled


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (ran(State.SUCCEEDED, code=0), "Ran on desk-2"),
        (ran(State.FAILED, "exit code 3", 3), "Exit 3 on desk-2"),
        (ran(State.FAILED, "timed out"), "Ran on desk-2: timed out"),
    ],
)
def test_the_last_result_says_where_it_ran(model: TaskModel, outcome: Outcome, text: str) -> None:
    model.apply([begins(), finished(THERE, outcome)])
    assert cell(model, Column.RESULT).startswith(text)


def test_who_hears_the_table_hears_where_it_runs(model: TaskModel) -> None:
    model.apply([begins()])
    assert model.rows["a"].owners == "desk-2"
    node_ = node(model.rows["a"], Links([]), Expectations(model.rows.get, NOON), NOON, BERLIN)
    assert node_.line == "on desk-2"


# --- the log -----------------------------------------------------------------------------------------------


def test_the_log_tells_of_a_run_elsewhere_and_says_that_its_output_is_there() -> None:
    transcript = Transcript()
    transcript.take([added(task("a", "Backup")), begins(), finished(THERE, ran(State.SUCCEEDED))], 0.0)
    failed = finished(THERE, ran(State.FAILED, "exit code 3", 3))
    transcript.take([begins(), failed], 0.0)
    assert shown(transcript) == [
        "Backup started on desk-2. Its output is there",
        "Backup succeeded on desk-2",
        "Backup started on desk-2. Its output is there",
        "Backup failed on desk-2: exit code 3",
    ]


def test_the_log_says_when_nothing_can_be_claimed_and_when_it_can() -> None:
    transcript = Transcript()
    transcript.take(
        [ClaimsWithheld(at=NOON, reason="the shared list was out of reach"), ClaimsGoOn(at=NOON)], 0.0
    )
    assert shown(transcript) == [
        "Nothing new starts here: the shared list is out of reach",
        "Starts are claimed again",
    ]


def test_a_past_run_of_another_computer_says_where_its_output_is(model: TaskModel) -> None:
    model.apply([begins(), finished(THERE, ran(State.SUCCEEDED))])
    source = past_source(model.rows["a"], 1)
    said = source.nothing(goes_on=False, is_read=True)
    assert said == "Run 1 of Backup ran on desk-2. Its output is there."


def test_a_reason_of_ones_own_names_no_computer() -> None:
    assert words.computer_of("exit code 1") == ""
    assert words.computer_of("ran on desk-2: exit code 1") == "desk-2"


# --- banners and the menu ----------------------------------------------------------------------------------


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    return FakeSession(tmp_path)


def test_a_list_that_is_out_of_reach_is_a_banner_with_since_when_and_why(
    qtbot: QtBot, session: FakeSession, look: Look
) -> None:
    window = made(qtbot, session, look)
    opens(session, window, added(task("a")))
    session.out_of_reach = (NOON, "No server answers at db:5433. It says: connection refused")
    window.count()
    (said,) = banners(window)
    assert said == (
        "The shared list is out of reach since 14:00. No server answers at db:5433. Nothing new starts here until it"
        " answers; what runs goes on. It says: connection refused"
    )
    session.out_of_reach = None
    window.count()
    assert banners(window) == []


def test_who_handed_over_can_take_back_in_the_banner(qtbot: QtBot, session: FakeSession, look: Look) -> None:
    window = made(qtbot, session, look)
    with qtbot.waitExposed(window):
        window.show()
    session.shares = session.handed_over = True
    opens(session, window, added(task("a")))
    assert banners(window) == [
        "This computer has handed over to the others. It starts nothing by itself; what runs goes on."
    ]
    press(qtbot, window, "Take back")
    assert session.commands.asked[-1] == ("give way", False)


def test_clocks_that_differ_and_a_list_that_was_changed_are_banners(
    qtbot: QtBot, session: FakeSession, look: Look
) -> None:
    window = made(qtbot, session, look)
    session.clock_words = (
        "The clock of this computer is 9 s behind the clock of the shared list. Starts follow it."
    )
    session.joins_another = True
    opens(session, window, added(task("a")))
    headlines = [banner._notice.headline for banner in window.bulletin.banners.banners]
    assert headlines == [
        "The clock of this computer is 9 s behind the clock of the shared list.",
        "The shared list has been changed.",
    ]


def test_the_menu_hands_over_and_takes_back_only_where_a_list_is_shared(
    qtbot: QtBot, session: FakeSession, look: Look
) -> None:
    window = made(qtbot, session, look)
    opens(session, window, added(task("a")))
    action = window.menu.actions_by_name["give-way"]
    assert not action.isVisible()
    action.trigger()
    assert session.commands.asked == []
    session.shares = True
    menu = window.menu.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    assert (action.isVisible(), action.text()) == (True, HAND_OVER)
    action.trigger()
    session.handed_over = True
    menu.aboutToShow.emit()
    assert action.text() == TAKE_BACK
    action.trigger()
    assert session.commands.asked == [("give way", True), ("give way", False)]


# --- the form ----------------------------------------------------------------------------------------------


def hides(form: TaskForm, place: str) -> bool:
    return next(field for field in form.page.fields if field.place == place).row.isHidden()


def test_the_form_asks_about_other_computers_only_where_there_are_any(open_form: OpenForm) -> None:
    alone = open_form(task("a"))
    alone.page.more.unfold()
    assert hides(alone, "prefers")
    assert hides(alone, "if_lost")
    together = open_form(task("a"), around=Around(shared=True))
    assert not hides(together, "prefers")
    assert not hides(together, "if_lost")


def test_what_a_task_says_of_other_computers_is_shown_and_kept_where_nobody_shares(
    open_form: OpenForm,
) -> None:
    form = open_form(one := task("a", if_lost=IfLost.RUN_AGAIN, prefers="desk-2"))
    more = form.page.more
    assert more.button.isChecked()
    assert not hides(form, "prefers")
    assert (more.if_lost.value, more.prefers.edit.text()) == ("run-again", "desk-2")
    assert form.page.read("a").task == one


def test_the_form_writes_what_is_chosen_for_other_computers(open_form: OpenForm) -> None:
    form = open_form(task("a"), around=Around(shared=True))
    form.page.more.if_lost.buttons["run-again"].click()
    QTest.keyClicks(form.page.more.prefers.edit, "attic")
    found = form.page.read("a").task
    assert found is not None
    assert (found.if_lost, found.prefers) == (IfLost.RUN_AGAIN, "attic")
