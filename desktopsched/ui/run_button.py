"""Run now, and beside it an arrow to the other ways to run. UI thread."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed
from desktopsched.ui.task_menu import fill
from desktopsched.ui.wishes import Item, Wish

GAP = 3
"""Pixels, as drawn, that an icon of the tool bar stands further from its word than Qt puts it."""


class RunButton(QWidget):
    """One frame, two buttons. `ways` says what the menu offers when it opens, `ask` who is told what was chosen."""

    def __init__(
        self, look: Look, action: QAction, ways: Callable[[], Sequence[Item]], ask: Callable[[Wish], object]
    ) -> None:
        super().__init__()
        self._look, self._ways, self._ask = look, ways, ask
        self.run, self.arrow = QToolButton(), QToolButton()
        self.run.setDefaultAction(action)
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.run.setIconSize(QSize(look.px(16) + look.px(GAP), look.px(16)))
        self.menu = dressed(QMenu(self), look)
        self.menu.aboutToShow.connect(self._fill)
        self.arrow.setObjectName("ways")
        self.arrow.setAccessibleName("Other ways to run")
        self.arrow.setToolTip("Other ways to run")
        self.arrow.setIconSize(QSize(look.px(12), look.px(12)))
        self.arrow.clicked.connect(self._pop_up)
        self.arrow.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        action.changed.connect(lambda: self.arrow.setEnabled(action.isEnabled()))
        self.arrow.setEnabled(action.isEnabled())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.run)
        row.addWidget(self.arrow)
        look.changed.connect(self._dress)
        self._dress()

    def _pop_up(self) -> None:
        """Below both, as one button would."""
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _fill(self) -> None:
        self.menu.clear()
        fill(self.menu, self._ways(), self._look, self._ask)

    def _dress(self) -> None:
        self.arrow.setIcon(self._look.icon("chevron-down"))
