"""A line of text in a field's frame, with what may stand before and after it. UI thread."""

from msgspec import UNSET
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from desktopsched.ui.form import paint
from desktopsched.ui.look import Look

_BEFORE, _AFTER, _GAP = 9, 7, 6  # pixels, as drawn, inside the frame
_ICON = 14
_MOST = 262_144  # characters; Qt would cut what is pasted at 32,767 and say nothing, the readers say what is too long


class FieldBox(QWidget):
    """A text field. Gives its text; nothing, where it is empty."""

    edited = Signal()

    def __init__(self, look: Look, name: str, *, icon: str = "", width: int = 0, mono: float = 0) -> None:
        """`name` is for those who do not see it; `width` in pixels as drawn, 0 to take what there is."""
        super().__init__()
        self._look, self._icon, self._wrong = look, icon, False
        self.edit = QLineEdit()
        self.edit.setFrame(False)
        self.edit.setMaxLength(_MOST)
        self.edit.setObjectName("bare")
        self.edit.setAccessibleName(name)
        self.edit.setFont(look.mono(mono) if mono else look.font())
        self.edit.installEventFilter(self)
        self.edit.textEdited.connect(lambda _text: self.edited.emit())
        self.row = QHBoxLayout(self)
        before = _BEFORE + (_ICON + _GAP if icon else 0) - 2  # a line edit keeps two pixels to itself
        self.row.setContentsMargins(
            look.px(before) + paint.HALO, paint.HALO + 1, paint.HALO + 1, paint.HALO + 1
        )
        self.row.setSpacing(0)
        self.row.addWidget(self.edit, 1)
        self.setFixedHeight(paint.height(look))
        self.setAccessibleName(name)
        if width:
            self.setFixedWidth(look.px(width) + 2 * paint.HALO)
            self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        else:
            self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self.setMinimumWidth(look.px(140))
        look.changed.connect(self._dress)

    def sizeHint(self) -> QSize:
        """As wide as a name; what expands gets more."""
        return QSize(self._look.px(220), paint.height(self._look))

    # --- a control -----------------------------------------------------------------------------------------

    def raw(self) -> object:
        """The text."""
        return self.edit.text() or UNSET

    def set_raw(self, raw: object) -> None:
        """Show a text, from its beginning."""
        self.edit.setText("" if raw is UNSET else str(raw))
        self.edit.setCursorPosition(0)

    def mark(self, *, wrong: bool) -> None:
        """In red, or not."""
        if wrong != self._wrong:
            self._wrong = wrong
            self.update()

    def take_focus(self) -> None:
        """To the text, which is selected, as by Tab: what is wrong is typed over."""
        self.edit.setFocus(Qt.FocusReason.TabFocusReason)
        self.edit.selectAll()

    # --- drawing -------------------------------------------------------------------------------------------

    def add_button(self, icon: str, name: str) -> QToolButton:
        """A small button at the end, inside the frame."""
        button = QToolButton()
        button.setObjectName("inner")
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what it does, the keyboard does in the field
        button.setIconSize(QSize(self._look.px(12), self._look.px(12)))
        button.setProperty("icon_name", icon)
        self.row.addWidget(button)
        self._dress()
        return button

    def set_icon(self, icon: str) -> None:
        """Another icon of the same size."""
        self._icon = icon
        self.update()

    def _dress(self) -> None:
        for button in self.findChildren(QToolButton, "inner"):
            button.setIcon(self._look.icon(button.property("icon_name")))
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The frame follows the focus of what is in it."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame and the icon."""
        painter = QPainter(self)
        where = paint.inner(self)
        paint.box(
            painter,
            where,
            self._look,
            focus=self.edit.hasFocus(),
            wrong=self._wrong,
            enabled=self.isEnabled(),
        )
        if self._icon:
            self.draw_icon(painter)
        painter.end()

    def draw_icon(self, painter: QPainter) -> None:
        """What stands before the text."""
        found = paint.picture(self._look, self._icon, self._look.tokens.text2, _ICON, self)
        paint.draw_picture(painter, paint.HALO + self._look.px(_BEFORE), self.height() / 2, found)
