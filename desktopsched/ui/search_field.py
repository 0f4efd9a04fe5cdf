"""A field to search in, with a glass before the words and the key that leads to it. UI thread."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look

_WITH_KEYS = 160  # pixels, as drawn; below it there is no room for words and key


class SearchField(QLineEdit):
    """Says what is typed by `textChanged`; Esc empties it."""

    left = Signal()
    """Esc in an empty field, or Down: the reader goes on to what was found."""

    def __init__(self, look: Look, words: str, keys: str, *, small: bool = False) -> None:
        """`words` stand there while it is empty; `keys` leads into it, and is shown unless it is `small`."""
        super().__init__()
        self._look, self._small = look, small
        self.setObjectName("smallfield" if small else "field")
        self.setFont(look.font(12 if small else 13))
        self.setPlaceholderText(words)
        self.setAccessibleName(words)
        self.setToolTip(f"{words} ({keys})")
        self.setMaxLength(200)
        self._glass = QLabel(self)
        self._keys = plain.label(keys.replace("+", " "), look.font(11), "kbd")
        self._keys.setParent(self)
        self._clear = QToolButton(self)
        self._clear.setObjectName("clear")
        self._clear.setAccessibleName("Clear")
        self._clear.setToolTip("Clear (Esc)")
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.setIconSize(QSize(look.px(12), look.px(12)))
        self._clear.clicked.connect(self.clear)
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(self.begin)
        self.textChanged.connect(self._show_parts)
        look.changed.connect(self._dress)
        self._dress()
        self._show_parts()

    def begin(self) -> None:
        """Go into it, with what is there selected."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def _dress(self) -> None:
        tokens, size = self._look.tokens, self._look.px(12 if self._small else 14)
        self._glass.setPixmap(icons.pixmap("search", tokens.text3, size, self.devicePixelRatioF()))
        self._clear.setIcon(self._look.icon("close", tokens.text3))

    def _show_parts(self) -> None:
        self._clear.setVisible(bool(self.text()))
        px = self._look.px
        left = px(7 + (12 if self._small else 14) + 5)
        self.setTextMargins(left - px(4), 0, px(22) if self.text() else 0, 0)
        self._place()

    def _place(self) -> None:
        px, high = self._look.px, self.height()
        self._keys.setVisible(not self.text() and not self._small and self.width() >= px(_WITH_KEYS))
        for part in (self._glass, self._keys, self._clear):
            part.adjustSize()
        self._glass.move(px(8), (high - self._glass.height()) // 2)
        self._keys.move(self.width() - self._keys.width() - px(7), (high - self._keys.height()) // 2)
        self._clear.move(self.width() - self._clear.width() - px(4), (high - self._clear.height()) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Its parts stay at its edges."""
        super().resizeEvent(event)
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc empties it, and leaves it when it is empty."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Down}:
            self.left.emit()
        else:
            super().keyPressEvent(event)
