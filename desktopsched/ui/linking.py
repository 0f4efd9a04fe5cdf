"""Linking: the graph beside the list. It is told what changes there; what is drawn in it becomes an edit. UI thread."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from desktopsched.engine.events import Event, RunOutput, TaskRemoved
from desktopsched.ui.editing import Editing
from desktopsched.ui.graph.graph_panel import GraphPanel
from desktopsched.ui.graph.link_menu import link_menu
from desktopsched.ui.look import Look
from desktopsched.ui.rows import Rows, id_of


class Linking(QObject):
    """Ties a graph to the rows of the table and to what edits them."""

    task_chosen = Signal(str)
    """A node was chosen: its task."""

    menu_wanted = Signal(str, QPoint)
    """The menu of a task, at this place of the screen."""

    def __init__(
        self, graph: GraphPanel, rows: Callable[[], Rows], editing: Editing, look: Look, window: QWidget
    ) -> None:
        super().__init__(window)
        self._graph, self._rows, self._editing, self._window = graph, rows, editing, window
        self._look = look
        graph.chosen.connect(self.task_chosen)
        graph.menu_wanted.connect(self.menu_wanted)
        graph.edit_wanted.connect(editing.edit)
        graph.link_wanted.connect(editing.link)
        graph.unlink_wanted.connect(editing.unlink)
        graph.link_menu_wanted.connect(self._show_link_menu)

    def apply(self, events: Sequence[Event]) -> None:
        """The rows that events are about, once each; output changes none. They are in the rows by now."""
        rows = self._rows()
        about = dict.fromkeys(
            id_of(event) for event in events if not isinstance(event, RunOutput)
        )  # in their order
        removed = {event.task_id for event in events if isinstance(event, TaskRemoved)}
        gone = [task_id for task_id in removed if task_id not in rows]
        self._graph.apply([row for task_id in about if (row := rows.get(task_id)) is not None], gone)

    def show_all(self) -> None:
        """Every row says something else now."""
        self._graph.apply(self._rows().all())

    def _show_link_menu(self, parent: str, child: str, place: QPoint) -> None:
        row = self._rows().get(child)
        on = next((edge.on for edge in row.task.waits_for if edge.task == parent), None) if row else None
        if on is not None:
            menu = link_menu(
                on,
                lambda wanted: self._editing.link(parent, child, wanted),
                lambda: self._editing.unlink(parent, child),
                self._look,
                self._window,
            )
            menu.popup(place)
