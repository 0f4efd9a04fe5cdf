"""The status bar: what comes next, what runs, how many tasks and workers there are, and the time zone. UI thread."""

from zoneinfo import ZoneInfo

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStatusBar, QWidget

from desktopsched.model import State
from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look
from desktopsched.ui.one_line import OneLine
from desktopsched.ui.summary import Summary, after_next, waits_for

SAID = 8_000
"""Milliseconds for which it says what has just happened."""

_BARS_MOST = 8  # workers that are drawn; more are only counted
_WORKERS = "A worker runs one task at a time. How many there are is chosen in the preferences."
_BAR, _TALL, _GAP = 7, 10, 2  # pixels, as drawn


class StatusLine(QStatusBar):
    """Says what it is told; counts nothing."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setSizeGripEnabled(False)
        self.setAccessibleName("Status")
        small = look.font(12)
        self._icons = {"clock": QLabel(), "globe": QLabel()}
        self.lead = plain.label("Opening the task list", small)
        self.name = plain.label("", look.font(12, QFont.Weight.DemiBold), "strong")
        self.rest = OneLine("", small)
        self._usual = (self.lead.text(), "", "")
        self._saying = QTimer(self, singleShot=True, interval=SAID)
        self._saying.timeout.connect(lambda: self._show(*self._usual))
        self.bars, self.workers = _Bars(look), plain.label("", small)
        self.workers.setToolTip(plain.tip(_WORKERS))
        self.zone = plain.label("", small)
        self.addWidget(_line(look, self._icons["clock"], self.lead, self.name, self.rest), 1)
        self.addPermanentWidget(_line(look, self.bars, self.workers))
        self.addPermanentWidget(_line(look, self._icons["globe"], self.zone))
        look.changed.connect(self._dress)
        self._dress()

    def tell(self, summary: Summary, now: float, zone: ZoneInfo, *, workers: int, paused: bool) -> None:
        """Say how things are."""
        rest = f"{after_next(summary, now)} · {waits_for(summary, now, zone, paused=paused)}"
        if summary.next_name:
            self._usual = ("Next:", summary.next_name, rest)
        else:
            self._usual = (f"Nothing {'else ' * bool(summary.running)}scheduled", "", f"· {rest}")
        if not self._saying.isActive():
            self._show(*self._usual)
        self.workers.setText(f"{summary.busy:,} of {workers:,} workers busy")
        self.bars.show_busy(summary.busy, workers)
        self.zone.setText(zone.key)

    def say(self, what: str, name: str) -> None:
        """Something has just happened: "Undone", and what. It stands in the place of what is next, for a while."""
        self._show(f"{what}:", name, "")
        self._saying.start()

    def _show(self, lead: str, name: str, rest: str) -> None:
        self.lead.setText(lead)
        self.name.setText(self._short(name))
        self.name.setVisible(bool(name))
        self.rest.setText(rest)
        tip = plain.tip(" ".join(part for part in (lead, name, rest) if part))
        for part in (self.lead, self.name, self.rest):
            part.setToolTip(tip)

    def _short(self, name: str) -> str:
        return self.name.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, self._look.px(260))

    def _dress(self) -> None:
        for name, place in self._icons.items():
            colour = self._look.tokens.text2
            place.setPixmap(icons.pixmap(name, colour, self._look.px(13), self.devicePixelRatioF()))


class _Bars(QWidget):
    """A small bar for each worker that is busy, a hollow one for each that is not; nothing while none is."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self._busy, self._all = look, 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)
        self.hide()

    def show_busy(self, busy: int, workers: int) -> None:
        """So many of so many."""
        shown = min(workers, _BARS_MOST)
        if (busy, shown) != (self._busy, self._all):
            self._busy, self._all = busy, shown
            self.setVisible(busy > 0)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        """Room for all of them."""
        px = self._look.px
        return QSize(self._all * px(_BAR + _GAP), px(_TALL))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """From the left, the busy ones first."""
        px, painter = self._look.px, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QColor(self._look.tokens.states[State.RUNNING].bar)
        for place in range(self._all):
            box = QRectF(place * px(_BAR + _GAP), 0, px(_BAR), px(_TALL))
            is_busy = place < self._busy
            painter.setPen(Qt.PenStyle.NoPen if is_busy else QColor(self._look.tokens.line2))
            painter.setBrush(bar if is_busy else Qt.BrushStyle.NoBrush)
            inset = 0 if is_busy else 0.5
            painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 2, 2)
        painter.end()


def _line(look: Look, *parts: QWidget) -> QWidget:
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(look.px(12), 0, look.px(6), 0)
    layout.setSpacing(look.px(5))
    for part in parts:
        layout.addWidget(part)
    layout.addStretch()
    return line
