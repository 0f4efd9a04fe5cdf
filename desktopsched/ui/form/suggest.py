"""A text with suggestions, searched as one types: groups, time zones, interpreters. UI thread."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QCompleter, QListView

from desktopsched.ui.form import paint
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.look import Look
from desktopsched.ui.row_delegate import draw_square

_SQUARE = 10


class Suggest(FieldBox):
    """A field whose words may be chosen too: the chevron and the Down key show all of them."""

    def __init__(
        self, look: Look, name: str, words: Sequence[str], *, icon: str = "", width: int = 0, empty: str = ""
    ) -> None:
        """`empty` is shown where there is nothing: what that means."""
        super().__init__(look, name, icon=icon, width=width)
        self.edit.setPlaceholderText(empty)
        self._words = QStringListModel(list(words), self)
        self._completer = QCompleter(self._words, self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setMaxVisibleItems(12)
        self._completer.highlighted.connect(self.edit.setText)
        self._completer.activated.connect(self._take)
        self._list = QListView()
        self._list.setObjectName("suggestions")
        self._list.setFont(look.font())
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMinimumWidth(look.px(width))
        self._list.setAccessibleName(f"Suggestions: {name}")
        self._completer.setPopup(self._list)
        # Not the field's own completer: that one would open over the lower edge of the frame.
        self._completer.setWidget(self.edit)
        self.edit.textEdited.connect(self._suggest)
        self.button = self.add_button("chevron-down", f"Show all: {name}")
        self.button.clicked.connect(self.show_all)

    def set_words(self, words: Sequence[str]) -> None:
        """Other suggestions."""
        self._words.setStringList(list(words))

    def show_all(self) -> None:
        """The whole list, whatever has been typed."""
        self.edit.setFocus()
        self._open("")

    def _suggest(self, typed: str) -> None:
        """What fits what was typed; nothing suggests nothing."""
        if typed:
            self._open(typed)
        else:
            self._list.hide()

    def _open(self, typed: str) -> None:
        self._list.setStyleSheet(self.window().styleSheet())
        self._completer.setCompletionPrefix(typed)
        # As the field sees it: the list is below the frame, and as wide.
        self._completer.complete(self.rect().translated(-self.edit.pos()))

    def _take(self, words: str) -> None:
        self.edit.setText(words)
        self.edited.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down opens the list."""
        if (
            watched is self.edit
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Down
        ):
            self.show_all()
            return True
        return super().eventFilter(watched, event)


class GroupBox(Suggest):
    """A group, with the square of its colour before it."""

    def __init__(self, look: Look, groups: Sequence[str], hue_of: Callable[[str], int]) -> None:
        super().__init__(look, "Group", groups, icon="square", width=164, empty="No group")
        self._hue_of = hue_of
        self.edit.textChanged.connect(lambda _text: self.update())

    def draw_icon(self, painter: QPainter) -> None:
        """The square, not an icon."""
        name, groups = self.edit.text(), self._look.tokens.groups
        colour = groups[self._hue_of(name) % len(groups)] if name else self._look.tokens.ctl
        side = self._look.px(_SQUARE)
        spot = QRect(paint.HALO + self._look.px(10), (self.height() - side) // 2, side, side)
        draw_square(painter, spot, colour, hollow=not name)
