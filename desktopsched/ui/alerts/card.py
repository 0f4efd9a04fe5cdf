"""A card: a small window of its own at the edge of the screen, on top, that takes no focus from typing. UI thread."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from desktopsched.ui.enter import press_focused
from desktopsched.ui.look import Look

WIDTH = 334

_PRESSES = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick})
_FLAGS = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint


class Card(QWidget):
    """Painted with round corners; what it says is laid out by those who make one."""

    gone = Signal()
    """It was closed, by the person or by its time."""

    hovered = Signal(bool)

    def __init__(self, look: Look, radius: int, title: str) -> None:
        super().__init__(None, _FLAGS)
        self.look, self._radius = look, radius
        self._closing = False
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_AlwaysShowToolTips)
        # On X11 nobody may be there to mix what lies behind: then a see-through corner is black. A mask is not.
        self._masked = QGuiApplication.platformName() == "xcb"
        if not self._masked:
            self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setFixedWidth(look.px(WIDTH))
        self.rest = QTimer(self, singleShot=True)
        """While it runs, nothing is pressed by the mouse."""

    def fit(self) -> None:
        """As high as its words need at its width: a window does not ask its wrapped labels by itself."""
        layout = self.layout()
        if layout is None:
            return
        layout.activate()
        high = layout.totalHeightForWidth(self.width()) if layout.hasHeightForWidth() else -1
        self.setFixedHeight(high if high > 0 else layout.totalSizeHint().height())

    def spare(self) -> None:
        """It came to where another card was: the second half of a double click on that one presses nothing here."""
        for button in self.findChildren(QAbstractButton):
            button.installEventFilter(self)
        self.rest.start(QApplication.doubleClickInterval())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Of its buttons, once it was spared."""
        return (event.type() in _PRESSES and self.rest.isActive()) or super().eventFilter(watched, event)

    def leave(self) -> None:
        """Close, and say so once."""
        if not self._closing:
            self._closing = True
            self.close()
            self.gone.emit()

    def withdraw(self) -> None:
        """Close without a word: it comes again."""
        self._closing = True
        self.close()

    def closeEvent(self, event: QEvent) -> None:
        """The desktop may close it too."""
        super().closeEvent(event)  # type: ignore[arg-type]
        if not self._closing:
            self._closing = True
            self.gone.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it, Enter presses what has the focus."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif not press_focused(self, event):
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Somebody may be reading."""
        super().enterEvent(event)
        self.hovered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """And goes."""
        super().leaveEvent(event)
        self.hovered.emit(False)

    # --- its shape -----------------------------------------------------------------------------------------

    def _shape(self) -> QPainterPath:
        path = QPainterPath()
        radius = self.look.px(self._radius)
        path.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        return path

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Round corners."""
        super().resizeEvent(event)
        if self._masked:
            whole = QPainterPath()
            radius = self.look.px(self._radius)
            whole.addRoundedRect(QRectF(self.rect()), radius, radius)
            self.setMask(QRegion(whole.toFillPolygon().toPolygon()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and edge."""
        tokens = self.look.tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._masked:
            painter.fillRect(self.rect(), QColor(tokens.line2))
        painter.setBrush(QColor(tokens.base))
        painter.setPen(QPen(QColor(tokens.line2), 1))
        painter.drawPath(self._shape())
        painter.end()
