"""The live log's tools: picker, find, wrap, new lines, copy, save, past runs."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktopsched.actions.text import Line, Span
from desktopsched.model import Outcome, State
from desktopsched.storage.preferences import Theme
from desktopsched.storage.runlogs import RunLogs
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.log_source import ALL, Source
from desktopsched.ui.log_view import LINES_MOST
from desktopsched.ui.look import Look
from desktopsched.ui.past_runs import PastRuns
from tests.ui.scenery import FakePastRuns, added, finished, output, run, started, task


@pytest.fixture
def past() -> FakePastRuns:
    return FakePastRuns()


@pytest.fixture
def panel(qtbot: QtBot, look: Look, past: FakePastRuns) -> LogPanel:
    panel = LogPanel(look, past.as_past_runs)
    qtbot.addWidget(panel)
    panel.resize(700, 240)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def settle(qtbot: QtBot, panel: LogPanel) -> None:
    qtbot.waitUntil(lambda: not panel.transcript.waiting and not panel._next.isActive(), timeout=60_000)


def prints(qtbot: QtBot, panel: LogPanel, text: str, task_id: str = "a", number: int = 1) -> None:
    panel.apply([output(run(task_id, number), text)])
    settle(qtbot, panel)


def lines(panel: LogPanel) -> list[str]:
    return [line.split("\t")[-1] for line in panel.view.toPlainText().split("\n")]


def test_the_view_stays_where_the_reader_scrolled_to_and_says_what_came(
    qtbot: QtBot, panel: LogPanel
) -> None:
    """L19."""
    prints(qtbot, panel, "".join(f"line {n}\n" for n in range(100)))
    assert panel.view.following
    bar = panel.view.verticalScrollBar()
    bar.setValue(20)
    prints(qtbot, panel, "".join(f"new {n}\n" for n in range(14)))
    assert bar.value() == 20
    assert panel.new_lines.isVisible()
    assert panel.new_lines.text() == "14 new lines"
    QTest.mouseClick(panel.new_lines, Qt.MouseButton.LeftButton)
    assert panel.view.following
    assert bar.value() == bar.maximum()
    assert not panel.new_lines.isVisible()


def test_the_view_stays_though_the_oldest_lines_go(qtbot: QtBot, panel: LogPanel) -> None:
    panel.view.setMaximumBlockCount(100)
    prints(qtbot, panel, "".join(f"line {n}\n" for n in range(100)))
    panel.view.verticalScrollBar().setValue(50)
    seen = panel.view.firstVisibleBlock().text()
    prints(qtbot, panel, "".join(f"new {n}\n" for n in range(14)))
    assert panel.view.firstVisibleBlock().text() == seen


def test_one_task_is_picked_and_everything_again(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([added(task("a", "Dump")), added(task("b", "Mail")), started(run("b", 2))])
    prints(qtbot, panel, "one\n")
    prints(qtbot, panel, "two\n", "b", 2)
    panel.show_task("a")
    settle(qtbot, panel)
    assert lines(panel) == ["one"]
    assert panel.head.picker.text() == "Dump"
    prints(qtbot, panel, "three\n", "b", 2)
    prints(qtbot, panel, "four\n")
    assert lines(panel) == ["one", "four"]
    panel.head.picked.emit(ALL)
    settle(qtbot, panel)
    assert lines(panel) == ["Mail started, run 2", "one", "two", "three", "four"]


def test_the_picker_offers_what_it_is_told(qtbot: QtBot, panel: LogPanel) -> None:
    panel.head.offered = lambda: [
        [Source(task_id="a", name="A & B")],
        [Source(task_id="a", run=7, name="A & B")],
    ]
    panel.head.picker_menu.aboutToShow.emit()
    actions = [action for action in panel.head.picker_menu.actions() if action.text()]
    assert [action.text() for action in actions] == ["All running tasks", "A && B", "A && B, run 7"]
    with qtbot.waitSignal(panel.head.picked) as picked:
        actions[2].trigger()
    assert picked.args == [Source(task_id="a", run=7, name="A & B")]


def test_a_past_run_is_read_from_its_log(qtbot: QtBot, panel: LogPanel, past: FakePastRuns) -> None:
    panel.show_run("a", 7)
    assert past.asked == [("a", 7)]
    past.read.emit(6, (Line((Span("another"),)),))
    past.read.emit(7, (Line((Span("one"),)), Line((Span("two"),))))
    settle(qtbot, panel)
    prints(qtbot, panel, "live\n")
    assert panel.view.toPlainText() == "one\ntwo"


def test_a_run_that_goes_on_is_followed_though_it_was_picked_as_a_past_one(
    qtbot: QtBot, panel: LogPanel, past: FakePastRuns
) -> None:
    panel.apply([added(task("a", "Dump")), started(run("a", 7))])
    panel.show_run("a", 7)
    assert past.live
    past.read.emit(7, (Line((Span("one"),)),))
    past.more.emit(7, (), Line((Span("10 %"),)))
    settle(qtbot, panel)
    assert panel.view.toPlainText() == "one\n10 %"
    panel.apply([output(run("a", 7), "x"), output(run("b", 8), "y")])
    assert past.went_on == [False]
    past.more.emit(7, (Line((Span("100 %"),)), Line((Span("two"),))), None)
    settle(qtbot, panel)
    assert panel.view.toPlainText() == "one\n100 %\ntwo"
    panel.apply([finished(run("a", 7), Outcome(State.SUCCEEDED))])
    assert past.went_on == [False, True]
    panel.show_run("a", 7)
    assert not past.live


def test_another_theme_keeps_what_a_followed_run_has_printed(
    qtbot: QtBot, panel: LogPanel, past: FakePastRuns, look: Look
) -> None:
    panel.apply([started(run("a", 7))])
    panel.show_run("a", 7)
    past.read.emit(7, (Line((Span("one"),)),))
    past.more.emit(7, (Line((Span("two"),)),), Line((Span("open"),)))
    look.set_theme(Theme.DARK)
    settle(qtbot, panel)
    assert panel.view.toPlainText() == "one\ntwo\nopen"
    past.more.emit(7, (Line((Span("closed"),)),), None)
    settle(qtbot, panel)
    assert panel.view.toPlainText() == "one\ntwo\nclosed"


def test_the_log_of_a_live_run_is_read_on_from_where_it_was_read_to(qtbot: QtBot, tmp_path: Path) -> None:
    logs = RunLogs(tmp_path)
    sink = logs.open("a", 3)
    past = PastRuns(lambda: logs)
    told: list[tuple[list[str], str]] = []
    past.more.connect(
        lambda _run, lines, rest: told.append(([one.plain for one in lines], rest.plain if rest else ""))
    )
    sink.write(b"one\ntw")
    with qtbot.waitSignals([past.read, past.more]):
        past.ask("a", 3, live=True)
    sink.write(b"o\nthr")
    with qtbot.waitSignal(past.more):
        past.go_on(ended=False)
    sink.write(b"ee")
    sink.close()
    with qtbot.waitSignal(past.more):
        past.go_on(ended=False)
        past.go_on(ended=True)
    qtbot.waitUntil(lambda: told[-1] == (["three"], ""))
    assert told[:2] == [([], "tw"), (["two"], "thr")]
    past.go_on(ended=False)  # it has ended: nothing is asked any more
    past.close()
    assert sum(lines.count("three") for lines, _ in told) == 1


class EndlessLogs(RunLogs):
    """A log that always has more."""

    def read(self, task_id: str, run_id: int, start: int = 0, most: int = 0) -> tuple[bytes, int]:
        return b"y\n" * 1_000, start + 2_000


def test_a_run_that_prints_without_end_is_shown_and_can_be_left(qtbot: QtBot, tmp_path: Path) -> None:
    endless = EndlessLogs(tmp_path)
    past = PastRuns(lambda: endless)
    with qtbot.waitSignals([past.read, past.more, past.more]):
        past.ask("a", 3, live=True)
    past.close()


def test_what_comes_faster_than_it_is_written_is_kept_up_to_a_bound(
    qtbot: QtBot, panel: LogPanel, past: FakePastRuns
) -> None:
    panel.apply([started(run("a", 7))])
    panel.show_run("a", 7)
    past.read.emit(7, ())
    for number in range(30_000):
        past.more.emit(7, (Line((Span(str(number)),)),), None)
    settle(qtbot, panel)
    assert panel.view.blockCount() == LINES_MOST
    assert panel.view.toPlainText().endswith("29998\n29999")


# --- what stands in place of lines, and after them ---------------------------------------------------------------


def test_an_empty_log_says_what_will_be_in_it(qtbot: QtBot, panel: LogPanel, past: FakePastRuns) -> None:
    panel.apply([added(task("a", "Dump"))])
    assert panel.view.nothing == "Nothing has been printed yet. Output of running tasks appears here."
    panel.show_task("a")
    assert (
        panel.view.nothing
        == "Dump has printed nothing since Desktopsched was opened. Its output appears here when it runs."
    )
    panel.show_run("a", 7)
    assert panel.view.nothing == ""
    past.read.emit(7, ())
    assert panel.view.nothing == "Run 7 of Dump printed nothing, or its output is no longer kept."
    panel.apply([started(run("a", 8))])
    panel.show_run("a", 8)
    past.read.emit(8, ())
    assert panel.view.nothing == "Run 8 of Dump has printed nothing so far."
    panel.apply([finished(run("a", 8), Outcome(State.SUCCEEDED))])
    assert panel.view.nothing == "Run 8 of Dump printed nothing, or its output is no longer kept."


def test_the_words_of_an_empty_log_are_painted_and_go_when_something_comes(
    qtbot: QtBot, panel: LogPanel
) -> None:
    def has_ink() -> bool:
        picture = panel.view.viewport().grab().toImage()
        middle = picture.height() // 2
        ground = picture.pixelColor(2, 2)
        return any(
            picture.pixelColor(x, y) != ground
            for x in range(picture.width())
            for y in range(middle - 8, middle + 8)
        )

    assert has_ink()
    prints(qtbot, panel, "one\n")
    assert panel.view.nothing == ""
    assert not has_ink()


def test_the_caret_stands_below_the_last_line_while_something_runs_and_is_followed(
    qtbot: QtBot, panel: LogPanel
) -> None:
    caret = panel.view.caret
    prints(qtbot, panel, "one\n")
    assert caret.isHidden()
    panel.apply([started(run("a"))])
    prints(qtbot, panel, "two\n")
    qtbot.waitUntil(caret.isVisible)
    after_two = caret.pos()
    prints(qtbot, panel, "three\n")
    qtbot.waitUntil(lambda: caret.y() > after_two.y())
    assert caret.x() == after_two.x() > 150
    prints(qtbot, panel, "line\n" * 100)
    qtbot.waitUntil(lambda: panel.view.verticalScrollBar().value() > 0)
    assert caret.isVisible()
    assert panel.view.rect().contains(caret.geometry())
    panel.view.verticalScrollBar().setValue(0)
    assert caret.isHidden()
    panel.view.follow()
    qtbot.waitUntil(caret.isVisible)
    panel.apply([finished(run("a"), Outcome(State.SUCCEEDED))])
    settle(qtbot, panel)
    assert caret.isHidden()


def test_the_caret_stands_behind_a_line_that_is_not_ended(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([started(run("a"))])
    prints(qtbot, panel, "one\n")
    below = panel.view.caret.pos()
    prints(qtbot, panel, "a long open line")
    qtbot.waitUntil(lambda: panel.view.caret.x() > below.x() + 60)
    assert panel.view.caret.y() == below.y()
    end = panel.view.textCursor()
    end.movePosition(QTextCursor.MoveOperation.End)
    line = panel.view.cursorRect(end).translated(panel.view.viewport().pos())
    assert abs(panel.view.caret.geometry().center().y() - line.center().y()) <= 3


def test_the_caret_is_that_of_the_task_or_run_that_is_shown(
    qtbot: QtBot, panel: LogPanel, past: FakePastRuns
) -> None:
    panel.apply([started(run("a", 1)), output(run("a", 1), "x\n"), output(run("b", 2), "y\n")])
    panel.show_task("b")
    settle(qtbot, panel)
    assert panel.view.caret.isHidden()
    panel.show_task("a")
    settle(qtbot, panel)
    qtbot.waitUntil(panel.view.caret.isVisible)
    panel.show_run("a", 1)
    past.read.emit(1, (Line((Span("x"),)),))
    settle(qtbot, panel)
    qtbot.waitUntil(panel.view.caret.isVisible)
    assert panel.view.caret.x() < 20


@pytest.mark.parametrize(("flash", "blinks"), [(0, False), (1_000, True)])
def test_the_caret_blinks_as_carets_do_here(
    qtbot: QtBot, qapp: QApplication, panel: LogPanel, flash: int, blinks: bool
) -> None:
    qapp.setCursorFlashTime(flash)
    panel.apply([started(run("a"))])
    prints(qtbot, panel, "x\n")
    qtbot.waitUntil(panel.view.caret.isVisible)
    assert panel.view.caret.blinking is blinks
    panel.hide()
    assert not panel.view.caret.blinking
    qapp.setCursorFlashTime(0)


def test_hits_are_counted_and_walked_through(qtbot: QtBot, panel: LogPanel) -> None:
    prints(qtbot, panel, "a dump\n🚀 DUMP dump\nnothing\n")
    panel.head.field.setText("dump")
    assert panel.head.count.text() == "1 of 3"
    panel.head.stepped.emit(1)
    assert panel.head.count.text() == "2 of 3"
    shown = [selection.cursor.selectedText() for selection in panel.view.extraSelections()]
    assert shown == ["dump", "DUMP", "dump"]
    panel.head.stepped.emit(-1)
    panel.head.stepped.emit(-1)
    assert panel.head.count.text() == "3 of 3"
    prints(qtbot, panel, "dump again\n")
    qtbot.waitUntil(lambda: panel.head.count.text() == "3 of 4")
    panel.head.field.setText("zebra")
    assert panel.head.count.text() == "no hits"
    QTest.keyClick(panel.head.field, Qt.Key.Key_Escape)
    assert panel.head.count.text() == ""
    assert panel.view.extraSelections() == []


def test_what_is_looked_for_can_be_read_in_a_narrow_pane(qtbot: QtBot, panel: LogPanel) -> None:
    panel.resize(430, 240)
    prints(qtbot, panel, "number\n" * 12)
    field = panel.head.field
    field.setText("number")
    qtbot.waitUntil(lambda: "of 12" in panel.head.count.text())
    panel.grab()
    room = field.width() - field.textMargins().left() - field.textMargins().right()
    assert room > field.fontMetrics().horizontalAdvance("number")
    assert panel.width() == 430
    field.clear()
    assert panel.head.title.isVisible()


def test_keys_lead_into_the_field_and_to_the_next_hit(qtbot: QtBot, panel: LogPanel) -> None:
    prints(qtbot, panel, "x\nx\n")
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    QTest.keyClick(panel.view, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(panel.head.field.hasFocus)
    QTest.keyClicks(panel.head.field, "x")
    QTest.keyClick(panel.view, Qt.Key.Key_F3)
    assert panel.head.count.text() == "2 of 2"


def test_copies_have_neither_times_nor_tags(qtbot: QtBot, panel: LogPanel) -> None:
    panel.apply([added(task("a", "Dump")), started(run("a"))])
    prints(qtbot, panel, "🚀 one\ttab\ntwo\n")
    panel.copy()
    assert QApplication.clipboard().text() == "Dump started, run 1\n🚀 one\ttab\ntwo"
    cursor = panel.view.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, 2)
    panel.view.setTextCursor(cursor)
    assert panel.view.selected_text() == "wo"


def test_what_is_shown_is_saved(qtbot: QtBot, panel: LogPanel, past: FakePastRuns, tmp_path: Path) -> None:
    prints(qtbot, panel, "one\n")
    panel.save(str(tmp_path / "log.txt"))
    ((path, text),) = past.saved
    assert path == tmp_path / "log.txt"
    assert text.endswith("one\n")


def test_of_a_past_run_everything_is_saved_not_only_what_is_shown(
    qtbot: QtBot, panel: LogPanel, past: FakePastRuns, tmp_path: Path
) -> None:
    panel.show_run("a", 7)
    panel.save(str(tmp_path / "log.txt"))
    assert past.saved == []
    assert past.saved_runs == [(tmp_path / "log.txt", "a", 7)]


def test_a_log_that_is_longer_than_what_is_shown_is_saved_whole(qtbot: QtBot, tmp_path: Path) -> None:
    logs = RunLogs(tmp_path / "logs")
    path = logs.path("a", 3)
    path.parent.mkdir(parents=True)
    text = "".join(f"line {number}\n" for number in range(LINES_MOST + 5))
    path.write_text(f"\x1b[31m{text}\x1b[0mno newline")
    past = PastRuns(lambda: logs)
    with qtbot.waitSignal(past.read) as read:
        past.ask("a", 3)
    shown = [line.plain for line in read.args[1]]
    assert shown[0] == "… 7 earlier lines are not shown here. “Save as…” writes them all."
    assert shown[1] == "line 7"
    assert (shown[-1], len(shown)) == ("no newline", LINES_MOST)
    with qtbot.waitSignal(past.written):
        past.save_run(tmp_path / "saved.txt", "a", 3)
    assert (tmp_path / "saved.txt").read_text() == f"{text}no newline\n"
    with qtbot.waitSignal(past.not_saved) as failed:
        past.save_run(tmp_path / "gone" / "x.txt", "a", 3)
    assert "cannot be written" in failed.args[0]
    past.close()


def test_long_lines_are_wrapped_when_asked(qtbot: QtBot, panel: LogPanel) -> None:
    prints(qtbot, panel, "word " * 200 + "\n")
    assert panel.view.document().firstBlock().lineCount() == 1
    QTest.mouseClick(panel.head.wrap, Qt.MouseButton.LeftButton)
    panel.view.grab()
    assert panel.view.document().firstBlock().lineCount() > 1


def test_logs_are_read_and_written_in_the_background(qtbot: QtBot, tmp_path: Path) -> None:
    logs = RunLogs(tmp_path)
    path = logs.path("a", 3)
    path.parent.mkdir()
    path.write_bytes(b"\x1b[31mred\x1b[0m\nno newline")
    past = PastRuns(lambda: logs)
    with qtbot.waitSignal(past.read) as read:
        past.ask("a", 3)
    assert read.args[0] == 3
    assert [line.plain for line in read.args[1]] == ["red", "no newline"]
    with qtbot.waitSignal(past.not_saved) as failed:
        past.save(tmp_path / "gone" / "x.txt", "text")
    assert "cannot be written" in failed.args[0]
    past.close()
