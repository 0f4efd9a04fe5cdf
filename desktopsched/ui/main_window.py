"""The main window: tool bar, banners, the table over the log, status bar. UI thread.

It puts the parts together and passes on what they say: events go to the parts, wishes to the commands. What the parts
show, they decide by themselves.
"""

import enum
from collections.abc import Callable, Sequence
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon
from PySide6.QtWidgets import QMainWindow, QMessageBox, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktopsched.engine.events import Event
from desktopsched.ui import icons, notices, plain
from desktopsched.ui.banner import Banners, Notice
from desktopsched.ui.empty_page import EmptyPage
from desktopsched.ui.keepsake import Keepsake
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.look import Look
from desktopsched.ui.offers import CLOSING, OPENING, Offers, offers
from desktopsched.ui.session import Session, Took
from desktopsched.ui.status_line import StatusLine
from desktopsched.ui.summary import Summary, counted, named, summarise
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_table import TaskTable
from desktopsched.ui.tool_bar import ToolBar

_SETTLE = 100  # milliseconds in which changes gather before the counts are taken anew
_SIZE, _LEAST = (1180, 760), (880, 560)


class Phase(enum.Enum):
    """Where the window is in its life."""

    OPENING = "opening"  # painted already; the files are being read
    OPEN = "open"
    CLOSING = "closing"  # runs are being stopped
    CLOSED = "closed"


class MainWindow(QMainWindow):
    """One window for one session. `now` and `zone` tell the time."""

    finished = Signal()
    """The session is closed, and so is the window."""

    def __init__(
        self, session: Session, look: Look, *, now: Callable[[], float], zone: Callable[[], ZoneInfo]
    ) -> None:
        super().__init__()
        self.session, self.phase = session, Phase.OPENING
        self._look, self._now, self._zone = look, now, zone
        self._keepsake = Keepsake(session.program.home.folder)
        self._summary = Summary()
        self._failure = ""  # what could not be done, until it is dismissed
        self._notices_seen = 0
        self._question: QMessageBox | None = None
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE)
        self._settle.timeout.connect(self._count)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._dress()
        self._restore()
        self._show_offers()

    # --- the parts -----------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        look = self._look
        self.model = TaskModel(self._now, self._zone, self)
        self.table = TaskTable(self.model, look)
        self.log = LogPanel(look)
        self.banners = Banners(look)
        self.empty = EmptyPage(look, str(self.session.program.home.tasks))
        self.status = StatusLine(look)
        acts = {"run": self.run_selected, "stop": self.stop_selected, "pause": self.toggle_pause}
        self.tools = ToolBar(look, acts)

    def _lay_out(self) -> None:
        self.setWindowTitle("Desktopsched")
        self.setWindowIcon(icons.mark())
        self.setMinimumSize(*map(self._look.px, _LEAST))
        self.resize(QSize(*map(self._look.px, _SIZE)).boundedTo(self.screen().availableSize()))
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.table)
        self._splitter.addWidget(self.log)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 2)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._splitter)
        self._pages.addWidget(self.empty)
        page = plain.named(QWidget(), "page")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banners)
        layout.addWidget(self._pages, 1)
        self.setCentralWidget(page)
        self.addToolBar(self.tools)
        self.setStatusBar(self.status)

    def _connect(self) -> None:
        session = self.session
        session.bridge.arrived.connect(self._apply)
        session.opened.connect(self._open)
        session.closed.connect(self._close_at_last)
        session.shown.connect(self.come_up, Qt.ConnectionType.QueuedConnection)
        session.commands.failed.connect(self._fail)
        self.table.chosen.connect(self._show_offers)
        self.table.ticked.connect(self._tell)
        self.empty.wanted.connect(session.commands.load_examples)
        self._look.changed.connect(self._dress)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet())

    # --- what happens --------------------------------------------------------------------------------------

    def _apply(self, events: Sequence[Event]) -> None:
        """A batch from the bridge."""
        self.model.apply(events)
        self.log.apply(events)
        self._show_offers()
        if not self._settle.isActive():
            self._settle.start()

    def _open(self, took: Took) -> None:
        self.phase = Phase.OPEN
        self.model.remember(took)
        self._count()

    def _count(self) -> None:
        """Take the counts anew, and show what follows from them."""
        self._summary = summarise(self.model.rows.all())
        self._show_offers()
        self._tell()
        is_empty = self.phase is Phase.OPEN and not self._summary.tasks
        self._pages.setCurrentWidget(self.empty if is_empty else self._splitter)

    def _tell(self) -> None:
        if self.phase is not Phase.OPENING:
            self.status.tell(self._summary, self._now(), self._zone())
        self.banners.show_notices(self._notices())

    def _fail(self, words: str) -> None:
        self._failure = words
        self.empty.again()
        self._tell()

    # --- banners -------------------------------------------------------------------------------------------

    def _notices(self) -> list[Notice]:
        summary, commands = self._summary, self.session.commands
        if self.phase in {Phase.CLOSING, Phase.CLOSED}:
            return [notices.closing(summary)]
        found = []
        if trouble := self.session.trouble:
            found.append(notices.trouble(trouble))
        if self._failure:
            found.append(notices.failed(self._failure, self._dismiss_failure))
        if unseen := self._unseen():
            found.append(notices.problems(unseen, self.show_problems, self._dismiss_problems))
        if self.session.paused:
            found.append(notices.paused(summary, self.toggle_pause))
        if summary.missed:
            found.append(notices.missed(summary, commands.decide))
        return found

    def _unseen(self) -> list[str]:
        return self.session.program.notices[self._notices_seen :] if self.phase is Phase.OPEN else []

    def show_problems(self) -> None:
        """All that is to be said about the files, one below the other."""
        box = plain.box(
            self,
            QMessageBox.Icon.Warning,
            "This is to be looked at.",
            "Tasks without mistakes run. Those with one are shown, and do nothing until they are mended in the file.",
            "\n\n".join(self._unseen()),
        )
        box.open()

    def _dismiss_problems(self) -> None:
        self._notices_seen = len(self.session.program.notices)
        self._tell()

    def _dismiss_failure(self) -> None:
        self._failure = ""
        self._tell()

    # --- what the person asks for --------------------------------------------------------------------------

    def run_selected(self) -> None:
        """Start the selected tasks by hand."""
        self.session.commands.run_now(self.table.selected_tasks())

    def stop_selected(self) -> None:
        """Stop what runs of the selected tasks."""
        rows = [(task_id, self.model.rows.get(task_id)) for task_id in self.table.selected_tasks()]
        self.session.commands.stop([task_id for task_id, row in rows if row is not None and row.busy])

    def toggle_pause(self) -> None:
        """Pause everything, or resume."""
        self.session.commands.pause(paused=not self.session.paused)

    def _show_offers(self) -> None:
        self.tools.offer(self._offers())

    def _offers(self) -> Offers:
        if self.phase is Phase.OPENING:
            return OPENING
        if self.phase is not Phase.OPEN:
            return CLOSING
        chosen = [row for task_id in self.table.selected_tasks() if (row := self.model.rows.get(task_id))]
        return offers(chosen, tasks=len(self.model.rows), paused=self.session.paused)

    def come_up(self) -> None:
        """Before the other windows, from the task bar too."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    # --- closing -------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask first if runs would stop; then close the session, and the window only after it."""
        if self.phase is Phase.CLOSED:
            event.accept()
            return
        event.ignore()
        if self.phase is Phase.CLOSING or self._question is not None:
            return
        running = [row.task.name for row in self.model.rows.all() if row.status.running]
        if running:
            self._ask(running)
        else:
            self.end()

    def _ask(self, running: Sequence[str]) -> None:
        runs = f"{counted(len(running), 'run')} would stop: {named(running)}."
        self._question = box = plain.box(self, QMessageBox.Icon.Question, f"Quit? {runs}")
        quit_ = box.addButton("Quit and stop", QMessageBox.ButtonRole.AcceptRole)
        cancel = box.addButton(QMessageBox.StandardButton.Cancel)
        cancel.setIcon(QIcon())
        box.setDefaultButton(cancel)
        quit_.clicked.connect(self.end)
        box.finished.connect(self._answered)
        box.open()

    def _answered(self) -> None:
        self._question = None

    def end(self) -> None:
        """Close the session without asking; the window stays, and says so, until that is done."""
        if self.phase in {Phase.CLOSING, Phase.CLOSED}:
            return
        self.phase = Phase.CLOSING
        self._keep()
        self._count()
        self.session.close()

    def _close_at_last(self) -> None:
        self.phase = Phase.CLOSED
        self.close()
        self.finished.emit()

    # --- what it remembers ---------------------------------------------------------------------------------

    def _restore(self) -> None:
        self.restoreGeometry(self._keepsake.get("geometry"))
        self.table.header().restoreState(self._keepsake.get("columns"))
        if not self._splitter.restoreState(self._keepsake.get("panes")):
            self._splitter.setSizes([self._look.px(460), self._look.px(240)])

    def _keep(self) -> None:
        self._keepsake.keep(
            geometry=self.saveGeometry(),
            columns=self.table.header().saveState(),
            panes=self._splitter.saveState(),
        )
