"""Chips: the tasks that a task waits for, each with its condition and a way to take it out. UI thread."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from desktopsched.model import On, State
from desktopsched.ui import plain
from desktopsched.ui.form import paint
from desktopsched.ui.look import Look

_TALL, _ICON = 26, 14
_NAME_MOST = 260  # pixels, as drawn
WORDS = {On.SUCCESS: "succeeds", On.FAILURE: "fails", On.FINISH: "finishes"}


class Condition(QToolButton):
    """The condition with its chevron; a menu behind it."""

    def __init__(self, look: Look, choose: Callable[[On], None]) -> None:
        super().__init__()
        self._look = look
        self.setFont(look.font(12.5))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setFont(look.font())
        for on, words in WORDS.items():
            action = QAction(words, menu)
            action.triggered.connect(lambda _checked=False, on=on: choose(on))
            menu.addAction(action)
        self.setMenu(menu)

    def sizeHint(self) -> QSize:
        """The word, the chevron."""
        wide = self.fontMetrics().horizontalAdvance(self.text()) + self._look.px(7 + 2 + 11 + 3)
        return QSize(wide, self._look.px(18))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The word, the chevron, the focus."""
        t, look, painter = self._look.tokens, self._look, QPainter(self)
        if self.hasFocus():
            paint.ring(painter, self.rect().toRectF().adjusted(3.5, 1, -1, -1), look, look.px(5))
        painter.setPen(QColor(t.text if self.underMouse() else t.text2))
        painter.setFont(self.font())
        painter.drawText(
            self.rect().adjusted(look.px(7), 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text()
        )
        left = self.width() - look.px(11 + 3)
        paint.draw_picture(
            painter, left, self.height() / 2, paint.picture(look, "chevron-down", t.text2, 11, self)
        )
        painter.end()


class Chip(QWidget):
    """One parent: the icon of its state, its name, its condition with a menu, a cross."""

    changed = Signal()
    removed = Signal(str)

    def __init__(self, look: Look, task_id: str, name: str, on: On, state: State) -> None:
        super().__init__()
        self._look, self._state, self._wrong = look, state, False
        self.task_id, self.name, self.on = task_id, "", on
        self.setFixedHeight(look.px(_TALL) + 2 * paint.HALO)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._label = plain.label("", look.font(12.5, QFont.Weight.DemiBold), "chip_name")
        self.condition = Condition(look, self._choose)
        self.cross = self._button()
        self.cross.clicked.connect(lambda: self.removed.emit(self.task_id))
        row = QHBoxLayout(self)
        row.setContentsMargins(
            look.px(9 + _ICON + 6) + paint.HALO, paint.HALO, look.px(5) + paint.HALO, paint.HALO
        )
        row.setSpacing(0)
        row.addWidget(self._label)
        row.addSpacing(look.px(6))
        row.addWidget(self.condition)
        row.addWidget(self.cross)
        look.changed.connect(self.dress)
        self.set_name(name)
        self.set_on(on)
        self.dress()

    def _button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("chip_button")
        button.setFixedSize(self._look.px(18), self._look.px(18))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return button

    def _choose(self, on: On) -> None:
        self.set_on(on)
        self.changed.emit()

    def set_name(self, name: str) -> None:
        """Another name."""
        if name == self.name:
            return
        self.name, metrics = name, self._label.fontMetrics()
        self._label.setText(metrics.elidedText(name, Qt.TextElideMode.ElideRight, self._look.px(_NAME_MOST)))
        self.setToolTip(plain.tip(name))
        self.condition.setAccessibleName(f"Condition of {name}")
        self.cross.setAccessibleName(f"Take {name} out")
        self.setAccessibleName(f"{name} {WORDS[self.on]}")

    def set_state(self, state: State) -> None:
        """Another state."""
        if state is not self._state:
            self._state = state
            self.update()

    def set_on(self, on: On) -> None:
        """Another condition."""
        self.on = on
        self.condition.setText(WORDS[on])
        self.condition.updateGeometry()
        self.setAccessibleName(f"{self.name} {WORDS[on]}")

    def mark(self, *, wrong: bool) -> None:
        """In red, or not."""
        self._wrong = wrong
        self.update()

    def dress(self) -> None:
        """In the colours of now."""
        look = self._look
        self.condition.update()
        self.cross.setIcon(look.icon("close", look.tokens.text3))
        self.cross.setIconSize(QSize(look.px(10), look.px(10)))
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes it out."""
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit(self.task_id)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground, the state, the line before the condition."""
        t, look, painter = self._look.tokens, self._look, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        failed, where = t.states[State.FAILED], paint.inner(self)
        painter.setPen(paint.pen(failed.ink if self._wrong else t.line2))
        painter.setBrush(QColor(failed.tint if self._wrong else t.win))
        painter.drawRoundedRect(where, where.height() / 2, where.height() / 2)
        icon = look.state_icon(self._state, _ICON, self.devicePixelRatioF())
        paint.draw_picture(painter, paint.HALO + look.px(9), self.height() / 2, icon)
        painter.setPen(paint.pen(failed.bar if self._wrong else t.line2))
        left, half = self.condition.x(), look.px(8)
        painter.drawLine(left, self.height() // 2 - half, left, self.height() // 2 + half)
        painter.end()


class AddChip(QToolButton):
    """The dashed chip at the end: "Add a task"."""

    def __init__(self, look: Look, words: str) -> None:
        super().__init__()
        self._look = look
        self.setText(words)
        self.setAccessibleName(words)
        self.setFont(look.font(12.5, QFont.Weight.Medium))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The plus, the words."""
        look = self._look
        wide = self.fontMetrics().horizontalAdvance(self.text()) + look.px(9 + 13 + 6 + 11)
        return QSize(wide + 2 * paint.HALO + 2, look.px(_TALL) + 2 * paint.HALO)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A dashed edge, a plus, the words."""
        t, look, painter = self._look.tokens, self._look, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        where, ink = paint.inner(self), t.text if self.underMouse() else t.text2
        edge = paint.pen(t.ctl)
        edge.setDashPattern([3, 2])
        painter.setPen(edge)
        painter.setBrush(QColor(t.hover) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(where, where.height() / 2, where.height() / 2)
        if self.hasFocus():
            paint.ring(painter, QRectF(where), look, where.height() / 2)
        paint.draw_picture(
            painter, paint.HALO + look.px(9), self.height() / 2, paint.picture(look, "plus", ink, 13, self)
        )
        painter.setPen(QColor(ink))
        painter.setFont(self.font())
        room = self.rect().adjusted(paint.HALO + look.px(28), 0, 0, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()
