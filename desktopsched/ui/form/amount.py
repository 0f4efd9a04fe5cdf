"""An amount with its unit, and arrows to change it: "20 min", "3 times". UI thread."""

import re

from msgspec import UNSET
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout

from desktopsched.ui.form import paint
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.measures import Measure
from desktopsched.ui.look import Look

_BARE = re.compile(r"\d+(?:[.,]\d+)?")
_WITH_UNIT = re.compile(r"[\d.,]+ ([^\W\d]+)")
_ARROW = 11
_FITTED = 24  # characters that it makes room for
_ARROWS = 13  # pixels, as drawn: the width of the column of arrows


class Amount(FieldBox):
    """Typed freely ("90 s", "1h30m"), said with its unit when it is left. Up and Down change it.

    A number alone keeps the unit that was shown: "30 s" becomes "45 s" by typing 45 over it.
    """

    def __init__(
        self, look: Look, name: str, measure: Measure, *, width: int, default: object = UNSET, empty: str = ""
    ) -> None:
        """`default` is what a file that says nothing means; UNSET where that is no amount, and `empty` says what."""
        super().__init__(look, name, width=width)
        self._measure, self._default = measure, default
        self._unit = ""
        self.edit.setPlaceholderText(empty)
        self.edit.editingFinished.connect(self._say)
        self.edit.textChanged.connect(lambda _text: self._fit())
        self._least = look.px(width)
        column = QVBoxLayout()
        column.setContentsMargins(1, 0, 0, 0)
        column.setSpacing(0)
        for icon, words, way in (("chevron-up", "More", 1), ("chevron-down", "Less", -1)):
            button = self.add_button(icon, f"{words}: {name}")
            button.setObjectName("arrow")
            button.setAutoRepeat(True)
            button.setFixedWidth(look.px(_ARROWS))
            button.setIconSize(QSize(look.px(_ARROW), look.px(_ARROW)))
            button.clicked.connect(lambda _checked=False, way=way: self.step(way))
            self.row.removeWidget(button)
            column.addWidget(button)
        self.row.addLayout(column)
        self._fit()

    def _dress(self) -> None:
        super()._dress()
        for button in self.findChildren(QToolButton, "arrow"):
            button.setIcon(self._look.icon(button.property("icon_name")))

    def raw(self) -> object:
        """What the file has for it."""
        text = self.edit.text().strip()
        if _BARE.fullmatch(text):
            text += self._unit
        return self._measure.read(text) if text else UNSET

    def value_or_default(self) -> object:
        """The same, and where nothing is written what that means."""
        raw = self.raw()
        return self._default if raw is UNSET else raw

    def set_raw(self, raw: object) -> None:
        """Say it with its unit; where the file has nothing, what that means."""
        shown = self._default if raw is UNSET else raw
        super().set_raw(UNSET if shown is UNSET else self._measure.say(shown))
        self._keep_unit()

    def step(self, way: int) -> None:
        """One up or down."""
        now = self.raw()
        self.set_raw(self._measure.step(self._default if now is UNSET else now, way))
        self.edited.emit()

    def _fit(self) -> None:
        """As wide as it was drawn; for longer words as wide as they need."""
        shown = self.edit.text() or self.edit.placeholderText()
        words = self.edit.fontMetrics().horizontalAdvance(shown[:_FITTED])
        self.setFixedWidth(max(self._least, words + self._look.px(_ARROWS + 18)) + 2 * paint.HALO)

    def _say(self) -> None:
        """In our words, once the field is left: "1h30m" becomes "1 h 30 min"."""
        if (raw := self.raw()) is not UNSET:
            self.edit.setText(self._measure.say(raw))
            self._keep_unit()

    def _keep_unit(self) -> None:
        found = _WITH_UNIT.fullmatch(self.edit.text())
        self._unit = found[1] if found else ""  # of "1 h 30 min" none could be meant

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrow keys."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            way = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
            if way:
                self.step(way)
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line before the arrows."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(paint.pen(self._look.tokens.line2))
        left = self.width() - paint.HALO - 1 - self._look.px(_ARROWS)
        painter.drawLine(left, paint.HALO + 1, left, self.height() - paint.HALO - 2)
        painter.end()
