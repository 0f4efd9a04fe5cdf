"""The legend in the head of the graph: how each kind of link is drawn. UI thread; paints only."""

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktopsched.model import On
from desktopsched.ui.graph.link_item import Weight, pen
from desktopsched.ui.look import Look

KINDS = {On.SUCCESS: "on success", On.FAILURE: "on failure", On.FINISH: "always"}

_LINE, _GAP, _AFTER = 22, 5, 12


class Legend(QWidget):
    """Three samples with their words."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Solid: on success. Dashed: on failure. Dotted: always.")

    def sizeHint(self) -> QSize:
        """As long as the words are."""
        metrics = QFontMetrics(self._look.font(11.5))
        words = sum(metrics.horizontalAdvance(word) for word in KINDS.values())
        parts = len(KINDS) * self._look.px(_LINE + _GAP + _AFTER)
        return QSize(words + parts, self._look.px(20))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - all of it
        """Lines and words."""
        painter, font = QPainter(self), self._look.font(11.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        metrics, middle, at = QFontMetrics(font), self.height() / 2, 0.0
        for on, word in KINDS.items():
            sample = pen(self._look, on, Weight.PLAIN)
            painter.setPen(sample)
            painter.drawLine(QPointF(at + 1, middle), QPointF(at + self._look.px(_LINE) - 1, middle))
            at += self._look.px(_LINE + _GAP)
            painter.setPen(QColor(self._look.tokens.text2))
            painter.drawText(QPointF(at, middle + (metrics.ascent() - metrics.descent()) / 2), word)
            at += metrics.horizontalAdvance(word) + self._look.px(_AFTER)
        painter.end()
