"""Importing a crontab: found at opening, reviewed line by line, added as one step."""

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Cron, Task
from desktopsched.model.crontab import read_crontab
from desktopsched.ui.importing.crontab_review import CrontabReview
from desktopsched.ui.importing.lines import Column, LinesModel, lines_of
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.phase import Phase
from tests.ui.scenery import BERLIN, MARKUP, NOON, FakeSession, added, task

CRONTAB = """\
MAILTO=me@example.org
30 2 * * * backup --all
@hourly sync
0 25 * * * never
@reboot start
"""


@pytest.fixture
def session(tmp_path: Path) -> FakeSession:
    found = FakeSession(tmp_path)
    found.crontab.text = CRONTAB
    return found


def opens(session: FakeSession, *tasks: Task) -> None:
    session.program.task_list.tasks[:] = tasks
    session.bridge.arrived.emit([added(one) for one in tasks])
    session.opened.emit({})


def review(window: MainWindow) -> CrontabReview:
    window.importing.show()
    found = window.importing.review
    assert isinstance(found, CrontabReview)
    return found


def shown(found: CrontabReview) -> list[tuple[str, str, str]]:
    model = found.model
    return [tuple(str(model.index(row, at).data()) for at in range(3)) for row in range(model.rowCount())]  # type: ignore[misc]


def test_at_opening_the_first_page_says_how_many_lines_there_are(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session)
    assert window.empty.crontab.isVisible()
    assert "Found 4 lines" in window.empty.crontab.words
    QTest.mouseClick(window.empty.crontab, Qt.MouseButton.LeftButton)
    assert window.importing.review is not None
    window.importing.review.reject()


def test_without_a_crontab_there_is_no_card_and_the_menu_says_why(
    window: MainWindow, session: FakeSession
) -> None:
    session.crontab.text = "# only a comment\n"
    opens(session)
    assert not window.empty.crontab.isVisible()
    window.menu.actions_by_name["import"].trigger()
    assert window.importing.review is None
    (banner,) = window.bulletin.banners.banners
    assert "no crontab" in banner.accessibleName()


def test_a_system_without_crontabs_has_no_such_line_in_the_menu(
    qtbot: QtBot, session: FakeSession, look: Look
) -> None:
    session.crontab.available = False
    window = MainWindow(session.as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
    qtbot.addWidget(window, before_close_func=lambda window: setattr(window, "phase", Phase.CLOSED))
    assert not window.menu.actions_by_name["import"].isVisible()


def test_every_line_is_shown_with_its_schedule_its_command_or_its_reason(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session)
    found = review(window)
    assert shown(found) == [
        ("MAILTO=me@example.org", "", ""),
        ("Backup", "Every day at 02:30", "backup --all"),
        ("Sync", "Every hour", "sync"),
        ("0 25 * * * never", "", ""),
        ("@reboot start", "", ""),
    ]
    told = [line.told for line in found.model.lines]
    assert "no mail" in told[0]
    assert "Hours go from 0 to 23" in told[3]
    assert "starts" in told[4]
    assert found.title.text() == "4 lines of your crontab run something, 2 of them cannot become tasks"
    found.table.selectRow(3)
    assert found.told.text().startswith("Line 4: 0 25 * * * never\nHours go")
    found.reject()


def test_ticked_lines_become_tasks_that_are_off_and_one_undo_takes_them_away(
    window: MainWindow, session: FakeSession
) -> None:
    opens(session, task("backup", "Backup"))
    found = review(window)
    assert found.run.text() == "Import 2 tasks"
    QTest.mouseClick(found.run, Qt.MouseButton.LeftButton)
    _, backup, sync = session.program.task_list.tasks
    assert (backup.id, backup.enabled) == ("backup-2", False)
    assert sync.action == Command(shell="sync")
    assert sync.schedule == Cron("@hourly")
    assert session.edits.undo_words == "import 2 tasks"
    session.edits.undo()
    assert [one.id for one in session.program.task_list.tasks] == ["backup"]
    assert window.importing.review is None


def test_they_are_switched_on_where_the_person_says_so(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session)
    found = review(window)
    found.activateWindow()
    qtbot.waitUntil(found.isActiveWindow)
    QTest.mouseClick(found.on, Qt.MouseButton.LeftButton)
    QTest.keyClick(found, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [one.enabled for one in session.program.task_list.tasks] == [True, True]


def test_what_is_on_the_list_already_is_not_ticked_again(window: MainWindow, session: FakeSession) -> None:
    mine = task("mine", "My sync", action=Command(shell="sync"), schedule=Cron("@hourly"))
    opens(session, mine)
    found = review(window)
    assert [line.ticked for line in found.model.lines] == [False, True, False, False, False]
    assert found.model.lines[2].told == "On the list already, as My sync."
    found.reject()


def test_lines_are_ticked_by_the_space_bar_and_by_a_click_and_named_by_a_double_click(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session)
    found = review(window)
    table = found.table
    found.activateWindow()
    qtbot.waitUntil(found.isActiveWindow)
    assert table.currentIndex().row() == 1
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert found.run.text() == "Import 1 task"
    place = table.visualRect(found.model.index(1, 0)).topLeft() + QPoint(25, 20)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert found.run.text() == "Import 2 tasks"
    table.edit(found.model.index(2, Column.NAME))
    field = table.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    QTest.keyClicks(field, MARKUP)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: found.model.index(2, Column.NAME).data() == MARKUP)
    assert found.isVisible()
    found.model.tick_all(ticked=False)
    assert not found.run.isEnabled()
    assert "Tick a line" in found.run.toolTip()
    found.model.tick_all(ticked=True)
    assert found.run.text() == "Import 2 tasks"
    QTest.keyClick(found, Qt.Key.Key_Escape)
    assert not window.importing.review
    assert session.program.task_list.tasks == []


def test_a_name_that_is_being_written_counts_when_the_tasks_are_imported(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    opens(session)
    for confirmed in (False, True):
        found = review(window)
        found.activateWindow()
        qtbot.waitUntil(found.isActiveWindow)
        found.table.edit(found.model.index(2, Column.NAME))
        field = found.table.findChild(QLineEdit)
        assert field is not None
        field.selectAll()
        QTest.keyClicks(field, "Mirror")
        if confirmed:
            QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        else:
            QTest.mouseClick(found.cancel, Qt.MouseButton.LeftButton)
        assert not found.isVisible()
    assert [one.name for one in session.program.task_list.tasks] == ["Backup", "Mirror"]


def test_an_empty_name_is_not_taken_and_a_line_without_a_task_cannot_be_changed() -> None:
    model = LinesModel(lines_of(read_crontab(CRONTAB), ()))
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert not model.setData(model.index(1, 0), "   ")
    assert not model.setData(model.index(0, 0), "name")
    assert not model.flags(model.index(3, 0)) & Qt.ItemFlag.ItemIsUserCheckable
    assert model.rowCount(QModelIndex()) == 5
    assert model.index(1, 0).data() == "Backup"


def test_three_thousand_lines_are_shown_and_each_task_gets_an_id_of_its_own(qtbot: QtBot, look: Look) -> None:
    text = "".join(f"{n % 60} {n % 24} * * * job-{n} --all\n" for n in range(3_000))
    found = CrontabReview(look, read_crontab(text), ())
    qtbot.addWidget(found)
    with qtbot.waitExposed(found):
        found.show()
    assert found.run.text() == "Import 3,000 tasks"
    assert len({one.id for one in found.model.chosen((), enabled=False)}) == 3_000
    QApplication.processEvents()
    assert found.table.verticalScrollBar().maximum() > 0
