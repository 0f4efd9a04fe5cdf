"""The foot of the form: what is to be fixed, Cancel, Save. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.look import Look
from desktopsched.ui.primary import PrimaryButton

_TALL, _SIDE = 52, 20  # pixels, as drawn


class Foot(QWidget):
    """A bar of buttons."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self._told = look, True
        self.setObjectName("foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(look.px(_TALL))
        self.link = plain.button("", look.font(weight=QFont.Weight.Medium), "foot_link")
        self.words = plain.label("", look.font(), "second")
        self.cancel = plain.button("Cancel", look.font(weight=QFont.Weight.Medium), "button")
        self.save = PrimaryButton(look, "Save task", "save")
        self.save.setToolTip("Ctrl+Enter")
        row = QHBoxLayout(self)
        row.setContentsMargins(look.px(_SIDE) - paint.HALO, 0, look.px(_SIDE) - paint.HALO, 0)
        row.setSpacing(look.px(8) - 2 * paint.HALO)
        row.addWidget(self.link)
        row.addWidget(self.words)
        row.addStretch(1)
        for button in (self.cancel, self.save):
            button.setFixedHeight(look.px(30) + 2 * paint.HALO)
            row.addWidget(button)
        for button in (self.link, self.cancel, self.save):
            button.setAutoDefault(False)
        self.link.hide()
        look.changed.connect(self._dress)
        self._dress()

    def tell(self, problems: int, sections: Sequence[str], *, told: bool = True) -> None:
        """Count what is to be fixed, and say where; in red once it is `told` beside a field too."""
        things = "1 thing" if problems == 1 else f"{problems} things"
        words = f"{things} to fix: {', '.join(sections)}" if problems else ""
        self.link.setText(plain.button_text(words))
        self.link.setAccessibleName(words)
        self.link.setVisible(bool(problems))
        self.save.setEnabled(not problems)
        if told != self._told:
            self._told = told
            self.link.setProperty("quiet", not told)
            self.link.style().unpolish(self.link)
            self.link.style().polish(self.link)
            self._dress()

    def wait(self, words: str) -> None:
        """Say what is being waited for; until then nothing can be saved. With no words, nothing is."""
        self.words.setText(words)
        self.link.setVisible(not words and bool(self.link.text()))
        self.save.setEnabled(not words)

    def _dress(self) -> None:
        tokens = self._look.tokens
        ink = tokens.states[State.FAILED].ink if self._told else tokens.text2
        self.link.setIcon(self._look.icon("warning", ink))
        self.link.setIconSize(QSize(self._look.px(15), self._look.px(15)))
