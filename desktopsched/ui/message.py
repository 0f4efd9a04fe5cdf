"""A message box in the window's own style: a sign in the tokens' colours, words that can be copied. UI thread."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFontInfo, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QMessageBox, QPushButton, QTextEdit, QWidget
from shiboken6 import isValid

from desktopsched.model import State
from desktopsched.ui import icons
from desktopsched.ui.direction import left_to_right
from desktopsched.ui.tokens import DARK, LIGHT, Tokens

SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard

_BODY = 13  # pixels, as drawn, of the application's font
_MARGIN, _GAP, _SIGN, _WIDE = 20, 12, 24, 380
_DETAILS = 180  # pixels of height, as drawn: some lines, also on a small screen
_DARKER = 128  # of 255
_SIGNS = {
    QMessageBox.Icon.Information: ("info", State.RUNNING),
    QMessageBox.Icon.Question: ("info", State.RUNNING),
    QMessageBox.Icon.Warning: ("warning", State.READY),
    QMessageBox.Icon.Critical: ("warning", State.FAILED),
}
_OTHERS = frozenset({QEvent.Type.ApplicationPaletteChange, QEvent.Type.StyleChange})


class MessageBox(QMessageBox):
    """Dressed when it is about to be shown: then it has its texts and its buttons.

    It is made where nobody has a `Look` at hand, so it takes colours and sizes from what the look gave the application.
    """

    def __init__(self, parent: QWidget | None, kind: QMessageBox.Icon) -> None:
        super().__init__(parent)
        self._kind = kind
        self._focus: QWidget | None = None
        self._restoring = QTimer(self, singleShot=True, interval=0)
        self._restoring.timeout.connect(self._restore_focus)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def unfold(self) -> None:
        """Show the details from the beginning: for whoever has asked for them already. It has no buttons of its own."""
        self.addButton(QMessageBox.StandardButton.Ok)
        for button in self.buttons():
            if self.buttonRole(button) is QMessageBox.ButtonRole.ActionRole:
                button.click()
        for field in self.findChildren(QTextEdit):
            field.setFixedHeight(_px(_DETAILS))

    def event(self, event: QEvent) -> bool:
        """Before it is measured for the first time; the sign again, when the colours are others."""
        if event.type() is QEvent.Type.Polish:
            self._dress()
        known = super().event(event)
        if event.type() in _OTHERS:
            self._sign()
            self.setText(self.text())  # it measures itself anew, within these margins
        return known

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Its row of buttons lays itself out anew in another style, and gives the focus to the first of them.

        That may be the one that ends all, so the focus goes back to where it was.
        """
        if event.type() is QEvent.Type.StyleChange and not self._restoring.isActive():
            self._focus = self.focusWidget()
            self._restoring.start()
        return super().eventFilter(watched, event)

    def _restore_focus(self) -> None:
        if self._focus is not None and isValid(self._focus):
            self._focus.setFocus()

    def _sign(self) -> None:
        sign, state = _SIGNS.get(self._kind, _SIGNS[QMessageBox.Icon.Information])
        ink = _tokens().states[state].ink
        self.setIconPixmap(icons.pixmap(sign, ink, _px(_SIGN), self.devicePixelRatioF()))
        if (layout := self.layout()) is not None:  # the box has laid itself out anew
            layout.setContentsMargins(*[_px(_MARGIN)] * 4)
            layout.setSpacing(_px(_GAP))

    def _dress(self) -> None:
        self._sign()
        self._dress_words()
        self._dress_buttons()

    def _dress_words(self) -> None:
        # The informative one too: whether it follows depends on the Qt.
        for label in self.findChildren(QLabel):
            if label.objectName() == "qt_msgboxex_icon_label":
                continue
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setText(left_to_right(label.text()))
            label.setTextInteractionFlags(SELECTABLE)
            if label.objectName() == "qt_msgbox_label" and self.informativeText():
                _name(label, "boxTitle")
            # What is wider Qt wraps, but not where it was told a least width.
            if label.minimumSizeHint().width() < _px(_WIDE):
                label.setMinimumWidth(_px(_WIDE))

    def _dress_buttons(self) -> None:
        for row in self.findChildren(QDialogButtonBox):
            row.installEventFilter(self)
        if not self.buttons():
            self.addButton(QMessageBox.StandardButton.Ok)
        for button in self.buttons():
            button.setIcon(QIcon())
            primary = isinstance(button, QPushButton) and button is self.defaultButton()
            _name(button, "boxPrimary" if primary else "boxButton")


def _tokens() -> Tokens:
    """Those that the application's palette was made of."""
    ground = QGuiApplication.palette().color(QPalette.ColorRole.Window)
    return DARK if ground.lightness() < _DARKER else LIGHT


def _px(drawn: float) -> int:
    return round(drawn * max(QFontInfo(QGuiApplication.font()).pixelSize(), _BODY) / _BODY)


def _name(widget: QWidget, name: str) -> None:
    """Give a part that was dressed already another name, and the dress that goes with it."""
    widget.setObjectName(name)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
