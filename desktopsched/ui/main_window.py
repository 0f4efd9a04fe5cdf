"""The main window: tool bar, sidebar, banners, the table over graph and log, status bar. UI thread.

It puts the parts together and passes on what they say: events go to the parts, wishes to the commands. What the parts
show, they decide by themselves.
"""

import enum
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMessageBox, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktopsched.engine.events import Event, RunOutput, TaskRemoved
from desktopsched.model import Task
from desktopsched.ui import icons, notices, plain
from desktopsched.ui.banner import Banners, Notice
from desktopsched.ui.choice import Choice, View
from desktopsched.ui.editing import Editing
from desktopsched.ui.edits import Edit
from desktopsched.ui.empty_page import EmptyPage
from desktopsched.ui.facts import facts
from desktopsched.ui.graph.graph_panel import GraphPanel
from desktopsched.ui.graph.link_menu import link_menu
from desktopsched.ui.help import Help
from desktopsched.ui.keepsake import Keepsake
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.log_source import Source
from desktopsched.ui.look import Look
from desktopsched.ui.lower_pane import LowerPane
from desktopsched.ui.main_menu import MainMenu
from desktopsched.ui.offers import CLOSING, OPENING, Offers, offers
from desktopsched.ui.rows import id_of
from desktopsched.ui.search_field import SearchField
from desktopsched.ui.session import Session, Took
from desktopsched.ui.sidebar import WIDTH, Sidebar
from desktopsched.ui.status_line import StatusLine
from desktopsched.ui.summary import Summary, counted, named, summarise
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_pane import TaskPane
from desktopsched.ui.task_table import TaskTable
from desktopsched.ui.tool_bar import ToolBar
from desktopsched.ui.wishes import Wish

if TYPE_CHECKING:
    from desktopsched.ui.form.form import TaskForm

_SETTLE = 100  # milliseconds in which changes gather before the counts are taken anew
_SIZE, _LEAST = (1180, 760), (880, 560)
_PICKED_MOST = 12  # tasks, and past runs, that the log's menu offers
_NARROW = 1_100  # pixels, as drawn: below it the sidebar folds to icons
_STACKED = 1_000  # and below this graph and log are one behind the other
_REGRET = 10_000  # milliseconds for which the way back from a removal is offered
_SEARCH = 236  # pixels, as drawn


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

    quit_wanted = Signal()
    """Close for good, where closing the window alone does not."""

    def __init__(
        self, session: Session, look: Look, *, now: Callable[[], float], zone: Callable[[], ZoneInfo]
    ) -> None:
        super().__init__()
        self.session, self.phase = session, Phase.OPENING
        self._look, self._now, self._zone = look, now, zone
        self._keepsake = Keepsake(session.program.home.folder)
        self._summary = Summary()
        self._failure = ""  # what could not be done, until it is dismissed
        self._removed: Edit | None = None  # the way back is offered
        self._notices_seen = 0
        self._unfolded = QByteArray()  # the panes beside the sidebar, while it is folded
        self._question: QMessageBox | None = None
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE)
        self._settle.timeout.connect(self._count)
        self._regret = QTimer(self, singleShot=True, interval=_REGRET)
        self._regret.timeout.connect(self._forget_removal)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._dress()
        self._restore()
        self.table.setFocus()
        self._show_offers()

    # --- the parts -----------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        look = self._look
        program = self.session.program
        self.model = TaskModel(self._now, self._zone, self, order=lambda: (task.id for task in program.tasks))
        self.table = TaskTable(self.model, look)
        self.pane = TaskPane(self.model, self.table, look)
        self.sidebar = Sidebar(look)
        self.search = SearchField(look, "Search tasks", "Ctrl+F")
        self.search.setFixedWidth(look.px(_SEARCH))
        self.log = LogPanel(look, self.session.past_runs)
        self.graph = GraphPanel(look, now=self._now, zone=self._zone, background=self.session.background)
        self.below = LowerPane(self.graph, self.log, look)
        self.banners = Banners(look)
        self.empty = EmptyPage(look, str(self.session.program.home.tasks))
        self.status = StatusLine(look)
        session = self.session
        self.editing = Editing(
            session.edits,
            lambda: session.program.tasks,
            self._make_form,
            now=self._now,
            zone=self._zone,
            parent=self,
        )
        self.help = Help(look, session, self)
        acts = {
            "new": self.editing.new,
            "edit": self.edit_selected,
            "run": self.run_selected,
            "stop": self.stop_selected,
            "pause": self.toggle_pause,
        }
        self.tools = ToolBar(look, acts)
        self.menu = MainMenu(
            look,
            session.edits,
            {
                "undo": session.edits.undo,
                "redo": session.edits.redo,
                "preferences": self.help.show_preferences,
                "errors": self.help.show_errors,
                "about": self.help.show_about,
                "quit": self.quit_wanted.emit,
            },
            self,
        )
        self.tools.add_right(self.search, self.menu)

    def _lay_out(self) -> None:
        self.setWindowTitle("Desktopsched")
        self.setWindowIcon(icons.mark())
        self.setMinimumSize(*map(self._look.px, _LEAST))
        self.resize(QSize(*map(self._look.px, _SIZE)).boundedTo(self.screen().availableSize()))
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.pane)
        self._splitter.addWidget(self.below)
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
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.setChildrenCollapsible(False)
        self._sides.setHandleWidth(1)
        self._sides.addWidget(self.sidebar)
        self._sides.addWidget(page)
        self._sides.setStretchFactor(1, 1)
        self.setCentralWidget(self._sides)
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
        self.table.asked.connect(self._carry_out)
        self.table.moved.connect(self.editing.move)
        self.table.link_wanted.connect(self.editing.link)
        self.table.refused.connect(self._fail)
        self.table.run_chosen.connect(self.log.show_run)
        self.sidebar.chosen.connect(self.pane.choose)
        self.sidebar.task_chosen.connect(self._go_to)
        self.sidebar.moved.connect(self.editing.move)
        self.search.textChanged.connect(self.pane.search)
        self.search.left.connect(self.table.setFocus)
        self.pane.cleared.connect(self._show_all)
        self.log.failed.connect(self._fail)
        self.log.head.offered = self._sources
        self.empty.wanted.connect(session.commands.load_examples)
        self.empty.new_wanted.connect(self.editing.new)
        self._connect_graph()
        self._connect_editing()
        self._look.changed.connect(self._dress)

    def _connect_graph(self) -> None:
        graph, editing = self.graph, self.editing
        graph.chosen.connect(self._go_to)
        graph.edit_wanted.connect(editing.edit)
        graph.link_wanted.connect(editing.link)
        graph.unlink_wanted.connect(editing.unlink)
        graph.menu_wanted.connect(self._show_menu)
        graph.link_menu_wanted.connect(self._show_link_menu)

    def _connect_editing(self) -> None:
        edits = self.session.edits
        self.editing.refused.connect(self._fail)
        edits.failed.connect(self._fail)
        edits.happened.connect(self._offer_way_back)
        edits.changed.connect(self._look_at_removal)
        self.help.failed.connect(self._fail)

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet())

    # --- what happens --------------------------------------------------------------------------------------

    def _apply(self, events: Sequence[Event]) -> None:
        """A batch from the bridge."""
        self.model.apply(events)
        self.log.apply(events)
        self._apply_to_graph(events)
        self._show_offers()
        if not self._settle.isActive():
            self._settle.start()

    def _apply_to_graph(self, events: Sequence[Event]) -> None:
        """The rows that events are about, once each; output changes none."""
        about = {id_of(event) for event in events if not isinstance(event, RunOutput)}
        rows = self.model.rows
        removed = (event.task_id for event in events if isinstance(event, TaskRemoved))
        gone = {task_id for task_id in removed if task_id not in rows}
        for task_id in gone:
            self.editing.removed(task_id)
        self.graph.apply([row for task_id in about if (row := rows.get(task_id)) is not None], gone)

    def _open(self, took: Took) -> None:
        self.phase = Phase.OPEN
        self.model.remember(took)
        self.graph.apply(self.model.rows.all())  # its links are there: new is what is told of runs
        self._count()

    def _count(self) -> None:
        """Take the counts anew, and show what follows from them."""
        rows, now, zone = self.model.rows, self._now(), self._zone()
        self._summary = summarise(rows.tally, rows.__getitem__)
        told = facts(rows.tally, rows.__getitem__, now, zone)
        self.sidebar.tell(told, self.model.hues(), now)
        self._show_offers()
        self._tell()
        is_empty = self.phase is Phase.OPEN and not self._summary.tasks
        self._pages.setCurrentWidget(self.empty if is_empty else self._splitter)

    def _tell(self) -> None:
        if self.phase is not Phase.OPENING:
            self.status.tell(self._summary, self._now(), self._zone())
            self.sidebar.tick(self._now())
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
        if self._removed is not None:
            found.append(notices.removed(self._removed.words, self.session.edits.undo))
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

    def _offer_way_back(self, edit: Edit) -> None:
        """A removal can be taken back for a while without looking for it."""
        if any(change.after is None for change in edit.changes):
            self._removed = edit
            self._regret.start()
            self._tell()

    def _look_at_removal(self) -> None:
        """It was taken back, or something else came after it."""
        if self._removed is not None and self._removed.words != self.session.edits.undo_words:
            self._forget_removal()

    def _forget_removal(self) -> None:
        self._removed = None
        self._regret.stop()
        self._tell()

    # --- what the person asks for --------------------------------------------------------------------------

    def edit_selected(self) -> None:
        """Open the form of the selected task."""
        if len(chosen := self.table.selected_tasks()) == 1:
            self.editing.edit(chosen[0])

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

    def _carry_out(self, wish: Wish, tasks: Sequence[str]) -> None:
        """What the table was asked for, as far as this window can."""
        match wish:
            case Wish.RUN:
                self.session.commands.run_now(tasks)
            case Wish.RUN_AFTER:
                self.session.commands.run_now(tasks, downstream=True)
            case Wish.STOP:
                self.session.commands.stop(tasks)
            case Wish.LOG:
                self.show_log(tasks[0])
            case Wish.WHY:
                self.show_why(tasks[0])
            case _:
                self.editing.carry_out(wish, tasks)

    def show_log(self, task_id: str, run: int = 0) -> None:
        """What a task prints, or what a past run of it printed."""
        self.below.show_log()
        if run:
            self.log.show_run(task_id, run)
        else:
            self.log.show_task(task_id)

    def show_failed(self) -> None:
        """The tasks that failed, whatever is searched for."""
        self.search.clear()
        self.sidebar.choose(Choice(view=View.FAILED))

    def show_why(self, task_id: str) -> None:
        """Why a task is in the state that it is in."""
        name, words = self.model.rows.name_of(task_id), self.graph.describe(task_id)
        plain.box(self, QMessageBox.Icon.Information, name, words).open()

    def _make_form(self, task: Task | None) -> "TaskForm":
        from desktopsched.ui.form.form import TaskForm  # when it is wanted: the window is painted sooner

        states = {row.task.id: row.status.state for row in self.model.rows.all()}
        form = TaskForm(
            self._look,
            self.session.program.tasks,
            task,
            self._now,
            self._zone,
            background=self.session.background,
            states=states,
            parent=self,
        )
        form.page.what.test.hide()
        return form

    def _show_menu(self, task_id: str, place: QPoint) -> None:
        self._go_to(task_id)
        self.table.menu().popup(place)

    def _show_link_menu(self, parent: str, child: str, place: QPoint) -> None:
        row = self.model.rows.get(child)
        on = next((edge.on for edge in row.task.waits_for if edge.task == parent), None) if row else None
        if on is not None:
            menu = link_menu(
                on,
                lambda wanted: self.editing.link(parent, child, wanted),
                lambda: self.editing.unlink(parent, child),
                self,
            )
            menu.popup(place)

    def _sources(self) -> list[list[Source]]:
        """What the log can show: tasks that run or are selected, and past runs of the first selected one."""
        rows, chosen = self.model.rows, self.table.selected_tasks()
        running = [row.task.id for row in rows.all() if row.busy]
        tasks = list(dict.fromkeys((*chosen, *running)))[:_PICKED_MOST]
        past = [(task_id, bar.run) for task_id in chosen[:1] for bar in rows[task_id].bars if bar.run > 0]
        return [
            [Source(task_id=task_id, name=rows.name_of(task_id)) for task_id in tasks],
            [Source(task_id=one, run=run, name=rows.name_of(one)) for one, run in past[:_PICKED_MOST]],
        ]

    def _go_to(self, task_id: str) -> None:
        """Select a task, whatever is shown at the moment."""
        if not self.model.shows(task_id):
            self._show_all()
        self.table.select(task_id)

    def _show_all(self) -> None:
        """All tasks again. First the search: it is what is most in the way."""
        if self.search.text():
            self.search.clear()
        if not self.model.rowCount():
            self.sidebar.choose(Choice())

    def _show_offers(self) -> None:
        self.tools.offer(self._offers())
        chosen = self.table.selected_tasks()
        self.graph.select(chosen[0] if chosen else "")

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
        self.sidebar.restore_groups(self._keepsake.get("groups"))
        if not self._sides.restoreState(self._keepsake.get("sides")):
            self._sides.setSizes([self._look.px(WIDTH), self.width()])
        self._unfolded = self._sides.saveState()
        self.table.columns.restore(self._keepsake.get("columns"))
        self.table.restore_folded(self._keepsake.get("folded"))
        if not self._splitter.restoreState(self._keepsake.get("panes")):
            self._splitter.setSizes([self._look.px(380), self._look.px(300)])
        self.below.restore(self._keepsake.get("lower"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Without much room the sidebar is icons alone; it gets its width back."""
        super().resizeEvent(event)
        stacked = event.size().width() < self._look.px(_STACKED)
        if stacked != self.below.is_stacked:
            self.below.stack(stacked=stacked)
        narrow = event.size().width() < self._look.px(_NARROW)
        if narrow != self.sidebar.is_folded:
            if narrow:
                self._unfolded = self._sides.saveState()
            self.sidebar.fold(folded=narrow)
            if narrow:
                self._sides.setSizes([self.sidebar.maximumWidth(), self.width()])
            else:
                self._sides.restoreState(self._unfolded)

    def _keep(self) -> None:
        self._keepsake.keep(
            geometry=self.saveGeometry(),
            columns=self.table.columns.state(),
            folded=self.table.folded(),
            panes=self._splitter.saveState(),
            lower=self.below.state(),
            sides=self._unfolded if self.sidebar.is_folded else self._sides.saveState(),
            groups=self.sidebar.made_groups(),
        )
