"""How the lines of what is imported are painted: a tick, two lines of words, or a sign and no tick. UI thread."""

from collections.abc import Iterable

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktopsched.model import Command, Cron, Script, State
from desktopsched.ui.form import paint
from desktopsched.ui.importing.line import Line, visible
from desktopsched.ui.importing.lines import LINE, Column, Index
from desktopsched.ui.look import Look

_PAD, _BOX, _GAP, _EDGE = 20, 15, 10, 6  # pixels, as drawn
_LEFT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)


class LineDelegate(QStyledItemDelegate):
    """Every row is as high as two lines of text."""

    def __init__(self, look: Look, view: QWidget) -> None:
        super().__init__(view)
        self._look, self._view = look, view

    @property
    def row_height(self) -> int:
        """In pixels, for the fonts of now."""
        look = self._look
        both = QFontMetrics(self._strong()).height() + QFontMetrics(look.font(12)).height()
        return both + 2 * look.px(_EDGE)

    def width_of_when(self, said: Iterable[str], least: int, most: int) -> int:
        """Pixels in which these schedules can be read, within bounds."""
        metrics = QFontMetrics(self._look.font())
        widest = max((metrics.horizontalAdvance(words) for words in set(said)), default=0)
        return min(max(widest + 2 * self._look.px(_GAP) + 2, least), most)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """The height of a row."""
        return QSize(self._look.px(60), self.row_height)

    def _strong(self) -> QFont:
        return self._look.font(weight=QFont.Weight.DemiBold)

    # --- painting ------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        line = index.data(LINE)
        if not isinstance(line, Line):
            return
        painter.save()
        self._paint_ground(painter, option, index)
        upper, lower = self._halves(option.rect, index)
        if line.task is None:
            self._paint_told(painter, line, upper, lower)
        else:
            self._paint_task(painter, line, index, upper, lower)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        t, rect = self._look.tokens, option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = self._view.hasFocus()
        painter.fillRect(rect, QColor((t.sel if focused else t.sunk) if chosen else t.base))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(t.line))
        if chosen and index.column() == Column.NAME:
            wide = self._look.px(3)
            painter.fillRect(
                rect.left(), rect.top(), wide, rect.height(), QColor(t.accent if focused else t.ctl)
            )

    def _halves(self, rect: QRect, index: Index) -> tuple[QRect, QRect]:
        px = self._look.px
        before = px(_PAD + _BOX + _GAP) if index.column() == Column.NAME else px(_GAP)
        room = rect.adjusted(before, px(_EDGE), -px(_GAP), -px(_EDGE))
        tall = QFontMetrics(self._strong()).height()
        upper = QRect(room.left(), room.top(), room.width(), tall)
        return upper, QRect(room.left(), room.top() + tall, room.width(), room.height() - tall)

    def _paint_task(self, painter: QPainter, line: Line, index: Index, upper: QRect, lower: QRect) -> None:
        t, look = self._look.tokens, self._look
        words = str(index.data() or "")
        match Column(index.column()):
            case Column.NAME:
                self._paint_box(painter, self.box_at(upper, lower), ticked=line.ticked)
                self._write(painter, upper, words, self._strong(), t.text if line.ticked else t.text3)
                self._write(painter, lower, line.told or line.place, look.font(12), t.text2)
            case Column.WHEN:
                self._write(painter, upper, words, look.font(), t.text if line.ticked else t.text3)
                schedule = line.task.schedule if line.task else None
                written = schedule.expression if isinstance(schedule, Cron) else ""
                self._write(painter, lower, written, look.mono(11.5), t.text3)
            case Column.COMMAND:
                settings = _settings(line)
                self._write(
                    painter,
                    upper if settings else upper.united(lower),
                    words,
                    look.mono(12),
                    t.text if line.ticked else t.text3,
                )
                self._write(painter, lower, settings, look.font(12), t.text3)

    def _paint_told(self, painter: QPainter, line: Line, upper: QRect, lower: QRect) -> None:
        """A line that makes no task: as it stands, and why, or what becomes of it."""
        t, look = self._look.tokens, self._look
        ink = t.states[State.FAILED].ink if line.problem else t.text2
        sign = paint.picture(look, "warning" if line.problem else "info", ink, _BOX, self._view)
        middle = (upper.top() + lower.bottom()) / 2
        paint.draw_picture(painter, upper.left() - look.px(_BOX + _GAP), middle, sign)
        self._write(painter, upper, line.text.strip(), look.mono(12), t.text2)
        self._write(painter, lower, line.told, look.font(12), ink)

    def _paint_box(self, painter: QPainter, box: QRectF, *, ticked: bool) -> None:
        t = self._look.tokens
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(t.accent_fill if ticked else t.ctl), 1))
        painter.setBrush(QColor(t.accent_fill if ticked else t.base))
        painter.drawRoundedRect(box, self._look.px(4), self._look.px(4))
        if ticked:
            sign = paint.picture(self._look, "check", t.on_accent, 12, self._view)
            half = sign.width() / sign.devicePixelRatio() / 2
            painter.drawPixmap(QPointF(box.center().x() - half, box.center().y() - half), sign)

    def box_at(self, upper: QRect, lower: QRect) -> QRectF:
        """Where the tick is, before the words."""
        side = self._look.px(_BOX)
        middle = (upper.top() + lower.bottom() + 1) / 2
        left = upper.left() - side - self._look.px(_GAP)
        return QRectF(left + 0.5, round(middle - side / 2) + 0.5, side - 1, side - 1)

    @staticmethod
    def _write(painter: QPainter, rect: QRect, words: str, font: QFont, colour: str) -> None:
        shown = QFontMetrics(font).elidedText(visible(words), Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(rect, _LEFT, shown)

    # --- ticking and naming --------------------------------------------------------------------------------

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        """A click on the box, or the space bar, ticks."""
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is None or not self._ticks(event, option.rect, index):
            return False
        other = (
            Qt.CheckState.Unchecked
            if Qt.CheckState(state) == Qt.CheckState.Checked
            else Qt.CheckState.Checked
        )
        return model.setData(index, other, Qt.ItemDataRole.CheckStateRole)

    def _ticks(self, event: QEvent, rect: QRect, index: Index) -> bool:
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonRelease:
            return self._before_words(rect, index).contains(event.position().toPoint())
        return (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Space
        )

    def _before_words(self, rect: QRect, index: Index) -> QRect:
        upper, _ = self._halves(rect, index)
        return QRect(rect.topLeft(), QPoint(upper.left(), rect.bottom()))

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index) -> QWidget:
        """A field for the name."""
        field = QLineEdit(parent)
        field.setObjectName("field")
        field.setFont(self._look.font())
        field.setMaxLength(200)
        field.setAccessibleName("Name of the task")
        return field

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Where the name stands, as high as a field."""
        upper, _ = self._halves(option.rect, index)
        tall = self._look.px(paint.FIELD)
        top = option.rect.center().y() - tall // 2
        editor.setGeometry(upper.left() - self._look.px(6), top, upper.width() + self._look.px(6), tall)


def _settings(line: Line) -> str:
    """Which variables go with it."""
    action = line.task.action if line.task is not None else None
    names = list(action.env) if isinstance(action, Command | Script) else []
    return f"with {', '.join(names)}" if names else ""
