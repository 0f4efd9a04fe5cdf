"""The tool bar: its actions as data, and how they follow what is offered. UI thread."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QFont, QKeySequence
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.look import Look
from desktopsched.ui.offers import Offer, Offers
from desktopsched.ui.primary import PrimaryButton
from desktopsched.ui.run_button import GAP, RunButton
from desktopsched.ui.wishes import Item, Wish


class _Spec(Struct, frozen=True):
    """One button."""

    name: str
    words: str
    icon: str
    keys: str
    green: bool = False
    primary: bool = False
    rule_before: bool = False


_SPECS = (
    _Spec("new", "New task", "plus", "Ctrl+N", primary=True),
    _Spec("edit", "Edit", "pencil", "Ctrl+E"),
    _Spec("run", "Run now", "run", "F5", green=True, rule_before=True),
    _Spec("stop", "Stop", "stop", "Shift+Esc"),
    _Spec("pause", "Pause all", "pause", "Ctrl+P", rule_before=True),
)
_RESUME = ("Resume all", "resume")
_PADDING = 8  # pixels, as drawn, at the sides of the primary button


class ToolBar(QToolBar):
    """New task, Edit, Run now, Stop, Pause all; and what is added at the right end."""

    def __init__(
        self,
        look: Look,
        acts: Mapping[str, Callable[[], object]],
        ways: Callable[[], Sequence[Item]],
        ask: Callable[[Wish], object],
        parent: QWidget | None = None,
    ) -> None:
        """`acts`: what each button does, by its name; `ways` to run what is selected, and who is asked for one."""
        super().__init__("Tool bar", parent)
        self._look, self._ways, self._ask = look, ways, ask
        self._paused = False
        self.setMovable(False)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(look.px(16) + look.px(GAP), look.px(16)))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.buttons: dict[str, QWidget] = {}
        self.actions_by_name = {spec.name: self._make(spec, acts[spec.name]) for spec in _SPECS}
        self.run_after = self._make_run_after()
        look.changed.connect(self._dress)
        self._dress()

    def _make(self, spec: _Spec, act: Callable[[], object]) -> QAction:
        if spec.rule_before:
            self.addSeparator()
        action = QAction(spec.words, self)
        action.setShortcut(QKeySequence(spec.keys))
        action.triggered.connect(lambda _checked=False: act())
        button = self._button(spec, action)
        button.setObjectName(spec.name)
        button.setFont(self._look.font(weight=QFont.Weight.Medium))
        button.setAccessibleName(spec.words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.buttons[spec.name] = button
        return action

    def _button(self, spec: _Spec, action: QAction) -> QWidget:
        if spec.primary:
            primary = _primary(self._look, action, spec)
            self.addWidget(primary)
            return primary
        if spec.name != "run":
            self.addAction(action)
            return self.widgetForAction(action)
        pair = RunButton(self._look, action, self._ways, self._ask)
        self.addWidget(pair)
        self.run_button = pair
        return pair.run

    def _make_run_after(self) -> QAction:
        """A key alone: the line for it is in the menu of Run now."""
        action = QAction(Wish.RUN_AFTER.value, self)
        action.setShortcut(QKeySequence("Shift+F5"))
        action.triggered.connect(lambda _checked=False: self._ask(Wish.RUN_AFTER))
        self.run_button.addAction(action)
        return action

    def add_right(self, *parts: QWidget) -> None:
        """Put parts at the right end."""
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(room)
        for part in parts:
            self.addWidget(part)

    def offer(self, offers: Offers) -> None:
        """Enable what makes sense; say of the rest why it does not."""
        for spec in _SPECS:
            _apply(self.actions_by_name[spec.name], getattr(offers, spec.name))
        self.run_after.setEnabled(offers.run.enabled)
        if offers.paused != self._paused:
            self._paused = offers.paused
            self._dress()

    def _dress(self) -> None:
        for spec in _SPECS:
            action = self.actions_by_name[spec.name]
            colour = self._colour(spec)
            words, icon = _RESUME if spec.name == "pause" and self._paused else (spec.words, spec.icon)
            action.setIcon(self._look.icon(icon, colour, gap=GAP))
            action.setText(words)
            self.buttons[spec.name].setAccessibleName(words)

    def _colour(self, spec: _Spec) -> str:
        if spec.primary:
            return self._look.tokens.on_accent
        return self._look.tokens.states[State.SUCCEEDED].ink if spec.green else ""


def _primary(look: Look, action: QAction, spec: _Spec) -> PrimaryButton:
    """A button for the action with the ring of primary ones, which Qt's own button of a tool bar has no room for."""
    button = PrimaryButton(look, spec.words, spec.name, padding=_PADDING)
    button.addAction(action)  # its keys work in the window of a widget that it belongs to
    button.setIconSize(QSize(look.px(16) + look.px(GAP), look.px(16)))
    button.clicked.connect(action.trigger)

    def follow() -> None:
        button.setIcon(action.icon())
        button.setToolTip(action.toolTip())
        button.setEnabled(action.isEnabled())

    action.changed.connect(follow)
    return button


def _apply(action: QAction, offer: Offer) -> None:
    action.setEnabled(offer.enabled)
    action.setToolTip(plain.tip(offer.tip))
