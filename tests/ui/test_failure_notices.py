from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktopsched.engine import words
from desktopsched.engine.events import Event
from desktopsched.model import OnFailure, Outcome, State, Task
from desktopsched.ui.alerts import failures
from desktopsched.ui.alerts.failure_card import FailureCard
from desktopsched.ui.alerts.failures import QUIET, Failing, Failures
from desktopsched.ui.alerts.stack import Stack
from desktopsched.ui.failure_notices import FailureNotices
from desktopsched.ui.look import Look
from tests.ui.scenery import BERLIN, MARKUP, NOON, finished, removed, run, task

BAD, GOOD = Outcome(State.FAILED, "exit code 1", 1), Outcome(State.SUCCEEDED)


class World:
    """Notices of tasks that are there, and what was asked for."""

    def __init__(self, look: Look) -> None:
        self.stack, self.hidden, self.can_say = Stack(look), False, True
        self.tasks: dict[str, Task] = {}
        self.said: list[tuple[str, str]] = []
        self.asked: list[tuple[object, ...]] = []
        self.runs = 0
        self.notices = FailureNotices(
            look,
            self.stack,
            self.tasks.get,
            zone=lambda: BERLIN,
            hidden=lambda: self.hidden,
            say=self._say,
        )
        self.notices.log_wanted.connect(lambda *log: self.asked.append(("log", *log)))
        self.notices.resume_wanted.connect(lambda one: self.asked.append(("resume", one)))

    def _say(self, title: str, text: str) -> bool:
        if self.can_say:
            self.said.append((title, text))
        return self.can_say

    def ends(self, task_id: str, outcome: Outcome = BAD, at: float = NOON, **more: Any) -> None:
        self.notices.hear([self.end(task_id, outcome, at, **more)])

    def end(self, task_id: str, outcome: Outcome = BAD, at: float = NOON, **more: Any) -> Event:
        self.tasks.setdefault(task_id, task(task_id, **more))
        self.runs += 1
        return finished(run(task_id, self.runs), outcome, at)

    @property
    def card(self) -> FailureCard:
        (card,) = self.stack.cards.values()
        assert isinstance(card, FailureCard)
        return card

    def headline(self) -> str:
        return self.card._headline.text().replace("\u200b", "")


@pytest.fixture
def world(qtbot: QtBot, look: Look) -> Iterator[World]:
    world = World(look)
    yield world
    world.stack.close()


def test_a_failure_is_told_for_twelve_seconds(qtbot: QtBot, world: World) -> None:
    world.ends("renew", name="Renew certificates")
    assert world.headline() == "Renew certificates failed"
    assert world.card._details.text() == "Exit code 1."
    assert world.card.resume_button.isHidden()
    assert world.card.timer.interval() == 12_000
    world.card.timer.timeout.emit()
    assert world.stack.cards == {}


def test_it_stays_while_the_pointer_is_on_it(qtbot: QtBot, world: World) -> None:
    world.ends("renew")
    place = QPointF(5, 5)
    world.card.enterEvent(QEnterEvent(place, place, place))
    assert not world.card.timer.isActive()
    world.card.leaveEvent(QEvent(QEvent.Type.Leave))
    assert world.card.timer.isActive()


def test_a_task_that_pauses_on_failure_can_be_resumed(qtbot: QtBot, world: World) -> None:
    world.ends("renew", on_failure=OnFailure.PAUSE)
    assert world.card._details.text() == "Exit code 1, so the task is paused."
    QTest.mouseClick(world.card.resume_button, Qt.MouseButton.LeftButton)
    assert world.asked == [("resume", "renew")]
    assert world.stack.cards == {}


def test_show_log_shows_the_latest_run(qtbot: QtBot, world: World) -> None:
    world.ends("renew")
    world.ends("renew")
    QTest.mouseClick(world.card.log_button, Qt.MouseButton.LeftButton)
    assert world.asked == [("log", "renew", 2)]


def test_a_task_that_ignores_failures_and_other_outcomes_are_not_told(qtbot: QtBot, world: World) -> None:
    world.ends("a", on_failure=OnFailure.IGNORE)
    world.ends("b", GOOD)
    world.ends("c", Outcome(State.CANCELLED, "stopped by you"))
    world.ends("d", Outcome(State.FAILED, words.INTERRUPTED))
    assert world.stack.cards == {}


def test_u09_a_task_that_fails_each_second_has_one_notice_and_then_is_quiet(
    qtbot: QtBot, world: World
) -> None:
    for second in range(1_000):
        world.ends("a", at=NOON + second)
        assert len(world.stack.cards) + len(world.stack.waiting) <= 1
        if second == 12:
            assert world.headline() == "A failed 13 times since 14:00"
            world.card.timer.timeout.emit()
        if second == QUIET:
            assert world.headline() == "A failed 601 times since 14:00"
    assert len(world.notices._failures._failing) == 1


def test_a_repeat_does_not_keep_the_notice_longer(qtbot: QtBot, world: World) -> None:
    world.ends("a")
    world.card.timer.setInterval(60_000)
    world.card.timer.start()
    left = world.card.timer.remainingTime()
    world.ends("a")
    assert world.card.timer.remainingTime() <= left


def test_many_failures_of_a_batch_are_told_once(qtbot: QtBot, world: World) -> None:
    world.notices.hear([world.end("a", at=NOON + second) for second in range(500)])
    assert world.headline() == "A failed 500 times since 14:00"


def test_a_thousand_tasks_that_fail_show_three_notices(qtbot: QtBot, world: World) -> None:
    world.notices.hear([world.end(f"t{number}") for number in range(1_000)])
    assert len(world.stack.cards) == 3
    assert world.stack._said.text() == "997 more"


def test_a_success_ends_the_count(qtbot: QtBot, world: World) -> None:
    world.ends("a")
    world.card.leave()
    world.ends("a", GOOD)
    world.ends("a", at=NOON + 60)
    assert world.headline() == "A failed"


def test_a_task_that_is_removed_takes_its_notice_along(qtbot: QtBot, world: World) -> None:
    world.ends("a")
    world.notices.hear([removed("a")])
    assert world.stack.cards == {}


def test_while_the_window_is_hidden_the_desktop_tells(qtbot: QtBot, world: World) -> None:
    world.hidden = True
    world.ends("a")
    world.ends("a", at=NOON + 60)
    assert world.said == [("A failed", "Exit code 1.")]
    assert world.stack.cards == {}


def test_a_desktop_that_cannot_tell_leaves_it_to_us(qtbot: QtBot, world: World) -> None:
    world.hidden, world.can_say = True, False
    world.ends("a")
    assert world.headline() == "A failed"


def test_all_words_are_plain_text(qtbot: QtBot, world: World) -> None:
    world.ends("a", Outcome(State.FAILED, MARKUP), name=MARKUP)
    assert world.headline() == f"{MARKUP} failed"
    for label in world.card.findChildren(QLabel):
        assert label.textFormat() is Qt.TextFormat.PlainText or not label.pixmap().isNull()


def test_a_long_name_leaves_room_for_what_happened() -> None:
    one = Failing(task=task("a", "x" * 200), run=run("a"), reason="", at=NOON, since=NOON, count=4)
    assert failures.headline(one, BERLIN).endswith("x… failed 4 times since 14:00")


def test_words_of_a_failure() -> None:
    one = Failing(task=task("a"), run=run("a", attempt=3), reason="exit code 1", at=NOON, since=NOON)
    assert failures.details(one) == "Exit code 1 after 3 attempts."
    silent = Failing(task=task("a"), run=run("a"), reason="", at=NOON, since=NOON)
    assert failures.details(silent) == "No reason was given."


def test_the_quiet_begins_when_it_is_told_and_ends_by_itself() -> None:
    known = Failures()
    for at, may in [(0.0, True), (10.0, False), (QUIET - 1, False), (QUIET, True), (QUIET + 1, False)]:
        failing = known.ended(task("a"), run("a"), BAD, NOON + at)
        assert failing is not None
        assert known.may_tell(failing) is may
