"""Several lines of text in a field's frame. UI thread."""

from msgspec import UNSET
from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from desktopsched.ui.form import paint
from desktopsched.ui.look import Look


class TextBox(QWidget):
    """Plain text. Tab leaves it, but for scripts, where Ctrl+Tab does."""

    edited = Signal()

    def __init__(self, look: Look, name: str, *, tall: int, script: bool = False) -> None:
        """`tall`: pixels, as drawn."""
        super().__init__()
        self._look, self._wrong = look, False
        self.edit = QPlainTextEdit()
        self.edit.setObjectName("bare")
        self.edit.setFrameStyle(0)
        self.edit.setAccessibleName(name)
        self.edit.setFont(look.mono(12.5) if script else look.font())
        self.edit.setTabChangesFocus(True)
        self.edit.setUndoRedoEnabled(True)
        if script:
            self.edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.edit.viewport().setAutoFillBackground(False)
        self.edit.document().setDocumentMargin(look.px(5))
        self.edit.installEventFilter(self)
        self.edit.textChanged.connect(self.edited.emit)
        row = QHBoxLayout(self)
        side = paint.HALO + 2
        row.setContentsMargins(side + look.px(2), side, side, side)
        row.addWidget(self.edit)
        self.setFixedHeight(look.px(tall) + 2 * paint.HALO)
        self.setMinimumWidth(look.px(200))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as a sentence; it expands."""
        return QSize(self._look.px(300), self.minimumHeight())

    def raw(self) -> object:
        """The text."""
        return self.edit.toPlainText() or UNSET

    def set_raw(self, raw: object) -> None:
        """Show a text."""
        self.edit.setPlainText("" if raw is UNSET else str(raw))

    def mark(self, *, wrong: bool) -> None:
        """In red, or not."""
        self._wrong = wrong
        self.update()

    def take_focus(self) -> None:
        """To the text."""
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The frame follows the focus."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame."""
        painter = QPainter(self)
        paint.box(painter, paint.inner(self), self._look, focus=self.edit.hasFocus(), wrong=self._wrong)
        painter.end()
