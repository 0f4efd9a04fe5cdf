"""The drawing of the first page: a timeline with what was and what will be, and the mark at now. UI thread."""

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktopsched.ui import icons
from desktopsched.ui.look import Look

_WIDE, _TALL = 480, 146  # pixels, as drawn
_NOW, _TOP, _ROW, _BAR = 214, 36, 34, 16
_MARK = 52
_WAS = ((18, 46, 0), (118, 34, 0), (60, 16, 1), (104, 16, 1), (148, 16, 1), (192, 16, 1))  # left, width, row
_WILL_BE = (
    (250, 40, 0), (350, 40, 0), (236, 16, 1), (280, 16, 1), (324, 16, 1), (368, 16, 1), (412, 16, 1), (330, 92, 2),
)  # fmt: skip
_RUNNING = (150, 86, 2)


class TimelineDrawing(QWidget):
    """Says nothing that the words below it do not say."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As drawn."""
        return QSize(self._look.px(_WIDE), self._look.px(_TALL))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """In the colours of now, in the drawing's own measures."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = self._look.px(100) / 100
        painter.scale(scale, scale)
        self._paint_rows(painter)
        self._paint_running(painter)
        painter.setPen(QPen(QColor(self._look.tokens.now), 1.6))
        painter.drawLine(QLineF(_NOW, 20, _NOW, _TALL - 6))
        self._paint_mark(painter)
        painter.end()

    def _paint_rows(self, painter: QPainter) -> None:
        t = self._look.tokens
        painter.setPen(QPen(QColor(t.line), 1))
        for row in range(3):
            below = _TOP + row * _ROW + 26
            painter.drawLine(QLineF(8, below, _WIDE - 8, below))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(t.line2))
        for bar in _WAS:
            painter.drawRoundedRect(_box(*bar), 4, 4)
        painter.setPen(QPen(QColor(t.line2), 1.2))
        painter.setBrush(QColor(t.base))
        for bar in _WILL_BE:
            painter.drawRoundedRect(_box(*bar).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint_running(self, painter: QPainter) -> None:
        whole = _box(*_RUNNING)
        colour = QColor(self._look.tokens.sel_line)
        pen = QPen(colour, 1.2)
        pen.setDashPattern([2.5, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        rest = QRectF(whole)
        rest.setLeft(_NOW)
        painter.drawRoundedRect(rest.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        done = QRectF(whole)
        done.setRight(_NOW)
        painter.drawRoundedRect(done, 4, 4)

    def _paint_mark(self, painter: QPainter) -> None:
        place = QRectF(_NOW - _MARK / 2, 0, _MARK, _MARK)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._look.tokens.base))
        painter.drawRoundedRect(place.adjusted(-1.6, -1.6, 1.6, 1.6), 16, 16)
        picture = icons.pixmap("mark", "", self._look.px(_MARK), self.devicePixelRatioF())
        painter.drawPixmap(place, picture, QRectF(picture.rect()))


def _box(left: float, wide: float, row: int) -> QRectF:
    return QRectF(left, _TOP + row * _ROW, wide, _BAR)
