"""The menu of the task table, and its keys. UI thread; it says what is wished for."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed
from desktopsched.ui.row import Row
from desktopsched.ui.wishes import Item, Wish, items

_KEYS = {
    "Return": Wish.EDIT,
    "Enter": Wish.EDIT,
    "Ctrl+E": Wish.EDIT,
    "Space": Wish.LOG,
    "Del": Wish.REMOVE,
    "Ctrl+D": Wish.DUPLICATE,
    "Ctrl+C": Wish.COPY,
}
_ONE_ONLY = frozenset({Wish.EDIT, Wish.LOG})


def task_menu(rows: Sequence[Row], look: Look, ask: Callable[[Wish], object], parent: QWidget) -> QMenu:
    """The menu for these tasks; it deletes itself when it is closed."""
    menu = dressed(QMenu(parent), look)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    fill(menu, items(rows), look, ask)
    return menu


def fill(menu: QMenu, found: Sequence[Item], look: Look, ask: Callable[[Wish], object]) -> None:
    """Put these lines into a menu."""
    menu.setToolTipsVisible(True)
    for item in found:
        if item.rule_before:
            menu.addSeparator()
        menu.addAction(_action(item, look, ask, menu))


def _action(item: Item, look: Look, ask: Callable[[Wish], object], menu: QMenu) -> QAction:
    action = QAction(item.text, menu)
    if item.icon:
        action.setIcon(look.icon(item.icon))
    action.setShortcut(QKeySequence(item.keys))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)  # shown here; the table hears the key itself
    action.setShortcutVisibleInContextMenu(True)
    action.setEnabled(not item.why_not)
    action.setToolTip(item.why_not)
    action.triggered.connect(lambda _checked=False: ask(item.wish))
    return action


def wish_of(event: QKeyEvent, tasks: int) -> Wish | None:
    """What a key asks for, with so many tasks selected."""
    pressed = QKeySequence(event.keyCombination())
    for keys, wish in _KEYS.items():
        if pressed == QKeySequence(keys):
            return wish if tasks and (tasks == 1 or wish not in _ONE_ONLY) else None
    return None
