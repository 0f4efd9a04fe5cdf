"""The menu of a link: on which outcome of the parent its child runs. UI thread."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from desktopsched.model import On
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed

_WORDS = {On.SUCCESS: "After success", On.FAILURE: "After failure", On.FINISH: "After either"}


def link_menu(
    on: On, choose: Callable[[On], object], remove: Callable[[], object], look: Look, parent: QWidget
) -> QMenu:
    """The menu for a link that is met by `on`; it deletes itself when it is closed."""
    menu = dressed(QMenu(parent), look)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    group = QActionGroup(menu)
    for condition, words in _WORDS.items():
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(condition is on)
        action.triggered.connect(lambda _checked=False, condition=condition: choose(condition))
        group.addAction(action)
    menu.addSeparator()
    menu.addAction("Remove link").triggered.connect(lambda _checked=False: remove())
    return menu
