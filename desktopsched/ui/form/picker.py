"""A picker: a list of tasks to choose one from, searched as one types. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from desktopsched.model import State, Task
from desktopsched.ui.look import Look

_WIDE = 288  # pixels, as drawn
_MOST = 8  # lines
_ID = Qt.ItemDataRole.UserRole
_WALKING = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


class Picker(QFrame):
    """Opens below a widget, goes when one was chosen or with Esc."""

    picked = Signal(str)
    """The id of a task."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._look = look
        self.setObjectName("picker")
        self.setAccessibleName("Add a task")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search tasks")
        self.search.setAccessibleName("Search tasks")
        self.search.setFont(look.font())
        self.search.textChanged.connect(self._narrow)
        self.search.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName("Tasks")
        self.list.setFont(look.font())
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys reach it through the search field
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(self._take)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.px(6), look.px(6), look.px(6), look.px(6))
        column.setSpacing(look.px(4))
        column.addWidget(self.search)
        column.addWidget(self.list)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)  # it follows the list
        self.list.setFixedWidth(look.px(_WIDE))

    def open_below(self, widget: QWidget, tasks: Sequence[tuple[Task, State]]) -> None:
        """Offer these."""
        self.setStyleSheet(widget.window().styleSheet())
        self.search.clear()
        self.list.clear()
        for task, state in tasks:
            item = QListWidgetItem(self._look.state_icon(state, 14, self.devicePixelRatioF()), task.name)
            item.setData(_ID, task.id)
            self.list.addItem(item)
        self.ensurePolished()
        self._narrow("")
        self.move(widget.mapToGlobal(QPoint(0, widget.height())))
        self.show()
        self.search.setFocus()

    def _narrow(self, text: str) -> None:
        wanted, first = text.casefold(), True
        for at in range(self.list.count()):
            item = self.list.item(at)
            fits = wanted in item.text().casefold() or wanted in str(item.data(_ID))
            item.setHidden(not fits)
            if fits and first:
                self.list.setCurrentItem(item)
                first = False
        if first:
            self.list.setCurrentRow(-1)
        self._fit()

    def _fit(self) -> None:
        """As high as it takes to show what is offered: one line at least, and what does not fit is scrolled to."""
        shown = sum(not self.list.item(at).isHidden() for at in range(self.list.count()))
        line = max(self.list.sizeHintForRow(0), self.list.fontMetrics().height())
        self.list.setFixedHeight(min(max(shown, 1), _MOST) * line + 2 * self.list.frameWidth())

    def _take(self, item: QListWidgetItem) -> None:
        self.hide()
        self.picked.emit(str(item.data(_ID)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the list, while one types in the search field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _WALKING:
                self.list.keyPressEvent(event)
                return True
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                if self.list.currentRow() >= 0:
                    self._take(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)
