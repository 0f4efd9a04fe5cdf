import gc
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec import structs
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAction, QCloseEvent, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.engine.events import Paused, Resumed
from desktopsched.model import Outcome, State
from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.outside import Outside
from desktopsched.ui.rows import Rows
from desktopsched.ui.session import Session
from desktopsched.ui.tray import state
from desktopsched.ui.tray.closing import CloseToTray
from desktopsched.ui.tray.icon import SIZES, tray_icon
from desktopsched.ui.tray.pausing import Pausing
from desktopsched.ui.tray.state import Item, Sign, TraySummary, summarise_for_tray
from desktopsched.ui.tray.tray import Tray
from tests.ui.scenery import BERLIN, MARKUP, NOON, FakeSession, added, finished, run, started, status, task

MAIL = Item(task_id="mail", name="Mail archive", since=NOON - 134, usual=840)
BUSY = TraySummary(
    next=Item(task_id="photo", name="Photo sync"),
    due=NOON + 60,
    running=(MAIL,),
    runs=2,
    failed=(Item(task_id="renew", name="Renew"),),
    tasks=(MAIL, Item(task_id="photo", name=MARKUP)),
)


class FakeIcon(QSystemTrayIcon):
    """An icon in a panel that comes and goes as the test says."""

    panel: ClassVar[bool] = True

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[tuple[str, str]] = []
        self.shown = False

    @staticmethod
    def isSystemTrayAvailable() -> bool:
        return FakeIcon.panel

    def isVisible(self) -> bool:
        return self.shown

    def show(self) -> None:
        self.shown = True

    def hide(self) -> None:
        self.shown = False

    @staticmethod
    def supportsMessages() -> bool:
        return True

    def showMessage(self, title: str, message: str, *_: object) -> None:
        self.messages.append((title, message))


@pytest.fixture
def icon(monkeypatch: pytest.MonkeyPatch) -> FakeIcon:
    monkeypatch.setattr(FakeIcon, "panel", True)
    return FakeIcon()


@pytest.fixture
def tray(qtbot: QtBot, look: Look, icon: FakeIcon) -> Iterator[Tray]:
    tray = Tray(look, now=lambda: NOON, zone=lambda: BERLIN, icon=icon)
    tray.appear()
    yield tray
    tray.close()


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


def entry(menu: QMenu, *words: str) -> QAction:
    """The entry whose words begin so, in submenus too."""
    (found,) = [action for action in menu.actions() if action.text().startswith(words[0])]
    if len(words) == 1:
        return found
    inner = found.menu()
    assert isinstance(inner, QMenu)
    return entry(inner, *words[1:])


# --- the menu


def test_the_menu_says_what_is_next_running_and_failed(tray: Tray) -> None:
    tray.show_summary(BUSY)
    assert texts(tray.menu) == [
        "Next: Photo sync\t14:01, in 1 min",
        "Running now",
        "Mail archive\t2:14 of ~14:00",
        "1 task failed today\tShow",
        "Pause all",
        "Run a task",
        "New task…",
        "Open Desktopsched",
        "Quit\t2 runs would stop",
    ]


def test_with_nothing_to_tell_the_menu_is_short(tray: Tray) -> None:
    tray.show_summary(TraySummary())
    assert texts(tray.menu)[0] == "Nothing is planned"
    assert "Running now" not in texts(tray.menu)
    assert "Quit" in texts(tray.menu)
    assert not entry(tray.menu, "Run a task").isEnabled()


@pytest.mark.parametrize(
    ("words", "wish", "told"),
    [
        (("Next",), "show_task", ["photo"]),
        (("Mail archive", "Show log"), "show_log", ["mail"]),
        (("Mail archive", "Stop"), "stop_wanted", ["mail"]),
        (("1 task failed",), "show_failed", []),
        (("Pause all", "For 15 min"), "pause_wanted", [900.0]),
        (("Pause all", "For 1 h"), "pause_wanted", [3_600.0]),
        (("Pause all", "Until resumed"), "pause_wanted", [0.0]),
        (("Run a task", "Mail archive"), "run_wanted", ["mail"]),
        (("New task",), "new_wanted", []),
        (("Open",), "show_wanted", []),
        (("Quit",), "quit_wanted", []),
    ],
)
def test_each_entry_asks_for_what_it_says(
    qtbot: QtBot, tray: Tray, words: tuple[str, ...], wish: str, told: list[object]
) -> None:
    tray.show_summary(BUSY)
    with qtbot.waitSignal(getattr(tray, wish)) as heard:
        entry(tray.menu, *words).trigger()
    assert heard.args == told


def test_while_paused_it_offers_to_resume_and_says_until_when(qtbot: QtBot, tray: Tray) -> None:
    tray.show_summary(structs.replace(BUSY, paused=True, paused_until=NOON + 900))
    with qtbot.waitSignal(tray.resume_wanted):
        entry(tray.menu, "Resume all\tuntil 14:15").trigger()


def test_long_lists_and_names_are_cut(tray: Tray) -> None:
    many = tuple(Item(task_id=f"t{n}", name=f"Task & {n} " + "x" * 100, since=NOON) for n in range(60))
    tray.show_summary(structs.replace(BUSY, running=many, tasks=many))
    entries = texts(tray.menu)
    assert sum(one.startswith("Task && ") for one in entries) == state.RUNNING_MOST
    assert "52 more…" in entries
    inner = entry(tray.menu, "Run a task").menu()
    assert isinstance(inner, QMenu)
    assert len(inner.actions()) == state.TASKS_MOST + 1
    assert max(map(len, entries)) < 70


def test_the_menu_is_drawn_and_ticks_only_while_it_is_open(qtbot: QtBot, tray: Tray) -> None:
    tray.show_summary(BUSY)
    assert not tray.menu._tick.isActive()
    tray.menu.popup(tray.menu.pos())
    assert tray.menu._tick.isActive()
    assert not tray.menu.grab().isNull()
    tray.show_summary(TraySummary())  # what is under the pointer stays there
    assert "Running now" in texts(tray.menu)
    tray.menu.close()
    assert not tray.menu._tick.isActive()


# --- the icon


def test_the_icon_shows_what_matters_most() -> None:
    assert TraySummary().sign is Sign.CALM
    assert TraySummary(runs=1).sign is Sign.RUNNING
    assert structs.replace(BUSY).sign is Sign.FAILED
    assert structs.replace(BUSY, paused=True).sign is Sign.PAUSED


def test_u05_each_icon_is_built_in_and_differs() -> None:
    pictures = []
    for sign in Sign:
        found: QIcon = tray_icon(sign)
        assert not found.isNull()
        assert {size.width() for size in found.availableSizes()} == set(SIZES)
        pictures.append(found.pixmap(22, 22).toImage())
    for picture in pictures:
        assert pictures.count(picture) == 1


def test_the_tip_names_the_next_task(tray: Tray) -> None:
    tray.show_summary(BUSY)
    assert tray.icon.toolTip().splitlines() == [
        "Desktopsched",
        "2 running",
        "1 task failed today",
        "Next: Photo sync, 14:01",
    ]


def test_a_click_opens_the_window(qtbot: QtBot, tray: Tray) -> None:
    with qtbot.waitSignal(tray.show_wanted):
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    with qtbot.assertNotEmitted(tray.show_wanted):
        tray.icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)


def test_notifications_carry_no_markup(tray: Tray, icon: FakeIcon) -> None:
    assert tray.say(MARKUP, MARKUP)
    assert "<" not in "".join(icon.messages[0])
    FakeIcon.panel = False
    assert not tray.say("a", "b")


# --- the summary


def test_the_summary_of_rows() -> None:
    rows = Rows()
    failed = Outcome(State.FAILED, "exit code 1", 1)
    rows.add(task("b"), status(due=NOON + 50))
    rows.add(task("a"), status(due=NOON + 10))
    rows.add(task("c"), status(outcome=failed, ended=NOON - 3_600))
    rows.add(task("d"), status(outcome=failed, ended=NOON - 86_400))
    rows.add(task("e"), status())
    rows.follow(started(run("e"), NOON - 60))
    found = summarise_for_tray(rows, NOON, BERLIN, paused=False)
    assert found.next is not None
    assert (found.next.task_id, found.due, found.runs) == ("a", NOON + 10, 1)
    assert [item.task_id for item in found.failed] == ["c"]
    assert [(item.task_id, item.since) for item in found.running] == [("e", NOON - 60)]
    assert [item.task_id for item in found.tasks] == ["a", "b", "c", "d", "e"]


# --- closing the window


class Window(QWidget):
    """Writes down that it was asked to close."""

    def __init__(self) -> None:
        super().__init__()
        self.closes = 0

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closes += 1
        event.accept()


class Closing:
    """A window with a tray beside it."""

    def __init__(self, tray: Tray, icon: FakeIcon, folder: Path) -> None:
        self.window, self.tray, self.icon = Window(), tray, icon
        self.kept = KeptFile(folder)
        self.may_hide = True
        self.closing = CloseToTray(
            self.window, tray, self.kept, may_hide=lambda: self.may_hide, come_up=self.window.show
        )
        self.window.show()


@pytest.fixture
def closing(tray: Tray, icon: FakeIcon, tmp_path: Path) -> Iterator[Closing]:
    closing = Closing(tray, icon, tmp_path)
    yield closing
    closing.window.removeEventFilter(closing.closing)
    closing.window.close()


def test_closing_goes_to_the_tray_and_says_so_once(closing: Closing) -> None:
    for _ in range(2):
        closing.window.show()
        closing.window.close()
        assert not closing.window.isVisible()
    assert closing.window.closes == 0
    assert [title for title, _ in closing.icon.messages] == ["Desktopsched goes on in the tray"]
    assert closing.kept.kept.told_of_tray


def test_u01_without_a_panel_the_window_is_closed_as_ever(closing: Closing) -> None:
    FakeIcon.panel = False
    closing.window.close()
    assert closing.window.closes == 1


def test_u03_a_panel_that_goes_while_the_window_is_hidden_brings_it_back(closing: Closing) -> None:
    closing.window.close()
    assert closing.tray._looks.isActive()
    FakeIcon.panel = False
    closing.tray._looks.timeout.emit()  # a panel that is started anew is away for a moment
    assert not closing.window.isVisible()
    closing.tray._looks.timeout.emit()
    assert closing.window.isVisible()
    assert not closing.tray._looks.isActive()


def test_a_panel_that_comes_back_in_time_changes_nothing(closing: Closing) -> None:
    closing.window.close()
    for panel in (False, True, False, True):
        FakeIcon.panel = panel
        closing.tray._looks.timeout.emit()
    assert not closing.window.isVisible()
    closing.window.show()


def test_a_window_in_sight_looks_for_no_panel(closing: Closing) -> None:
    assert not closing.tray._looks.isActive()


def test_quit_closes_for_good_and_shows_the_window_where_it_asks(closing: Closing) -> None:
    closing.window.close()
    closing.closing.quit()
    assert closing.window.closes == 1
    assert not closing.window.isVisible()
    closing.tray.show_summary(BUSY)
    closing.closing.quit()
    assert closing.window.isVisible()
    assert closing.window.closes == 2


def test_a_window_that_is_opening_or_closing_is_not_hidden(closing: Closing) -> None:
    closing.may_hide = False
    closing.window.close()
    assert closing.window.closes == 1


# --- pausing for a while


class Pauses:
    """A pause with a clock that is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, NOON
        self.asked: list[bool] = []
        self.open()

    def open(self) -> None:
        self.pausing = Pausing(KeptFile(self.folder), lambda: self.now)
        self.pausing.asked.connect(self.asked.append)

    def tick(self, after: float) -> None:
        self.now += after
        self.pausing._end.timer.timeout.emit()


@pytest.fixture
def pauses(qtbot: QtBot, tmp_path: Path) -> Pauses:
    return Pauses(tmp_path)


def test_a_pause_ends_by_itself(pauses: Pauses) -> None:
    pauses.pausing.pause(900)
    assert pauses.asked == [True]
    pauses.tick(890)
    assert pauses.asked == [True]
    pauses.tick(10)
    assert pauses.asked == [True, False]
    assert pauses.pausing.until is None


def test_a_pause_without_an_end_has_none(pauses: Pauses) -> None:
    pauses.pausing.pause(900)
    pauses.pausing.pause(0)
    assert pauses.pausing.until is None
    assert not pauses.pausing._end.timer.isActive()


def test_whoever_resumes_ends_it(pauses: Pauses) -> None:
    pauses.pausing.pause(900)
    pauses.pausing.hear([Paused(at=NOON)])
    assert pauses.pausing.until == NOON + 900
    pauses.pausing.hear([Resumed(at=NOON)])
    assert pauses.pausing.until is None


@pytest.mark.parametrize(("closed", "asked"), [(600, []), (3_600, [False])])
def test_a_pause_survives_a_restart(qtbot: QtBot, pauses: Pauses, closed: float, asked: list[bool]) -> None:
    pauses.pausing.pause(900)
    pauses.pausing.close()
    pauses.asked.clear()
    pauses.now += closed
    pauses.open()
    pauses.pausing.opened(paused=True)
    if asked:
        qtbot.waitUntil(lambda: bool(pauses.asked))
    assert pauses.asked == asked
    assert pauses.pausing._end.timer.isActive() is not bool(asked)
    pauses.pausing.close()


def test_a_program_that_was_resumed_elsewhere_forgets_the_end(pauses: Pauses) -> None:
    pauses.pausing.pause(900)
    pauses.open()
    pauses.pausing.opened(paused=False)
    assert pauses.pausing.until is None


# --- all together


class Program:
    """A window, its session and everything outside it."""

    def __init__(self, look: Look, folder: Path, tray: Tray) -> None:
        self.session = FakeSession(folder)
        self.session.login.on = True  # which is offered otherwise
        self.outside = Outside(look, folder, now=lambda: NOON, zone=lambda: BERLIN, tray=tray)
        as_session: Session = self.session.as_session
        self.window = MainWindow(as_session, look, now=lambda: NOON, zone=lambda: BERLIN)
        self.outside.tie(as_session, self.window)

    def happens(self, *events: object) -> None:
        self.session.bridge.arrived.emit(events)


@pytest.fixture
def program(qtbot: QtBot, look: Look, tmp_path: Path, tray: Tray) -> Iterator[Program]:
    program = Program(look, tmp_path, tray)
    program.window.show()
    program.happens(added(task("a"), status(due=NOON + 60)))
    program.session.opened.emit({})
    qtbot.waitUntil(lambda: tray.summary.is_open)
    yield program
    program.window.end()
    program.session.closed.emit()


def test_the_tray_follows_the_rows(qtbot: QtBot, program: Program, tray: Tray) -> None:
    assert tray.summary.next is not None
    program.happens(started(run("a")))
    qtbot.waitUntil(lambda: tray.summary.runs == 1)
    program.happens(finished(run("a"), Outcome(State.FAILED, "exit code 1", 1)))
    qtbot.waitUntil(lambda: tray.summary.sign is Sign.FAILED)
    assert len(program.outside.stack.cards) == 1


def test_a_menu_made_anew_leaves_nothing_of_the_one_before(tray: Tray) -> None:
    """It is made anew at each change for months: one action kept each time is a megabyte in an hour."""

    def actions() -> int:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
        return sum(type(one) is QAction for one in gc.get_objects())

    tray.show_summary(BUSY)
    before = actions()
    for second in range(20):
        tray.show_summary(structs.replace(BUSY, due=NOON + second))
    assert actions() == before


def test_the_banner_of_a_pause_says_until_when_it_lasts(program: Program) -> None:
    program.session.paused = True
    program.outside.pausing.pause(900)
    program.window.count()
    (banner,) = program.window.bulletin.banners.banners
    assert banner.accessibleName() == "All tasks are paused until 14:15. Nothing new starts."
    program.outside.pausing.pause(0)
    program.window.count()
    (banner,) = program.window.bulletin.banners.banners
    assert banner.accessibleName() == "All tasks are paused. Nothing new starts."


def test_wishes_of_the_menu_become_commands(program: Program, tray: Tray) -> None:
    tray.run_wanted.emit("a")
    tray.stop_wanted.emit("a")
    tray.pause_wanted.emit(900.0)
    tray.resume_wanted.emit()
    program.session.program.task_list.tasks.append(task("a", enabled=False))
    program.outside.failures.resume_wanted.emit("a")
    assert program.session.commands.asked == [
        ("run", "a"),
        ("stop", "a"),
        ("pause", True),
        ("pause", False),
    ]
    assert program.window.menu.actions_by_name["undo"].text() == "Undo enable A"


def test_the_menu_finds_the_task_in_the_window(program: Program, tray: Tray) -> None:
    program.window.close()
    assert not program.window.isVisible()
    tray.show_log.emit("a")
    assert program.window.isVisible()
    assert program.window.table.selected_tasks() == ["a"]
    tray.show_log.emit("nobody")


def test_while_the_window_is_hidden_the_desktop_tells_of_failures(program: Program, icon: FakeIcon) -> None:
    program.window.close()
    program.happens(finished(run("a"), Outcome(State.FAILED, "exit code 1", 1)))
    assert icon.messages[-1] == ("A failed", "Exit code 1.")
    assert program.outside.stack.cards == {}


def test_quit_ends_the_session(program: Program, tray: Tray) -> None:
    program.window.close()
    tray.quit_wanted.emit()
    assert program.session.closes == 1
