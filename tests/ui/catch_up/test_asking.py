from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktopsched.engine.absence import Absence, Why
from desktopsched.engine.events import ClaimsGoOn, ClaimsWithheld, Event, RunsMissed
from desktopsched.model import CatchUp, State
from desktopsched.ui.catch_up.asking import Asking
from desktopsched.ui.catch_up.choices import Pick
from desktopsched.ui.look import Look
from desktopsched.ui.rows import Rows
from tests.ui.scenery import BERLIN, NOON, run, status, task


class World:
    """Rows and a clock that are set by hand."""

    def __init__(self, look: Look) -> None:
        self.rows, self.now = Rows(), NOON
        self.window = QWidget()
        self.asking = Asking(
            look,
            self.rows.all,
            now=lambda: self.now,
            zone=lambda: BERLIN,
            workers=lambda: 4,
            parent=self.window,
        )
        self.asking._settle.setInterval(0)

    def misses(
        self, task_id: str, count: int, policy: CatchUp = CatchUp.ASK, absence: Absence | None = None
    ) -> RunsMissed:
        asked = count if policy is CatchUp.ASK else 0
        shown = status(missed=asked, missed_first=NOON - 600, missed_last=NOON - 60)
        self.rows.add(task(task_id), shown)
        return RunsMissed(
            at=NOON,
            task_id=task_id,
            first=NOON,
            last=NOON,
            count=count,
            policy=policy,
            status=shown,
            absence=absence,
        )

    def asks(self) -> bool:
        return self.asking.dialog is not None

    def dismiss(self) -> None:
        assert self.asking.dialog is not None
        self.asking.dialog.reject()

    def headline(self) -> str:
        assert self.asking.dialog is not None
        return self.asking.dialog.headline.text()


@pytest.fixture
def world(qtbot: QtBot, look: Look) -> Iterator[World]:
    world = World(look)
    yield world
    world.asking.close()
    world.window.close()


def test_at_launch_it_asks_about_the_time_that_it_was_closed(qtbot: QtBot, world: World) -> None:
    events: list[Event] = [world.misses("a", 3), world.misses("b", 1, CatchUp.LATEST)]
    world.asking.hear(events)
    assert not world.asking._settle.isActive()
    world.asking.opened(NOON - 7_200)
    qtbot.waitUntil(lambda: world.asking.dialog is not None)
    assert world.headline() == "While Desktopsched was closed (12:00 – 14:00), 1 task missed 3 runs"
    assert world.asking.dialog is not None
    assert world.asking.dialog.others.text().startswith("1 other task follows its own rule")


def test_while_nothing_can_be_claimed_it_asks_only_who_wants_to_decide(qtbot: QtBot, world: World) -> None:
    """A shared list that is out of reach: who was asked could start nothing, and knows not what others ran."""
    world.asking.opened(None)
    with qtbot.waitSignal(world.asking._settle.timeout):
        world.asking.hear([ClaimsWithheld(at=NOON, reason="out of reach"), world.misses("a", 3)])
    assert not world.asks()
    world.asking.ask()
    assert world.asks()
    world.dismiss()
    with qtbot.waitSignal(world.asking._settle.timeout):
        world.asking.hear([ClaimsGoOn(at=NOON)])
    assert world.headline() == "1 task missed 3 runs"


def test_with_nothing_to_decide_nothing_is_asked(qtbot: QtBot, world: World) -> None:
    world.asking.opened(NOON - 7_200)
    with qtbot.waitSignal(world.asking._settle.timeout):
        pass
    assert world.asking.dialog is None


def test_later_it_says_why_runs_were_missed_as_far_as_that_is_known(qtbot: QtBot, world: World) -> None:
    world.asking.opened(NOON - 7_200)
    world.now += 100_000
    slept = Absence(Why.SLEPT, NOON - 7_200, NOON - 3_600)
    world.asking.hear([world.misses("a", 3, absence=slept)])
    qtbot.waitUntil(lambda: world.asking.dialog is not None)
    assert world.headline().startswith("While the computer slept (12:00 – 13:00)")
    world.asking.hear([world.misses("b", 1)])
    qtbot.waitUntil(lambda: world.headline() == "2 tasks missed 4 runs")


def test_an_interrupted_run_is_asked_about_too(qtbot: QtBot, world: World) -> None:
    shown = status(State.FAILED, interrupted=run("a"), interrupted_at=NOON - 60)
    world.rows.add(task("a"), shown)
    world.asking.opened(None)
    qtbot.waitUntil(lambda: world.asking.dialog is not None)
    assert world.headline() == "1 run was interrupted"


def test_it_asks_again_in_an_hour_and_once_only(qtbot: QtBot, world: World) -> None:
    world.misses("a", 3)
    world.asking.opened(None)
    qtbot.waitUntil(lambda: world.asking.dialog is not None)
    first = world.asking.dialog
    world.asking.ask()
    assert world.asking.dialog is first
    assert first is not None
    first.reject()
    assert world.asking.dialog is None
    assert world.asking._again.isActive()
    assert world.asking._again.interval() == 3_600_000
    world.asking._again.timeout.emit()
    assert world.asking.dialog is not None


def test_what_was_decided_is_handed_on(qtbot: QtBot, world: World) -> None:
    world.misses("a", 3)
    world.asking.ask()
    assert world.asking.dialog is not None
    with qtbot.waitSignal(world.asking.decided) as told:
        world.asking.dialog.skip()
    assert told.args == [[("a", CatchUp.SKIP, False, False)]]
    assert not world.asking._again.isActive()


def test_an_answer_from_elsewhere_closes_it(qtbot: QtBot, world: World) -> None:
    world.misses("a", 3)
    world.asking.ask()
    world.rows.add(task("a"), status())
    world.asking.hear([])
    qtbot.waitUntil(lambda: world.asking.dialog is None)


def test_runs_that_come_and_go_leave_an_open_window_as_it_is(qtbot: QtBot, world: World) -> None:
    world.misses("a", 300)
    world.asking.ask()
    assert world.asking.dialog is not None
    world.asking.dialog.model.pick_everywhere(Pick.ALL)
    world.asking.dialog.run()
    said = world.asking.dialog.run_button.text()
    assert said.startswith("Yes")
    with qtbot.assertNotEmitted(world.asking.dialog.model.modelReset):
        world.asking.ask()
    assert world.asking.dialog.run_button.text() == said
