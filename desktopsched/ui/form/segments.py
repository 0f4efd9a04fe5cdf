"""Segments: a choice whose answers are all seen at once, in a trough. UI thread."""

from collections.abc import Sequence

from msgspec import UNSET, Struct
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from desktopsched.ui.form import paint
from desktopsched.ui.look import Look

_PAD, _GAP, _ICON = 11, 7, 14


class Segment(Struct, frozen=True):
    """One answer."""

    value: str  # as the file has it; empty: the file has nothing
    words: str
    icon: str = ""


class SegmentButton(QAbstractButton):
    """One answer: flat in the trough, raised when it is the one."""

    def __init__(self, look: Look, segment: Segment) -> None:
        super().__init__()
        self._look, self.segment = look, segment
        self.setText(segment.words)
        self.setAccessibleName(segment.words)
        self.setCheckable(True)
        self.setFont(look.font(weight=QFont.Weight.Medium))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As wide as its words in their boldest, so that nothing moves when another is chosen."""
        bold = QFontMetrics(self._font(chosen=True)).horizontalAdvance(self.segment.words)
        icon = self._look.px(_ICON + _GAP) if self.segment.icon else 0
        return QSize(bold + icon + 2 * self._look.px(_PAD), self._look.px(paint.FIELD) - 2)

    def _font(self, *, chosen: bool) -> QFont:
        return self._look.font(weight=QFont.Weight.DemiBold if chosen else QFont.Weight.Medium)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The raised ground, the icon, the words, the focus."""
        t, look, painter = self._look.tokens, self._look, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        where = self.rect().toRectF().adjusted(1.5, 1.5, -1.5, -1.5)
        if self.isChecked():
            painter.setPen(paint.pen(t.line2))
            painter.setBrush(QColor(t.base))
            painter.drawRoundedRect(where, look.px(5), look.px(5))
        if self.hasFocus():
            paint.ring(painter, where, look, look.px(5))
        ink = t.text if self.isChecked() or self.underMouse() else t.text2
        font = self._font(chosen=self.isChecked())
        icon = look.px(_ICON + _GAP) if self.segment.icon else 0
        left = (self.width() - icon - QFontMetrics(font).horizontalAdvance(self.segment.words)) / 2
        if self.segment.icon:
            tint = t.accent if self.isChecked() else ink
            paint.draw_picture(
                painter, left, self.height() / 2, paint.picture(look, self.segment.icon, tint, _ICON, self)
            )
            left += look.px(_ICON + _GAP)
        painter.setFont(font)
        painter.setPen(QColor(ink))
        room = self.rect().adjusted(int(left), 0, 0, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.segment.words)
        painter.end()


class Segments(QWidget):
    """The answers side by side. The arrow keys choose, Tab passes over all of them."""

    edited = Signal()

    def __init__(self, look: Look, name: str, segments: Sequence[Segment]) -> None:
        super().__init__()
        self._look = look
        self.setAccessibleName(name)
        self.group = QButtonGroup(self)
        self.buttons = {segment.value: SegmentButton(look, segment) for segment in segments}
        row = QHBoxLayout(self)
        side = paint.HALO + 1
        row.setContentsMargins(side, side, side, side)
        row.setSpacing(0)
        for button in self.buttons.values():
            button.setAccessibleDescription(name)
            self.group.addButton(button)
            row.addWidget(button)
        next(iter(self.buttons.values())).setChecked(True)
        self._let_tab_reach_chosen()
        self.group.buttonToggled.connect(self._toggled)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    @property
    def value(self) -> str:
        """The answer; empty too where that is one."""
        return next(value for value, button in self.buttons.items() if button.isChecked())

    def raw(self) -> object:
        """The answer as the file has it."""
        return self.value or UNSET

    def set_raw(self, raw: object) -> None:
        """Choose; the first one where the file has nothing."""
        wanted = "" if raw is UNSET else str(raw)
        button = self.buttons.get(wanted) or next(iter(self.buttons.values()))
        button.setChecked(True)

    def mark(self, *, wrong: bool) -> None:
        """No answer is wrong."""

    def take_focus(self) -> None:
        """To the one that is chosen."""
        self.buttons[self.value].setFocus()

    def _let_tab_reach_chosen(self) -> None:
        """Qt does this once one of them has the focus: until then Tab would lead to the first, which is not chosen."""
        for button in self.buttons.values():
            chosen = button.isChecked()
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if chosen else Qt.FocusPolicy.ClickFocus)

    def _toggled(self, _button: QAbstractButton, on: bool) -> None:
        if on:
            self._let_tab_reach_chosen()
            self.edited.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The trough."""
        t, painter = self._look.tokens, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(paint.pen(t.line2))
        painter.setBrush(QColor(t.sunk))
        painter.drawRoundedRect(paint.inner(self), self._look.px(6), self._look.px(6))
        painter.end()
