import time

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextFragment
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktopsched.actions.text import Line, Span
from desktopsched.model import Outcome, State
from desktopsched.storage.preferences import Theme
from desktopsched.ui import log_view
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.look import Look
from desktopsched.ui.tokens import DARK, LIGHT
from desktopsched.ui.transcript import Entry
from tests.ui.scenery import MARKUP, NOON, added, finished, output, run, started, task


@pytest.fixture
def panel(qtbot: QtBot, look: Look) -> LogPanel:
    panel = LogPanel(look)
    qtbot.addWidget(panel)
    panel.resize(600, 200)
    panel.show()
    return panel


def settle(qtbot: QtBot, panel: LogPanel) -> None:
    """Let everything come up that waits."""
    qtbot.waitUntil(lambda: not panel.transcript.waiting and not panel._next.isActive(), timeout=60_000)


def columns(panel: LogPanel) -> list[str]:
    """The lines without their times, columns by bars."""
    lines = panel.view.toPlainText().split("\n")
    return ["|".join(part for part in line.split("\t")[1:] if part) for line in lines]


def fragments(panel: LogPanel, line: int) -> list[QTextFragment]:
    block = panel.view.document().findBlockByNumber(line)
    found, at = [], block.begin()
    while not at.atEnd():
        found.append(at.fragment())
        at += 1
    return found


def look_of(panel: LogPanel, line: int, text: str) -> QTextCharFormat:
    return next(part.charFormat() for part in fragments(panel, line) if part.text() == text)


def test_output_has_time_tag_and_text_and_the_scheduler_has_words(qtbot: QtBot, panel: LogPanel) -> None:
    one = run("a")
    panel.apply([added(task("a", "Dump")), started(one), output(one, "hello\n")])
    panel.apply([finished(one, Outcome(State.FAILED, "exit code 1", 1))])
    settle(qtbot, panel)
    assert columns(panel) == ["Dump started, run 1", "Dump|hello", "Dump failed: exit code 1"]
    assert panel.view.toPlainText().startswith(time.strftime("%H:%M:%S", time.localtime(NOON)))


def test_terminal_colours_become_those_of_the_window(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([output(run("a"), "\x1b[31mred\x1b[0m \x1b[1mbold\x1b[0m \x1b[38;5;196mcube\x1b[0m\n")])
    settle(qtbot, panel)
    assert look_of(panel, 0, "red").foreground().color().name().upper() == LIGHT.states[State.FAILED].ink
    assert look_of(panel, 0, "bold").fontWeight() == 700
    assert look_of(panel, 0, "cube").foreground().color().name() == "#ff0000"


def test_tasks_that_print_one_after_the_other_have_tags_in_different_colours_and_keep_them(
    qtbot: QtBot, panel: LogPanel, look: Look
) -> None:
    order = ["db-dump", "verify", "photos", "db-dump"]  # by a hash of these ids two would be alike
    panel.apply([output(run(task_id), "hello\n") for task_id in order])
    settle(qtbot, panel)
    for tokens in (LIGHT, DARK):
        inks = [fragments(panel, line)[2].charFormat().foreground().color().name() for line in range(4)]
        wanted = [tokens.groups[0], tokens.magenta, tokens.cyan, tokens.groups[0]]
        assert inks == [ink.lower() for ink in wanted]
        look.set_theme(Theme.DARK)


def test_another_theme_writes_the_lines_anew(qtbot: QtBot, panel: LogPanel, look: Look) -> None:
    panel.apply([output(run("a"), "\x1b[31mred\x1b[0m\n")])
    settle(qtbot, panel)
    look.set_theme(Theme.DARK)
    assert look_of(panel, 0, "red").foreground().color().name().upper() == DARK.states[State.FAILED].ink
    assert len(columns(panel)) == 1


def test_a_progress_bar_is_one_line_that_changes(qtbot: QtBot, panel: LogPanel) -> None:
    one, two = run("a", 1), run("b", 2)
    panel.apply([output(one, "10 %")])
    settle(qtbot, panel)
    assert columns(panel) == ["a|10 %"]
    panel.apply([output(two, "between\n"), output(one, "\r90 %")])
    settle(qtbot, panel)
    assert columns(panel) == ["a|90 %", "b|between"]
    panel.apply([output(one, "\r100 %\n")])
    settle(qtbot, panel)
    assert columns(panel) == ["a|100 %", "b|between"]


def test_an_open_line_that_is_gone_is_not_written_over_another(
    qtbot: QtBot, panel: LogPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel.view.setMaximumBlockCount(3)
    panel.apply([output(run("a", 1), "open")])
    settle(qtbot, panel)
    panel.apply([output(run("b", 2), "1\n2\n3\n")])
    settle(qtbot, panel)
    panel.apply([output(run("a", 1), " and done\n")])
    settle(qtbot, panel)
    assert columns(panel) == ["b|2", "b|3", "a|open and done"]


def test_the_newest_line_is_followed_until_the_reader_scrolls_up_and_again_at_the_end(
    qtbot: QtBot, panel: LogPanel
) -> None:
    bar, one = panel.view.verticalScrollBar(), run("a")
    panel.apply([output(one, "line\n" * 100)])
    settle(qtbot, panel)
    assert bar.value() == bar.maximum() > 0
    assert panel.follow_button.isChecked()
    bar.setValue(10)
    assert not panel.follow_button.isChecked()
    panel.apply([output(one, "line\n" * 50)])
    settle(qtbot, panel)
    assert bar.value() == 10
    bar.setValue(bar.maximum())
    assert panel.follow_button.isChecked()
    panel.apply([output(one, "line\n" * 50)])
    settle(qtbot, panel)
    assert bar.value() == bar.maximum()


def test_the_follow_button_goes_to_the_end(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([output(run("a"), "line\n" * 100)])
    settle(qtbot, panel)
    panel.view.verticalScrollBar().setValue(0)
    QTest.mouseClick(panel.follow_button, Qt.MouseButton.LeftButton)
    assert panel.view.verticalScrollBar().value() == panel.view.verticalScrollBar().maximum()
    assert panel.view.following


def test_lines_are_kept_up_to_a_bound(qtbot: QtBot, look: Look) -> None:
    view = log_view.LogView(look)
    qtbot.addWidget(view)
    lines = [
        Entry(at=NOON, tag="a", task_id="a", run=1, line=Line((Span(str(n)),)))
        for n in range(log_view.LINES_MOST + 10)
    ]
    view.write(lines)
    assert view.blockCount() == log_view.LINES_MOST
    assert view.toPlainText().endswith(f"\t{log_view.LINES_MOST + 9}")


def test_a_flood_leaves_the_window_live(qtbot: QtBot, panel: LogPanel) -> None:
    beats: list[int] = []
    heart = QTimer(panel, interval=5, timerType=Qt.TimerType.PreciseTimer)
    heart.timeout.connect(lambda: beats.append(1))
    heart.start()
    for _ in range(40):
        for number in range(4):
            panel.apply([output(run("yes", number), "y\n" * 16_000)])
    qtbot.waitUntil(lambda: not panel.transcript.waiting, timeout=60_000)
    heart.stop()
    assert len(beats) > 10  # the window had its turns between one portion and the next
    assert "are not shown here" in panel.view.toPlainText()


def test_nothing_ticks_while_nothing_comes(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([output(run("a"), "x\n")])
    settle(qtbot, panel)
    assert not panel._next.isActive()


def test_markup_in_names_and_output_is_text(qtbot: QtBot, panel: LogPanel) -> None:
    one = run("a")
    panel.apply([added(task("a", MARKUP)), started(one), output(one, f"{MARKUP}\n")])
    settle(qtbot, panel)
    assert columns(panel)[0] == f"{MARKUP} started, run 1"
    assert columns(panel)[1].endswith(f"|{MARKUP}")


def test_the_lines_of_the_scheduler_are_painted_with_their_icon(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([started(run("a"))])
    settle(qtbot, panel)
    picture = panel.view.viewport().grab().toImage()
    ink = {
        picture.pixelColor(x, y).name()
        for x in range(60, 100)
        for y in range(2, 30)
        if picture.pixelColor(x, y).saturation() > 150
    }
    assert ink


def lines(count: int, begin: int = 0) -> list[Entry]:
    return [Entry(at=NOON, words=f"line {number}") for number in range(begin, begin + count)]


def laid_out(view: log_view.LogView) -> int:
    """Lines of whose layout something is kept."""
    block, count = view.document().firstBlock(), 0
    while block.isValid():
        count += block.layout().lineCount() > 0
        block = block.next()
    return count


def test_of_lines_out_of_sight_no_layout_is_kept(qtbot: QtBot, panel: LogPanel) -> None:
    view = panel.view
    with qtbot.assertNotEmitted(view.follows):
        for number in range(200):
            view.write(lines(1, number))
            view.viewport().repaint()
        assert laid_out(view) == 200
        view._layouts.due.emit()
        view.viewport().repaint()
    assert laid_out(view) < 50
    assert view.document().blockCount() == 200
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum() > 100
    view.write(lines(1, 200))
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    assert view.toPlainText().endswith("line 200")


def test_letting_go_of_layouts_leaves_alone_what_the_reader_sees_has_selected_and_has_found(
    qtbot: QtBot, panel: LogPanel
) -> None:
    view = panel.view
    view.write(lines(500))
    panel.head.field.setText("line 10")
    qtbot.waitUntil(lambda: bool(view.extraSelections()))
    view.verticalScrollBar().setValue(100)
    cursor = QTextCursor(view.document().findBlockByNumber(102))
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    before = (view.selected_text(), view.verticalScrollBar().value(), view.firstVisibleBlock().blockNumber())
    marked = len(view.extraSelections())
    view._layouts.due.emit()
    after = (view.selected_text(), view.verticalScrollBar().value(), view.firstVisibleBlock().blockNumber())
    assert before == after == ("line 102", 100, 100)
    assert len(view.extraSelections()) == marked > 0
    assert not view.following


def test_layouts_are_let_go_of_a_while_after_many_lines_and_of_few_nothing_wakes_up(
    qtbot: QtBot, panel: LogPanel
) -> None:
    view = panel.view
    view.write(lines(99))
    assert not view._layouts._later.isActive()
    view.write(lines(1))
    assert view._layouts._later.isActive()
    with qtbot.waitSignal(view._layouts.due):
        view._layouts._later.start(0)
    assert not view._layouts._later.isActive()
    view.write(lines(1))
    assert not view._layouts._later.isActive()


def test_a_line_that_was_open_when_layouts_were_let_go_of_is_finished_in_its_place(
    qtbot: QtBot, panel: LogPanel
) -> None:
    one = run("a")
    panel.apply([added(task("a", "Dump")), started(one), output(one, "half ")])
    settle(qtbot, panel)
    panel.view._layouts.due.emit()
    panel.apply([output(one, "and whole\n")])
    settle(qtbot, panel)
    assert columns(panel)[-1] == "Dump|half and whole"
