"""A flow: widgets side by side, on the next line where there is no more room. UI thread.

What may grow shares the room that its line has left.
"""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Measured:
    """An item and what it said of its size."""

    def __init__(self, item: QLayoutItem) -> None:
        self.item, self.least = item, item.minimumSize()
        self.grows = bool(item.expandingDirections() & Qt.Orientation.Horizontal)
        # What grows begins at its least, so that it leaves the line only when that does not fit.
        least = self.least.width()
        self.wide = least if self.grows else max(item.sizeHint().width(), least)

    def tall(self, wide: int) -> int:
        """Its height at this width."""
        item = self.item
        hint = item.heightForWidth(wide) if item.hasHeightForWidth() else item.sizeHint().height()
        return max(hint, self.least.height())


class Flow(QLayout):
    """A layout whose height follows from its width."""

    def __init__(self, gap: int, between: int) -> None:
        """`gap`: pixels beside each other; `between`: below each other."""
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap, self._between = gap, between
        # Both kept until something changes, as Qt asks a dozen times for each change.
        self._heights: dict[int, int] = {}  # by width
        self._measured: list[Measured] | None = None
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
        self._measured = None
        super().invalidate()

    def sizeHint(self) -> QSize:
        """All on one line."""
        sizes = [one.item.sizeHint() for one in self._shown()]
        wide = sum(size.width() for size in sizes) + self._gap * max(len(sizes) - 1, 0)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """As wide as the widest."""
        sizes = [one.least for one in self._shown()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def setGeometry(self, rect: QRect) -> None:
        """Move the widgets."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    # --- lines ---------------------------------------------------------------------------------------------

    def _shown(self) -> list[Measured]:
        if self._measured is None:
            self._measured = [Measured(item) for item in self._items if not item.isEmpty()]
        return self._measured

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Line by line; the height of all."""
        top = rect.top()
        lines = self._lines(rect.width())
        for line in lines:
            widths = self._widths(line, rect.width())
            sizes = [QSize(wide, one.tall(wide)) for one, wide in zip(line, widths, strict=True)]
            tall = max(size.height() for size in sizes)
            if move:
                self._place(line, sizes, QPoint(rect.left(), top), tall)
            top += tall + self._between
        return top - rect.top() - (self._between if lines else 0)

    def _lines(self, width: int) -> list[list[Measured]]:
        lines: list[list[Measured]] = []
        left = 0
        for one in self._shown():
            if lines and left + one.wide <= width:
                lines[-1].append(one)
            else:
                lines.append([one])
                left = 0
            left += one.wide + self._gap
        return lines

    def _widths(self, line: list[Measured], width: int) -> list[int]:
        used = sum(one.wide for one in line) + self._gap * (len(line) - 1)
        growing = sum(one.grows for one in line)
        more = max(width - used, 0) // growing if growing else 0
        return [min(one.wide + (more if one.grows else 0), width) for one in line]

    def _place(self, line: list[Measured], sizes: list[QSize], corner: QPoint, tall: int) -> None:
        left = corner.x()
        for one, size in zip(line, sizes, strict=True):
            top = corner.y() + (tall - size.height()) // 2
            one.item.setGeometry(QRect(QPoint(left, top), size))
            left += size.width() + self._gap
