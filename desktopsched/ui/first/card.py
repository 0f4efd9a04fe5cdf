"""A card of the first page: one way to a first task, as one large button. UI thread."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QTextLayout,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from desktopsched.ui import icons
from desktopsched.ui.look import Look

WIDE, WIDER = 246, 400
"""Pixels, as drawn: beside each other, and below each other."""

_PAD, _TILE, _ICON, _RADIUS = 16, 36, 18, 10
_BELOW_TILE, _BELOW_TITLE, _LINE = 12, 4, 18
_LINES = 3  # for which there is always room, so that cards beside each other are alike


class Card(QAbstractButton):
    """Icon, title, a key, and some words. Enter presses it, as Space does."""

    def __init__(
        self, look: Look, icon: str, title: str, words: str, keys: str = "", *, primary: bool = False
    ) -> None:
        super().__init__()
        self._look, self._icon, self._words, self._primary = look, icon, words, primary
        self._keys = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
        self._wide = WIDE
        self.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        look.changed.connect(self.update)

    @property
    def words(self) -> str:
        """What stands below the title."""
        return self._words

    def say(self, words: str) -> None:
        """Other words."""
        self._words = words
        self.setAccessibleDescription(words)
        self.updateGeometry()
        self.update()

    def set_wide(self, wide: int) -> None:
        """Pixels, as drawn."""
        if wide != self._wide:
            self._wide = wide
            self.updateGeometry()

    # --- sizes ---------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """As wide as its place has it, as high as its words take there."""
        px, wide = self._look.px, self._look.px(self._wide)
        lines = max(len(self._lines(wide)), _LINES if self._wide == WIDE else 1)
        return QSize(wide, self._words_top() + lines * self._line_height() + px(_PAD - 2))

    def minimumSizeHint(self) -> QSize:
        """No less: its words would be cut."""
        return self.sizeHint()

    def _lines(self, wide: int) -> list[str]:
        """The words as they are broken in a card of so many pixels."""
        layout = QTextLayout(self._words, self._small())
        layout.beginLayout()
        lines = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(wide - 2 * self._look.px(_PAD))
            lines.append(self._words[line.textStart() : line.textStart() + line.textLength()].strip())
        layout.endLayout()
        return lines

    def _line_height(self) -> int:
        return max(self._look.px(_LINE), QFontMetrics(self._small()).height())

    def _title_top(self) -> int:
        return self._look.px(_PAD + _TILE + _BELOW_TILE)

    def _words_top(self) -> int:
        return self._title_top() + QFontMetrics(self._large()).height() + self._look.px(_BELOW_TITLE)

    def _large(self) -> QFont:
        return self._look.font(14, QFont.Weight.DemiBold)

    def _small(self) -> QFont:
        return self._look.font(12.5)

    # --- keys ----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is a click; the arrows are the page's."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()

    # --- painting ------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and edge, tile, title, key, words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_tile(painter)
        t, px, on = self._look.tokens, self._look.px, self.isEnabled()
        painter.setFont(self._large())
        painter.setPen(QColor(t.text if on else t.off))
        top = self._title_top()
        line = QRect(px(_PAD), top, self.width() - 2 * px(_PAD), QFontMetrics(self._large()).height())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        if self._keys:
            self._paint_keys(painter, line)
        painter.setFont(self._small())
        painter.setPen(QColor(t.text2 if on else t.off))
        line = QRect(px(_PAD), self._words_top(), self.width() - 2 * px(_PAD), self._line_height())
        for words in self._lines(self.width()):
            painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
            line.translate(0, self._line_height())
        painter.end()

    def _paint_ground(self, painter: QPainter) -> None:
        t, focus = self._look.tokens, self.hasFocus()
        ground = t.base
        if self.isEnabled():
            hovered = self.underMouse()
            ground = t.sunk if self.isDown() else t.sel if focus else t.hover if hovered else t.base
        width = 2 if focus else 1
        painter.setPen(QPen(QColor(t.accent if focus else t.line2), width))
        painter.setBrush(QColor(ground))
        edge = width / 2
        radius = self._look.px(_RADIUS)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), radius, radius)

    def _paint_tile(self, painter: QPainter) -> None:
        t, px, on = self._look.tokens, self._look.px, self.isEnabled()
        filled = self._primary and on
        tile = QRectF(px(_PAD), px(_PAD), px(_TILE), px(_TILE))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(t.accent_fill if filled else t.sunk))
        painter.drawRoundedRect(tile, px(9), px(9))
        ink = t.on_accent if filled else t.text2 if on else t.off
        picture = icons.pixmap(self._icon, ink, px(_ICON), self.devicePixelRatioF())
        inset = (px(_TILE) - px(_ICON)) // 2
        painter.drawPixmap(px(_PAD) + inset, px(_PAD) + inset, picture)

    def _paint_keys(self, painter: QPainter, line: QRect) -> None:
        t, px, font = self._look.tokens, self._look.px, self._look.font(11, QFont.Weight.Medium)
        metrics = QFontMetrics(font)
        wide, tall = metrics.horizontalAdvance(self._keys) + px(9), metrics.height() + px(2)
        box = QRectF(line.right() + 1 - wide, line.center().y() - tall / 2 + 1, wide, tall)
        painter.setPen(QPen(QColor(t.line2), 1))
        painter.setBrush(QColor(t.win))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        painter.setFont(font)
        painter.setPen(QColor(t.text3 if self.isEnabled() else t.off))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self._keys)
