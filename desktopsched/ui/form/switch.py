"""A switch: a check box drawn as one. UI thread."""

from msgspec import UNSET
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from desktopsched.ui.form import paint
from desktopsched.ui.look import Look

_WIDE, _TALL, _GAP = 30, 18, 8
_OFF = 2  # pixels of ground between the trough and its ring, which has the colour of a trough that is on
_AROUND = paint.HALO + _OFF


class Switch(QCheckBox):
    """On or off, with its word beside it."""

    edited = Signal()

    def __init__(self, look: Look, words: str, *, default: bool) -> None:
        """`default` is what a file that says nothing means."""
        super().__init__(words)
        self._look, self._default = look, default
        self.setFont(look.font())
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(lambda _on: self.edited.emit())
        look.changed.connect(self.update)

    def raw(self) -> object:
        """True or false; nothing where it is as it would be anyway."""
        return UNSET if self.isChecked() == self._default else self.isChecked()

    def set_raw(self, raw: object) -> None:
        """On or off."""
        self.setChecked(self._default if raw is UNSET else bool(raw))

    def mark(self, *, wrong: bool) -> None:
        """Neither of the two is wrong."""

    def take_focus(self) -> None:
        """To the switch."""
        self.setFocus()

    def sizeHint(self) -> QSize:
        """The switch, a gap, the word."""
        words = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(2 * _AROUND + self._look.px(_WIDE + _GAP) + words, paint.height(self._look))

    def hitButton(self, pos: QPoint) -> bool:
        """All of it."""
        return self.rect().contains(pos)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The trough, the knob, the word."""
        t, look, painter = self._look.tokens, self._look, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide, tall = look.px(_WIDE), look.px(_TALL)
        trough = QRectF(_AROUND, (self.height() - tall) / 2, wide, tall)
        if self.hasFocus():
            off = _OFF + paint.HALO / 2
            paint.ring(painter, trough.adjusted(-off, -off, off, off), look, tall / 2 + off)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(t.accent_fill if self.isChecked() else t.ctl))
        painter.drawRoundedRect(trough, tall / 2, tall / 2)
        knob = tall / 2 - look.px(2)
        middle = trough.right() - tall / 2 if self.isChecked() else trough.left() + tall / 2
        painter.setBrush(QColor("#FFFFFF"))
        painter.drawEllipse(QPointF(middle, trough.center().y()), knob, knob)
        painter.setPen(QColor(t.text))
        painter.setFont(self.font())
        room = self.rect().adjusted(_AROUND + wide + look.px(_GAP), 0, 0, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()
