"""The status bar: what comes next, what runs, how many tasks there are, and the time zone. UI thread."""

from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStatusBar, QWidget

from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look
from desktopsched.ui.summary import Summary, after_next


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
        self.rest = plain.label("", small)
        self.zone = plain.label("", small)
        self.addWidget(_line(look, self._icons["clock"], self.lead, self.name, self.rest), 1)
        self.addPermanentWidget(_line(look, self._icons["globe"], self.zone))
        look.changed.connect(self._dress)
        self._dress()

    def tell(self, summary: Summary, now: float, zone: ZoneInfo) -> None:
        """Say how things are."""
        self.lead.setText("Next:" if summary.next_name else "Nothing is scheduled ·")
        self.name.setText(self._short(summary.next_name))
        self.name.setVisible(bool(summary.next_name))
        self.rest.setText(after_next(summary, now))
        self.zone.setText(zone.key)

    def _short(self, name: str) -> str:
        return self.name.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, self._look.px(260))

    def _dress(self) -> None:
        for name, place in self._icons.items():
            colour = self._look.tokens.text2
            place.setPixmap(icons.pixmap(name, colour, self._look.px(13), self.devicePixelRatioF()))


def _line(look: Look, *parts: QWidget) -> QWidget:
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(look.px(12), 0, look.px(12), 0)
    layout.setSpacing(look.px(5))
    for part in parts:
        layout.addWidget(part)
    layout.addStretch()
    return line
