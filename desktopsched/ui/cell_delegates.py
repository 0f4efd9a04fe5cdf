"""The delegates of single columns: where a cell looks other than a plain one. UI thread; they only paint."""

from PySide6.QtGui import QFont

from desktopsched.model import State
from desktopsched.ui.row import Cell
from desktopsched.ui.row_delegate import Pen, RowDelegate

_COLOURED = frozenset({State.READY, State.RUNNING, State.FAILED})
"""States whose word has their colour; the news of the others is calm."""


class StateDelegate(RowDelegate):
    """The icon of a state in its own outline and colour, and its word."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """Icon and word."""
        if cell.state is None:
            return
        ink = self.look.tokens.states[cell.state].ink
        pen.state(cell.state.value, ink, 16)
        colour = ink if cell.state in _COLOURED else self.look.tokens.text2
        pen.text(cell.text, self.look.font(weight=QFont.Weight.Medium), colour)


class NameDelegate(RowDelegate):
    """What the task does, and its name."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """Icon and name."""
        pen.icon(cell.icon, self.look.tokens.text3, 15)
        pen.text(cell.text, self.look.font(weight=QFont.Weight.DemiBold), self.look.tokens.text)


class DurationDelegate(RowDelegate):
    """How long it took; while it runs the time so far, a bar, and what is usual."""

    def paint_cell(self, pen: Pen, cell: Cell) -> None:
        """The parts."""
        tokens, look = self.look.tokens, self.look
        if cell.state is None:
            pen.text(cell.text, look.font(), tokens.text3 if cell.quiet else tokens.text)
            return
        colours = tokens.states[State.READY if cell.late else State.RUNNING]
        pen.text(cell.text, look.font(weight=QFont.Weight.Medium), colours.ink)
        if cell.share is not None:
            pen.bar(cell.share, tokens.line2, colours.bar, look.px(46))
        pen.text("longer than usual" if cell.late else cell.aside, look.font(12), tokens.text3)
