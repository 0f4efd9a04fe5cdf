"""The text of the live log: entries become lines. UI thread; it knows entries and formats, and no events."""

import time
from collections.abc import Iterable

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QTextBlock, QTextCursor, QTextOption
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from desktopsched.actions.text import Line
from desktopsched.model import State
from desktopsched.ui.log_caret import LogCaret
from desktopsched.ui.log_format import HEAD, LINE, LogFormat
from desktopsched.ui.log_layouts import LogLayouts, lines_of_its_own
from desktopsched.ui.look import Look
from desktopsched.ui.transcript import Entry

LINES_MOST = 20_000
"""Older ones stay in the files."""

_TIME, _ICON, _TAG = (
    68,
    19,
    114,
)  # pixels, as drawn: where the second column begins; widths of an icon and of a tag
_MARGIN = 8  # pixels, as drawn, around all lines
_STATES = tuple(State)
_OPEN = 100  # block states from here on mark lines that are open; below are the icons


class LogView(QPlainTextEdit):
    """Shows at most LINES_MOST lines; follows the newest until the reader scrolls up."""

    follows = Signal(bool)
    """Following began, or ended."""

    grew = Signal(int)
    """So many lines were added."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._turns: dict[str, int] = {}  # kept when the colours change
        self._formats = LogFormat(look, self._turns)
        self._open: dict[
            int, tuple[QTextCursor, int]
        ] = {}  # by run: its line without a newline, and its mark
        self._marks = _OPEN
        self._following, self._writing = True, False
        self._nothing = ""  # what is said while there is no line
        self._prints = self._has_tags = False
        self.caret = LogCaret(look, self)
        self._layouts = LogLayouts(self)
        self._set_up()
        self.grew.connect(self._layouts.grew)
        self._layouts.due.connect(self._let_go)
        self.updateRequest.connect(self._place_caret)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._grew)
        look.changed.connect(self._dress)

    def _set_up(self) -> None:
        self.setObjectName("log")
        self.setAccessibleName("Live log")
        self.setDocument(lines_of_its_own(self))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setMaximumBlockCount(LINES_MOST)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        margin = self._look.px(_MARGIN)
        self.document().setDocumentMargin(margin)
        self.setViewportMargins(0, 0, 0, self._look.px(LINE) - margin)  # below the last line, for the caret
        self.setFont(self._look.mono())
        self._set_tabs()

    def _set_tabs(self) -> None:
        """Three columns: the time, then an icon and words, or a tag and output."""
        px = self._look.px
        places = (px(_TIME), px(_TIME) + px(_ICON), px(_TIME + _TAG))
        option = self.document().defaultTextOption()  # it says already that lines are not wrapped
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)  # the columns stay where they are
        option.setTabs([QTextOption.Tab(place, QTextOption.TabType.LeftTab) for place in places])
        option.setTabStopDistance(QFontMetrics(self._look.mono()).horizontalAdvance(" ") * 8)
        self.document().setDefaultTextOption(option)

    def _dress(self) -> None:
        """Other colours, from the next line on; the panel writes the others anew."""
        self._formats = LogFormat(self._look, self._turns)

    # --- what is said beside the lines ---------------------------------------------------------------------

    def say_nothing(self, words: str) -> None:
        """What to say while there is no line."""
        self._nothing = words
        self.setAccessibleDescription(words)
        self.viewport().update()

    @property
    def nothing(self) -> str:
        """What is said now in place of lines; empty where there are some."""
        return self._nothing if self.document().isEmpty() else ""

    def show_prints(self, *, prints: bool, tags: bool) -> None:
        """Whether something may print at this moment, and whether tags stand before what it prints."""
        self._prints, self._has_tags = prints, tags
        self._place_caret()

    def _place_caret(self) -> None:
        place = self._next_place() if self._prints and self._following and not self.nothing else None
        if place is None or not self.rect().contains(place):
            self.caret.hide()
        else:
            self.caret.stand_at(place)

    def _next_place(self) -> QPoint | None:
        """Where the next output will stand: after a line that is open, else below the last one."""
        block = self.document().lastBlock()
        place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        if self.document().isEmpty() or place.isEmpty():
            return None  # it is out of sight
        bottom = round(place.bottom() - self.document().documentMargin())  # which Qt counts to the last line
        port = self.viewport().geometry().topLeft()
        if block.userState() >= _OPEN:
            end = QTextCursor(block)
            end.movePosition(QTextCursor.MoveOperation.EndOfBlock)
            return port + QPoint(self.cursorRect(end).right() + 1, bottom - self._look.px(LINE))
        left = self._look.px(_TIME + _TAG) if self._has_tags else 0
        return port + QPoint(round(place.left() + self.document().documentMargin()) + left, bottom)

    def _paint_nothing(self, painter: QPainter) -> None:
        side = self._look.px(20)
        painter.setFont(self._look.font())
        painter.setPen(QColor(self._look.tokens.text3))
        room = self.viewport().rect().adjusted(side, side, -side, -side)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self._nothing)

    # --- all of it -----------------------------------------------------------------------------------------

    def empty(self) -> None:
        """Take everything away, and follow what comes."""
        self.clear()
        self._open.clear()
        self._set_following(following=True)

    def set_wrap(self, *, wrap: bool) -> None:
        """Whether long lines go on below."""
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wrap else mode.NoWrap)
        self._set_tabs()

    # --- copying -------------------------------------------------------------------------------------------

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied: the text, without times and tags."""
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def selected_text(self) -> str:
        """The selection, line by line, each without what stands before its text."""
        cursor = self.textCursor()
        block, lines = self.document().findBlock(cursor.selectionStart()), []
        while block.isValid() and block.position() <= cursor.selectionEnd():
            lines.append(_text_of(block, cursor.selectionStart(), cursor.selectionEnd()))
            block = block.next()
        return "\n".join(lines)

    # --- writing -------------------------------------------------------------------------------------------

    @property
    def following(self) -> bool:
        """Whether the newest line is in sight, and will be."""
        return self._following

    def follow(self) -> None:
        """Go to the newest line, and stay with it."""
        self._set_following(following=True)
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _set_following(self, *, following: bool) -> None:
        if following != self._following:
            self._following = following
            self._place_caret()
            self.follows.emit(following)

    def _scrolled(self, value: int) -> None:
        """Somebody scrolled; or lines came, and that is no wish of the reader's."""
        if not self._writing:
            self._set_following(following=value >= self.verticalScrollBar().maximum())

    def _grew(self) -> None:
        if self._following:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def write(self, entries: Iterable[Entry]) -> None:
        """Add lines, and stay with the newest if it was in sight; else with what the reader looks at."""
        self._writing = True
        bar, seen = self.verticalScrollBar(), QTextCursor(self.firstVisibleBlock())
        seen.setKeepPositionOnInsert(True)
        below = bar.value() - seen.block().firstLineNumber()
        cursor, added = QTextCursor(self.document()), 0
        cursor.beginEditBlock()
        for entry in entries:
            added += self._write(cursor, entry)
        cursor.endEditBlock()
        if self._following:
            self._grew()
        else:  # the oldest lines may be gone: what is in sight has moved up
            bar.setValue(seen.block().firstLineNumber() + below)
        self._writing = False
        self.grew.emit(added)

    def _let_go(self) -> None:
        """Of the layouts of lines that are out of sight. Wrapped, only they know where a line stands."""
        if self.lineWrapMode() is self.LineWrapMode.NoWrap and not QApplication.mouseButtons():
            self._writing = True
            self._layouts.let_go()
            self._writing = False

    def _write(self, cursor: QTextCursor, entry: Entry) -> bool:
        """Write one line; whether it is a new one."""
        new = not self._replace_open(cursor, entry)
        if new:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            if not self.document().isEmpty():
                cursor.insertBlock()
        if entry.at is not None:
            cursor.insertText(time.strftime("%H:%M:%S", time.localtime(entry.at)), self._formats.time)
            cursor.insertText("\t", self._formats.strut)
        if entry.line is None:
            self._write_words(cursor, entry)
        else:
            self._write_output(cursor, entry, entry.line)
        return new

    def _replace_open(self, cursor: QTextCursor, entry: Entry) -> bool:
        """Empty the open line of this run, if it is still there: what comes stands in its place."""
        if entry.line is None or entry.run not in self._open:
            return False
        place, mark = self._open.pop(entry.run)
        if place.block().userState() != mark:
            return False  # it was among the oldest lines, and is gone
        cursor.setPosition(place.block().position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.block().setUserState(-1)
        return True

    def _write_words(self, cursor: QTextCursor, entry: Entry) -> None:
        if entry.state is not None:
            cursor.block().setUserState(_STATES.index(entry.state))
            cursor.insertText("\t", self._formats.gap)
        cursor.insertText(entry.words, self._formats.words)

    def _write_output(self, cursor: QTextCursor, entry: Entry, line: Line) -> None:
        if entry.at is not None:  # the log of a past run has neither times nor other tasks
            self._write_tag(cursor, entry)
        for span in line.spans:
            cursor.insertText(span.text, self._formats.text(span.style))
        if entry.open:
            self._marks += 1
            cursor.block().setUserState(self._marks)
            self._open[entry.run] = (_at_start(cursor.block()), self._marks)

    def _write_tag(self, cursor: QTextCursor, entry: Entry) -> None:
        tag_format = self._formats.tag(entry.task_id)
        metrics = QFontMetrics(tag_format.font())
        tag = metrics.elidedText(entry.tag, Qt.TextElideMode.ElideRight, self._look.px(_TAG - 10))
        # A tag that is narrower than an icon needs one tab more to get past the icons' column.
        tabs = "\t\t" if metrics.horizontalAdvance(tag) < self._look.px(_ICON) else "\t"
        cursor.insertText(tag, tag_format)
        cursor.insertText(tabs, tag_format)

    # --- painting ------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, and the icons of the scheduler's own lines, which a plain text cannot hold."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        if self.nothing:
            self._paint_nothing(painter)
        offset, bottom = self.contentOffset(), self.viewport().height()
        block = self.firstVisibleBlock()
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > bottom:
                break
            if 0 <= block.userState() < len(_STATES):
                self._paint_icon(painter, place, _STATES[block.userState()])
            block = block.next()
        painter.end()

    def _paint_icon(self, painter: QPainter, place: QRectF, state: State) -> None:
        px = self._look.px
        picture = self._look.state_icon(state, 12, self.devicePixelRatioF())
        left = place.left() + self.document().documentMargin() + px(_TIME)
        painter.drawPixmap(round(left), round(place.top()) + (px(LINE) - px(12)) // 2, picture)


def _text_of(block: QTextBlock, start: int, end: int) -> str:
    """The part of a line between two places of the document, without its head."""
    parts, at = [], block.begin()
    while not at.atEnd():
        piece = at.fragment()
        if not piece.charFormat().property(HEAD):
            first, last = max(start - piece.position(), 0), max(end - piece.position(), 0)
            units = piece.text().encode("utf-16-le", "surrogatepass")  # Qt counts these
            parts.append(units[2 * first : 2 * last].decode("utf-16-le", "replace"))
        at += 1
    return "".join(parts)


def _at_start(block: QTextBlock) -> QTextCursor:
    """A cursor that stays with the block while others are added and taken away."""
    cursor = QTextCursor(block)
    cursor.setKeepPositionOnInsert(True)
    return cursor
