"""The delegates of single columns: where a cell looks other than a plain one. UI thread."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QHelpEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QToolTip

from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.roles import Role
from desktopsched.ui.row import Cell
from desktopsched.ui.row_delegate import STATE_ICON, Index, Pen, RowDelegate
from desktopsched.ui.wishes import Wish

_COLOURED = frozenset({State.READY, State.RUNNING, State.FAILED})
"""States whose word has their colour; the news of the others is calm."""

_QUICK = {Wish.RUN: "run", Wish.EDIT: "pencil", Wish.MORE: "more"}
_QUICK_TIPS = {Wish.RUN: "Run now", Wish.EDIT: "Edit", Wish.MORE: "More"}
_WIDE, _HIGH, _BETWEEN, _RIGHT = 22, 20, 2, 6
"""Pixels, as drawn: a quick button, the space between two, and to the edge of the cell."""


class StateDelegate(RowDelegate):
    """The icon of a state in its own outline and colour, and its word."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """Icon and word."""
        if cell.state is None:
            return
        ink = self.look.tokens.states[cell.state].ink
        pen.state(cell.state.value, ink, STATE_ICON)
        colour = ink if cell.state in _COLOURED else self.look.tokens.text2
        pen.text(cell.text, self.look.font(weight=QFont.Weight.Medium), colour)


class NameDelegate(RowDelegate):
    """What the task does, and its name; under the pointer the quick buttons."""

    asked = Signal(object, object, QPoint)
    """A quick button was pressed: the wish, the index, and where."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """Icon and name."""
        pen.icon(cell.icon, self.look.tokens.text3, 15)
        pen.text(cell.text, self.look.font(weight=QFont.Weight.DemiBold), self.look.tokens.text)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The cell, and the buttons over what would be under them."""
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.save()
            painter.setClipRect(option.rect)
            for wish, box in self.boxes(option.rect).items():
                self._paint_button(painter, box, _QUICK[wish])
            painter.restore()

    def room(self, option: QStyleOptionViewItem) -> QRect:
        """Beside the buttons, while they are there."""
        found = super().room(option)
        if option.state & QStyle.StateFlag.State_MouseOver:
            found.setRight(self.boxes(option.rect)[Wish.RUN].left())
        return found

    def _paint_button(self, painter: QPainter, box: QRect, icon: str) -> None:
        tokens, size = self.look.tokens, self.look.px(12)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.line2), 1))
        painter.setBrush(QColor(tokens.base))
        painter.drawRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        picture = icons.pixmap(icon, tokens.text2, size, painter.device().devicePixelRatio(), tokens.cut)
        painter.drawPixmap(
            box.left() + (box.width() - size) // 2, box.top() + (box.height() - size) // 2, picture
        )

    def boxes(self, cell: QRect) -> dict[Wish, QRect]:
        """Where the quick buttons of a cell are."""
        px = self.look.px
        step, top = px(_WIDE) + px(_BETWEEN), cell.top() + (cell.height() - px(_HIGH)) // 2
        left = cell.right() + 1 - px(_RIGHT) - step * len(_QUICK) + px(_BETWEEN)
        return {
            wish: QRect(left + place * step, top, px(_WIDE), px(_HIGH)) for place, wish in enumerate(_QUICK)
        }

    def _wish_at(self, option: QStyleOptionViewItem, index: Index, place: QPoint) -> Wish | None:
        if index.data(Role.TASK_ID) is None:  # the head of a group has none
            return None
        return next((wish for wish, box in self.boxes(option.rect).items() if box.contains(place)), None)

    def editorEvent(
        self, event: QEvent, _model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A quick button acts when it is let go."""
        if event.type() is not QEvent.Type.MouseButtonRelease or not isinstance(event, QMouseEvent):
            return False
        wish = self._wish_at(option, index, event.position().toPoint())
        if wish is None or event.button() is not Qt.MouseButton.LeftButton:
            return False
        self.asked.emit(wish, index, event.globalPosition().toPoint())
        return True

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """What a quick button does; elsewhere the name in full."""
        wish = self._wish_at(option, index, event.pos())
        if wish is None:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), _QUICK_TIPS[wish], view)
        return True


class DurationDelegate(RowDelegate):
    """How long it took; while it runs the time so far, a bar, and what is usual."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """The parts."""
        tokens, look = self.look.tokens, self.look
        if cell.state is None:
            pen.text(cell.text, look.font(), tokens.text3 if cell.quiet else tokens.text)
            return
        colours = tokens.states[State.READY if cell.late else State.RUNNING]
        pen.text(cell.text, look.font(weight=QFont.Weight.Medium), colours.ink)
        if cell.share is not None:
            pen.bar(cell.share, tokens.line2, colours.bar, cell.aside, look.font(12))
            pen.text(cell.aside, look.font(12), tokens.text3)
