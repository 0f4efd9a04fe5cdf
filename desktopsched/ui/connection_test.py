"""A test of the connection to a cluster: a button, and what came of it. UI thread; the connection is made elsewhere."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QPushButton
from shiboken6 import isValid

from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.section import Section
from desktopsched.ui.look import Look

Tell = Callable[[str], object]
Ask = Callable[[str, Tell, Tell], object]
"""Tries an address, elsewhere, and says here what is there, or what is wrong."""

_TEST = "Test connection"
_TRYING = "Connecting …"


class ConnectionTest:
    """Tries the address of a field as it is written now, before it is saved."""

    def __init__(self, look: Look, section: Section, address: FieldBox, ask: Ask) -> None:
        self._look, self._address, self._ask = look, address, ask
        self._tried = ""
        self.button = QPushButton(_TEST)
        self.button.setObjectName("button")
        self.button.setFont(look.font())
        self.button.setAutoDefault(False)
        self.button.setFixedHeight(paint.height(look))
        self.button.setAccessibleDescription("Connect to the cluster now, and say what is there")
        self.answer: QLabel = plain.label("", look.font(12.5), "second")
        self.answer.setWordWrap(True)
        self.answer.setContentsMargins(paint.HALO, 0, paint.HALO, 0)
        self.answer.hide()
        section.add(self.button)
        section.column.addWidget(self.answer)
        self.button.clicked.connect(self._try)

    def offer(self, *, able: bool) -> None:
        """Whether there is an address that can be tried. What was said of another one is no longer so."""
        written = self._address.edit.text().strip()
        if written != self._tried:
            self._say("")
        self.button.setEnabled(able and bool(written))

    @property
    def _busy(self) -> bool:
        return self.button.text() == _TRYING

    def _try(self) -> None:
        """The button stays enabled meanwhile: a disabled one would pass the focus on to another field."""
        if self._busy:
            return
        self._tried = tried = self._address.edit.text().strip()
        self.button.setText(_TRYING)
        self._say("")

        def tell(words: str) -> None:
            if not isValid(self.button):
                return  # the window was closed meanwhile
            self.button.setText(_TEST)
            if self._address.edit.text().strip() == tried:
                self._say(words)
            self.offer(able=True)

        self._ask(tried, tell, tell)

    def _say(self, words: str) -> None:
        self.answer.setText(words)
        self.answer.setAccessibleName(words)
        self.answer.setVisible(bool(words))
