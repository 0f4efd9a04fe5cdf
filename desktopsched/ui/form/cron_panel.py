"""The panel below a cron field: what it means, and its next starts. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.cron_preview import STARTS, Preview, Start
from desktopsched.ui.look import Look

_LEFT = 226  # pixels, as drawn, as all of these
_ROW, _PAD, _ABOVE = 22, 12, 5
_GAP = 10
_STARTS = 300  # at least
_UNBOUND = 16_777_215  # what Qt takes for no bound


class Starts(QWidget):
    """The next starts, one a row; on rows about which there is something to say, a coloured ground."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._starts: tuple[Start, ...] = ()
        self.setFixedHeight(look.px(STARTS * _ROW + 2 * _ABOVE))
        self.setMinimumWidth(look.px(_STARTS))
        look.changed.connect(self.update)

    def show_starts(self, starts: Sequence[Start]) -> None:
        """These."""
        self._starts = tuple(starts)
        lines = (f"{one.date} {one.time}, {one.until}. {one.note}".strip(" .") for one in starts)
        self.setAccessibleName("Next starts: " + "; ".join(lines) if starts else "No next starts")
        notes = [f"{one.date}: {one.note}" for one in starts if one.note]
        self.setToolTip(plain.tip("\n".join(notes)))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Row by row."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._look
        for at, start in enumerate(self._starts):
            row = QRect(0, look.px(_ABOVE + at * _ROW), self.width(), look.px(_ROW))
            self._paint_row(painter, start, row)
        if not self._starts:
            painter.setFont(look.font(12))
            painter.setPen(QColor(look.tokens.text3))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "The next starts appear here.")
        painter.end()

    def _paint_row(self, painter: QPainter, start: Start, row: QRect) -> None:
        t, look = self._look.tokens, self._look
        ready = t.states[State.READY]
        if start.note:
            painter.fillRect(row, QColor(ready.tint))
        left = look.px(_PAD)
        told = (
            (start.date, QFont.Weight.Medium, t.text, 82, "Wed 30 Sep"),
            (start.time, QFont.Weight.DemiBold, t.text, 42, "00:00"),
            (start.until, QFont.Weight.Normal, t.text2 if start.note else t.text3, 86, ""),
        )
        for words, weight, colour, least, widest in told:
            painter.setFont(look.font(12.5, weight))
            painter.setPen(QColor(colour))
            measure = painter.fontMetrics()
            wide = max(look.px(least), measure.horizontalAdvance(max(words, widest, key=len)))
            painter.drawText(QRect(left, row.y(), wide, row.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += wide + look.px(_GAP)
        if start.note:
            self._paint_note(painter, start.note, QRect(left, row.y(), row.right() - left, row.height()))

    def _paint_note(self, painter: QPainter, note: str, room: QRect) -> None:
        look = self._look
        ink = look.tokens.states[State.READY].ink
        paint.draw_picture(
            painter, room.x(), room.center().y() + 1, paint.picture(look, "warning", ink, 13, self)
        )
        painter.setFont(look.font(12, QFont.Weight.Medium))
        painter.setPen(QColor(ink))
        place = room.adjusted(look.px(18), 0, -look.px(4), 0)
        words = painter.fontMetrics().elidedText(note, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)


class CronPanel(QWidget):
    """Two parts in one frame: side by side, or below each other where there is no room for that."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.headline = self._label(look.font(13, QFont.Weight.DemiBold), "strong")
        self.aside = self._label(look.font(12), "second")
        self.note = self._label(look.font(12), "warning_words")
        self.fields = self._label(look.mono(11), "third")
        self.starts = Starts(look)
        self._left = QWidget()
        self._left.setFixedWidth(look.px(_LEFT))
        column = QVBoxLayout(self._left)
        column.setContentsMargins(look.px(_PAD), look.px(9), look.px(_PAD), look.px(9))
        column.setSpacing(look.px(1))
        for label in (self.headline, self.aside, self.note):
            column.addWidget(label)
        column.addStretch(1)
        column.addWidget(self.fields)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._parts.setContentsMargins(paint.HALO, paint.HALO + 1, paint.HALO + 1, paint.HALO + 1)
        self._parts.setSpacing(0)
        self._parts.addWidget(self._left)
        self._parts.addWidget(self.starts, 1, Qt.AlignmentFlag.AlignTop)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        look.changed.connect(self.update)
        self.show_preview(None)

    def _label(self, font: QFont, name: str) -> QLabel:
        label = plain.label("", font, name)
        label.setWordWrap(True)
        return label

    def minimumSizeHint(self) -> QSize:
        """Five rows at least, so the page does not jump while one types; and no wider than the wider of the two."""
        tall = max(super().minimumSizeHint().height(), self.starts.height() + 2 * paint.HALO + 2)
        return QSize(self._look.px(_STARTS) + 2 * paint.HALO + 1, tall)

    @property
    def _is_stacked(self) -> bool:
        return self._parts.direction() is QBoxLayout.Direction.TopToBottom

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Side by side again, or no longer."""
        super().resizeEvent(event)
        stacked = event.size().width() < self._look.px(_LEFT) + self._look.px(_STARTS) + 2 * paint.HALO + 1
        if stacked != self._is_stacked:
            way = QBoxLayout.Direction
            self._parts.setDirection(way.TopToBottom if stacked else way.LeftToRight)
            self._left.setMinimumWidth(0 if stacked else self._look.px(_LEFT))
            self._left.setMaximumWidth(_UNBOUND if stacked else self._look.px(_LEFT))
            self.updateGeometry()

    def show_preview(self, preview: Preview | None) -> None:
        """This; or that there is nothing to show."""
        self.headline.setText(preview.headline if preview else "–")
        self.aside.setText(preview.aside if preview else "")
        self.note.setText("\n".join(preview.notes) if preview else "")
        self.note.setVisible(bool(preview and preview.notes))
        self.fields.setText("\n".join(preview.fields) if preview else "")
        self.starts.show_starts(preview.starts if preview else ())
        self.setAccessibleName(f"{preview.headline}, {preview.aside}" if preview else "No schedule yet")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame, and the line between the two."""
        t, painter = self._look.tokens, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(paint.pen(t.line2))
        painter.setBrush(QColor(t.alt))
        frame = QPainterPath()
        frame.addRoundedRect(paint.inner(self), self._look.px(8), self._look.px(8))
        painter.drawPath(frame)
        if self._is_stacked:
            middle = self.starts.y()
            painter.drawLine(paint.HALO + 1, middle, self.width() - paint.HALO - 2, middle)
        else:
            middle = int(paint.HALO + self._look.px(_LEFT) - 0.5)
            painter.drawLine(middle, paint.HALO + 1, middle, self.height() - paint.HALO - 2)
        painter.end()
