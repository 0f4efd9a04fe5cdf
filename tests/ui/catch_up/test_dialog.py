from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMessageBox
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktopsched.model import CatchUp
from desktopsched.storage.preferences import Theme
from desktopsched.ui.catch_up.choices import Choices, Decision, MissedTask, Pick
from desktopsched.ui.catch_up.dialog import CatchUpDialog
from desktopsched.ui.catch_up.model import ChoicesModel, Column
from desktopsched.ui.look import Look
from tests.ui.scenery import BERLIN, MARKUP, NOON, task

DUMP = MissedTask(task=task("dump", "Database dump"), count=5, first=NOON - 9_000, last=NOON - 600, usual=60)
MAIL = MissedTask(task=task("mail", MARKUP), count=120, first=NOON - 9_000, last=NOON - 600)
CUT = MissedTask(task=task("cut"), interrupted=True, interrupted_at=NOON - 9_000)
FOLLOWED = {MARKUP: CatchUp.SKIP}


class Asked:
    """A window that was asked, and what came of it."""

    def __init__(self, look: Look, missed: Sequence[MissedTask], **more: Any) -> None:
        self.decisions: list[Decision] = []
        self.laters = 0
        self.dialog = CatchUpDialog(
            look, missed, now=lambda: NOON, zone=lambda: BERLIN, workers=2, followed=FOLLOWED, **more
        )
        self.dialog.decided.connect(self.decisions.extend)
        self.dialog.later.connect(self._later)
        self.dialog.show()

    def _later(self) -> None:
        self.laters += 1


@pytest.fixture
def asked(qtbot: QtBot, look: Look) -> Iterator[Asked]:
    asked = Asked(look, [DUMP, MAIL, CUT])
    yield asked
    if isValid(asked.dialog):
        asked.dialog.close()


def test_the_model_passes_the_model_tester(qtbot: QtBot) -> None:
    model = ChoicesModel(Choices([DUMP, MAIL]), lambda: NOON, lambda: BERLIN)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.pick(0, Pick.SKIP)
    model.follow([DUMP, MAIL, CUT])
    model.follow([])
    assert tester.model() is model


def test_keys_move_choose_remember_and_run(qtbot: QtBot, asked: Asked) -> None:
    table = asked.dialog.table
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Space):
        QTest.keyClick(table, key)
    assert asked.dialog.run_button.text() == "Run selected (1 run)"
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert asked.decisions == [
        Decision("cut", CatchUp.ASK, rerun=False, remember=False),
        Decision("dump", CatchUp.SKIP, rerun=False, remember=True),
        Decision("mail", CatchUp.LATEST, rerun=False, remember=False),
    ]
    assert asked.laters == 0


def test_a_click_on_a_segment_and_on_the_box(qtbot: QtBot, asked: Asked) -> None:
    table, model = asked.dialog.table, asked.dialog.model
    delegate = table.itemDelegate()
    cell = table.visualRect(model.index(1, Column.CHOICE))
    (_, place), *_ = delegate.segments(model.line(1), cell)  # type: ignore[attr-defined]
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert asked.dialog.choices.pick_of(1) is Pick.ALL
    box = table.visualRect(model.index(1, Column.REMEMBER)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=box)
    assert asked.dialog.choices.remembered(1)
    name = table.visualRect(model.index(1, Column.TASK)).topLeft() + QPoint(30, 5)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=name)
    assert asked.dialog.choices.remembered(1)


def test_more_than_fifty_runs_of_one_task_need_a_second_press(qtbot: QtBot, asked: Asked) -> None:
    asked.dialog.model.pick(2, Pick.ALL)
    QTest.mouseClick(asked.dialog.run_button, Qt.MouseButton.LeftButton)
    assert asked.decisions == []
    assert asked.dialog.run_button.text() == "Yes, start 122 runs"
    asked.dialog.model.pick(0, Pick.LEAVE)  # another choice asks anew
    QTest.mouseClick(asked.dialog.run_button, Qt.MouseButton.LeftButton)
    assert asked.decisions == []
    QTest.mouseClick(asked.dialog.run_button, Qt.MouseButton.LeftButton)
    assert [one.choice for one in asked.decisions] == [CatchUp.ASK, CatchUp.LATEST, CatchUp.ALL]


def test_skip_all_skips_and_leaves_what_was_interrupted(qtbot: QtBot, asked: Asked) -> None:
    assert asked.dialog.skip_button.text() == "Skip all 126"
    QTest.mouseClick(asked.dialog.skip_button, Qt.MouseButton.LeftButton)
    assert [one.choice for one in asked.decisions] == [CatchUp.ASK, CatchUp.SKIP, CatchUp.SKIP]
    assert not any(one.rerun for one in asked.decisions)


@pytest.mark.parametrize("how", ["button", "escape", "cross"])
def test_deciding_later_changes_nothing(qtbot: QtBot, asked: Asked, how: str) -> None:
    if how == "button":
        QTest.mouseClick(asked.dialog.later_button, Qt.MouseButton.LeftButton)
    elif how == "escape":
        QTest.keyClick(asked.dialog.table, Qt.Key.Key_Escape)
    else:
        asked.dialog.close()
    assert (asked.decisions, asked.laters) == ([], 1)


def test_set_all_sets_all(qtbot: QtBot, asked: Asked) -> None:
    (skip,) = [action for action in asked.dialog.table._menu.actions() if action.text() == "Skip"]
    skip.trigger()
    assert asked.dialog.choices.runs == 0


def test_the_button_has_the_sign_of_a_start_only_where_something_starts(asked: Asked) -> None:
    button, model = asked.dialog.run_button, asked.dialog.model
    assert not button.icon().isNull()
    model.pick_everywhere(Pick.SKIP)
    assert (button.text(), button.icon().isNull()) == ("Skip as chosen", True)
    model.pick_everywhere(Pick.LATEST)
    assert not button.icon().isNull()


def test_keys_on_the_set_all_button_open_its_menu_and_neither_choose_nor_run(
    qtbot: QtBot, asked: Asked
) -> None:
    button = asked.dialog.table.set_all
    asked.dialog.activateWindow()
    qtbot.waitUntil(asked.dialog.isActiveWindow)
    button.setFocus()
    before = asked.dialog.run_button.text()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
        button.setFocus()
        QTest.keyClick(button, key)
    assert asked.dialog.run_button.text() == before
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    assert asked.decisions == []


def test_the_set_all_button_stands_at_the_end_of_its_column(qtbot: QtBot, asked: Asked) -> None:
    table = asked.dialog.table
    head = table.horizontalHeader()
    end = head.sectionViewportPosition(Column.REMEMBER)
    assert end - 20 < table.set_all.geometry().right() < end
    asked.dialog.resize(1_000, 500)
    end = head.sectionViewportPosition(Column.REMEMBER)
    assert end - 20 < table.set_all.geometry().right() < end


def test_more_that_is_missed_comes_in_and_nothing_left_closes_it(qtbot: QtBot, asked: Asked) -> None:
    asked.dialog.model.pick(1, Pick.SKIP)
    asked.dialog.follow([DUMP], {})
    assert asked.dialog.choices.pick_of(0) is Pick.SKIP
    assert "1 task missed 5 runs" in asked.dialog.headline.text()
    asked.dialog.follow([], {})
    assert not asked.dialog.isVisible()
    assert (asked.decisions, asked.laters) == ([], 0)


def test_others_are_listed_as_plain_text(qtbot: QtBot, asked: Asked) -> None:
    QTest.mouseClick(asked.dialog.show_others, Qt.MouseButton.LeftButton)
    (box,) = asked.dialog.findChildren(QMessageBox)
    assert MARKUP in box.detailedText()
    assert box.textFormat() is Qt.TextFormat.PlainText
    box.close()


def test_no_label_takes_a_name_for_markup_and_each_row_is_a_sentence(qtbot: QtBot, asked: Asked) -> None:
    for label in asked.dialog.findChildren(QLabel):
        assert not label.pixmap().isNull() or label.textFormat() is Qt.TextFormat.PlainText
    said = asked.dialog.model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith(f"{MARKUP} missed 120 runs")


def test_another_theme_dresses_it_while_it_is_open(qtbot: QtBot, asked: Asked, look: Look) -> None:
    light = asked.dialog.grab().toImage()
    look.set_theme(Theme.DARK)
    assert asked.dialog.grab().toImage() != light


def test_more_that_is_missed_takes_nobody_away_from_the_row_that_he_is_at(qtbot: QtBot, look: Look) -> None:
    many = [MissedTask(task=task(f"t{number:03}"), count=2, first=NOON, last=NOON) for number in range(60)]
    asked = Asked(look, many)
    table, model = asked.dialog.table, asked.dialog.model
    table.selectRow(3)
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum() // 2)
    place = table.verticalScrollBar().value()
    asked.dialog.follow([CUT, *many], {})
    assert model.line(table.currentIndex().row()).missed.task.id == "t003"
    assert table.verticalScrollBar().value() == place
    asked.dialog.follow(many[:2], {})
    assert model.line(table.currentIndex().row()).missed.task.id == "t001"  # its own row is gone
    asked.dialog.close()


def test_home_and_end_go_to_the_first_and_the_last_row(qtbot: QtBot, asked: Asked) -> None:
    table = asked.dialog.table
    QTest.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == 2
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0
