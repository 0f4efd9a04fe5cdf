"""The head of the graph: what is shown, the legend, zoom. UI thread; it says what is wanted."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from desktopsched.ui import plain
from desktopsched.ui.graph.legend import Legend
from desktopsched.ui.graph.plan import EVERYTHING, SELECTED, Choice
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed

_AROUND = 40  # margins and gaps
_LEAST = 330
_LONGEST = 24  # characters of a group's name


class GraphHead(QWidget):
    """A pane's head. `choice` is what the person picked."""

    picked = Signal()
    zoom_in = Signal()
    zoom_out = Signal()
    zoom_whole = Signal()
    fit = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.choice: Choice = EVERYTHING
        self._groups: list[str] = []
        self.setObjectName("head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(32))
        self.legend = Legend(look)
        self.picker = self._button("What is shown", text=True)
        self._menu = dressed(QMenu(self.picker), look)
        self._exclusive = QActionGroup(self._menu)
        self.picker.setMenu(self._menu)
        self.picker.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.smaller = self._button("Smaller", self.zoom_out.emit)
        self.whole = self._button("As drawn, 100 %", self.zoom_whole.emit, text=True)
        self.larger = self._button("Larger", self.zoom_in.emit)
        self.fitting = self._button("Show all of it", self.fit.emit)
        self._lay_out()
        self.offer([])
        self.tell_zoom(1.0)
        look.changed.connect(self.dress)
        self.dress()

    def _lay_out(self) -> None:
        px = self._look.px
        layout = QHBoxLayout(self)
        layout.setContentsMargins(px(12), 0, px(8), 0)
        layout.setSpacing(px(2))
        title = plain.label("Dependencies", self._look.font(12.5, QFont.Weight.DemiBold))
        layout.addWidget(title)
        layout.addWidget(self.picker)
        layout.addStretch()
        layout.addWidget(self.legend)
        self._rule = QFrame()
        self._rule.setFixedSize(1, px(16))
        layout.addWidget(self._rule)
        layout.addSpacing(px(2))
        for button in (self.smaller, self.whole, self.larger, self.fitting):
            button.setObjectName("zoom")
            layout.addWidget(button)
        self.whole.setMinimumWidth(px(34))
        self._others = (title, self.picker, self.smaller, self.whole, self.larger, self.fitting)

    def _button(
        self, name: str, act: Callable[[], object] | None = None, *, text: bool = False
    ) -> QToolButton:
        button = QToolButton()
        button.setAccessibleName(name)
        button.setToolTip(plain.tip(name))
        button.setFont(self._look.font(11.5 if act and text else 12, QFont.Weight.Medium))
        button.setIconSize(QSize(self._look.px(14), self._look.px(14)))
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if text else Qt.ToolButtonStyle.ToolButtonIconOnly
        button.setToolButtonStyle(style)
        if act is not None:
            button.clicked.connect(act)
        return button

    def dress(self) -> None:
        """Another look."""
        self.picker.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # its arrow stands after the word
        self.picker.setIcon(self._look.icon("chevron-down"))
        for button, icon in ((self.smaller, "minus"), (self.larger, "plus"), (self.fitting, "fit")):
            button.setIcon(self._look.icon(icon))
        self._rule.setStyleSheet(f"background: {self._look.tokens.line2}; border: 0;")
        self.legend.update()

    def tell_zoom(self, zoom: float) -> None:
        """The zoom as it is now."""
        self.whole.setText(f"{zoom * 100:.0f}%")

    # --- the picker ----------------------------------------------------------------------------------------

    def offer(self, groups: Sequence[str]) -> None:
        """What can be picked: a group that is no more gives way to everything."""
        if list(groups) == self._groups and self._menu.actions():
            return
        self._groups = list(groups)
        if self.choice.group is not None and self.choice.group not in groups:
            self.pick(EVERYTHING)
        self._menu.clear()
        for choice in (EVERYTHING, SELECTED, *(Choice(group=group) for group in groups)):
            if choice.group is not None and choice.group == self._groups[0]:
                self._menu.addSeparator()
            action = QAction(plain.button_text(_words(choice)), self._menu, checkable=True)
            action.setChecked(choice == self.choice)
            action.triggered.connect(lambda _=False, choice=choice: self.pick(choice))
            self._exclusive.addAction(action)
            self._menu.addAction(action)
        self.picker.setText(plain.button_text(_words(self.choice)))

    def pick(self, choice: Choice) -> None:
        """Show this from now on."""
        self.picker.setText(plain.button_text(_words(choice)))
        for action in self._menu.actions():
            action.setChecked(action.text() == plain.button_text(_words(choice)))
        if choice != self.choice:
            self.choice = choice
            self.picked.emit()

    def pick_again(self, choice: Choice) -> None:
        """What was picked when the window was closed, if there still is such a group."""
        if choice.group is None or choice.group in self._groups:
            self.pick(choice)

    def minimumSizeHint(self) -> QSize:
        """Without the legend, which goes first."""
        return QSize(self._look.px(_LEAST), self._look.px(32))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more room, or less."""
        super().resizeEvent(event)
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        """Only now the style sheet has given the buttons their sizes."""
        super().showEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Without room the legend goes first."""
        others = sum(one.sizeHint().width() for one in self._others)
        room = self.width() - others - self._look.px(_AROUND) >= self.legend.sizeHint().width()
        self.legend.setVisible(room)
        self._rule.setVisible(room)


def _words(choice: Choice) -> str:
    if choice.only_selected:
        return "Only the selected task’s"
    if choice.group is None:
        return "All linked tasks"
    return choice.group if len(choice.group) <= _LONGEST else f"{choice.group[: _LONGEST - 1].rstrip()}…"
