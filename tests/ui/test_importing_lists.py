"""A task list of somebody else: each task seen in full, added switched off, clashes decided by the person."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Cron, Edge, Open, Reminder, Script
from desktopsched.ui.importing.guests import doing
from desktopsched.ui.importing.line import Line, visible
from desktopsched.ui.importing.line_delegate import LineDelegate
from desktopsched.ui.importing.lines import Column, LinesModel
from desktopsched.ui.importing.list_review import ListReview
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from tests.ui.scenery import FakeSession, added, task

DUMP = {
    "id": "dump",
    "name": "Dump",
    "action": {"type": "command", "argv": ["pg_dump", "shop of mine"], "env": {"PGUSER": "shop"}},
    "schedule": {"type": "cron", "expression": "30 2 * * *"},
}
VERIFY = {
    "id": "verify",
    "name": "Verify",
    "action": {"type": "script", "interpreter": "sh", "text": "ls\nwc -l\n"},
    "waits_for": [{"task": "dump", "on": "success"}],
}

SAID = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def opens(session: FakeSession, *tasks: Any) -> None:
    session.is_open = True
    session.program.task_list.tasks[:] = tasks
    session.bridge.arrived.emit([added(one) for one in tasks])
    session.opened.emit({})


def handed(folder: Path, *entries: dict[str, Any], name: str = "friend.desktopsched.json") -> str:
    file = folder / name
    file.write_text(json.dumps({"format": 1, "tasks": entries}))
    return str(file)


def review(window: MainWindow) -> ListReview:
    found = window.importing.review
    assert isinstance(found, ListReview)
    return found


def press_import(window: MainWindow) -> None:
    QTest.mouseClick(review(window).run, Qt.MouseButton.LeftButton)


def test_a_second_start_with_a_list_raises_the_window_and_shows_what_is_in_it(
    qtbot: QtBot, window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session)
    window.hide()
    session.shown.emit(handed(tmp_path, DUMP, VERIFY))
    qtbot.waitUntil(lambda: window.importing.review is not None)
    assert window.isVisible()
    found = review(window)
    model = found.model
    rows = [tuple(model.index(row, at).data() for at in range(3)) for row in range(model.rowCount())]
    assert rows == [
        ("Dump", "Every day at 02:30", "pg_dump 'shop of mine'"),
        ("Verify", "After Dump succeeds", "sh: ls ⏎ wc -l ⏎ "),
    ]
    assert found.title.text() == "friend.desktopsched.json has 2 tasks"
    found.reject()


def test_the_selected_task_is_shown_in_full(window: MainWindow, session: FakeSession, tmp_path: Path) -> None:
    opens(session)
    window.importing.show_list(handed(tmp_path, DUMP, VERIFY))
    found = review(window)
    assert json.loads(found.text.toPlainText()) == DUMP
    found.table.selectRow(1)
    assert json.loads(found.text.toPlainText()) == VERIFY
    assert not found.answer.isVisible()
    found.reject()


def test_they_join_the_list_switched_off_with_their_links_as_one_step(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session, task("mine"))
    window.importing.show_list(handed(tmp_path, DUMP, VERIFY))
    assert review(window).run.text() == "Import 2 tasks"
    press_import(window)
    _, dump, verify = session.program.task_list.tasks
    assert (dump.id, dump.enabled, dump.schedule is not None) == ("dump", False, True)
    assert (verify.enabled, verify.waits_for) == (False, (Edge("dump"),))
    assert window.importing.review is None
    session.edits.undo()
    assert [one.id for one in session.program.task_list.tasks] == ["mine"]


def test_a_task_that_is_there_already_is_not_ticked_and_both_are_kept_where_it_is(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    mine = task("dump", "Dump")
    opens(session, mine)
    window.importing.show_list(handed(tmp_path, DUMP, VERIFY))
    found = review(window)
    assert [line.ticked for line in found.model.lines] == [False, True]
    assert "Keep both, or replace yours" in found.told.text()
    assert found.answer.isVisible()
    assert found.title.text().endswith("1 of them is on your list already")
    QTest.keyClick(found.table, Qt.Key.Key_Space)
    press_import(window)
    kept, copy, verify = session.program.task_list.tasks
    assert kept == mine
    assert (copy.id, copy.name, copy.enabled) == ("dump-2", "Dump copy", False)
    assert verify.waits_for == (Edge("dump-2"),)


def test_who_says_so_has_the_own_task_replaced(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session, task("old-dump", "DUMP"), task("after", waits_for=(Edge("old-dump"),)))
    window.importing.show_list(handed(tmp_path, DUMP, VERIFY))
    QTest.mouseClick(review(window).answer.buttons["replace"], Qt.MouseButton.LeftButton)
    assert review(window).run.text() == "Import 2 tasks"
    press_import(window)
    dump, after, verify = session.program.task_list.tasks
    assert (dump.id, dump.name, dump.enabled) == ("old-dump", "Dump", False)
    assert isinstance(dump.action, Command)
    assert dump.action.argv == ("pg_dump", "shop of mine")
    assert after.waits_for == verify.waits_for == (Edge("old-dump"),)


def test_a_task_that_is_left_out_is_waited_for_where_the_own_list_has_it(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session, task("dump", "Dump"))
    window.importing.show_list(handed(tmp_path, DUMP, VERIFY))
    press_import(window)
    assert session.program.task_list.tasks[-1].waits_for == (Edge("dump"),)


def test_what_is_on_neither_list_is_not_waited_for_and_that_is_said(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session)
    window.importing.show_list(handed(tmp_path, VERIFY))
    assert "on neither list" in review(window).told.text()
    press_import(window)
    assert session.program.task_list.tasks[-1].waits_for == ()


def test_the_same_task_is_said_to_be_there_just_like_this(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    file = handed(tmp_path, DUMP)
    opens(session)
    window.importing.show_list(file)
    press_import(window)
    window.importing.show_list(file)
    assert "just like this" in review(window).told.text()
    review(window).reject()


def test_a_task_with_a_mistake_is_shown_with_it_and_cannot_be_ticked(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session)
    window.importing.show_list(handed(tmp_path, DUMP, {"id": "b", "name": "B"}))
    found = review(window)
    found.model.tick_all(ticked=True)
    assert found.run.text() == "Import 1 task"
    assert found.title.text().endswith("1 has a mistake")
    found.table.selectRow(1)
    assert "tasks[1]" in found.told.text()
    found.reject()


def test_a_list_waits_until_the_own_one_is_open_and_the_second_until_the_first_is_done(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    window.importing.show_list(handed(tmp_path, DUMP))
    window.importing.show_list(handed(tmp_path, VERIFY, name="second.json"))
    assert window.importing.review is None
    opens(session)
    assert "friend" in review(window).title.text()
    review(window).reject()
    assert "second" in review(window).title.text()
    review(window).reject()
    assert window.importing.review is None


def test_what_is_no_list_is_refused_in_a_banner_and_the_next_is_shown(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("no")
    window.importing.show_list(str(bad))
    window.importing.show_list(handed(tmp_path, DUMP))
    opens(session)
    (banner,) = window.bulletin.banners.banners
    assert "bad.json" in banner.accessibleName()
    review(window).reject()
    assert window.bulletin.banners.banners == [banner]
    window.importing.show_list(handed(tmp_path, DUMP))
    assert window.bulletin.banners.banners == []
    review(window).reject()


def test_each_kind_of_action_is_said_in_one_line() -> None:
    actions = (
        Command(shell="a | b"),
        Script(interpreter="sh", text="x\ny"),
        Reminder(message="Up"),
        Open(target="/tmp"),
    )
    said = [doing(task("a", action=action)) for action in actions]
    assert said == ["a | b", "sh: x ⏎ y", "Reminds: Up", "Opens /tmp"]


def test_what_cannot_be_seen_is_shown_as_its_code() -> None:
    assert visible("rm \u202egpj.x\u200b\n") == "rm \\u202egpj.x\\u200b\n"


def test_a_row_shows_the_codes_of_what_cannot_be_seen(qtbot: QtBot, look: Look) -> None:
    """By a character that turns the order round, `gpj.sh` could stand there for what is `hs.jpg`."""

    def rows(trick: str) -> LinesModel:
        words = f"{trick}gpj.sh"
        one = task("a", words, action=Command(argv=("sh",), env={words: ""}), schedule=Cron("30 2 * * *"))
        told = Line(number=1, place=words, text=words, command=words, task=one, notes=(words,))
        return LinesModel([told, Line(number=2, place=words, text=words, problem=words)])

    def painted(model: LinesModel) -> QImage:
        table = QTableView()
        qtbot.addWidget(table)
        table.setModel(model)
        table.setItemDelegate(LineDelegate(look, table))
        table.resizeRowsToContents()
        table.resize(800, 300)
        return table.grab().toImage()

    tricky = rows("\u202e")
    assert painted(tricky) == painted(rows("\\u202e"))
    assert painted(tricky) != painted(rows("x"))
    cells = [tricky.index(row, column) for row in range(2) for column in Column]
    assert "\u202e" not in "".join(str(cell.data(role)) for cell in cells for role in SAID)


def test_all_mistakes_of_a_task_are_told(window: MainWindow, session: FakeSession, tmp_path: Path) -> None:
    opens(session)
    window.importing.show_list(handed(tmp_path, DUMP | {"colour": "red", "enabled": 3}))
    (line,) = review(window).model.lines
    assert "colour" in line.told
    assert "enabled" in line.told
    review(window).reject()


def test_a_file_that_the_system_asks_the_running_program_to_open_is_wanted() -> None:
    text = (
        "from PySide6.QtCore import QCoreApplication, QUrl\n"
        "from PySide6.QtGui import QFileOpenEvent\n"
        "from desktopsched.ui.qt_application import QtApplication\n"
        "application = QtApplication(['desktopsched'])\n"
        "application.file_wanted.connect(print)\n"
        "QCoreApplication.sendEvent(application, QFileOpenEvent(QUrl.fromLocalFile('/lists/a.json')))\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("/lists/a.json\n", "")
