import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktopsched.model import Reminder, Run, Task
from desktopsched.storage.preferences import Theme
from desktopsched.ui.alerts.card import Card
from desktopsched.ui.alerts.kept import FILE, Kept, KeptFile, Snoozed
from desktopsched.ui.alerts.reminder_card import ReminderCard
from desktopsched.ui.alerts.snooze import SNOOZES, Shown, aside, snoozed_until
from desktopsched.ui.alerts.stack import Stack
from desktopsched.ui.alerts.waiting import MOST, Awaited
from desktopsched.ui.look import Look
from desktopsched.ui.reminders import Reminders, unmarked
from tests.ui.scenery import BERLIN, MARKUP, NOON, run, task

STRETCH = task("stretch", MARKUP, action=Reminder(message=f"{MARKUP} & stand up\nAnd sit down."))


class Asking(threading.Thread):
    """A run that wants its reminder shown."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        super().__init__()
        self._ask = ask
        self.answer: bool | None = None

    def run(self) -> None:
        self.answer = self._ask()


class World:
    """Reminders with a clock that is set by hand."""

    def __init__(self, look: Look, folder: Path) -> None:
        self.look, self.folder, self.now = look, folder, NOON
        self.said: list[tuple[str, str]] = []
        self.open()

    def open(self) -> None:
        self.stack = Stack(self.look)
        self.kept = KeptFile(self.folder)
        self.reminders = Reminders(
            self.look, self.stack, self.kept, now=lambda: self.now, zone=lambda: BERLIN, say=self._say
        )

    def _say(self, title: str, text: str) -> bool:
        self.said.append((title, text))
        return True

    def restart(self, after: float) -> None:
        self.close()
        self.now += after
        self.open()
        self.reminders.start()

    def close(self) -> None:
        self.reminders.close()
        self.stack.close()

    def remind(self, qtbot: QtBot, *tasks: Task, one: Run | None = None) -> list[bool | None]:
        """Each on a thread of its own, one after the other."""
        answers = []
        for shown in tasks:
            asking = Asking(lambda shown=shown: self.reminders.remind(shown, one or run(shown.id)))  # type: ignore[misc]
            asking.start()
            qtbot.waitUntil(lambda asking=asking: asking.answer is not None)  # type: ignore[misc]
            asking.join()
            answers.append(asking.answer)
        return answers

    @property
    def cards(self) -> list[Card]:
        return list(self.stack.cards.values())

    @property
    def card(self) -> ReminderCard:
        (card,) = self.cards
        assert isinstance(card, ReminderCard)
        return card

    def words(self, name: str) -> str:
        return " ".join(
            label.text() for label in self.card.findChildren(QLabel, name) if label.isVisibleTo(self.card)
        )


@pytest.fixture
def world(qtbot: QtBot, look: Look, tmp_path: Path) -> Iterator[World]:
    world = World(look, tmp_path / "list")
    yield world
    world.close()


def named(*names: str) -> list[Task]:
    return [task(name, action=Reminder(message=name)) for name in names]


def test_one_that_is_shown_before_the_program_is_open_is_shown_once(qtbot: QtBot, world: World) -> None:
    """The engine starts what was missed before the window hears that the list is open."""
    stretch, tea = named("stretch", "tea")
    world.remind(qtbot, stretch, tea)
    world.close()
    world.open()
    world.remind(qtbot, tea)
    world.close()
    world.open()  # killed before it was open: nothing that was unanswered is lost by that
    world.remind(qtbot, tea)
    world.reminders.start()
    assert {shown.task_id: shown.count for shown in world.reminders.open.values()} == {"tea": 1, "stretch": 1}
    assert {one.task_id for one in world.kept.kept.unanswered} == {"tea", "stretch"}


def test_it_is_a_small_window_on_top_that_takes_no_focus(qtbot: QtBot, world: World) -> None:
    assert world.remind(qtbot, STRETCH) == [True]
    card = world.card
    assert card.isVisible()
    for flag in (Qt.WindowType.Tool, Qt.WindowType.FramelessWindowHint, Qt.WindowType.WindowStaysOnTopHint):
        assert card.windowFlags() & flag
    assert card.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert not card.isModal()
    assert card.focusWidget() is card.done_button
    assert world.said == []


def test_all_words_are_plain_text(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH)
    assert world.words("message").replace("\u200b", "") == f"{MARKUP} & stand up"
    assert world.words("more") == "And sit down."
    for label in world.card.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText or not label.pixmap().isNull()


def test_done_ends_it(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH)
    QTest.keyClick(world.card, Qt.Key.Key_Return)
    assert world.cards == []
    assert world.reminders.open == {}
    world.restart(after=86_400)
    assert world.cards == []


@pytest.mark.parametrize(
    ("key", "after"),
    [(Qt.Key.Key_1, 300), (Qt.Key.Key_2, 900), (Qt.Key.Key_3, 3_600), (Qt.Key.Key_4, 68_400)],
)
def test_keys_snooze(qtbot: QtBot, world: World, key: Qt.Key, after: float) -> None:
    world.remind(qtbot, STRETCH)
    QTest.keyClick(world.card, key)
    assert world.cards == []
    (kept,) = world.kept.kept.snoozed
    assert kept.until == NOON + after
    assert world.reminders._again.until == NOON + after


def test_tab_walks_to_the_snoozes_and_enter_takes_the_one_with_the_focus(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH)
    button = world.card.snooze_buttons[1]
    button.setFocus()
    QTest.keyClick(world.card, Qt.Key.Key_Return)
    (kept,) = world.kept.kept.snoozed
    assert kept.until == NOON + 900
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_a_snoozed_one_comes_again_and_says_when_it_was_due(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH)
    QTest.keyClick(world.card, Qt.Key.Key_1)
    world.now += 301
    world.reminders._again.timer.timeout.emit()
    assert world.words("late") == "Was due at 14:00."
    assert world.kept.kept.snoozed == ()


def test_snoozes_survive_a_restart(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH)
    QTest.keyClick(world.card, Qt.Key.Key_3)
    world.restart(after=1_800)
    assert world.cards == []
    world.restart(after=7_200)
    assert world.words("late") == "Was due at 14:00."


def test_what_nobody_answered_comes_again_at_the_next_launch(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH, *named("a", "b", "c"))
    world.restart(after=10)
    assert len(world.reminders.open) == 4


@pytest.fixture
def launched(world: World) -> Iterator[World]:
    """The next program, while the one before never closed anything: it was killed."""
    found = World(world.look, world.folder)
    yield found
    found.close()


def start_over(killed: World, launched: World) -> list[str]:
    """The tasks that the next program reminds of."""
    launched.now = killed.now + 10
    launched.open()
    launched.reminders.start()
    return list(launched.reminders.open)


def test_what_nobody_answered_comes_again_when_the_program_was_killed(
    qtbot: QtBot, world: World, launched: World
) -> None:
    world.remind(qtbot, STRETCH, *named("a", "b"))
    world.reminders._gone("a")
    assert start_over(world, launched) == [STRETCH.id, "b"]


def test_a_snoozed_one_that_came_again_is_not_lost_either(
    qtbot: QtBot, world: World, launched: World
) -> None:
    world.remind(qtbot, STRETCH)
    QTest.keyClick(world.card, Qt.Key.Key_1)
    world.now += 301
    world.reminders._again.timer.timeout.emit()
    assert start_over(world, launched) == [STRETCH.id]
    QTest.keyClick(launched.card, Qt.Key.Key_Return)
    launched.restart(after=10)
    assert launched.cards == []


def test_a_missed_one_says_when_it_was_due(qtbot: QtBot, world: World) -> None:
    world.now += 86_400
    world.remind(qtbot, STRETCH)
    assert world.words("late") == "Was due at Fri 14:00."


def test_one_on_time_says_nothing_of_the_kind(qtbot: QtBot, world: World) -> None:
    world.now += 30
    world.remind(qtbot, STRETCH)
    assert world.words("late") == ""


def test_three_are_shown_and_the_others_are_counted(qtbot: QtBot, world: World) -> None:
    assert world.remind(qtbot, *named("a", "b", "c", "d", "e")) == [True] * 5
    assert len(world.cards) == 3
    assert world.stack._said.text() == "2 more"
    tops = [card.y() for card in world.cards]
    assert tops == sorted(tops)
    for above, card in zip(world.cards, world.cards[1:], strict=False):
        assert card.y() >= above.y() + above.height()
    QTest.keyClick(world.cards[0], Qt.Key.Key_Return)
    assert list(world.stack.cards) == ["reminder b", "reminder c", "reminder d"]
    assert world.stack._said.text() == "1 more"
    QTest.keyClick(world.cards[0], Qt.Key.Key_Return)
    assert world.stack._more is None


def test_a_task_that_reminds_each_second_has_one_card(qtbot: QtBot, world: World) -> None:
    for _ in range(20):
        world.reminders._show("a", "Water", "Drink", world.now)
        world.now += 60
    assert world.words("late") == "Shown 20 times since 14:00."
    assert world.stack.waiting == {}


def test_without_a_screen_it_is_a_notification(
    qtbot: QtBot, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stack, "can_show", property(lambda _: False))
    assert world.remind(qtbot, STRETCH) == [True]
    assert world.said == [(MARKUP, f"{MARKUP} & stand up\nAnd sit down.")]
    assert world.cards == []
    assert "<" not in unmarked(MARKUP)


def test_a_closing_window_lets_go_of_who_waits(qtbot: QtBot, world: World) -> None:
    asking = Asking(lambda: world.reminders.remind(STRETCH, run("stretch")))
    asking.start()
    while not world.reminders._waiting:
        assert asking.is_alive()
    world.reminders.close()
    asking.join()
    assert asking.answer is False
    assert world.reminders.remind(STRETCH, run("stretch")) is False
    assert world.cards == []


def test_a_stopped_run_waits_no_longer(qtbot: QtBot, world: World) -> None:
    one = run("stretch")
    asking = Asking(lambda: world.reminders.remind(STRETCH, one))
    asking.start()
    while not world.reminders._waiting:
        assert asking.is_alive()
    one.stop.request("stopped by you")
    asking.join()
    assert asking.answer is False


def test_words_that_are_too_long_are_cut_and_wrapped(qtbot: QtBot, look: Look) -> None:
    shown = Shown(task_id="a", title="x" * 200, message="y" * 5_000, due=NOON, at=NOON)
    card = ReminderCard(look, shown, BERLIN)
    card.fit()
    assert card.width() == look.px(334)
    assert card.height() < look.px(600)
    card.close()


def test_another_theme_dresses_an_open_card(qtbot: QtBot, world: World) -> None:
    world.remind(qtbot, STRETCH)
    light = world.card.grab().toImage()
    world.look.set_theme(Theme.DARK)
    assert world.card.grab().toImage() != light


# --- the pure parts


def test_tomorrow_is_at_nine_whatever_the_clocks_do() -> None:
    saturday = NOON + 86_400  # clocks go back in the night to Sunday
    assert snoozed_until(SNOOZES.index("Tomorrow, 09:00"), saturday, BERLIN) == saturday + 20 * 3_600


def test_a_reminder_of_one_line_has_no_more() -> None:
    one = Shown(task_id="a", title="Water", message=" Drink \n", due=NOON, at=NOON)
    assert (one.headline, one.rest, aside(one, BERLIN)) == ("Drink", "", "")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"snoozed": 3}', b"\xff"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert KeptFile(tmp_path).kept == Kept()


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    one = Snoozed(task_id="a", title="T", message="M", due=1.0, until=2.0)
    KeptFile(tmp_path).change(snoozed=(one,), told_of_tray=True)
    assert KeptFile(tmp_path).kept == Kept(snoozed=(one,), told_of_tray=True)


@pytest.mark.logs_warnings
def test_a_file_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("no folder")
    kept = KeptFile(tmp_path / "list")
    kept.change(told_of_tray=True)
    assert kept.kept.told_of_tray


def test_no_timer_is_longer_than_a_minute_however_far_away_the_instant(qtbot: QtBot) -> None:
    now = [NOON]
    awaited = Awaited(lambda: now[0])
    awaited.wait(NOON + 10 * 365 * 86_400)
    assert awaited.timer.interval() == MOST * 1_000
    now[0] += 5 * 365 * 86_400
    awaited.timer.timeout.emit()
    assert awaited.timer.isActive()
    now[0] += 6 * 365 * 86_400
    with qtbot.waitSignal(awaited.come):
        awaited.timer.timeout.emit()
    assert not awaited.timer.isActive()
