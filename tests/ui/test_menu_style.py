import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QStyleOptionMenuItem
from pytestqt.qtbot import QtBot

from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import MenuStyle, dressed, parts


@pytest.mark.parametrize(
    ("written", "main", "aside"),
    [
        ("Run now\tF5", "Run now", "F5"),
        ("Stop\tShift+Esc", "Stop", "Shift Esc"),
        ("Redo\tCtrl+Shift+Z", "Redo", "Ctrl Shift Z"),
        ("Larger\tCtrl++", "Larger", "Ctrl +"),
        ("1 + 1", "1 + 1", ""),
    ],
)
def test_keys_are_written_apart_and_names_as_they_are(written: str, main: str, aside: str) -> None:
    option = QStyleOptionMenuItem()
    option.text = written
    assert parts(option) == (main, aside)


def test_a_checked_item_has_a_tick_and_an_unchecked_one_the_room_for_it(qtbot: QtBot, look: Look) -> None:
    menu = dressed(QMenu(), look)
    qtbot.addWidget(menu)
    action = QAction("Name", menu, checkable=True, checked=True)
    action.setShortcut(QKeySequence("Ctrl+D"))
    menu.addAction(action)
    assert isinstance(menu.style(), MenuStyle)
    with qtbot.waitExposed(menu):
        menu.popup(menu.pos())
    ticked = menu.grab().toImage()
    action.setChecked(False)
    assert menu.grab().toImage() != ticked
    assert menu.sizeHint().width() >= look.px(200)
    menu.close()
