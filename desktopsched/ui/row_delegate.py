"""How the cells of the task table are painted: grounds, texts and their parts. Paints and measures, nothing else.

UI thread. One delegate for each look of a cell stands in `cell_delegates`; this is what they share.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktopsched.ui import icons
from desktopsched.ui.group_row import GroupCell
from desktopsched.ui.look import Look
from desktopsched.ui.roles import Role
from desktopsched.ui.row import Cell

ROW, GROUP_ROW, LEFT, RIGHT, GAP = 28, 25, 10, 8, 7
"""Pixels, as drawn: heights of rows, padding of cells, space between the parts of one."""

BAR_LEAST, BAR_MOST = 14, 90
"""Pixels, as drawn: how long the bar of a running task is."""

Index = QModelIndex | QPersistentModelIndex
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class RowDelegate(QStyledItemDelegate):
    """Paints the ground and hands the rest to `paint_cell`; paints a group's row by itself."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        cell = index.data(Role.CELL)
        painter.save()
        painter.setClipRect(option.rect)
        if isinstance(cell, GroupCell):
            self._paint_group(painter, option, cell)
        elif isinstance(cell, Cell):
            painter.fillRect(option.rect, self.ground(option))
            self.paint_cell(Pen(painter, self.look, self.room(option)), cell)
        painter.restore()

    def room(self, option: QStyleOptionViewItem) -> QRect:
        """Where the parts of a cell may stand."""
        return QRect(option.rect)

    def paint_cell(self, pen: "Pen", cell: Cell) -> None:
        """What stands in it: an icon, a text, something beside it."""
        tokens = self.look.tokens
        if cell.state is not None:
            pen.state(cell.state.value, tokens.states[cell.state].ink, 13)
        elif cell.icon:
            pen.icon(cell.icon, tokens.text3, 14)
        if cell.quiet and not cell.icon and cell.state is None:  # nothing that is to be noticed
            pen.text(cell.text, self.look.font(12), tokens.text3)
            return
        pen.text(cell.text, self.look.font(), tokens.text2 if cell.quiet else tokens.text)
        pen.text(cell.aside, self.look.font(12), tokens.text3)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """The height of a row; widths are the columns' affair."""
        group = index.data(Role.TASK_ID) is None
        return QSize(self.look.px(40), self.look.px(GROUP_ROW if group else ROW))

    def ground(self, option: QStyleOptionViewItem) -> QColor:
        """What is behind a cell: it says whether its row is selected, or under the pointer."""
        tokens, state = self.look.tokens, option.state
        if state & QStyle.StateFlag.State_Selected:
            return QColor(
                tokens.sel if state & QStyle.StateFlag.State_Active and self._focused() else tokens.sunk
            )
        return QColor(tokens.hover if state & QStyle.StateFlag.State_MouseOver else tokens.base)

    def _focused(self) -> bool:
        view = self.parent()
        return isinstance(view, QWidget) and view.hasFocus()

    def _paint_group(self, painter: QPainter, option: QStyleOptionViewItem, cell: GroupCell) -> None:
        tokens, look = self.look.tokens, self.look
        painter.fillRect(option.rect, QColor(tokens.alt))
        pen = Pen(painter, look, option.rect)
        opened = option.state & QStyle.StateFlag.State_Open
        pen.icon("chevron-down" if opened else "chevron-right", tokens.text2, 13)
        if cell.hue < 0:
            pen.square(tokens.ctl, hollow=True)
        else:
            pen.square(tokens.groups[cell.hue % len(tokens.groups)])
        pen.text(cell.name, look.font(12, QFont.Weight.DemiBold), tokens.text)
        pen.text("1 task" if cell.tasks == 1 else f"{cell.tasks} tasks", look.font(12), tokens.text2)
        if cell.summary:
            pen.text("·", look.font(12), tokens.text3)
            pen.text(cell.summary, look.font(12), tokens.text2)


def draw_square(painter: QPainter, spot: QRect, colour: str, *, hollow: bool = False) -> None:
    """The mark of a group, in its colour; of no group an edge alone."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour)) if hollow else Qt.PenStyle.NoPen)
    painter.setBrush(Qt.BrushStyle.NoBrush if hollow else QColor(colour))
    inset, radius = (0.5, 2) if hollow else (0.0, 3)
    painter.drawRoundedRect(spot.toRectF().adjusted(inset, inset, -inset, -inset), radius, radius)


class Pen:
    """Writes the parts of one cell from left to right, and knows how much room is left."""

    def __init__(self, painter: QPainter, look: Look, rect: QRect) -> None:
        self.painter, self.look = painter, look
        self.rect = rect.adjusted(look.px(LEFT), 0, -look.px(RIGHT), 0)

    @property
    def ratio(self) -> float:
        """Pixels of the screen for each of ours."""
        return self.painter.device().devicePixelRatio()

    def state(self, name: str, colour: str, size: int) -> None:
        """The icon of a state."""
        self.icon(f"state-{name}", colour, size)

    def icon(self, name: str, colour: str, size: int) -> None:
        """An icon of `size` drawn pixels."""
        pixels = self.look.px(size)
        picture = icons.pixmap(name, colour, pixels, self.ratio, self.look.tokens.cut)
        self.painter.drawPixmap(self.rect.left(), self.rect.center().y() - pixels // 2 + 1, picture)
        self._advance(pixels)

    def square(self, colour: str, *, hollow: bool = False) -> None:
        """The mark of a group; hollow of no group."""
        pixels = self.look.px(10)
        spot = QRect(self.rect.left(), self.rect.center().y() - pixels // 2 + 1, pixels, pixels)
        draw_square(self.painter, spot, colour, hollow=hollow)
        self._advance(pixels)

    def text(self, words: str, font: QFont, colour: str) -> None:
        """A text, cut short by an ellipsis where it does not fit."""
        if not words or self.rect.width() <= 0:
            return
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, self.rect.width())
        self.painter.setFont(font)
        self.painter.setPen(QColor(colour))
        self.painter.drawText(self.rect, int(_MIDDLE | Qt.TextFlag.TextSingleLine), shown)
        self._advance(metrics.horizontalAdvance(shown))

    def bar(self, share: float, ground: str, colour: str, aside: str, font: QFont) -> None:
        """How much of the usual duration has passed, in the room that the words beside it leave; without any, none."""
        px = self.look.px
        gaps, beside = 2 * px(GAP), QFontMetrics(font).horizontalAdvance(aside)
        width = min(self.rect.width() - beside - gaps, px(BAR_MOST))
        if width < px(BAR_LEAST):
            return
        height = px(4)
        spot = QRectF(self.rect.left(), self.rect.center().y() - height // 2 + 1, width, height)
        self.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.painter.setPen(Qt.PenStyle.NoPen)
        for length, paint in ((1.0, ground), (share, colour)):
            self.painter.setBrush(QColor(paint))
            self.painter.drawRoundedRect(QRectF(spot.topLeft(), QSizeF(width * length, height)), 2, 2)
        self._advance(width)

    def _advance(self, width: int) -> None:
        self.rect.setLeft(self.rect.left() + width + self.look.px(GAP))
