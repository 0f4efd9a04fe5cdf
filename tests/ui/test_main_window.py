from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QItemSelectionModel, QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from desktopsched.engine.events import ClockChanged, Event, Paused, TaskStatus
from desktopsched.model import CatchUp, Edge, IfLost, Outcome, State, StorageError
from desktopsched.storage.preferences import Theme
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.deed import Deed
from desktopsched.ui.graph.node_item import NodeItem
from desktopsched.ui.graph.plan import SELECTED
from desktopsched.ui.log_source import sources
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from desktopsched.ui.roles import Column, Role
from desktopsched.ui.shown import Shown, read_shown
from desktopsched.ui.strip import Bar
from desktopsched.ui.tokens import DARK
from desktopsched.ui.wishes import Wish
from tests.ui.scenery import (
    BERLIN,
    MARKUP,
    NOON,
    FakeSession,
    added,
    changed,
    finished,
    output,
    run,
    started,
    status,
    task,
)

_SPOKEN = Qt.ItemDataRole.AccessibleTextRole


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    return FakeSession(tmp_path)


@pytest.fixture
def window(qtbot: QtBot, session: FakeSession, look: Look) -> MainWindow:
    window = made(qtbot, session, look)
    with qtbot.waitExposed(window):
        window.show()
    return window


def made(qtbot: QtBot, session: FakeSession, look: Look) -> MainWindow:
    window = MainWindow(session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
    qtbot.addWidget(window, before_close_func=let_go)
    return window


def let_go(window: MainWindow) -> None:
    """It would wait for its session to close."""
    window.phase = Phase.CLOSED


def happens(session: FakeSession, *events: Event) -> None:
    session.bridge.arrived.emit(events)


def opens(session: FakeSession, window: MainWindow, *events: Event) -> None:
    happens(session, *events)
    session.opened.emit({})


def choose(window: MainWindow, *tasks: str) -> None:
    window.table.clearSelection()
    for task_id in tasks:
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        window.table.selectionModel().select(window.model.index_of(task_id), flags)


def action(window: MainWindow, name: str) -> QAction:
    return window.tools.actions_by_name[name]


def banners(window: MainWindow) -> list[str]:
    return [banner.accessibleName() for banner in window.bulletin.banners.banners]


def press(qtbot: QtBot, window: MainWindow, words: str) -> None:
    buttons = [button for button in window.findChildren(QPushButton) if button.text() == words]
    QTest.mouseClick(buttons[-1], Qt.MouseButton.LeftButton)


BUSY = started(run("a"))


def test_while_the_files_are_read_the_buttons_are_off_and_say_so(window: MainWindow) -> None:
    for name in ("run", "stop", "pause"):
        assert not action(window, name).isEnabled()
        assert "is being opened" in action(window, name).toolTip()


def test_buttons_follow_the_selection(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a")), added(task("b")), BUSY)
    assert not action(window, "run").isEnabled()
    assert "Choose a task to run it" in action(window, "run").toolTip()
    choose(window, "b")
    assert action(window, "run").isEnabled()
    assert not action(window, "stop").isEnabled()
    assert "Choose a running task to stop it" in action(window, "stop").toolTip()
    choose(window, "a", "b")
    assert action(window, "stop").isEnabled()


def test_stop_goes_off_when_the_run_ends_under_the_pointer(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a")), BUSY)
    choose(window, "a")
    assert action(window, "stop").isEnabled()
    happens(session, finished(run("a"), Outcome(State.SUCCEEDED)))
    assert not action(window, "stop").isEnabled()


def test_keys_ask_for_runs_stops_and_pauses(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a")), added(task("b")), BUSY)
    choose(window, "a", "b")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window.table, Qt.Key.Key_F5)
    QTest.keyClick(window.table, Qt.Key.Key_Escape, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(window.table, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert session.commands.asked == [("run", "a", "b"), ("stop", "a"), ("pause", True)]


def test_a_group_cannot_be_run(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a")))
    window.table.setCurrentIndex(window.model.index(0, 0))
    assert window.table.selected_tasks() == []
    assert not action(window, "run").isEnabled()


def test_while_paused_the_button_resumes_and_a_banner_says_so(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    session.paused = True
    happens(session, Paused(at=NOON), BUSY)
    qtbot.waitUntil(lambda: banners(window) == ["All tasks are paused. 1 run goes on; nothing new starts."])
    assert action(window, "pause").text() == "Resume all"
    press(qtbot, window, "Resume all")
    assert session.commands.asked == [("pause", False)]
    session.paused = False
    window.count()
    assert banners(window) == []
    assert action(window, "pause").text() == "Pause all"


def test_missed_runs_wait_for_an_answer(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a"), status(missed=2)), added(task("b"), status(missed=1)))
    assert banners(window) == ["3 runs were missed. A, B. Nothing is lost until you decide."]
    with qtbot.waitSignal(window.missed_wanted):
        press(qtbot, window, "Decide…")
    press(qtbot, window, "Skip all 3")
    assert session.commands.asked == [("decide", CatchUp.SKIP)]
    happens(session, changed("a", status()), changed("b", status()))
    qtbot.waitUntil(lambda: banners(window) == [])


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (status(interrupted=run("a")), status(), "1 run was interrupted. A."),
        (status(missed=1), status(interrupted=run("b")), "1 run was missed, 1 was interrupted. A, B."),
        (status(interrupted=run("a")), status(interrupted=run("b")), "2 runs were interrupted. A, B."),
    ],
)
def test_an_interrupted_run_is_not_skipped_in_passing(
    window: MainWindow, session: FakeSession, a: TaskStatus, b: TaskStatus, words: str
) -> None:
    opens(session, window, added(task("a"), a), added(task("b"), b))
    assert banners(window) == [f"{words} Nothing is lost until you decide."]
    (banner,) = window.bulletin.banners.banners
    assert [button.text() for button in banner.buttons] == ["Decide…"]


def test_what_is_wrong_in_the_files_is_a_banner_with_details(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.program.notices += [f"tasks.json: {MARKUP}", "another"]
    opens(session, window, added(task("a")))
    assert banners(window) == [f"There are 2 things to look at. tasks.json: {MARKUP} (and 1 more)"]
    press(qtbot, window, "Show details")
    (box,) = window.findChildren(QMessageBox)
    assert box.detailedText() == f"tasks.json: {MARKUP}\n\nanother"
    assert all(field.isVisible() for field in box.findChildren(QTextEdit)), "asked for once is enough"
    box.close()
    press(qtbot, window, "Dismiss")
    assert banners(window) == []
    session.program.notices.append("another")
    window.count()
    assert banners(window) == ["There is 1 thing to look at. another"]


def test_what_is_wrong_no_more_is_not_said_any_more_and_comes_again_when_it_is_wrong_again(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.program.notices.append("one")
    opens(session, window, added(task("a")))
    press(qtbot, window, "Dismiss")
    session.program.notices[:] = ["two"]
    window.count()
    assert banners(window) == ["There is 1 thing to look at. two"]
    session.program.notices[:] = ["one"]
    window.count()
    assert banners(window) == ["There is 1 thing to look at. one"]
    session.program.notices.clear()
    window.count()
    assert banners(window) == []


def test_what_could_not_be_done_is_said_until_it_is_dismissed(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    session.commands.failed.emit("There is no such task.", Deed.RUN)
    assert banners(window) == ["That could not be done. There is no such task."]
    press(qtbot, window, "Dismiss")
    assert banners(window) == []


def test_what_could_not_be_done_is_not_said_any_more_once_such_a_thing_was_done(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    session.commands.failed.emit("There is no such task.", Deed.RUN)
    session.commands.done.emit(Deed.PAUSE)
    assert banners(window) == ["That could not be done. There is no such task."]
    session.commands.done.emit(Deed.RUN)
    assert banners(window) == []


def test_a_refused_edit_is_not_spoken_of_after_one_that_was_kept(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    session.refusal = StorageError("The disk is full.")
    session.edits.add(task("b"))
    session.past_runs.read.emit(1, ())
    assert banners(window) == ["That could not be done. The disk is full."]
    session.refusal = None
    session.edits.add(task("b"))
    assert banners(window) == []


def test_a_log_that_was_not_saved_is_spoken_of_until_one_was(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    session.past_runs.not_saved.emit("dump.log cannot be written: it is a folder.")
    session.past_runs.read.emit(1, ())
    assert banners(window) == ["That could not be done. dump.log cannot be written: it is a folder."]
    session.past_runs.written.emit()
    assert banners(window) == []


def test_a_history_that_cannot_be_written_is_said(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a")))
    session.trouble = "The disk is full."
    window.table.tick()
    assert banners(window) == ["The history cannot be written, so no task starts. The disk is full."]


def test_a_clock_that_is_not_believed_is_said_and_can_be_trusted(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    session.doubted = NOON
    window.table.tick()
    (words,) = banners(window)
    assert words.startswith("The computer's clock seems to be wrong. It is before 2026-10-23")
    press(qtbot, window, "The clock is right")
    assert session.commands.asked == [("trust clock",)]


def test_why_is_answered_in_a_window_that_leads_to_the_log(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a", MARKUP)))
    window.table.asked.emit(Wish.WHY, ("a",))
    box = _question(window)
    assert (box.text(), box.informativeText()) == (MARKUP, "It was due. It was skipped.")
    assert {label.textFormat() for label in box.findChildren(QLabel) if label.text()} == {
        Qt.TextFormat.PlainText
    }
    next(button for button in box.buttons() if button.text() == "Show log").click()
    assert session.past_runs.asked[-1] == ("a", 7)


def test_an_empty_list_offers_the_examples(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    opens(session, window)
    assert window.empty.isVisible()
    session.refusal = StorageError("The disk is full.")
    QTest.mouseClick(window.empty.examples, Qt.MouseButton.LeftButton)
    assert window.empty.examples.isEnabled()
    assert banners(window) == ["That could not be done. The disk is full."]
    session.refusal = None
    QTest.mouseClick(window.empty.examples, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.table.isVisible)
    assert window.focusWidget() is window.table
    assert len(session.program.task_list.tasks) == 14
    session.edits.undo()
    qtbot.waitUntil(window.empty.isVisible)
    assert session.program.task_list.tasks == []
    assert window.empty.examples.isEnabled()


def test_the_status_bar_names_what_comes_next(window: MainWindow, session: FakeSession) -> None:
    opens(
        session,
        window,
        added(task("a", "Late"), status(due=NOON + 3_600)),
        added(task("b", "Photo sync"), status(due=NOON + 240)),
        added(task("c")),
        started(run("c")),
    )
    said = [window.status.lead.text(), window.status.name.text(), window.status.rest.text()]
    assert said == ["Next:", "Photo sync", "in 4 min · 1 running · 3 tasks · waiting for 14:04"]
    assert window.status.workers.text() == "1 of 2 workers busy"
    assert window.status.zone.text() == "Europe/Berlin"


def test_however_much_the_status_bar_says_it_makes_no_window_wider(
    window: MainWindow, session: FakeSession
) -> None:
    window.resize(880, 560)
    runs = [started(run(f"t{n}", n)) for n in range(1, 40)]
    tasks = [added(task(f"t{n}", "W" * 200), status(due=NOON + 99 * 86_400)) for n in range(40)]
    opens(session, window, *tasks, *runs)
    assert window.width() == 880
    assert "39 running" in window.status.rest.toolTip()
    assert window.status.zone.isVisible()


def test_the_status_bar_of_an_empty_list_says_so(window: MainWindow, session: FakeSession) -> None:
    opens(session, window)
    said = f"{window.status.lead.text()} {window.status.rest.text()}"
    assert said == "Nothing scheduled · 0 tasks · waiting for a first task"
    assert window.status.workers.text() == "0 of 2 workers busy"
    session.paused = True
    window.count()
    assert window.status.rest.text() == "· 0 tasks · all tasks paused"


def test_times_tick_only_while_somebody_can_look(qtbot: QtBot, window: MainWindow) -> None:
    ticking = [window.table.ticking]
    for visible in (False, True):
        window.setVisible(visible)
        ticking.append(window.table.ticking)
    assert ticking == [True, False, True]


def test_only_the_rows_in_sight_tick(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    opens(session, window, *(added(task(f"t{n}", group=f"G{n // 50}")) for n in range(500)))
    first, last = window.table.in_sight()
    assert first == 0 < last < 60


def test_a_removed_task_comes_back_to_its_place_in_the_file(window: MainWindow, session: FakeSession) -> None:
    session.program.task_list.tasks = [task("a"), task("b"), task("c")]
    opens(session, window, *map(added, session.program.task_list.tasks))
    window.editing.remove(["b"])
    session.edits.undo()
    assert [window.model.line(place) for place in (1, 2, 3)] == ["a", "b", "c"]
    window.editing.move(["b"], "Files")
    window.editing.move(["b"], "")
    assert [window.model.line(place) for place in (1, 2, 3)] == ["a", "b", "c"]


def test_the_window_closes_at_once_when_nothing_runs(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")))
    window.close()
    assert session.closes == 1
    assert window.isVisible()
    assert banners(window) == ["Desktopsched is closing."]
    with qtbot.waitSignal(window.finished):
        session.closed.emit()
    assert not window.isVisible()


def _question(window: MainWindow) -> QMessageBox:
    (box,) = window.findChildren(QMessageBox)
    return box


def test_with_runs_under_way_it_asks_and_cancel_leaves_all_as_it_is(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a", "Mail archive")), BUSY)
    window.close()
    box = _question(window)
    assert box.text() == "Quit? 1 run would stop: Mail archive."
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert session.closes == 0
    assert window.isVisible()
    window.close()
    assert window.leaving.question is not None
    window.leaving.question.button(QMessageBox.StandardButton.Cancel).click()


def test_the_question_before_quitting_is_about_what_runs_now(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a", "Mail archive")), added(task("b", "Photos")), BUSY)
    window.close()
    box = _question(window)
    session.bridge.arrived.emit([started(run("b", 2))])
    window.count()
    assert box.text() == "Quit? 2 runs would stop: Mail archive, Photos."
    session.bridge.arrived.emit(
        [finished(run(one, number), Outcome(State.SUCCEEDED)) for one, number in (("a", 1), ("b", 2))]
    )
    window.count()
    assert box.text() == "Quit? Nothing is running any more."
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert session.closes == 0


def test_quit_and_stop_closes_and_the_window_says_what_it_waits_for(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")), BUSY)
    window.close()
    next(button for button in _question(window).buttons() if button.text() == "Quit and stop").click()
    assert session.closes == 1
    assert banners(window) == ["Desktopsched is closing. 1 run must end first, which may take some seconds."]
    assert not action(window, "run").isEnabled()
    assert "is closing" in action(window, "run").toolTip()
    window.close()
    assert session.closes == 1


def test_runs_can_be_left_running_where_they_can_outlive_the_program(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a")), BUSY)
    window.close()
    next(button for button in _question(window).buttons() if button.text() == "Keep running").click()
    assert (session.closes, session.kept_running) == (1, True)
    assert banners(window) == ["Desktopsched is closing."]


def test_where_the_list_is_shared_the_question_says_what_the_others_make_of_runs_that_go_on(
    window: MainWindow, session: FakeSession
) -> None:
    session.shares = True
    moves = structs.replace(task("b", "Photos"), if_lost=IfLost.RUN_AGAIN)
    opens(session, window, added(task("a", "Mail archive")), added(moves), BUSY)
    window.close()
    box = _question(window)
    assert box.informativeText() == (
        "The list is shared. If runs go on without Desktopsched, open it again within 15 min: until then the other"
        " computers wait to hear how they end, and after that they take them for lost."
    )
    session.bridge.arrived.emit([started(run("b", 2))])
    window.count()
    assert box.informativeText().endswith(
        "Photos would stop in any case, as another computer may run it again."
    )
    box.button(QMessageBox.StandardButton.Cancel).click()


def test_where_no_run_can_outlive_the_program_that_is_not_offered(
    window: MainWindow, session: FakeSession
) -> None:
    session.can_outlive = False
    opens(session, window, added(task("a")), BUSY)
    window.close()
    assert [button.text() for button in _question(window).buttons()] == ["Quit and stop", "Cancel"]
    _question(window).button(QMessageBox.StandardButton.Cancel).click()


def test_a_second_start_brings_the_window_up(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    window.showMinimized()
    session.shown.emit("")
    qtbot.waitUntil(lambda: not window.isMinimized())
    assert window.isVisible()


def test_sizes_are_remembered_in_the_home(
    qtbot: QtBot, window: MainWindow, session: FakeSession, look: Look, tmp_path: Path
) -> None:
    window.resize(890, 590)
    window.table.header().resizeSection(1, 321)
    window.end()
    session.closed.emit()
    assert (tmp_path / "window.ini").exists()
    again = made(qtbot, session, look)
    assert again.height() == 590
    assert again.table.header().sectionSize(1) == 321


def test_what_was_shown_is_shown_again(
    qtbot: QtBot, window: MainWindow, session: FakeSession, look: Look
) -> None:
    tasks = [added(task("a", group="Files")), added(task("b", group="Files", waits_for=(Edge("a"),)))]
    opens(session, window, *tasks, added(task("c")))
    window.sidebar.choose(Choice(group="Files"))
    choose(window, "a", "b")
    window.graph.head.pick(SELECTED)
    window.end()
    again = made(qtbot, session, look)
    opens(session, again, *tasks)
    assert again.sidebar.choice() == Choice(group="Files")
    assert again.table.selected_tasks() == ["a", "b"]
    assert again.graph.head.choice == SELECTED


def test_a_group_that_is_gone_is_not_shown_again(
    qtbot: QtBot, window: MainWindow, session: FakeSession, look: Look
) -> None:
    opens(session, window, added(task("a", group="Files")))
    window.sidebar.choose(Choice(group="Files"))
    choose(window, "a")
    window.end()
    again = made(qtbot, session, look)
    opens(session, again, added(task("b")))
    assert again.sidebar.choice() == Choice()
    assert again.table.selected_tasks() == []


@pytest.mark.parametrize("kept", [b"", b"{", b"[]", b'{"view": "no such view"}', b'{"selected": 3}'])
def test_what_cannot_be_read_is_as_good_as_nothing(kept: bytes) -> None:
    assert read_shown(kept) == Shown()


def test_no_label_and_no_box_takes_task_text_for_markup(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    session.program.notices.append(MARKUP)
    opens(
        session,
        window,
        added(task("a", MARKUP, group=MARKUP), status(due=NOON + 60, missed=2)),
        started(run("a")),
        output(run("a"), f"{MARKUP}\n"),
        changed("a", status(State.RUNNING, running=(run("a"),), due=NOON + 60, missed=2)),
    )
    qtbot.waitUntil(lambda: window._summary.running == 1)
    labels = [label for label in window.findChildren(QLabel) if MARKUP[:6] in label.text()]
    assert len(labels) == 3  # two banners and the status bar
    window.close()
    labels += [label for label in _question(window).findChildren(QLabel) if MARKUP[:6] in label.text()]
    assert len(labels) == 4
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    _question(window).button(QMessageBox.StandardButton.Cancel).click()


def test_graph_and_log_have_a_ring_while_they_have_the_keyboard(
    qtbot: QtBot, window: MainWindow, session: FakeSession, look: Look
) -> None:
    opens(session, window, added(task("a")))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.resize(1_180, 760)
    for pane in (window.graph.view, window.log.view):
        ringed = []
        for part in (pane, window.table):
            part.setFocus()
            side = pane.grab().toImage().pixelColor(0, pane.height() // 2)
            ringed.append(side.name() == look.tokens.accent.lower())
        assert ringed == [True, False]


def test_between_two_scroll_bars_the_log_has_its_own_ground(
    window: MainWindow, session: FakeSession, look: Look
) -> None:
    opens(session, window, added(task("a")))
    window.resize(1_180, 760)
    view = window.log.view
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    wide, picture = view.verticalScrollBar().width(), view.grab().toImage()
    edge = view.rect().bottomRight() - QPoint(2, 2)  # less the ring
    found = {picture.pixelColor(edge - QPoint(x, y)).name() for x in range(wide) for y in range(wide)}
    assert found == {look.tokens.log.lower()}


def test_each_button_has_a_name_for_those_who_hear_it(window: MainWindow) -> None:
    buttons = window.findChildren(QToolButton)
    visible = [button for button in buttons if button.isVisible()]
    assert visible
    assert all(button.accessibleName() or button.text() for button in visible)


def test_another_theme_dresses_the_open_window(window: MainWindow, session: FakeSession, look: Look) -> None:
    opens(session, window, added(task("a"), status(missed=1)))
    look.set_theme(Theme.DARK)
    assert DARK.win in window.styleSheet()
    picture = window.table.viewport().grab().toImage()
    assert picture.pixelColor(5, picture.height() - 5).name().upper() == DARK.base


def test_the_search_filters_and_says_when_nothing_matches(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a", "Photo backup")), added(task("b", "Mail")))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.search.hasFocus()
    QTest.keyClicks(window.search, "backp")
    assert window.pane.words.text() == "No task matches 'backp'"
    assert window.pane.nothing.isVisible()
    press(qtbot, window, "Clear search")
    assert window.table.isVisible()
    assert window.search.text() == ""


def test_the_sidebar_chooses_what_the_table_shows(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a", group="Files")), added(task("b", group="Office")), BUSY)
    window.count()
    window.sidebar.choose(Choice(group="Office"))
    assert not window.model.index_of("a").isValid()
    window.sidebar.choose(Choice(view=View.RUNNING))
    assert window.model.index_of("a").isValid()
    happens(session, finished(run("a"), Outcome(State.SUCCEEDED)))
    assert window.pane.words.text() == "Nothing is running"


def test_a_fire_leads_to_its_task_whatever_is_shown(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a"), status(due=NOON + 60)), added(task("b")))
    window.search.setText("nothing like it")
    window.sidebar.choose(Choice(view=View.DISABLED))
    window.sidebar.task_chosen.emit("a")
    assert window.table.selected_tasks() == ["a"]


def test_without_much_room_the_sidebar_is_icons_and_gets_its_width_back(
    qtbot: QtBot, window: MainWindow, look: Look
) -> None:
    window.resize(look.px(1_400), look.px(700))
    window.frame.setSizes([look.px(300), look.px(1_100)])
    window.resize(look.px(1_000), look.px(700))
    qtbot.waitUntil(lambda: window.sidebar.width() == look.px(46))
    window.resize(look.px(1_400), look.px(700))
    qtbot.waitUntil(lambda: window.sidebar.width() > look.px(250))


def test_wishes_of_the_table_reach_the_program_and_the_log(window: MainWindow, session: FakeSession) -> None:
    opens(session, window, added(task("a", "Dump")), BUSY)
    window.table.asked.emit(Wish.RUN, ("a",))
    window.table.asked.emit(Wish.STOP, ("a",))
    window.table.asked.emit(Wish.LOG, ("a",))
    window.table.run_chosen.emit("a", 7)
    assert session.commands.asked == [("run", "a"), ("stop", "a")]
    assert session.past_runs.asked[-1] == ("a", 7)
    choose(window, "a")
    assert [
        source.words for part in sources(window.model.rows, window.table.selected_tasks()) for source in part
    ] == ["Dump"]
    session.past_runs.failed.emit("The log is gone.")
    assert banners(window) == ["That could not be done. The log is gone."]


def test_the_log_of_a_task_that_has_printed_nothing_here_is_that_of_its_last_run(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, window, added(task("a", "Dump")), added(task("b")))
    skipped = Bar(run=9, state=State.SKIPPED)
    window.model.rows.remember({"a": (skipped, Bar(run=7, state=State.FAILED, seconds=2.0))})
    window.show_log("a")
    assert session.past_runs.asked == [("a", 7)]
    window.show_log("b")
    assert "Its output appears here when it runs" in window.log.view.nothing
    session.bridge.arrived.emit([started(run("a", 10))])
    window.show_log("a")
    assert session.past_runs.asked[-1] == ("", 0), "it runs: its lines come as it prints them"


def test_the_graph_has_tasks_in_the_order_in_which_they_came(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    names = [f"t{number}" for number in range(30)]
    session.bridge.arrived.emit(
        [added(task(one, waits_for=(Edge("t0"),) if one != "t0" else ())) for one in names]
    )
    qtbot.waitUntil(lambda: len(shown(window)) == len(names))
    assert shown(window) == names


def shown(window: MainWindow) -> list[str]:
    """The tasks of the graph, by column and from the top to the bottom."""
    boxes = {
        item.node.task_id: (item.box.column, item.box.y)
        for item in window.graph.view.items()
        if isinstance(item, NodeItem)
    }
    return sorted(boxes, key=boxes.__getitem__)


def test_a_clock_that_is_set_while_the_window_is_open_is_followed_everywhere(
    qtbot: QtBot, session: FakeSession, look: Look
) -> None:
    now = [NOON]
    window = MainWindow(session.as_session, look, now=lambda: now[0], zone=lambda: BERLIN)
    qtbot.addWidget(window, before_close_func=let_go)
    opens(session, window, added(task("a", "Photo sync"), status(due=NOON + 7_200)))
    with qtbot.waitExposed(window):
        window.show()
    cell = window.model.index_of("a").siblingAtColumn(Column.NEXT).data(Role.CELL)
    assert cell.text == "in 2 h"
    for step, said in ((3_600, "in 1 h"), (-7_200, "in 3 h")):
        now[0] += step
        session.bridge.arrived.emit([ClockChanged(at=now[0], step=float(step))])
        window.table.tick()
        window.count()
        cell = window.model.index_of("a").siblingAtColumn(Column.NEXT).data(Role.CELL)
        assert cell.text == said
        assert window.status.rest.text().startswith(said)
        assert said.removeprefix("in ") in window.sidebar.next_up.model().index(0, 0).data(_SPOKEN)
    qtbot.waitUntil(lambda: "The clock was set back by 2 h" in window.log.view.toPlainText())


def test_a_window_is_no_larger_than_a_small_screen_and_the_tool_bar_keeps_all_its_parts(
    window: MainWindow, session: FakeSession, look: Look
) -> None:
    opens(session, window, added(task("a")))
    room = window.screen().availableSize()
    assert window.minimumSize() == QSize(880, 560).boundedTo(room)
    window.setMinimumSize(1, 1)
    window.resize(look.px(800), look.px(500))
    for part in (*window.tools.buttons.values(), window.search, window.menu):
        assert part.isVisible()
        assert window.rect().contains(part.mapTo(window, part.rect().bottomRight()))
    window.resize(look.px(1_000), look.px(500))
    assert window.search.width() == look.px(236)
