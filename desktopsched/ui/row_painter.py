"""How the lines of the task table are painted: cells, the rule below, marks of selection and keyboard. UI thread."""

from collections.abc import Iterable

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter, QPen, QRegion
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktopsched.ui.look import Look
from desktopsched.ui.places import Group
from desktopsched.ui.roles import Column
from desktopsched.ui.task_drag import DragView
from desktopsched.ui.task_model import TaskModel

_MARK = 3  # pixels of the mark beside a selected line
_State = QStyle.StateFlag


class RowPainter:
    """Paints for one table. Cells are the delegates' affair."""

    def __init__(self, table: DragView, model: TaskModel, look: Look) -> None:
        self._table, self._tasks, self._look = table, model, look

    def paint(self, lines: Iterable[int], region: QRegion) -> None:
        """These lines; of the cells those in this region."""
        painter, option = QPainter(self._table.viewport()), QStyleOptionViewItem()
        self._table.initViewItemOption(option)
        columns = self._columns()
        for place in lines:
            self._paint_line(painter, QStyleOptionViewItem(option), place, columns, region)
        painter.end()

    def _columns(self) -> list[tuple[Column, int, int]]:
        """The columns that are shown: where each begins, how wide it is."""
        table = self._table
        shown = [column for column in Column if not table.isColumnHidden(column)]
        return [(one, table.columnViewportPosition(one), table.columnWidth(one)) for one in shown]

    def _paint_line(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        place: int,
        columns: list[tuple[Column, int, int]],
        region: QRegion,
    ) -> None:
        table, line = self._table, self._tasks.line(place)
        rect = QRect(0, table.rowViewportPosition(place), table.viewport().width(), table.rowHeight(place))
        index = self._tasks.index(place, 0)
        selected = table.selectionModel().isSelected(index)
        option.state = self._state(place, line, selected=selected)
        if isinstance(line, Group):
            option.rect = rect
            table.itemDelegate().paint(painter, option, index)
        else:
            for column, left, width in columns:
                cell = QRect(left, rect.top(), width, rect.height())
                if region.intersects(cell):
                    option.rect, one = cell, self._tasks.index(place, column)
                    table.itemDelegateForIndex(one).paint(painter, option, one)
        self._paint_marks(painter, rect, place, selected=selected and not isinstance(line, Group))

    def _state(self, place: int, line: object, *, selected: bool) -> QStyle.StateFlag:
        table, state = self._table, _State.State_Enabled
        if selected:
            state |= _State.State_Selected
        if table.isActiveWindow():
            state |= _State.State_Active
        if place == table.under_pointer:
            state |= _State.State_MouseOver
        if isinstance(line, Group) and self._tasks.places.is_open(line.name):
            state |= _State.State_Open
        return state

    def _paint_marks(self, painter: QPainter, rect: QRect, place: int, *, selected: bool) -> None:
        table, tokens = self._table, self._look.tokens
        rule = tokens.sel_line if selected else tokens.line
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(rule))
        if selected:
            mark = tokens.accent if table.hasFocus() else tokens.ctl
            painter.fillRect(rect.left(), rect.top(), _MARK, rect.height(), QColor(mark))
        dropped = table.drop_row.isValid() and table.drop_row.row() == place
        if dropped or (table.hasFocus() and table.currentIndex().row() == place and self._by_keyboard()):
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))

    def _by_keyboard(self) -> bool:
        """Whether the current line is not plain to see: it is not the one selected line."""
        spans = self._table.selectionModel().selection()
        alone = spans.count() == 1 and spans.at(0).height() == 1
        return not alone or not self._table.selectionModel().isSelected(self._table.currentIndex())
