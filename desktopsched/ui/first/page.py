"""What stands in place of the table while there are no tasks. UI thread; it says what is wanted, others do it."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktopsched.ui import icons, plain
from desktopsched.ui.first.card import WIDE, WIDER, Card
from desktopsched.ui.first.drawing import TimelineDrawing
from desktopsched.ui.look import Look
from desktopsched.ui.summary import counted

_GAP, _SIDE = 14, 20  # pixels, as drawn
_WORDS = (
    "Make a first task: run a command, show a reminder or open a file,",
    "at a time you choose or after another task.",
)
_EXAMPLES = "14 harmless tasks in 4 groups, to look around. One Undo removes them all."


class FirstPage(QScrollArea):
    """A drawing, a sentence, and up to three cards. Where there is little room, the drawing goes first."""

    new_wanted = Signal()
    """A first task is to be made."""

    import_wanted = Signal()
    """The lines of the crontab are to be looked at."""

    wanted = Signal()
    """The example list is asked for."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._body = _Body(look)
        self.drawing = TimelineDrawing(look)
        self.new = Card(
            look,
            "plus",
            "New task",
            "Say what to run and when. The form shows the next five times as you type.",
            "Ctrl+N",
            primary=True,
        )
        self.crontab = Card(look, "import", "Import crontab…", "")
        self.examples = Card(look, "example", "Load example list", _EXAMPLES)
        self.cards = (self.new, self.crontab, self.examples)
        self.crontab.hide()
        self._sign = QLabel()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self.new.clicked.connect(self.new_wanted)
        self.crontab.clicked.connect(self.import_wanted)
        self.examples.clicked.connect(self._load)
        self.setFocusProxy(self.new)
        look.changed.connect(self._dress)
        self._dress()

    def _lay_out(self) -> None:
        look, centre = self._look, Qt.AlignmentFlag.AlignHCenter
        self.setObjectName("first")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._row.setSpacing(look.px(_GAP))
        self._row.addStretch(1)
        for card in self.cards:
            self._row.addWidget(card, 0, centre)
        self._row.addStretch(1)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(*[look.px(_SIDE)] * 4)
        column.setSpacing(0)
        column.addStretch(1)
        column.addWidget(self.drawing, 0, centre)
        column.addSpacing(look.px(24))
        column.addWidget(
            self._words("Nothing is scheduled yet", look.font(22, QFont.Weight.DemiBold), "title")
        )
        column.addSpacing(look.px(6))
        for sentence in _WORDS:
            column.addWidget(self._words(sentence, look.font(14)))
            column.addSpacing(look.px(3))
        column.addSpacing(look.px(28))
        column.addLayout(self._row)
        column.addSpacing(look.px(20))
        column.addLayout(self._drop_line())
        column.addStretch(1)
        self.setWidget(self._body)

    @staticmethod
    def _words(text: str, font: QFont, name: str = "") -> QLabel:
        label = plain.label(text, font, name)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setWordWrap(True)
        return label

    def _drop_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(self._look.px(8))
        line.addStretch(1)
        line.addWidget(self._sign)
        line.addWidget(plain.label("Or drop a script or a program here to schedule it.", self._look.font()))
        line.addStretch(1)
        return line

    def _dress(self) -> None:
        ink = self._look.tokens.text2
        self._sign.setPixmap(icons.pixmap("code", ink, self._look.px(15), self.devicePixelRatioF()))
        self._body.update()

    # --- what it shows -------------------------------------------------------------------------------------

    def offer_crontab(self, lines: int) -> None:
        """This user's crontab has so many lines that ask for something; none: no card."""
        self.crontab.say(
            f"Found {counted(lines, 'line')} in your crontab. You review "
            f"{'it' if lines == 1 else 'each one'} before it is added."
        )
        self.crontab.setVisible(lines > 0)
        self._arrange()

    def show_drop(self) -> None:
        """A file is held over the window: it may fall."""
        self._body.is_target = True
        self._body.update()

    def hide_drop(self) -> None:
        """No longer."""
        self._body.is_target = False
        self._body.update()

    def again(self) -> None:
        """The examples could not be loaded: the card may be pressed once more."""
        self.examples.setEnabled(True)

    def showEvent(self, event: QShowEvent) -> None:
        """The list is empty, for the first time or again: everything is offered."""
        super().showEvent(event)
        self.again()

    def _load(self) -> None:
        self.examples.setEnabled(False)
        self.wanted.emit()

    # --- room ----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What gives way where there is little room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        px, room = self._look.px, self.viewport().width() - 2 * self._look.px(_SIDE)
        shown = [card for card in self.cards if not card.isHidden()]
        beside = len(shown) * px(WIDE) + (len(shown) - 1) * px(_GAP) <= room
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(way)
        for card in self.cards:
            card.set_wide(WIDE if beside else WIDER)
        self._level(shown if beside else [])
        self.drawing.setVisible(
            self._needed(room) + self.drawing.sizeHint().height() <= self.viewport().height()
        )

    def _level(self, beside: list[Card]) -> None:
        """Cards beside each other are of one height: that of the highest."""
        tall = max((card.sizeHint().height() for card in beside), default=0)
        for card in self.cards:
            card.setMinimumHeight(tall)

    def _needed(self, room: int) -> int:
        """The height of all but the drawing."""
        self.drawing.hide()
        layout = self._body.layout()
        if layout is None:
            return 0
        layout.invalidate()
        return layout.totalHeightForWidth(room + 2 * self._look.px(_SIDE))

    # --- keys ----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows go from card to card."""
        step = _STEPS.get(Qt.Key(event.key()), 0)
        shown = [card for card in self.cards if not card.isHidden() and card.isEnabled()]
        here = next((place for place, card in enumerate(shown) if card.hasFocus()), None)
        if step and here is not None:
            there = shown[(here + step) % len(shown)]
            there.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(there)
        else:
            super().keyPressEvent(event)


_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class _Body(QWidget):
    """The ground; while something is held over it, with an edge that says that it may fall."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self.is_target = look, False
        self.setObjectName("firstBody")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground and the edge."""
        t, px, painter = self._look.tokens, self._look.px, QPainter(self)
        painter.fillRect(self.rect(), QColor(t.base))
        if self.is_target:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(t.accent), 2, Qt.PenStyle.DashLine))
            painter.setBrush(QColor(t.sel))
            inset = px(10)
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), px(10), px(10)
            )
        painter.end()
