"""Steady lines: how high each line of the task table is, and what stays in its place while lines come, go or move.

UI thread. The table tells it before and after the layout changes; it knows places, and nothing of what is asked for.
"""

from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QHeaderView, QTableView

from desktopsched.ui.look import Look
from desktopsched.ui.places import Group
from desktopsched.ui.row_delegate import GROUP_ROW, ROW
from desktopsched.ui.task_model import TaskModel


class Steady:
    """What the reader looks at does not move away under their eyes."""

    def __init__(self, table: QTableView, model: TaskModel, look: Look) -> None:
        self._table, self._tasks, self._look = table, model, look
        self._top: object = None  # what stands at the top, while the layout changes
        self._was_current = -1  # the line with the frame, while the layout changes
        self._heads: set[int] = set()  # the lines that are as high as heads of groups
        heights = table.verticalHeader()
        heights.hide()
        heights.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heights.setMinimumSectionSize(1)
        heights.setDefaultSectionSize(look.px(ROW))

    def hold(self) -> None:
        """Lines come, go or move: remember what stands at the top, unless they are sorted, or it is the very top."""
        self._was_current = self._table.currentIndex().row()
        top = self._table.verticalScrollBar().value()
        self._top = None if self._tasks.sorts or not top else self._tasks.line(top)

    def take_up_again(self) -> None:
        """The heads of groups are lower than tasks; what stood at the top stands there again, if it is still shown."""
        self._set_heights()
        top, self._top = self._top, None
        place = self._tasks.places.at(top) if isinstance(top, Group | str) else -1
        if place >= 0:
            self._table.executeDelayedItemsLayout()  # the scroll bar must know how many lines there are
            self._table.verticalScrollBar().setValue(place)
        self._keep_place()

    def _keep_place(self) -> None:
        """The line with the frame is gone: what stands in its place has it now, and is not selected by that."""
        lines = self._tasks.rowCount()
        if not self._table.currentIndex().isValid() and self._was_current >= 0 and lines:
            index = self._tasks.index(min(self._was_current, lines - 1), 0)
            self._table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _set_heights(self) -> None:
        """Each head of a group is found again: what was one before may be a task now."""
        heights, low, high = self._table.verticalHeader(), self._look.px(GROUP_ROW), self._look.px(ROW)
        now = set(self._tasks.places.heads())
        for place in self._heads - now:
            if place < heights.count():
                heights.resizeSection(place, high)
        for place in now:
            heights.resizeSection(place, low)
        self._heads = now
