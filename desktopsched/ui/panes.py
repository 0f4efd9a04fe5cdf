"""Panes: F6 goes from one part of the window to the next, Shift F6 back. UI thread."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget


class Panes(QObject):
    """The parts of a window in reading order, each with what takes the focus there: the heart of it, or itself.

    The heart is not made the part's focus proxy: from such a part Tab would go there at once, past all that stands
    before it.
    """

    def __init__(self, window: QWidget, parts: Sequence[tuple[QWidget, QWidget]]) -> None:
        super().__init__(window)
        self._parts = parts
        for keys, step in (("F6", 1), ("Shift+F6", -1)):
            QShortcut(QKeySequence(keys), window).activated.connect(lambda step=step: self.go(step))

    def go(self, step: int) -> None:
        """To the next visible part, or to the one before."""
        parts = [part for part in self._parts if part[0].isVisible()]
        focus = QApplication.focusWidget()
        here = (place for place, (part, _) in enumerate(parts) if _holds(part, focus))
        now = next(here, -1 if step > 0 else 0)
        for distance in range(1, len(parts) + 1):
            target = _target(parts[(now + step * distance) % len(parts)][1])
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)
                return


def _holds(part: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (focus is part or part.isAncestorOf(focus))


def _target(part: QWidget) -> QWidget | None:
    """What in a part takes the focus: itself, or the first thing in it that Tab goes to."""
    if part.focusProxy() is not None or _takes(part):
        return part
    return next((child for child in part.findChildren(QWidget) if _takes(child)), None)


def _takes(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled() and widget.isVisible()
