"""Suggestions below a field: where they open, and what keys do with them."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktopsched.model import Cron
from desktopsched.ui.form.suggest import Suggest
from tests.ui.form.conftest import OpenForm
from tests.ui.scenery import task

OTHERS = (task("a", group="Notes"), task("b", group="Night"))


def group_of(open_form: OpenForm) -> Suggest:
    form = open_form(None, *OTHERS, shown=True)
    form.page.general.group.edit.setFocus()
    return form.page.general.group


def popup() -> QWidget:
    """What is open, with the keys of all windows."""
    found = QApplication.activePopupWidget()
    assert found is not None
    return found


def test_suggestions_open_below_the_frame_of_the_field_whether_asked_for_or_as_one_types(
    open_form: OpenForm,
) -> None:
    group = group_of(open_form)
    foot = group.mapToGlobal(QPoint(0, group.height())).y()
    QTest.keyClicks(group.edit, "No")
    assert popup().geometry().top() >= foot - 1
    typed = popup().geometry()
    QTest.keyClick(popup(), Qt.Key.Key_Escape)
    QTest.keyClick(group.edit, Qt.Key.Key_Down)
    assert (popup().x(), popup().y(), popup().width()) == (typed.x(), typed.y(), typed.width())
    popup().close()


def test_typing_goes_on_while_suggestions_are_open_and_down_and_enter_take_one(
    qtbot: QtBot, open_form: OpenForm
) -> None:
    group = group_of(open_form)
    QTest.keyClicks(group.edit, "n")
    QTest.keyClicks(popup(), "ot")
    assert group.edit.text() == "not"
    QTest.keyClick(popup(), Qt.Key.Key_Down)
    with qtbot.waitSignal(group.edited):
        QTest.keyClick(popup(), Qt.Key.Key_Return)
    assert group.edit.text() == "Notes"
    assert QApplication.activePopupWidget() is None


def test_escape_closes_the_suggestions_alone_and_what_was_typed_stays(open_form: OpenForm) -> None:
    group = group_of(open_form)
    QTest.keyClicks(group.edit, "no")
    QTest.keyClick(popup(), Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    assert group.window().isVisible()
    assert group.edit.text() == "no"


def test_a_field_that_is_emptied_suggests_nothing(open_form: OpenForm) -> None:
    group = group_of(open_form)
    QTest.keyClicks(group.edit, "n")
    QTest.keyClick(popup(), Qt.Key.Key_Backspace)
    assert QApplication.activePopupWidget() is None


def test_tab_leaves_a_field_whose_suggestions_are_open(open_form: OpenForm) -> None:
    form = open_form(task("x", schedule=Cron("@daily")), *OTHERS, shown=True)
    group = form.page.general.group
    group.edit.setFocus()
    QTest.keyClicks(group.edit, "no")
    QTest.keyClick(popup(), Qt.Key.Key_Tab)
    assert QApplication.activePopupWidget() is None
    assert form.focusWidget() is form.page.general.priority
