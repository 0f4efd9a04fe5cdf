"""The review of what is to be imported: each line, what becomes of it, and which of them are wanted. UI thread.

It says what is wanted, and changes nothing. What a crontab and a task list have for themselves is in their own modules.
"""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktopsched.ui import icons, plain
from desktopsched.ui.button_bar import ButtonBar, push_button
from desktopsched.ui.enter import press_focused
from desktopsched.ui.importing.line import Line
from desktopsched.ui.importing.line_delegate import LineDelegate
from desktopsched.ui.importing.lines import Column, LinesModel
from desktopsched.ui.look import Look
from desktopsched.ui.summary import counted

_WIDE, _TALL, _LEAST = 860, 680, (560, 380)  # pixels, as drawn
_WHEN, _WHEN_MOST = 150, 300


class Review(QDialog):
    """Ticks, names, and what stands in the way."""

    wanted = Signal(object)
    """Put these on the list."""

    def __init__(
        self,
        look: Look,
        model: LinesModel,
        *,
        title: str,
        hint: str,
        left: Sequence[QWidget] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`title`: of the window. `left`: what stands in its foot, beside the buttons."""
        super().__init__(parent)
        self._look, self.model = look, model
        self.setObjectName("form")
        self.setWindowTitle(title)
        self.setWindowIcon(icons.mark())
        self._dress()
        self.table = QTableView()
        self._delegate = LineDelegate(look, self.table)
        self.all_button = plain.button("Tick all", look.font(12.5, QFont.Weight.Medium), "link_button")
        self.none_button = plain.button("Tick none", look.font(12.5, QFont.Weight.Medium), "link_button")
        self.cancel = push_button(look, "Cancel")
        self.run = push_button(look, "Import", primary=True)
        self._hint, self._left = hint, left
        self._set_up_table()
        self._lay_out()
        self._connect()
        self._count()
        self.table.setFocus()
        self.table.selectRow(next((at for at, line in enumerate(self.model.lines) if line.task), 0))

    # --- what each kind has for itself ---------------------------------------------------------------------

    def headline(self, lines: Sequence[Line]) -> str:
        """How many of them there are, in words."""
        raise NotImplementedError

    def detail(self) -> QWidget:
        """What shows the line that is selected; made once."""
        raise NotImplementedError

    def show_line(self, line: Line) -> None:
        """There, all of it."""
        raise NotImplementedError

    def chosen(self) -> Sequence[object]:
        """What `wanted` says."""
        raise NotImplementedError

    # --- the parts -----------------------------------------------------------------------------------------

    def _set_up_table(self) -> None:
        table, px = self.table, self._look.px
        table.setObjectName("lines")
        table.setAccessibleName(self.windowTitle())
        table.setModel(self.model)
        table.setItemDelegate(self._delegate)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        side = table.verticalHeader()
        side.hide()
        side.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)  # all alike: none is measured
        side.setDefaultSectionSize(self._delegate.row_height)
        head = table.horizontalHeader()
        head.setFont(self._look.font(11.5, QFont.Weight.DemiBold))
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        head.setSectionsClickable(False)
        head.setFixedHeight(px(28))
        head.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(Column.WHEN, QHeaderView.ResizeMode.Fixed)
        said = [str(self.model.index(row, Column.WHEN).data()) for row in range(self.model.rowCount())]
        head.resizeSection(Column.WHEN, self._delegate.width_of_when(said, px(_WHEN), px(_WHEN_MOST)))
        for row, line in enumerate(self.model.lines):
            if line.task is None:
                table.setSpan(row, 0, 1, len(Column))

    def _lay_out(self) -> None:
        px = self._look.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(self.table, 1)
        detail = self.detail()
        column.addWidget(detail)
        column.addWidget(ButtonBar(self._look, list(self._left), [self.cancel, self.run]))
        self.setMinimumSize(*map(px, _LEAST))
        room = self.screen().availableSize() * 0.9
        detail.ensurePolished()
        rows = self._delegate.row_height * len(self.model.lines) + detail.sizeHint().height() + px(210)
        self.resize(QSize(px(_WIDE), min(px(_TALL), rows)).boundedTo(room))

    def _head(self) -> QVBoxLayout:
        px, found = self._look.px, QVBoxLayout()
        found.setContentsMargins(px(20), px(16), px(20), px(10))
        found.setSpacing(px(3))
        self.title = self._wrapped("", self._look.font(15, QFont.Weight.DemiBold), "")
        self.hint = self._wrapped(self._hint, self._look.font(), "second")
        row = QHBoxLayout()
        row.setContentsMargins(0, px(4), 0, 0)
        row.setSpacing(px(2))
        row.addWidget(self.all_button)
        row.addWidget(self.none_button)
        row.addStretch(1)
        for button in (self.all_button, self.none_button):
            button.setAutoDefault(False)
            button.setFixedHeight(px(28))
        found.addWidget(self.title)
        found.addWidget(self.hint)
        found.addLayout(row)
        return found

    @staticmethod
    def _wrapped(text: str, font: QFont, name: str) -> QLabel:
        label = plain.label(text, font, name)
        label.setWordWrap(True)
        return label

    def _connect(self) -> None:
        self.model.ticked.connect(self._count)
        self.table.selectionModel().currentRowChanged.connect(self._show_line)
        self.all_button.clicked.connect(lambda: self.model.tick_all(ticked=True))
        self.none_button.clicked.connect(lambda: self.model.tick_all(ticked=False))
        self.cancel.clicked.connect(self.reject)
        self.run.clicked.connect(self._import)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.run.click)
        self._look.changed.connect(self._dress)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    # --- what it shows -------------------------------------------------------------------------------------

    def _count(self) -> None:
        self.title.setText(self.headline(self.model.lines))
        count = self.model.count
        self.run.setText(f"Import {counted(count, 'task')}")
        self.run.setEnabled(count > 0)
        self.run.setToolTip("" if count else "Tick a line to import it")

    def _show_line(self, index: QModelIndex) -> None:
        if index.isValid():
            self.show_line(self.model.lines[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus, before the primary one."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """A name that is being written is none yet: its field closes first."""
        self.cancel.setFocus()
        super().done(result)

    def _import(self) -> None:
        self.run.setFocus()  # a name that is being written counts
        if wanted := self.chosen():
            self.wanted.emit(wanted)
            self.accept()
