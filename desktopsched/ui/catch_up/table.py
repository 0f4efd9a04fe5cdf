"""The table of missed runs: its columns, its keys, and the button that sets all rows. UI thread."""

from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QTableView, QToolButton

from desktopsched.ui.catch_up.choices import LineKey, Pick
from desktopsched.ui.catch_up.delegate import ChoiceDelegate
from desktopsched.ui.catch_up.model import ChoicesModel, Column
from desktopsched.ui.look import Look
from desktopsched.ui.menu_style import dressed

_WIDTHS = {Column.COUNT: 68, Column.SPAN: 100, Column.CHOICE: 234, Column.REMEMBER: 126}
_HEAD = 28
_SET_ALL = ((Pick.ALL, "Run all"), (Pick.LATEST, "Run latest"), (Pick.SKIP, "Skip"))
_RETURN = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})


class Place(NamedTuple):
    """Where somebody is in the table, whatever comes before."""

    row: int
    key: LineKey | None  # None: at no row
    scrolled: int  # pixels


class ChoicesTable(QTableView):
    """Up, Down, Home and End move, Left and Right choose, Space remembers, Enter runs."""

    confirmed = Signal()

    def __init__(self, look: Look, model: ChoicesModel) -> None:
        super().__init__()
        self._look, self._model = look, model
        self.setObjectName("choices")
        self.setAccessibleName("Missed runs")
        self.setModel(model)
        self._delegate = ChoiceDelegate(look, model, self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(
            QHeaderView.ResizeMode.Fixed
        )  # all alike: none is measured
        self.verticalHeader().setDefaultSectionSize(self._delegate.row_height)
        self.set_all = QToolButton(self.horizontalHeader())
        self._menu = dressed(QMenu(self.set_all), look)
        self._make_head()
        self._make_set_all()
        model.modelReset.connect(self.fit)
        self.fit()
        self.selectRow(0)

    def _make_head(self) -> None:
        head = self.horizontalHeader()
        head.setSectionsClickable(False)
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setFont(self._look.font(11.5, QFont.Weight.DemiBold))
        head.setFixedHeight(self._look.px(_HEAD))
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head.setSectionResizeMode(Column.TASK, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(self._look.px(40))
        head.installEventFilter(self)
        head.sectionResized.connect(self._place_set_all)

    def _make_set_all(self) -> None:
        button = self.set_all
        button.setObjectName("setAll")
        button.setText("Set all")
        button.setAccessibleName("Set all rows")
        button.setFont(self._look.font(11.5, QFont.Weight.Medium))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        for pick, said in _SET_ALL:
            self._menu.addAction(said, partial(self._model.pick_everywhere, pick))
        # Not the button's own menu: for that Qt keeps room for an arrow of its own.
        button.clicked.connect(self._open_menu)

    def _open_menu(self) -> None:
        self._menu.popup(self.set_all.mapToGlobal(self.set_all.rect().bottomLeft()))

    def dress(self) -> None:
        """In the colours of now."""
        self.set_all.setIcon(self._look.icon("chevron-down", self._look.tokens.accent))
        self.set_all.setIconSize(QSize(self._look.px(11), self._look.px(11)))
        self.viewport().update()

    def fit(self) -> None:
        """Give the columns their widths: as drawn, or more, where the font is wider."""
        for column, width in _WIDTHS.items():
            needed = max(self._look.px(width), self._delegate.width_of(column))
            self.setColumnWidth(column, needed)
        self.setMaximumHeight(self.needed_height())
        self._place_set_all()

    def needed_width(self) -> int:
        """Of all columns, with room for a name."""
        return sum(self.columnWidth(column) for column in _WIDTHS) + self._look.px(232)

    def needed_height(self) -> int:
        """Of all rows and the head."""
        rows = self._model.rowCount() * self._delegate.row_height
        return rows + self._look.px(_HEAD) + 2

    @property
    def place(self) -> Place:
        """Where one is now; `go_back` finds it among other rows."""
        row = self.currentIndex().row()
        key = self._model.line(row).key if row >= 0 else None
        return Place(row, key, self.verticalScrollBar().value())

    def go_back(self, place: Place) -> None:
        """To the same task, or where it was; nothing scrolls. There is at least one row."""
        rows = self._model.rowCount()
        nearest = min(max(place.row, 0), rows - 1)
        self.selectRow(next((row for row in range(rows) if self._model.line(row).key == place.key), nearest))
        self.verticalScrollBar().setValue(place.scrolled)

    def _place_set_all(self, *_: object) -> None:
        button, size = self.set_all, self.set_all.sizeHint()
        # From the right: the first column is as wide as what is left, which the head learns later than this.
        right = self.viewport().width() - self.columnWidth(Column.REMEMBER) - self._look.px(8)
        button.setGeometry(right - size.width(), 1, size.width(), self.horizontalHeader().height() - 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The first column takes what is left, so the button moves."""
        super().resizeEvent(event)
        self._place_set_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The head is laid out after the table."""
        if watched is self.horizontalHeader() and event.type() is QEvent.Type.Resize:
            self._place_set_all()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys of the rows; what the button in the head does not use comes here too, and is for the window."""
        if self.set_all.hasFocus():
            event.ignore()
            return
        at, key = self.currentIndex().row(), Qt.Key(event.key())
        if key in _RETURN:
            self.confirmed.emit()
        elif at >= 0 and key in {Qt.Key.Key_Left, Qt.Key.Key_Right}:
            self._model.step(at, -1 if key is Qt.Key.Key_Left else 1)
        elif at >= 0 and key is Qt.Key.Key_Space:
            self._model.remember(at)
        elif key in {Qt.Key.Key_Home, Qt.Key.Key_End}:  # Qt's go along the row
            self.selectRow(0 if key is Qt.Key.Key_Home else self._model.rowCount() - 1)
        else:
            super().keyPressEvent(event)
