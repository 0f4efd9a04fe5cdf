"""The columns of the task table: their widths, which are shown, and what gives way without room. UI thread."""

from PySide6.QtCore import QByteArray, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics
from PySide6.QtWidgets import QHeaderView, QMenu, QTableView

from desktopsched.model import State
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed
from desktopsched.ui.roles import HEADS, Column
from desktopsched.ui.row_delegate import GAP, LEFT, RIGHT, STATE_ICON

WIDTHS = {
    Column.STATE: 111,
    Column.NAME: 180,
    Column.SCHEDULE: 234,  # "After Database dump succeeds"
    Column.NEXT: 188,  # "about Tue 02:31 waits for 1"
    Column.RESULT: 180,  # "Stopped by you Thu 12:06"
    Column.STRIP: 136,
    Column.DURATION: 174,  # "0:46 longer than usual"
}
_GIVING_WAY = (Column.RESULT, Column.STRIP)
_LEAST, _LAST_LEAST, _LAST_NARROW = 60, 116, 90
"""Pixels, as drawn: of a column; of the last one, which stretches, before others give way to it; after they have.

The second is "0:46", a short bar and "~2:10"."""
_RESULT_LEAST = 110
"""Pixels, as drawn: so narrow the last result becomes before it gives way altogether; "Exit 0 14:31"."""


class Columns(QObject):
    """Owns the header of a table."""

    def __init__(self, table: QTableView, look: Look) -> None:
        super().__init__(table)
        self._header, self._look = table.horizontalHeader(), look
        self.hidden: set[Column] = set()
        """What the person has hidden."""
        header = self._header
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(look.px(_LEAST))
        header.setSectionsMovable(True)
        header.setFirstSectionMovable(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._show_menu)
        header.sectionResized.connect(self._heed)
        self._result = 0  # pixels that the last result is to have where there is room
        self._fitting = False
        self._size()

    def _heed(self, column: int, _before: int, width: int) -> None:
        """The person, or what was remembered, gives a column its width: what `fit` does is for the room alone."""
        if column == Column.RESULT and width and not self._fitting:
            self._result = width

    def _size(self) -> None:
        for column, width in WIDTHS.items():
            self._header.resizeSection(column, self._look.px(width))
        self._header.resizeSection(
            Column.STATE, max(self._look.px(WIDTHS[Column.STATE]), self._state_needs())
        )

    def _state_needs(self) -> int:
        """Pixels. The word of a state is never cut, however wide the system's font is."""
        px, metrics = self._look.px, QFontMetrics(self._look.font(weight=QFont.Weight.Medium))
        words = max(metrics.horizontalAdvance(state.value.capitalize()) for state in State)
        return px(LEFT) + px(STATE_ICON) + px(GAP) + words + 1 + px(RIGHT)

    # --- room ----------------------------------------------------------------------------------------------

    def fit(self, room: int) -> None:
        """Make narrower, then hide what gives way first, as long as the others do not fit into so many pixels."""
        self._fitting = True
        self._show_wanted()
        least = min(self._result, self._look.px(_RESULT_LEAST))
        self._header.resizeSection(Column.RESULT, least)
        for column in _GIVING_WAY:
            if self._needed() > room:
                self._header.setSectionHidden(column, True)
        if not self._header.isSectionHidden(Column.RESULT):
            spare = max(room - self._needed(), 0)
            self._header.resizeSection(Column.RESULT, min(least + spare, self._result))
        self._stretch(room)
        self._fitting = False

    def _show_wanted(self) -> None:
        """All that the person has not hidden."""
        for column in Column:
            self._header.setSectionHidden(column, column in self.hidden)

    def _stretch(self, room: int) -> None:
        """Give the last column what is left: Qt stretches it, and does not make it smaller again."""
        last = self._last()
        left = room - (self._needed() - self._look.px(_LAST_LEAST))
        self._header.resizeSection(last, max(left, self._look.px(_LAST_NARROW)))

    def _last(self) -> Column:
        shown = [column for column in Column if not self._header.isSectionHidden(column)]
        return max(shown, key=self._header.visualIndex)

    def _needed(self) -> int:
        """Pixels. The last column stretches, so its own width says nothing."""
        header, px = self._header, self._look.px
        shown = [column for column in Column if not header.isSectionHidden(column)]
        last = self._last()
        return sum(header.sectionSize(column) for column in shown if column is not last) + px(_LAST_LEAST)

    # --- the menu ------------------------------------------------------------------------------------------

    def menu(self) -> QMenu:
        """Which columns are shown; it deletes itself when it is closed."""
        menu = dressed(QMenu(self._header), self._look)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column, words in HEADS.items():
            action = QAction(words, menu, checkable=True, checked=column not in self.hidden)
            action.setEnabled(column is not Column.NAME)
            action.toggled.connect(lambda shown, column=column: self._set_shown(column, shown=shown))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction("Put the columns back").triggered.connect(self.put_back)
        return menu

    def _show_menu(self, place: QPoint) -> None:
        self.menu().popup(self._header.mapToGlobal(place))

    def _set_shown(self, column: Column, *, shown: bool) -> None:
        if shown:
            self.hidden.discard(column)
        else:
            self.hidden.add(column)
        self.fit(self._header.width())

    def put_back(self) -> None:
        """As they were at first."""
        self.hidden.clear()
        for place, column in enumerate(Column):
            self._header.moveSection(self._header.visualIndex(column), place)
        self._size()
        self.fit(self._header.width())

    # --- what is remembered --------------------------------------------------------------------------------

    def state(self) -> QByteArray:
        """Order, widths, and what the person has hidden; not what has given way."""
        room = self._header.width()
        self._fitting = True
        self._show_wanted()
        self._header.resizeSection(Column.RESULT, self._result)
        found = self._header.saveState()
        self.fit(room)
        return found

    def restore(self, state: QByteArray) -> None:
        """As it was remembered."""
        if self._header.restoreState(state):
            self._result = self._header.sectionSize(Column.RESULT) or self._result
            self.hidden = {
                column
                for column in Column
                if self._header.isSectionHidden(column) and column is not Column.NAME
            }
        self._header.setStretchLastSection(True)
        self.fit(self._header.width())
