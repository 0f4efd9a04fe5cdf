"""The task table, and what stands in its place where no task is shown. UI thread."""

from msgspec import structs
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktopsched.ui import plain
from desktopsched.ui.choice import Choice
from desktopsched.ui.look import Look
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_table import TaskTable


class TaskPane(QStackedWidget):
    """Shows what is chosen in the sidebar and matches what is searched for."""

    cleared = Signal()
    """The person wants to see all tasks again."""

    def __init__(self, model: TaskModel, table: TaskTable, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._table, self._look = model, table, look
        self.nothing = plain.named(QWidget(), "nothing")
        self.nothing.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = plain.label("", look.font(15, QFont.Weight.DemiBold), "title")
        self.words.setWordWrap(True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = plain.button("", look.font(weight=QFont.Weight.Medium), "plain")
        self.button.clicked.connect(self.cleared)
        layout = QVBoxLayout(self.nothing)
        layout.setSpacing(look.px(12))
        layout.addStretch(2)
        layout.addWidget(self.words)
        layout.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self.setFocusProxy(table)
        self.addWidget(table)
        self.addWidget(self.nothing)
        model.layoutChanged.connect(self._turn)

    def choose(self, choice: Choice) -> None:
        """Another view or group; the words of the search stay."""
        self._show(structs.replace(choice, text=self._model.choice.text))

    def search(self, text: str) -> None:
        """Other words; the view or group stays."""
        self._show(structs.replace(self._model.choice, text=text))

    def _show(self, choice: Choice) -> None:
        if choice != self._model.choice:
            self._model.choose(choice)
        self._turn()

    def _turn(self, *_: object) -> None:
        choice = self._model.choice
        is_empty = not self._model.rowCount() and not choice.everything
        if is_empty:
            words = self.words.fontMetrics().elidedText(
                choice.nothing, Qt.TextElideMode.ElideMiddle, self._look.px(600)
            )
            self.words.setText(words)
            self.button.setText("Clear search" if choice.text.strip() else "Show all tasks")
        self.setCurrentWidget(self.nothing if is_empty else self._table)
