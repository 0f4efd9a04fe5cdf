"""A window that shows lines of text, to be read and copied into a report. UI thread."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from desktopsched.ui import icons, plain
from desktopsched.ui.button_bar import ButtonBar, push_button
from desktopsched.ui.enter import press_focused
from desktopsched.ui.look import Look
from desktopsched.ui.room import room_for

_SIZE, _LEAST, _MARGIN = (720, 460), (420, 300), 20  # pixels, as drawn


class TextWindow(QDialog):
    """A headline, a hint, the text, and a button that copies all of it."""

    def __init__(
        self, look: Look, title: str, headline: str, hint: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._look = look
        self.setObjectName("form")
        self.setWindowTitle(title)
        self.setWindowIcon(icons.mark())
        self.view = QPlainTextEdit()
        self.view.setObjectName("output")
        self.view.setReadOnly(True)
        self.view.setTabChangesFocus(True)
        self.view.setFont(look.mono())
        self.view.document().setDocumentMargin(look.px(8))
        self.view.setAccessibleName(title)
        self.view.setTextInteractionFlags(plain.SELECTABLE)
        self.copy = push_button(look, "Copy all")
        self.close_button = push_button(look, "Close")
        self._lay_out(headline, hint)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.view.toPlainText()))
        self.close_button.clicked.connect(self.reject)
        look.changed.connect(self._dress)
        self._dress()
        self.show_text("")
        self.close_button.setFocus()

    def _lay_out(self, headline: str, hint: str) -> None:
        look, px = self._look, self._look.px
        upper = QVBoxLayout()
        upper.setContentsMargins(*[px(_MARGIN)] * 4)
        upper.setSpacing(px(4))
        title = plain.label(headline, look.font(15, QFont.Weight.DemiBold))
        for label in (title, plain.label(hint, look.font(), "second")):
            label.setWordWrap(True)
            upper.addWidget(label)
        upper.addSpacing(px(8))
        upper.addWidget(self.view, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(ButtonBar(look, [self.copy], [self.close_button]))
        self.setMinimumSize(*map(px, _LEAST))
        self.resize(QSize(*map(px, _SIZE)).boundedTo(room_for(self)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus, before the primary one."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet() + self._look.sheet("form"))

    def show_text(self, text: str) -> None:
        """All of the text; the reader stays at the place that they look at, or at the end."""
        bar = self.view.verticalScrollBar()
        place, at_end = bar.value(), bar.value() == bar.maximum() > 0
        self.view.setPlainText(text)
        bar.setValue(bar.maximum() if at_end else place)
        self.copy.setEnabled(bool(text))
