"""A choice of a few answers, of which one is seen: a closed list. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy

from desktopsched.ui.form import paint
from desktopsched.ui.look import Look

_PAD, _AFTER, _CHEVRON = 9, 7, 12


class Choice(QComboBox):
    """Words that stand for values. What is not among them is shown as it is."""

    picked = Signal(object)
    """The person chose this value."""

    def __init__(self, look: Look, name: str, answers: Sequence[tuple[object, str]], *, width: int) -> None:
        """`answers`: value and words; `width` in pixels as drawn."""
        super().__init__()
        self._look, self._answers = look, list(answers)
        self.setAccessibleName(name)
        self.setFont(look.font())
        widest = max(self.fontMetrics().horizontalAdvance(words) for _, words in answers)
        room = max(look.px(width), widest + look.px(_PAD + _AFTER + _CHEVRON + 4))
        self.setFixedSize(room + 2 * paint.HALO, paint.height(look))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for value, words in answers:
            self.addItem(words, value)
        self.activated.connect(lambda at: self.picked.emit(self.itemData(at)))
        look.changed.connect(self.update)

    def show_value(self, value: object, words: str) -> None:
        """Show this value; `words` say it where it is none of the answers."""
        while self.count() > len(self._answers):
            self.removeItem(self.count() - 1)
        for at, (known, _) in enumerate(self._answers):
            if known == value:
                self.setCurrentIndex(at)
                return
        self.addItem(words, value)
        self.setCurrentIndex(self.count() - 1)

    def sizeHint(self) -> QSize:
        """As it was asked for."""
        return self.minimumSize()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls; a choice is not changed in passing."""
        event.ignore()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame, the words, the chevron."""
        t, look, painter = self._look.tokens, self._look, QPainter(self)
        paint.box(painter, paint.inner(self), look, focus=self.hasFocus(), enabled=self.isEnabled())
        chevron = paint.picture(look, "chevron-down", t.text2, _CHEVRON, self)
        end = self.width() - paint.HALO - look.px(_AFTER + _CHEVRON)
        paint.draw_picture(painter, end, self.height() / 2, chevron)
        room = self.rect().adjusted(paint.HALO + look.px(_PAD), 0, end - self.width() - look.px(2), 0)
        painter.setPen(QColor(t.text))
        painter.setFont(self.font())
        words = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()
