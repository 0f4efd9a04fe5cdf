"""How the lines of the sidebar are painted. UI thread; they paint and measure, nothing else."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktopsched import phrases
from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.facts import Fire
from desktopsched.ui.look import Look
from desktopsched.ui.row_delegate import draw_square
from desktopsched.ui.sidebar_model import ENTRY, MARKS, Entry

ROW, FIRE_ROW = 28, 24
NAME_MOST = 200  # characters of a group's name, as the task file has it
_PAD, _GAP, _ICON, _SQUARE, _LETTER_SQUARE, _MARK = 8, 8, 15, 10, 19, 12

Index = QModelIndex | QPersistentModelIndex
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight | Qt.TextFlag.TextSingleLine


class EntryDelegate(QStyledItemDelegate):
    """A view or a group: icon or square, words, marks, count. Folded, the icon, or the square with a letter in it."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look
        self.is_folded = False

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """The height of a line."""
        return QSize(self.look.px(20), self.look.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One line."""
        entry = index.data(ENTRY)
        if not isinstance(entry, Entry):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option, index)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        px = self.look.px
        rect = option.rect.adjusted(px(_PAD), 0, -px(_PAD), 0)
        self._paint_icon(painter, rect, entry, chosen=chosen)
        if not self.is_folded:
            rest = rect.adjusted(px(_ICON + _GAP), 0, 0, 0)
            rest = self._paint_count(painter, rest, entry, chosen=chosen)
            rest = self._paint_marks(painter, rest, entry)
            weight = QFont.Weight.DemiBold if chosen else QFont.Weight.Medium
            _write(painter, rest, entry.text, self.look.font(weight=weight), self.look.tokens.text)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, state = self.look.tokens, option.state
        if state & QStyle.StateFlag.State_Selected or state & QStyle.StateFlag.State_MouseOver:
            chosen = state & QStyle.StateFlag.State_Selected
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.sel if chosen else tokens.hover))
            painter.drawRoundedRect(option.rect.toRectF(), 6, 6)
        if _has_focus(self.parent(), option) or is_drop(self.parent(), index):
            _frame(painter, option.rect, tokens.accent)

    def _paint_icon(self, painter: QPainter, rect: QRect, entry: Entry, *, chosen: bool) -> None:
        tokens, px = self.look.tokens, self.look.px
        if entry.hue >= 0:
            side = px(_LETTER_SQUARE if self.is_folded else _SQUARE)
            left = rect.left() + (px(_ICON) - side) // 2
            colour = tokens.groups[entry.hue % len(tokens.groups)] if entry.key else tokens.ctl
            spot = QRect(left, rect.center().y() - side // 2 + 1, side, side)
            draw_square(painter, spot, colour, hollow=not entry.key)
            if self.is_folded:
                painter.setFont(self.look.font(11, QFont.Weight.Bold))
                painter.setPen(QColor(ink_on(colour) if entry.key else tokens.text2))
                painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, entry.text[:1].upper())
            return
        colour = tokens.accent if chosen else tokens.text2
        if entry.bad:
            colour = tokens.states[State.FAILED].ink
        self._put(painter, (entry.icon, colour, _ICON), rect.left(), rect)

    def _put(self, painter: QPainter, picture: tuple[str, str, int], left: int, rect: QRect) -> None:
        name, colour, size = picture
        pixels = self.look.px(size)
        ratio = painter.device().devicePixelRatio()
        drawn = icons.pixmap(name, colour, pixels, ratio, self.look.tokens.cut)
        painter.drawPixmap(left, rect.center().y() - pixels // 2 + 1, drawn)

    def _paint_count(self, painter: QPainter, rect: QRect, entry: Entry, *, chosen: bool) -> QRect:
        tokens = self.look.tokens
        colour = tokens.accent if chosen else tokens.text3
        font = self.look.font(12, QFont.Weight.DemiBold if chosen else QFont.Weight.Medium)
        if entry.bad:
            colour, font = tokens.states[State.FAILED].ink, self.look.font(12, QFont.Weight.Bold)
        words = f"{entry.count:,}"
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(rect, int(_RIGHT), words)
        width = max(QFontMetrics(font).horizontalAdvance(words), self.look.px(16))
        return rect.adjusted(0, 0, -width - self.look.px(_GAP), 0)

    def _paint_marks(self, painter: QPainter, rect: QRect, entry: Entry) -> QRect:
        """From right to left: failed, then running."""
        px = self.look.px
        for state in (State.FAILED, State.RUNNING):
            if entry.hue >= 0 and getattr(entry, MARKS[state]):
                left = rect.right() + 1 - px(_MARK)
                ink = self.look.tokens.states[state].ink
                self._put(painter, (f"state-{state.value}", ink, _MARK), left, rect)
                rect = rect.adjusted(0, 0, -px(_MARK + _GAP), 0)
        return rect

    # --- the name of a group -------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A field for the name of a group; it knows which one."""
        entry = index.data(ENTRY)
        field = QLineEdit(parent)
        field.setProperty("group", entry.key if entry.is_group else "")
        field.setObjectName("field")
        field.setFont(self.look.font())
        field.setMaxLength(NAME_MOST)
        field.setPlaceholderText("Name of the group")
        field.setAccessibleName("Name of the group")
        return field

    def setEditorData(self, editor: QWidget, _index: Index) -> None:
        """The name as it is, once: counts change while another one is typed."""
        if isinstance(editor, QLineEdit) and not editor.property("is_filled"):
            editor.setProperty("is_filled", True)
            editor.setText(editor.property("group"))
            editor.selectAll()

    def setModelData(self, _editor: QWidget, _model: QAbstractItemModel, _index: Index) -> None:
        """The sidebar takes the name itself: it is the list that changes, not this model."""

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: Index) -> None:
        """Where the words will stand."""
        editor.setGeometry(option.rect.adjusted(self.look.px(_PAD + _ICON), 0, 0, 0))


class FireDelegate(QStyledItemDelegate):
    """A fire: clock time, name, how far away."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = look

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """The height of a line."""
        return QSize(self.look.px(20), self.look.px(FIRE_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One line."""
        fire = index.data(ENTRY)
        if not isinstance(fire, Fire):
            return
        tokens, look, px = self.look.tokens, self.look, self.look.px
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.hover))
            painter.drawRoundedRect(option.rect.toRectF(), 6, 6)
        if _has_focus(self.parent(), option):
            _frame(painter, option.rect, tokens.accent)
        rect = option.rect.adjusted(px(_PAD), 0, -px(_PAD), 0)
        now = getattr(index.model(), "now", 0.0)
        away = phrases.until(fire.due, now).removeprefix("in ")
        rect = _write(painter, rect, fire.clock, look.font(12, QFont.Weight.Medium), tokens.text2)
        rect.setLeft(rect.left() + px(_GAP))
        small = look.font(12)
        painter.setFont(small)
        painter.setPen(QColor(tokens.text3))
        painter.drawText(rect, int(_RIGHT), away)
        rect.setRight(rect.right() - QFontMetrics(small).horizontalAdvance(away) - px(_GAP))
        _write(painter, rect, fire.name, small, tokens.text)
        painter.restore()


def ink_on(ground: str) -> str:
    """Black or white, whichever is read better: of the two one always has a contrast of 4.5 or more."""
    colour = QColor(ground)
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#FFFFFF" if 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 else "#000000"


def is_drop(view: object, index: Index) -> bool:
    """Whether tasks would fall onto this line."""
    place = getattr(view, "drop_row", None)
    return isinstance(place, QPersistentModelIndex) and place.isValid() and place.row() == index.row()


def _has_focus(view: object, option: QStyleOptionViewItem) -> bool:
    """Whether a key would be for this line."""
    current = bool(option.state & QStyle.StateFlag.State_HasFocus)
    return current and isinstance(view, QWidget) and view.hasFocus()


def _frame(painter: QPainter, rect: QRect, colour: str) -> None:
    """Two pixels round a line."""
    painter.setPen(QPen(QColor(colour), 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect.toRectF().adjusted(1, 1, -1, -1), 5, 5)


def _write(painter: QPainter, rect: QRect, words: str, font: QFont, colour: str) -> QRect:
    """Words at the left, cut short where they do not fit; what room is left behind them."""
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(rect.width(), 0))
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(rect, int(_LEFT), shown)
    return rect.adjusted(metrics.horizontalAdvance(shown), 0, 0, 0)
