"""A flow: widgets side by side, on the next line where there is no more room. UI thread.

What may grow shares the room that its line has left.
"""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flow(QLayout):
    """A layout whose height follows from its width."""

    def __init__(self, gap: int, between: int) -> None:
        """`gap`: pixels beside each other; `between`: below each other."""
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap, self._between = gap, between
        self._heights: dict[int, int] = {}  # by width, as Qt asks a dozen times for each change
        self.setContentsMargins(0, 0, 0, 0)

    # --- what a layout must answer -------------------------------------------------------------------------

    def addItem(self, item: QLayoutItem) -> None:
        """Qt asks for this; `addWidget` calls it."""
        self._items.append(item)

    def insert(self, at: int, widget: QWidget) -> None:
        """Put a widget at a place."""
        self.addWidget(widget)
        self._items.insert(at, self._items.pop())
        self.invalidate()

    def count(self) -> int:
        """How many items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Take an item out."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It is as wide as it may be."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """Yes."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Pixels."""
        if width not in self._heights:
            self._heights[width] = self._arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def invalidate(self) -> None:
        """Something in it has changed."""
        self._heights.clear()
        super().invalidate()

    def sizeHint(self) -> QSize:
        """All on one line."""
        sizes = [item.sizeHint() for item in self._shown()]
        wide = sum(size.width() for size in sizes) + self._gap * max(len(sizes) - 1, 0)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """As wide as the widest."""
        sizes = [item.minimumSize() for item in self._shown()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        """Move the widgets."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    # --- lines ---------------------------------------------------------------------------------------------

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Line by line; the height of all."""
        top = rect.top()
        lines = self._lines(rect.width())
        for line in lines:
            widths = self._widths(line, rect.width())
            sizes = [QSize(wide, _tall(item, wide)) for item, wide in zip(line, widths, strict=True)]
            tall = max(size.height() for size in sizes)
            if move:
                self._place(line, sizes, QPoint(rect.left(), top), tall)
            top += tall + self._between
        return top - rect.top() - (self._between if lines else 0)

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            wide = _wide(item)
            if lines and left + wide <= width:
                lines[-1].append(item)
            else:
                lines.append([item])
                left = 0
            left += wide + self._gap
        return lines

    def _widths(self, line: list[QLayoutItem], width: int) -> list[int]:
        used = sum(map(_wide, line)) + self._gap * (len(line) - 1)
        growing = sum(map(_grows, line))
        more = max(width - used, 0) // growing if growing else 0
        return [min(_wide(item) + (more if _grows(item) else 0), width) for item in line]

    def _place(self, line: list[QLayoutItem], sizes: list[QSize], corner: QPoint, tall: int) -> None:
        left = corner.x()
        for item, size in zip(line, sizes, strict=True):
            top = corner.y() + (tall - size.height()) // 2
            item.setGeometry(QRect(QPoint(left, top), size))
            left += size.width() + self._gap


def _grows(item: QLayoutItem) -> bool:
    return bool(item.expandingDirections() & Qt.Orientation.Horizontal)


def _wide(item: QLayoutItem) -> int:
    """What grows begins at its least, so that it leaves the line only when that does not fit."""
    least = item.minimumSize().width()
    return least if _grows(item) else max(item.sizeHint().width(), least)


def _tall(item: QLayoutItem, wide: int) -> int:
    hint = item.heightForWidth(wide) if item.hasHeightForWidth() else item.sizeHint().height()
    return max(hint, item.minimumSize().height())
