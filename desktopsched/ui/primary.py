"""The primary button of a window: filled, with a ring that stands off from what is left of the fill. UI thread."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QPushButton

from desktopsched.ui import plain
from desktopsched.ui.look import Look

_PADDING, _AROUND, _GAP = 13, 6, 4  # pixels: at its sides, as drawn; of edge and ring; behind an icon


class PrimaryButton(QPushButton):
    """As wide with the focus as without it: in the style sheet ring and gap take the place of its padding.

    Words that it gets while it has the focus would otherwise be cut off as soon as that goes elsewhere.
    """

    def __init__(self, look: Look, words: str, name: str, *, padding: int = _PADDING) -> None:
        """`name` is that of its rules in the style sheets; `padding` in pixels as drawn."""
        super().__init__(plain.button_text(words))
        self._padding = 2 * look.px(padding) + _AROUND
        self.setObjectName(name)
        self.setFont(look.font(weight=QFont.Weight.DemiBold))

    def sizeHint(self) -> QSize:
        """Room for its words, and for the padding of when the focus is elsewhere."""
        icon = 0 if self.icon().isNull() else self.iconSize().width() + _GAP
        wide = self.fontMetrics().horizontalAdvance(self.text()) + icon + self._padding
        return super().sizeHint().expandedTo(QSize(wide, 0))
