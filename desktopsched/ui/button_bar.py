"""The foot of a small window: buttons at the right, what is said or done beside them at the left. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.look import Look
from desktopsched.ui.primary import PrimaryButton

_SIDE, _ABOVE = 20, 9  # pixels, as drawn


class ButtonBar(QWidget):
    """Its buttons are styled by `form.qss`."""

    def __init__(self, look: Look, left: Sequence[QWidget], right: Sequence[QWidget]) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        side, above = look.px(_SIDE) - paint.HALO, look.px(_ABOVE)
        row.setContentsMargins(side, above, side, above)
        row.setSpacing(look.px(8) - 2 * paint.HALO)
        for widget in left:
            row.addWidget(widget)
        row.addStretch(1)
        for widget in right:
            row.addWidget(widget)


def push_button(look: Look, words: str, *, primary: bool = False) -> QPushButton:
    """A button for it. The primary one is pressed by Enter, unless another one has the focus."""
    if primary:
        found: QPushButton = PrimaryButton(look, words, "save")
    else:
        found = plain.button(words, look.font(weight=QFont.Weight.Medium), "button")
    found.setFixedHeight(look.px(30) + 2 * paint.HALO)
    found.setAutoDefault(False)
    found.setDefault(primary)
    return found
