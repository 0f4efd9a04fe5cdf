"""The live log: events go in, and come up in the text in small portions. UI thread.

A batch at most each 50 ms, and never more than a few milliseconds' worth: a task that prints without end costs its own
lines, not the window. Another source, or other colours, are written in the same way.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QVBoxLayout, QWidget

from desktopsched.actions.text import Line
from desktopsched.engine.events import Event, RunFinished, RunOutput, RunRetrying, RunStarted
from desktopsched.ui.log_find import LogFind
from desktopsched.ui.log_head import LogHead
from desktopsched.ui.log_source import ALL, Source
from desktopsched.ui.log_view import LINES_MOST, LogView
from desktopsched.ui.look import Look
from desktopsched.ui.past_runs import PastRuns
from desktopsched.ui.transcript import Entry, Transcript
from desktopsched.ui.under_way import UnderWay

EVERY = 50
"""Milliseconds from one batch to the next."""

WORTH = 0.008
"""Seconds of the UI thread that one batch may take."""

_AGAIN = 0.02  # seconds for what is written again: the reader waits for it
_CHUNK = 64  # lines that are written between two looks at the clock


class LogPanel(QWidget):
    """A head, the text, and at its foot how much came since the reader scrolled up."""

    def __init__(self, look: Look, past: PastRuns | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._past = look, past
        self.transcript = Transcript()
        self.head, self.view = LogHead(look, self), LogView(look, self)  # Tab goes through them in this order
        self.finder = LogFind(self.view, look)
        self.follow_button = self.head.follow
        self.source = ALL
        self._shelf: deque[Entry] = deque(maxlen=LINES_MOST)  # what came, whatever is shown
        self._again: deque[Entry] | None = None  # what is being written again; the view keeps no more of it
        self._past_lines: deque[Line] | None = None  # of the past run that is shown, once they are read
        self._past_open: Line | None = None
        self.under_way = UnderWay()
        self._unseen = 0
        self._next = QTimer(self, singleShot=True, interval=EVERY)
        self._next.timeout.connect(self._write_some)
        self.new_lines = QPushButton(self.view)
        self._lay_out()
        self._connect()
        self._show_follow()
        self._say_how_it_is()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.view)
        self.new_lines.setObjectName("newlines")
        self.new_lines.setFont(self._look.font(12, QFont.Weight.Medium))
        self.new_lines.hide()

    def _connect(self) -> None:
        self.view.follows.connect(self._show_follow)
        self.view.grew.connect(self._count_unseen)
        self.view.viewport().installEventFilter(self)
        self.new_lines.clicked.connect(self.view.follow)
        self.head.follow.clicked.connect(self._follow_clicked)
        self.head.wrap.clicked.connect(self._wrap_clicked)
        self.head.picked.connect(self.show_source)
        self.head.stepped.connect(self.finder.step)
        self.head.field.textChanged.connect(self.finder.look_for)
        self.head.field.left.connect(self.view.setFocus)
        self.finder.found.connect(self.head.show_count)
        self.head.more_menu.addAction("Copy without tags", self.copy)
        self.head.more_menu.addAction("Save as…", self.save_as)
        self._look.changed.connect(self._write_again)
        if self._past is not None:
            self._past.read.connect(self._show_lines)
            self._past.more.connect(self._show_more)

    # --- following -----------------------------------------------------------------------------------------

    def _follow_clicked(self) -> None:
        if self.head.follow.isChecked():
            self.view.follow()
        self._show_follow()

    def _wrap_clicked(self) -> None:
        self.view.set_wrap(wrap=self.head.wrap.isChecked())
        self._show_follow()

    def _show_follow(self) -> None:
        self.head.show_switches(following=self.view.following, wrapped=self.head.wrap.isChecked())
        if self.view.following:
            self._unseen = 0
            self.new_lines.hide()

    def _count_unseen(self, count: int) -> None:
        if self.view.following or not count:
            return
        self._unseen += count
        self.new_lines.setText("1 new line" if self._unseen == 1 else f"{self._unseen:,} new lines")
        self.new_lines.show()
        self._place_foot()

    def _place_foot(self) -> None:
        self.new_lines.adjustSize()
        port = self.view.viewport().geometry()
        left = port.left() + (port.width() - self.new_lines.width()) // 2
        self.new_lines.move(left, port.bottom() - self.new_lines.height() - self._look.px(8))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The foot stays where it is when the text gets another size."""
        if event.type() is QEvent.Type.Resize and self.new_lines.isVisible():
            self._place_foot()
        return super().eventFilter(watched, event)

    # --- what it shows -------------------------------------------------------------------------------------

    def show_task(self, task_id: str) -> None:
        """What one task prints, and what becomes of it."""
        self.show_source(Source(task_id=task_id, name=self.transcript.name(task_id)))

    def knows(self, task_id: str) -> bool:
        """Whether something of a task came since the window was opened, or may come now."""
        return self.under_way.runs(task_id) or any(entry.task_id == task_id for entry in self._shelf)

    def show_run(self, task_id: str, run: int, computer: str = "") -> None:
        """A past run, from its log."""
        self.show_source(
            Source(task_id=task_id, run=run, name=self.transcript.name(task_id), computer=computer)
        )

    def show_source(self, source: Source) -> None:
        """Something else."""
        self.source, self._past_lines, self._past_open = source, None, None
        self.head.show_source(source)
        if self._past is not None and source.run:
            self._past.ask(source.task_id, source.run, live=self.under_way.goes_on(source.run))
        elif self._past is not None:
            self._past.forget()
        self._say_how_it_is()
        self._write_again()

    def _show_lines(self, run: int, lines: tuple[Line, ...]) -> None:
        """The log of a past run was read."""
        if run == self.source.run:
            self._past_lines = deque(lines, maxlen=LINES_MOST)
            self._say_how_it_is()
            self._write_again()

    def _show_more(self, run: int, lines: tuple[Line, ...], open_line: Line | None) -> None:
        """The run that is shown goes on, and has printed more."""
        if run != self.source.run or self._past_lines is None:
            return
        self._past_lines += lines
        self._past_open = open_line
        if self._again is None:
            self._again = deque(maxlen=LINES_MOST)
        self._again.extend(self._past_entries(lines, open_line))
        if not self._next.isActive():
            self._next.start()

    def _past_entries(self, lines: Iterable[Line], open_line: Line | None) -> Iterator[Entry]:
        run = self.source.run
        for line in lines:
            yield Entry(at=None, run=run, line=line)
        if open_line is not None:
            yield Entry(at=None, run=run, line=open_line, open=True)

    def _go_on(self, events: Sequence[Event]) -> None:
        """Read on in the log of the run that is shown, if one of these is about it."""
        own = [event for event in events if isinstance(event, RunOutput | RunFinished)]
        own = [event for event in own if event.run.id == self.source.run]
        if own and self._past is not None:
            self._past.go_on(ended=any(isinstance(event, RunFinished) for event in own))

    def _say_how_it_is(self) -> None:
        """What stands in place of lines, and whether more may come."""
        source = self.source
        goes_on = self.under_way.goes_on(source.run)
        self.view.say_nothing(source.nothing(goes_on=goes_on, is_read=self._past_lines is not None))
        self.view.show_prints(prints=self.under_way.runs(source.task_id, source.run), tags=not source.run)

    # --- writing -------------------------------------------------------------------------------------------

    def apply(self, events: Sequence[Event]) -> None:
        """Take what happened; it is shown within a moment."""
        self.transcript.take(events, time.monotonic())
        if any(isinstance(event, RunStarted | RunRetrying | RunFinished) for event in events):
            self.under_way.apply(events)
            self._say_how_it_is()
        if self.source.run:
            self._go_on(events)
        if self.transcript.waiting and not self._next.isActive():
            self._next.start()

    def _write_again(self) -> None:
        """Everything, from the beginning: what fits into a moment at once, the rest soon."""
        self.view.empty()
        self._show_follow()
        entries: Iterable[Entry]
        if self.source.run:
            entries = self._past_entries(tuple(self._past_lines or ()), self._past_open)
        else:
            entries = [entry for entry in self._shelf if self.source.shows(entry)]
        self._again = deque(entries, maxlen=LINES_MOST)
        self._write_some()

    def _write_some(self) -> None:
        now = time.monotonic()
        if self._again is not None:
            self._write_some_again(now + _AGAIN)
        while self._again is None and self.transcript.waiting and time.monotonic() < now + WORTH:
            entries = self.transcript.next()
            self._shelf += [entry for entry in entries if not entry.open]
            if shown := [entry for entry in entries if self.source.shows(entry)]:
                self.view.write(shown)
        if self.transcript.waiting or self._again is not None:
            self._next.start()

    def _write_some_again(self, end: float) -> None:
        while self._again is not None and time.monotonic() < end:
            chunk = [self._again.popleft() for _ in range(min(_CHUNK, len(self._again)))]
            self.view.write(chunk)
            if not self._again:
                self._again = None

    # --- taking away ---------------------------------------------------------------------------------------

    def copy(self) -> None:
        """What is selected, or everything, without times and tags."""
        cursor = self.view.textCursor()
        if not cursor.hasSelection():
            self.view.selectAll()
        QApplication.clipboard().setText(self.view.selected_text())
        self.view.setTextCursor(cursor)

    def save_as(self) -> None:
        """Ask for a file, and write there what is shown."""
        dialog = QFileDialog(self, "Save the log as", str(Path.home() / "log.txt"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.save)
        dialog.open()

    def save(self, path: str) -> None:
        """Write what is shown into a file, in the background; of a past run also what is too long to be shown."""
        if self._past is not None and self.source.run:
            self._past.save_run(Path(path), self.source.task_id, self.source.run)
        elif self._past is not None:
            self._past.save(Path(path), f"{self.view.toPlainText()}\n")
