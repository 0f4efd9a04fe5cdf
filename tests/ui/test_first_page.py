"""The first page: its cards, what of it gives way, and what falls onto the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import Command, Open, Task
from desktopsched.model.identity import draft_of_script
from desktopsched.storage.preferences import Theme
from desktopsched.ui.dropping import is_runnable, refusal
from desktopsched.ui.first.page import FirstPage
from desktopsched.ui.form.form import TaskForm
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from tests.ui.scenery import FakeSession, added, task


@pytest.fixture
def page(qtbot: QtBot, look: Look) -> FirstPage:
    page = FirstPage(look)
    qtbot.addWidget(page)
    page.resize(1_180, 800)
    with qtbot.waitExposed(page):
        page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.setFocus()
    return page


def opens(session: FakeSession, *tasks: Task) -> None:
    session.program.task_list.tasks[:] = tasks
    session.bridge.arrived.emit([added(one) for one in tasks])
    session.opened.emit({})


# --- cards -------------------------------------------------------------------------------------------------------


def test_the_card_of_the_crontab_is_there_only_where_there_is_something_in_it(page: FirstPage) -> None:
    assert not page.crontab.isVisible()
    page.offer_crontab(3)
    assert page.crontab.isVisible()
    assert page.crontab.words == "Found 3 lines in your crontab. You review each one before it is added."
    page.offer_crontab(1)
    assert page.crontab.words == "Found 1 line in your crontab. You review it before it is added."
    page.offer_crontab(0)
    assert not page.crontab.isVisible()


def test_arrows_and_tab_go_from_card_to_card(page: FirstPage) -> None:
    page.offer_crontab(3)
    assert page.new.hasFocus()
    visited = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Up):
        QTest.keyClick(next(card for card in page.cards if card.hasFocus()), key)
        visited.append(next(card.text() for card in page.cards if card.hasFocus()))
    names = ["Import crontab…", "Load example list", "New task", "Load example list", "Import crontab…"]
    assert visited == names
    page.new.setFocus()
    QTest.keyClick(page.new, Qt.Key.Key_Tab)
    assert page.crontab.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_press_a_card(qtbot: QtBot, page: FirstPage, key: Qt.Key) -> None:
    with qtbot.waitSignal(page.new_wanted):
        QTest.keyClick(page.new, key)


def test_cards_say_what_is_wanted(qtbot: QtBot, page: FirstPage) -> None:
    page.offer_crontab(2)
    with qtbot.waitSignals([page.import_wanted, page.wanted]):
        QTest.mouseClick(page.crontab, Qt.MouseButton.LeftButton)
        QTest.mouseClick(page.examples, Qt.MouseButton.LeftButton)
    assert not page.examples.isEnabled()
    page.again()
    assert page.examples.isEnabled()


def test_cards_have_names_and_words_for_those_who_do_not_see_them(page: FirstPage) -> None:
    assert [card.accessibleName() for card in page.cards] == [
        "New task",
        "Import crontab…",
        "Load example list",
    ]
    assert "form" in page.new.accessibleDescription()


def test_a_card_is_painted_differently_with_the_focus_under_the_pointer_and_off(page: FirstPage) -> None:
    def ground() -> str:
        picture = page.examples.grab().toImage()
        return picture.pixelColor(picture.width() // 2, picture.height() - 8).name()

    seen = [ground()]
    page.examples.setFocus()
    seen.append(ground())
    page.new.setFocus()
    page.examples.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    seen.append(ground())
    assert len(set(seen)) == 3


def test_another_theme_paints_the_drawing_anew(page: FirstPage, look: Look) -> None:
    light = page.drawing.grab().toImage()
    look.set_theme(Theme.DARK)
    assert page.drawing.grab().toImage() != light


# --- room --------------------------------------------------------------------------------------------------------


def test_with_little_room_the_drawing_goes_and_cards_stand_below_each_other(page: FirstPage) -> None:
    page.offer_crontab(3)
    assert page.drawing.isVisible()
    assert len({card.y() for card in page.cards}) == 1
    assert len({card.height() for card in page.cards}) == 1
    page.resize(830, 420)
    assert not page.drawing.isVisible()
    assert len({card.y() for card in page.cards}) == 1
    page.resize(480, 600)
    assert len({card.x() for card in page.cards}) == 1
    assert page.horizontalScrollBar().maximum() == 0
    page.resize(480, 300)
    QTest.keyClick(page.new, Qt.Key.Key_Up)
    assert page.examples.hasFocus()
    assert (
        page.viewport().rect().contains(page.examples.mapTo(page.viewport(), page.examples.rect().center()))
    )
    page.resize(1_180, 800)
    assert page.drawing.isVisible()
    assert len({card.y() for card in page.cards}) == 1


# --- in the window -----------------------------------------------------------------------------------------------


def test_at_first_the_focus_is_on_the_first_card(
    qtbot: QtBot, window: MainWindow, session: FakeSession
) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    opens(session)
    assert window.empty.new.hasFocus()
    QTest.keyClick(window.empty.new, Qt.Key.Key_Return)
    (form,) = window.findChildren(TaskForm)
    form.reject()


def test_f6_leads_to_the_first_page_and_on(qtbot: QtBot, window: MainWindow, session: FakeSession) -> None:
    window.resize(1_300, 800)
    opens(session)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.sidebar.setFocus()
    window.panes.go(1)
    assert window.empty.new.hasFocus()
    window.panes.go(1)
    assert window.tools.isAncestorOf(window.focusWidget())


def test_the_sidebar_says_what_will_stand_in_its_lists(window: MainWindow, session: FakeSession) -> None:
    window.resize(1_300, 800)
    opens(session)
    assert window.sidebar.no_groups.isVisible()
    assert window.sidebar.no_fires.text() == "Nothing is scheduled at present."
    assert window.sidebar.no_fires.isVisible()
    session.bridge.arrived.emit([added(task("a", group="Files"))])
    window.count()
    assert not window.sidebar.no_groups.isVisible()
    assert window.sidebar.groups.isVisible()
    window.resize(900, 800)
    assert window.sidebar.is_folded
    assert not window.sidebar.no_fires.isVisible()


# --- dropping ----------------------------------------------------------------------------------------------------


def files(*paths: Path | str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) if isinstance(path, Path) else QUrl(path) for path in paths])
    return data


def drops(window: MainWindow, data: QMimeData, onto: QWidget | None = None) -> bool:
    """Over the window, or a part of it, and onto it; whether it was taken."""
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place, target = QPoint(20, 20), onto or window
    entered = QDragEnterEvent(place, copy, data, left, none)
    QApplication.sendEvent(target, entered)
    moved = QDragMoveEvent(place, copy, data, left, none)
    QApplication.sendEvent(target, moved)
    fell = QDropEvent(QPointF(place), copy, data, left, none)
    QApplication.sendEvent(target, fell)
    return entered.isAccepted() and moved.isAccepted() and fell.isAccepted()


def banners(window: MainWindow) -> str:
    return " ".join(banner.accessibleName() for banner in window.bulletin.banners.banners)


@pytest.mark.parametrize("others", [(), (task("backup", "Backup"),)], ids=["empty", "not empty"])
def test_a_dropped_script_opens_the_form_with_a_draft_of_a_new_task(
    window: MainWindow, session: FakeSession, tmp_path: Path, others: tuple[Task, ...]
) -> None:
    opens(session, *others)
    script = tmp_path / "backup.py"
    script.write_text("pass")
    assert drops(window, files(script))
    (form,) = window.findChildren(TaskForm)
    assert form.windowTitle() == "New task"
    assert form.page.general.name.edit.text() == "Backup"
    assert not form.changed
    form.save()
    new = session.program.task_list.tasks[-1]
    assert len(session.program.task_list.tasks) == len(others) + 1
    assert new.action == Command(argv=("python3", str(script)), cwd=str(tmp_path))


def test_a_script_may_fall_onto_any_part_of_the_window(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session, task("a", "A"))
    script = tmp_path / "backup.sh"
    script.write_text("true")
    sidebar, log, graph = window.sidebar, window.log, window.graph
    for part in (window.table, sidebar.groups, sidebar.views, log.view, graph.view):
        assert drops(window, files(script), part.viewport()), part
        form = window.findChildren(TaskForm)[-1]
        form.reject()
        form.deleteLater()
        QApplication.sendPostedEvents(form, QEvent.Type.DeferredDelete)


def test_a_file_that_is_nothing_to_run_becomes_a_task_that_opens_it(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session)
    picture = tmp_path / "picture.jpg"
    picture.write_bytes(b"")
    drops(window, files(picture))
    (form,) = window.findChildren(TaskForm)
    form.save()
    assert session.program.task_list.tasks[-1].action == Open(target=str(picture))


def test_what_can_be_run_is_a_program_or_has_one_that_runs_it(tmp_path: Path) -> None:
    script, program = str(tmp_path / "x.sh"), tmp_path / "tool.exe"
    program.write_bytes(b"")
    program.chmod(0o755)
    assert is_runnable(script, draft_of_script(script))
    assert is_runnable(str(program), draft_of_script(str(program)))


def test_what_cannot_become_a_task_is_said(window: MainWindow, session: FakeSession, tmp_path: Path) -> None:
    opens(session)
    one, other = tmp_path / "a.sh", tmp_path / "b.sh"
    for file in (one, other):
        file.write_text("true")
    drops(window, files(one, other))
    assert "2 files were dropped, and a task runs one. Drop them one at a time." in banners(window)
    drops(window, files(tmp_path))
    assert "is a folder" in banners(window)
    drops(window, files("https://example.org/x"))
    assert "Only files of this computer" in banners(window)
    assert "is not there any more" in refusal([str(tmp_path / "gone.sh")])
    assert window.findChildren(TaskForm) == []


def test_other_things_are_not_taken(window: MainWindow, session: FakeSession) -> None:
    opens(session)
    data = QMimeData()
    data.setText("words")
    assert not drops(window, data)


def test_the_page_shows_that_a_file_may_fall(
    window: MainWindow, session: FakeSession, tmp_path: Path
) -> None:
    opens(session)
    before = window.empty.grab().toImage()
    data = files(tmp_path / "a.sh")
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDragEnterEvent(QPoint(9, 9), action, data, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, event)
    assert window.empty.grab().toImage() != before
    window.empty.hide_drop()
    assert window.empty.grab().toImage() == before
