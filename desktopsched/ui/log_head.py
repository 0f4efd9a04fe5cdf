"""The head of the live log: picker, find, follow, wrap, more. UI thread; it shows and asks, the panel does."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from desktopsched.ui import plain
from desktopsched.ui.log_source import ALL, Source
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed
from desktopsched.ui.search_field import SearchField

Offered = Callable[[], Sequence[Sequence[Source]]]
"""What can be picked beside everything, in parts."""

_NAME_MOST = 150  # pixels, as drawn, of what the picker shows
# Of the field: at most, while something is in it, and empty.
_FIELD_MOST, _FIELD_USED, _FIELD_LEAST = 124, 112, 70
_NARROW = 540  # below it the title gives way to what is looked for


class LogHead(QWidget):
    """One line of controls."""

    picked = Signal(object)
    """A `Source`."""

    stepped = Signal(int)
    """To the next hit: 1; to the one before: −1."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.offered: Offered = tuple
        self.setObjectName("head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(32))
        self.picker, self.menu_button = QToolButton(), QToolButton()
        self.field = SearchField(look, "Find in log", "Ctrl+L", small=True)
        self.count = plain.label("", look.font(12), "count")
        self.follow = self._switch("Follow", "Stay with the newest line. Scrolling up lets it go")
        self.follow.setObjectName("follow")
        self.wrap = self._switch("", "Wrap long lines")
        self.wrap.setAccessibleName("Wrap long lines")
        self.more_menu = dressed(QMenu(self), look)
        self._set_up_picker()
        self._set_up_more()
        self._lay_out()
        for keys, by in (("F3", 1), ("Shift+F3", -1)):
            step = QAction(self, shortcut=QKeySequence(keys))
            step.triggered.connect(lambda _checked=False, by=by: self.stepped.emit(by))
            self.addAction(step)
        self.field.returnPressed.connect(lambda: self.stepped.emit(1))
        self.field.textChanged.connect(self._make_room)
        look.changed.connect(self._dress)
        self.show_source(ALL)
        self._make_room()
        self._dress()

    def _switch(self, words: str, tip: str) -> QToolButton:
        found = QToolButton()
        found.setText(words)
        found.setFont(self._look.font(12, QFont.Weight.Medium))
        found.setCheckable(True)
        found.setIconSize(QSize(self._look.px(14), self._look.px(14)))
        found.setToolButtonStyle(
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon if words else Qt.ToolButtonStyle.ToolButtonIconOnly
        )
        found.setToolTip(tip)
        return found

    def _set_up_picker(self) -> None:
        self.picker.setObjectName("picker")
        self.picker.setFont(self._look.font(12, QFont.Weight.Medium))
        self.picker.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        self.picker.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.picker.setIconSize(QSize(self._look.px(12), self._look.px(12)))
        self.picker.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.picker_menu = dressed(QMenu(self), self._look)
        self.picker_menu.aboutToShow.connect(self._fill)
        self.picker.setMenu(self.picker_menu)

    def _set_up_more(self) -> None:
        button = self.menu_button
        button.setAccessibleName("More")
        button.setToolTip("More")
        button.setIconSize(QSize(self._look.px(14), self._look.px(14)))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(self.more_menu)

    def _lay_out(self) -> None:
        px = self._look.px
        layout = QHBoxLayout(self)
        layout.setContentsMargins(px(12), 0, px(8), 0)
        layout.setSpacing(px(6))
        self.title = plain.label("Live log", self._look.font(12.5, QFont.Weight.DemiBold))
        layout.addWidget(self.title)
        layout.addWidget(self.picker)
        layout.addStretch()
        layout.addWidget(self.count)
        self.field.setMaximumWidth(px(_FIELD_MOST))
        for part in (self.field, self.follow, self.wrap, self.menu_button):
            layout.addWidget(part)

    def _dress(self) -> None:
        look, accent = self._look, self._look.tokens.accent
        self.follow.setIcon(look.icon("follow", accent if self.follow.isChecked() else ""))
        self.wrap.setIcon(look.icon("wrap", accent if self.wrap.isChecked() else ""))
        self.menu_button.setIcon(look.icon("more"))
        self.picker.setIcon(look.icon("chevron-down"))

    def _make_room(self) -> None:
        """What is typed can be read, also where there is little room."""
        px, used = self._look.px, bool(self.field.text())
        self.title.setVisible(not used or self.width() >= px(_NARROW))
        self.field.setMinimumWidth(px(_FIELD_USED if used else _FIELD_LEAST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._make_room()

    # --- what it shows -------------------------------------------------------------------------------------

    def show_source(self, source: Source) -> None:
        """Say what is shown."""
        metrics = QFontMetrics(self.picker.font())
        words = metrics.elidedText(source.words, Qt.TextElideMode.ElideRight, self._look.px(_NAME_MOST))
        self.picker.setText(plain.button_text(words))
        self.picker.setToolTip(plain.tip(source.words))
        self.picker.setAccessibleName(f"Shown in the log: {source.words}")

    def show_switches(self, *, following: bool, wrapped: bool) -> None:
        """Say how things are, and take it for nobody's wish."""
        for switch, on in ((self.follow, following), (self.wrap, wrapped)):
            switch.setChecked(on)
        self._dress()

    def show_count(self, current: int, count: int) -> None:
        """Which hit it is, and of how many."""
        if not self.field.text():
            self.count.setText("")
        else:
            self.count.setText(f"{current:,} of {count:,}" if count else "no hits")

    def _fill(self) -> None:
        """The menu of the picker, as things are now."""
        self.picker_menu.clear()
        for part in ((ALL,), *self.offered()):
            self.picker_menu.addSeparator()
            for source in part:
                action = self.picker_menu.addAction(plain.button_text(source.words))
                action.triggered.connect(lambda _checked=False, source=source: self.picked.emit(source))
