"""The menu at the right end of the tool bar, and the keys that work without it. UI thread."""

from collections.abc import Callable, Mapping

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktopsched.ui import plain
from desktopsched.ui.edits import Edits
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed


class _Spec(Struct, frozen=True):
    """One line."""

    name: str
    words: str
    keys: str = ""
    rule_before: bool = False


_SPECS = (
    _Spec("undo", "Undo", "Ctrl+Z"),
    _Spec("redo", "Redo", "Ctrl+Shift+Z"),
    _Spec("paste", "Paste tasks", "Ctrl+V"),
    _Spec("import", "Import crontab…", rule_before=True),
    _Spec("give-way", "Hand over to the other computers", rule_before=True),
    _Spec("preferences", "Preferences…", "Ctrl+,", rule_before=True),
    _Spec("keys", "Keys", "F1"),
    _Spec("diagnosis", "Diagnosis"),
    _Spec("errors", "Errors of the program"),
    _Spec("about", "About Desktopsched"),
    _Spec("quit", "Quit", "Ctrl+Q", rule_before=True),
)


class MainMenu(QToolButton):
    """Three lines that open a menu."""

    def __init__(
        self, look: Look, edits: Edits, acts: Mapping[str, Callable[[], object]], window: QWidget
    ) -> None:
        """`acts`: what each line does, by its name. Their keys work in all of `window`."""
        super().__init__(window)
        self._look, self._edits = look, edits
        self.setObjectName("menu")
        self.setAccessibleName("Menu")
        self.setToolTip("Menu (Alt or F10)")
        self.setShortcut(QKeySequence("F10"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the menu's right edge is at the button's
        menu = dressed(QMenu(self), look)
        self.actions_by_name: dict[str, QAction] = {}
        for spec in _SPECS:
            if spec.rule_before:
                menu.addSeparator()
            action = menu.addAction(spec.words)
            action.setShortcut(QKeySequence(spec.keys))
            action.triggered.connect(lambda _checked=False, act=acts[spec.name]: act())
            window.addAction(action)
            self.actions_by_name[spec.name] = action
        self.setMenu(menu)
        self._alt = False  # it was pressed, and nothing else since
        window.installEventFilter(self)
        edits.changed.connect(self._tell)
        look.changed.connect(self._dress)
        self._tell()
        self._dress()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Alt alone, pressed and let go, opens the menu, as it would lead into a menu bar."""
        kind = event.type()
        if kind in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride} and isinstance(event, QKeyEvent):
            self._alt = event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat()
        elif kind in {QEvent.Type.MouseButtonPress, QEvent.Type.WindowDeactivate}:
            self._alt = False
        elif kind is QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if self._alt and event.key() == Qt.Key.Key_Alt:
                self.showMenu()
            self._alt = False
        return super().eventFilter(watched, event)

    def _tell(self) -> None:
        for name, verb, words in (
            ("undo", "Undo", self._edits.undo_words),
            ("redo", "Redo", self._edits.redo_words),
        ):
            action = self.actions_by_name[name]
            action.setText(plain.button_text(f"{verb} {words}".strip()))
            action.setEnabled(bool(words))

    def _dress(self) -> None:
        self.setIcon(self._look.icon("menu"))
