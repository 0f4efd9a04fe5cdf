"""How the rows of missed runs are painted, and which segment lies under the pointer. UI thread."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.catch_up import words
from desktopsched.ui.catch_up.choices import Line, Pick
from desktopsched.ui.catch_up.model import ChoicesModel, Column, Index
from desktopsched.ui.look import Look
from desktopsched.ui.row import action_icon

ROW = 48
EDGE, CELL, GAP = 20, 10, 10  # left of the table, left of a cell, between icon and name
_TROUGH, _PADDING = 28, 16  # of the segments: height, space beside the words of one
_LEAST = {
    Pick.ALL: 74,
    Pick.LATEST: 80,
    Pick.SKIP: 46,
    Pick.RERUN: 74,
    Pick.LEAVE: 46,
}  # widths of one, as drawn
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RAISED = (
    "#343943",
    "#474D59",
)  # the chosen segment and its edge in dark; in light it is as white as the table


class ChoiceDelegate(QStyledItemDelegate):
    """Paints all five columns; a click on a segment picks it, one on the check box remembers."""

    def __init__(self, look: Look, model: ChoicesModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._model = look, model
        self._wide: dict[tuple[tuple[Pick, ...], Pick], int] = {}  # measured once for all rows
        model.modelReset.connect(self._wide.clear)

    # --- measuring -----------------------------------------------------------------------------------------

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """The height of a row; widths are the table's affair."""
        return QSize(self._look.px(40), self.row_height)

    @property
    def row_height(self) -> int:
        """The same for all rows."""
        lines = QFontMetrics(self._bold()).height() + QFontMetrics(self._small()).height()
        return max(self._look.px(ROW), lines + self._look.px(12))

    def width_of(self, column: Column) -> int:
        """What a column needs for its rows."""
        look, lines = self._look, self._model.choices.lines
        if column is Column.CHOICE:
            alike = {line.picks: line for line in lines}  # of many lines only the different ones are measured
            needed = max((sum(self._widths(line)) for line in alike.values()), default=0) + look.px(10)
        elif column is Column.COUNT:
            counts = {(line.interrupted, line.missed.count): line for line in lines}
            needed = max((self._pill_width(line) for line in counts.values()), default=0)
        else:
            metrics = QFontMetrics(look.font(12.5))
            needed = metrics.horizontalAdvance("Mon 00:00  ") if column is Column.SPAN else 0
        return needed + 2 * look.px(CELL)

    def segments(self, line: Line, cell: QRect) -> list[tuple[Pick, QRect]]:
        """Where the choices of a line are."""
        px = self._look.px
        top = cell.center().y() - px(_TROUGH) // 2 + 1
        left = cell.left() + px(CELL)
        found = []
        for pick, width in zip(line.picks, self._widths(line), strict=True):
            found.append((pick, QRect(left + px(3), top + px(3), width, px(_TROUGH) - 2 * px(3))))
            left += width + px(2)
        return found

    def _widths(self, line: Line) -> list[int]:
        return [self._width(line, pick) for pick in line.picks]

    def _width(self, line: Line, pick: Pick) -> int:
        """As wide in each row that has as many choices, so that they stand below each other."""
        known = self._wide.get((line.picks, pick))
        if known is not None:
            return known
        metrics, px = QFontMetrics(self._look.font(12, QFont.Weight.DemiBold)), self._look.px
        alike = [one for one in self._model.choices.lines if one.picks == line.picks]
        said = {words.pick_words(one, pick) for one in alike}
        wide = max([px(_LEAST[pick]), *(metrics.horizontalAdvance(one) + px(_PADDING) for one in said)])
        self._wide[line.picks, pick] = wide
        return wide

    def _pill_width(self, line: Line) -> int:
        metrics = QFontMetrics(self._pill_font(line))
        return max(metrics.horizontalAdvance(words.count_words(line)) + self._look.px(14), self._look.px(26))

    def _pill_font(self, line: Line) -> QFont:
        return self._look.font(11.5 if line.interrupted else 12.5, QFont.Weight.DemiBold)

    def _bold(self) -> QFont:
        return self._look.font(weight=QFont.Weight.DemiBold)

    def _small(self) -> QFont:
        return self._look.font(11.5)

    # --- the pointer ---------------------------------------------------------------------------------------

    def editorEvent(
        self, event: QEvent, _model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click decides at once."""
        if (
            not isinstance(event, QMouseEvent)
            or event.type() is not QEvent.Type.MouseButtonRelease
            or event.button() is not Qt.MouseButton.LeftButton
        ):
            return False
        return self._clicked(event.position().toPoint(), option.rect, index)

    def _clicked(self, point: QPoint, cell: QRect, index: Index) -> bool:
        line = self._model.line(index.row())
        if index.column() == Column.REMEMBER:
            self._model.remember(index.row())
            return True
        if index.column() == Column.CHOICE:
            for pick, place in self.segments(line, cell):
                if place.contains(point):
                    self._model.pick(index.row(), pick)
                    return True
        return False

    # --- painting ------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        line, column, tokens = self._model.line(index.row()), Column(index.column()), self._look.tokens
        painter.save()
        painter.setClipRect(option.rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(option.rect, self._ground(option))
        edge = option.rect.adjusted(0, option.rect.height() - 1, 0, 0)
        painter.fillRect(edge, QColor(tokens.line))
        cell = option.rect.adjusted(0, 0, 0, -1)
        match column:
            case Column.TASK:
                self._paint_task(painter, cell, line, option)
            case Column.COUNT:
                self._paint_pill(painter, cell, line)
            case Column.SPAN:
                self._paint_span(painter, cell, line)
            case Column.CHOICE:
                self._paint_choice(painter, cell, line, index.row())
            case Column.REMEMBER:
                self._paint_remember(painter, cell, line, index.row())
        painter.restore()

    def _ground(self, option: QStyleOptionViewItem) -> QColor:
        tokens = self._look.tokens
        if option.state & QStyle.StateFlag.State_Selected:
            return QColor(tokens.sel if self._focused() else tokens.sunk)
        return QColor(tokens.base)

    def _focused(self) -> bool:
        view = self.parent()
        return isinstance(view, QWidget) and view.hasFocus()

    def _paint_task(self, painter: QPainter, cell: QRect, line: Line, option: QStyleOptionViewItem) -> None:
        look, tokens = self._look, self._look.tokens
        if option.state & QStyle.StateFlag.State_Selected:
            mark = QRect(cell.left(), cell.top(), look.px(3), cell.height() + 1)
            painter.fillRect(mark, QColor(tokens.accent if self._focused() else tokens.ctl))
        size = look.px(16)
        picture = icons.pixmap(
            action_icon(line.missed.task), tokens.text2, size, painter.device().devicePixelRatio()
        )
        left = cell.left() + look.px(EDGE)
        painter.drawPixmap(left, cell.center().y() - size // 2 + 1, picture)
        place = QRect(left + size + look.px(GAP), 0, 0, 0)
        place.setRight(cell.right() - look.px(CELL))
        under = words.below(line, self._model.now(), self._model.zone())
        ink = tokens.states[State.FAILED].ink if line.interrupted else tokens.text2
        self._two(
            painter,
            cell,
            place,
            (line.missed.task.name, self._bold(), tokens.text),
            (under, self._small(), ink),
        )

    def _paint_span(self, painter: QPainter, cell: QRect, line: Line) -> None:
        look, tokens = self._look, self._look.tokens
        first, last = words.span_of(line, self._model.now(), self._model.zone())
        place = QRect(cell.left() + look.px(CELL), 0, cell.width() - look.px(CELL), 0)
        font = look.font(12.5)
        if last:
            self._two(painter, cell, place, (first, font, tokens.text), (last, font, tokens.text2))
        else:
            painter.setFont(font)
            painter.setPen(QColor(tokens.text))
            painter.drawText(cell.adjusted(look.px(CELL), 0, 0, 0), int(_MIDDLE), first)

    @staticmethod
    def _two(
        painter: QPainter,
        cell: QRect,
        place: QRect,
        upper: tuple[str, QFont, str],
        lower: tuple[str, QFont, str],
    ) -> None:
        """Two lines, one above the other, in the middle of the cell, cut short where they do not fit."""
        heights = [QFontMetrics(font).height() + 1 for _, font, _ in (upper, lower)]
        top = cell.top() + (cell.height() - sum(heights)) // 2 + 1
        for (text, font, colour), height in zip((upper, lower), heights, strict=True):
            row = QRect(place.left(), top, place.width(), height)
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, row.width())
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(row, int(_MIDDLE | Qt.TextFlag.TextSingleLine), shown)
            top += height

    def _paint_pill(self, painter: QPainter, cell: QRect, line: Line) -> None:
        look = self._look
        ink = look.tokens.states[State.FAILED if line.interrupted else State.READY]
        height = look.px(20)
        pill = QRectF(
            cell.left() + look.px(CELL), cell.center().y() - height // 2 + 1, self._pill_width(line), height
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ink.tint))
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setFont(self._pill_font(line))
        painter.setPen(QColor(ink.ink))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words.count_words(line))

    def _paint_choice(self, painter: QPainter, cell: QRect, line: Line, at: int) -> None:
        look, tokens = self._look, self._look.tokens
        segments = self.segments(line, cell)
        grow = look.px(3)
        trough = segments[0][1].united(segments[-1][1]).adjusted(-grow, -grow, grow, grow)
        painter.setPen(QPen(QColor(tokens.line2), 1))
        painter.setBrush(QColor(tokens.sunk))
        painter.drawRoundedRect(QRectF(trough).adjusted(0.5, 0.5, -0.5, -0.5), look.px(7), look.px(7))
        for pick, place in segments:
            chosen = pick is self._model.choices.pick_of(at)
            if chosen:
                face, edge = _RAISED if tokens.dark else (tokens.base, tokens.line2)
                painter.setPen(QPen(QColor(edge), 1))
                painter.setBrush(QColor(face))
                painter.drawRoundedRect(QRectF(place).adjusted(-0.5, -0.5, 0.5, 0.5), look.px(5), look.px(5))
            painter.setFont(look.font(12, QFont.Weight.DemiBold if chosen else QFont.Weight.Medium))
            painter.setPen(QColor(tokens.text if chosen else tokens.text2))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words.pick_words(line, pick))

    def _paint_remember(self, painter: QPainter, cell: QRect, line: Line, at: int) -> None:
        if not line.can_remember:
            return
        look, tokens = self._look, self._look.tokens
        size, ticked = look.px(15), self._model.choices.remembered(at)
        box = QRect(cell.left() + look.px(CELL), cell.center().y() - size // 2, size, size)
        painter.setPen(QPen(QColor(tokens.accent_fill if ticked else tokens.ctl), 1))
        painter.setBrush(QColor(tokens.accent_fill if ticked else tokens.base))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), look.px(4), look.px(4))
        if ticked:
            tick, inner = look.px(11), (size - look.px(11)) // 2
            picture = icons.pixmap("check", tokens.on_accent, tick, painter.device().devicePixelRatio())
            painter.drawPixmap(box.left() + inner, box.top() + inner, picture)
        painter.setFont(look.font())
        painter.setPen(QColor(tokens.text))
        place = cell.adjusted(look.px(CELL) + size + look.px(8), 0, 0, 0)
        painter.drawText(place, int(_MIDDLE), "Remember")
