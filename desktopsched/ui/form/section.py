"""A section of the form: a title, and rows of controls, each with room for what is wrong in it. UI thread."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktopsched.model import State
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.form.flow import Flow
from desktopsched.ui.look import Look

_TITLE, _SIDE, _ABOVE = 132, 20, 11  # pixels, as drawn
_GAP, _BETWEEN = 8, 7


def words(look: Look, text: str, name: str = "second") -> QLabel:
    """A word between two controls."""
    label = plain.label(text, look.font(), name)
    label.setContentsMargins(paint.HALO, 0, paint.HALO, 0)
    return label


def stretch() -> QWidget:
    """What takes the room between what is at the left and what is at the right."""
    found = QWidget()
    found.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return found


class Row(QWidget):
    """Controls side by side; below them what is wrong in one of them."""

    def __init__(self, look: Look, *widgets: QWidget) -> None:
        super().__init__()
        self._look = look
        self.flow = Flow(look.px(_GAP) - 2 * paint.HALO, look.px(_BETWEEN) - 2 * paint.HALO)
        for widget in widgets:
            self.flow.addWidget(widget)
        self._sign = QLabel()
        self.problem = plain.label("", look.font(12.5), "problem")
        self.problem.setWordWrap(True)
        self._line = QWidget()
        line = QHBoxLayout(self._line)
        line.setContentsMargins(paint.HALO + 2, look.px(3), 0, look.px(2))
        line.setSpacing(look.px(6))
        line.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.problem, 1)
        self._line.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.flow)
        column.addWidget(self._line)
        look.changed.connect(self._dress)
        self._dress()

    def show_problem(self, text: str) -> None:
        """Say what is wrong; nothing, where nothing is."""
        if text != self.problem.text():
            self.problem.setText(text)
            self._line.setVisible(bool(text))

    def _dress(self) -> None:
        ink = self._look.tokens.states[State.FAILED].ink
        self._sign.setPixmap(paint.picture(self._look, "warning", ink, 14, self))


class Section(QWidget):
    """A title at the left, rows at the right, a rule above."""

    dressed = Signal()
    """The look has changed. What is no QObject follows this one: the look outlives the form, a section does not."""

    def __init__(self, look: Look, title: str, *, rule: bool = True) -> None:
        super().__init__()
        self._look, self._rule, self.name = look, rule, title
        self.title = plain.label(title, look.font(13, QFont.Weight.DemiBold), "section")
        self.title.setFixedSize(look.px(_TITLE) - paint.HALO, paint.height(look))
        self.column = QVBoxLayout()
        self.column.setSpacing(look.px(_BETWEEN) - 2 * paint.HALO)
        self.column.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout(self)
        edge = look.px(_ABOVE) - paint.HALO
        line.setContentsMargins(look.px(_SIDE), edge, look.px(_SIDE) - paint.HALO, edge)
        line.setSpacing(0)
        line.addWidget(self.title, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(self.column, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        look.changed.connect(self.update)
        look.changed.connect(self.dressed)

    def add(self, *widgets: QWidget) -> Row:
        """Another row."""
        row = Row(self._look, *widgets)
        self.column.addWidget(row)
        return row

    def mark(self, *, wrong: bool) -> None:
        """The title in red, or not."""
        if bool(self.title.property("wrong")) != wrong:
            self.title.setProperty("wrong", wrong)
            self.title.style().unpolish(self.title)
            self.title.style().polish(self.title)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The rule."""
        if self._rule:
            painter = QPainter(self)
            # Not a line: at 150 % its pixels would lie half outside, and on some rows of the screen there were none.
            painter.fillRect(0, 0, self.width(), 1, QColor(self._look.tokens.line))
            painter.end()
