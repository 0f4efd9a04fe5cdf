"""The column "Last 20 runs": bars, their tool tips, and clicks on them. UI thread; paints and measures."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QToolTip

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.roles import Role
from desktopsched.ui.row import Cell
from desktopsched.ui.row_delegate import LEFT, Index, Pen, RowDelegate
from desktopsched.ui.strip import PAST, Mark

_BAR, _STEP, _HEIGHT, _FOOT = 4, 6, 16, 6
"""Pixels, as drawn: a bar, from one to the next, the highest bar, from the base line down to the cell's edge."""

_PALE = 56  # of 255: what is left of the usual length


class StripDelegate(RowDelegate):
    """One bar for each run, the newest at the right."""

    clicked = Signal(str, int)
    """The bar of a run was clicked: its task, its number."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """The base line, and what stands on it."""
        painter, px = pen.painter, self.look.px
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        left, base = pen.rect.left(), self._base(pen.rect)
        painter.fillRect(left, base, px(_STEP) * PAST - px(2), 1, QColor(self.look.tokens.line2))
        first = PAST - len(cell.marks)
        for place in range(PAST):
            spot = QRect(left + place * px(_STEP), base, px(_BAR), 0)
            if place < first:
                painter.fillRect(spot.left() + 1, base - 1, px(2), 1, QColor(self.look.tokens.line2))
            else:
                self._paint_mark(painter, spot, cell.marks[place - first])

    def _base(self, rect: QRect) -> int:
        return rect.bottom() - self.look.px(_FOOT)

    def _paint_mark(self, painter: QPainter, spot: QRect, mark: Mark) -> None:
        px, ink = self.look.px, self.look.tokens.states[mark.bar.state]
        left, base, wide, high = spot.left(), spot.top(), spot.width(), round(px(_HEIGHT) * mark.height)
        colour = QColor(ink.bar)
        match mark.bar.state:
            case State.SKIPPED:
                _outline(painter, QRect(left, base - wide, wide, wide), colour)
            case State.CANCELLED:
                _outline(painter, QRect(left, base - high, wide, high), QColor(ink.ink))
            case State.FAILED:
                painter.fillRect(left, base - high, wide, high, colour)
                painter.fillRect(left, base + px(2), wide, px(2), QColor(ink.ink))
            case _:
                painter.fillRect(left, base - high, wide, high, colour)
                rest = round(px(_HEIGHT) * mark.rest)
                if rest > 1:
                    colour.setAlpha(_PALE)
                    painter.fillRect(left, base - high - rest, wide, rest - 1, colour)

    # --- the pointer ---------------------------------------------------------------------------------------

    def mark_at(self, option: QStyleOptionViewItem, index: Index, place: QPoint) -> Mark | None:
        """The bar at a place of the view."""
        cell = index.data(Role.CELL)
        if not isinstance(cell, Cell) or not cell.marks:
            return None
        number = (place.x() - option.rect.left() - self.look.px(LEFT)) // self.look.px(_STEP)
        number -= PAST - len(cell.marks)
        return cell.marks[number] if 0 <= number < len(cell.marks) else None

    def editorEvent(
        self, event: QEvent, _model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click opens the run of a bar."""
        if event.type() is not QEvent.Type.MouseButtonRelease or not isinstance(event, QMouseEvent):
            return False
        mark = self.mark_at(option, index, event.position().toPoint())
        if mark is None or not mark.bar.run or event.button() is not Qt.MouseButton.LeftButton:
            return False
        self.clicked.emit(index.data(Role.TASK_ID), mark.bar.run)
        return True

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """What became of the run of a bar."""
        mark = self.mark_at(option, index, event.pos())
        if event.type() is not QEvent.Type.ToolTip or mark is None:
            return super().helpEvent(event, view, option, index)
        words = index.data(Role.BAR_WORDS)
        QToolTip.showText(event.globalPos(), plain.tip(words(mark.bar), self.look.tokens.tip_text2), view)
        return True


def _outline(painter: QPainter, rect: QRect, colour: QColor) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 1))
    painter.drawRect(QRectF(rect).adjusted(0, 0, -1, -1))
