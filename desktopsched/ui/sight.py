"""Sight: brings tasks into it, whatever is searched for or chosen in the sidebar at the moment. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLineEdit

from desktopsched.ui.choice import Choice, View
from desktopsched.ui.sidebar import Sidebar
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_table import TaskTable


class Sight(QObject):
    """Clears what is in the way, and no more of it than must be."""

    def __init__(
        self, model: TaskModel, table: TaskTable, search: QLineEdit, sidebar: Sidebar, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._model, self._table, self._search, self._sidebar = model, table, search, sidebar
        self._awaited: tuple[str, ...] = ()  # what an edit put on the list: selected once the table has it

    def go_to(self, task_id: str) -> None:
        """Select a task."""
        self.go_to_all([task_id])

    def go_to_all(self, task_ids: Sequence[str]) -> None:
        """Select these tasks; the first of them is the current one."""
        if not all(map(self._model.shows, task_ids)):
            self.show_all()
        self._table.select_all_of(task_ids)

    def wait_for(self, task_ids: Sequence[str]) -> None:
        """Select these tasks now, or as soon as all of them are there."""
        self._awaited = tuple(task_ids)
        self.look()

    def look(self) -> None:
        """Something may have come."""
        if self._awaited and all(task_id in self._model.rows for task_id in self._awaited):
            found, self._awaited = self._awaited, ()
            self.go_to_all(found)

    def show_all(self) -> None:
        """All tasks again. First the search: it is what is most in the way."""
        if self._search.text():
            self._search.clear()
        if not self._model.rowCount():
            self._sidebar.choose(Choice())

    def show_failed(self) -> None:
        """The tasks that failed."""
        self._search.clear()
        self._sidebar.choose(Choice(view=View.FAILED))
