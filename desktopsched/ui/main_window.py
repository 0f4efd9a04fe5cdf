"""The main window: tool bar, sidebar, banners, the table over graph and log, status bar. UI thread.

It puts the parts together and passes on what they say: events go to the parts, wishes to the commands. What the parts
show, they decide by themselves.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMessageBox

from desktopsched.engine.events import Event, TaskRemoved
from desktopsched.model import Task
from desktopsched.ui import icons, plain
from desktopsched.ui.acts import Acts
from desktopsched.ui.arrangement import Arrangement
from desktopsched.ui.bulletin import Bulletin
from desktopsched.ui.context_key import add_context_key
from desktopsched.ui.deed import Deed
from desktopsched.ui.dropping import Dropping
from desktopsched.ui.editing import Editing
from desktopsched.ui.enter import press_focused
from desktopsched.ui.facts import facts
from desktopsched.ui.first.page import FirstPage
from desktopsched.ui.frame import Frame
from desktopsched.ui.giving_way import GivingWay
from desktopsched.ui.graph.graph_panel import GraphPanel
from desktopsched.ui.help import Help
from desktopsched.ui.importing.importing import Importing
from desktopsched.ui.keepsake import Keepsake
from desktopsched.ui.leaving import Leaving
from desktopsched.ui.linking import Linking
from desktopsched.ui.log_panel import LogPanel
from desktopsched.ui.log_source import last_run, past_source, sources
from desktopsched.ui.look import Look
from desktopsched.ui.lower_pane import LowerPane
from desktopsched.ui.main_menu import MainMenu
from desktopsched.ui.new_form import NewForm
from desktopsched.ui.offers import CLOSING, OPENING, Offers, offers
from desktopsched.ui.panes import Panes
from desktopsched.ui.phase import Phase
from desktopsched.ui.room import room_for
from desktopsched.ui.search_field import SearchField
from desktopsched.ui.session import Session, Took
from desktopsched.ui.sidebar import Sidebar
from desktopsched.ui.sight import Sight
from desktopsched.ui.status_line import StatusLine
from desktopsched.ui.summary import Summary, summarise
from desktopsched.ui.task_model import TaskModel
from desktopsched.ui.task_pane import TaskPane
from desktopsched.ui.task_table import TaskTable
from desktopsched.ui.tool_bar import ToolBar
from desktopsched.ui.wishes import Wish

if TYPE_CHECKING:
    from desktopsched.ledger import Answer

_SETTLE = 100  # milliseconds in which changes gather before the counts are taken anew
_SIZE, _LEAST = (1440, 900), (880, 560)  # pixels, as drawn: at first, and at least
# Wide and high, of a screen that is not much larger: what is behind the window shows that it can be moved.
_OF_SCREEN = 0.96, 0.92
_SEARCH, _SEARCH_LEAST = 236, 78  # pixels, as drawn; below the least width of the window it gives way


class MainWindow(QMainWindow):
    """One window for one session. `now` and `zone` tell the time."""

    finished = Signal()
    """The session is closed, and so is the window."""

    quit_wanted = Signal()
    """Close for good, where closing the window alone does not."""

    missed_wanted = Signal()
    """Show the missed runs, to decide what happens to each."""

    def __init__(
        self, session: Session, look: Look, *, now: Callable[[], float], zone: Callable[[], ZoneInfo]
    ) -> None:
        super().__init__()
        self.session, self.phase = session, Phase.OPENING
        self._look, self._now, self._zone = look, now, zone
        self._arrangement = Arrangement(self, Keepsake(session.home.folder))
        self._summary = Summary()
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE)
        self._settle.timeout.connect(self.count)
        self._make_parts()
        self._make_bars()
        self._lay_out()
        self._connect_parts()
        self._connect_editing()
        self._dress()
        self._arrangement.restore()
        self.table.setFocus()
        self._show_offers()

    # --- the parts -----------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        session, look = self.session, self._look
        self.model = TaskModel(self._now, self._zone, self, order=lambda: (task.id for task in session.tasks))
        self.table = TaskTable(self.model, look)
        self.pane = TaskPane(self.model, self.table, look)
        self.sidebar = Sidebar(look)
        self.log = LogPanel(look, session.past_runs)
        self.graph = GraphPanel(
            look,
            now=self._now,
            zone=self._zone,
            background=session.background,
            soon=lambda: self.model.rows.turns.soon,
        )
        self.below = LowerPane(self.graph, self.log, look)
        self.empty = FirstPage(look)
        self.bulletin = Bulletin(session, look, self._zone, self)
        self.editing = Editing(
            session.edits,
            lambda: session.tasks,
            NewForm(session, look, self.model, self, now=self._now, zone=self._zone),
            now=self._now,
            zone=self._zone,
            parent=self,
        )
        self.importing = Importing(session, self.editing, look, self)
        self.dropping = Dropping(self)
        self.linking = Linking(self.graph, lambda: self.model.rows, self.editing, look, self)
        self.acts = Acts(session, lambda: self.model.rows, self.table.selected_tasks, look, self)
        self.leaving = Leaving(self)
        self.help = Help(look, session, self)

    def _make_bars(self) -> None:
        acts, edits, help_ = self.acts, self.session.edits, self.help
        self.tools = ToolBar(
            self._look,
            {
                "new": self.editing.new,
                "edit": self.edit_selected,
                "run": partial(acts.carry_out, Wish.RUN),
                "stop": partial(acts.carry_out, Wish.STOP),
                "pause": acts.toggle_pause,
            },
            acts.run_items,
            acts.carry_out,
        )
        self.search = SearchField(self._look, "Search tasks", "Ctrl+F")
        self.search.setFixedWidth(self._look.px(_SEARCH))
        self.menu = MainMenu(
            self._look,
            edits,
            {
                "undo": edits.undo,
                "redo": edits.redo,
                "paste": self.editing.paste,
                "import": self.importing.show,
                "give-way": lambda: self.giving_way.toggle(),  # noqa: PLW0108 - it comes after the menu
                "preferences": help_.show_preferences,
                "keys": help_.show_keys,
                "diagnosis": help_.show_diagnosis,
                "errors": help_.show_errors,
                "about": help_.show_about,
                "quit": self.quit_wanted.emit,
            },
            self,
        )
        self.menu.actions_by_name["import"].setVisible(self.session.crontab.available)
        menu = self.menu.menu()
        self.giving_way = GivingWay(self.session, self.menu.actions_by_name["give-way"], menu)
        self.tools.add_right(self.search, self.menu)
        self.status = StatusLine(self._look)
        self.sight = Sight(self.model, self.table, self.search, self.sidebar, self)

    def _lay_out(self) -> None:
        self.setWindowTitle("Desktopsched")
        self.setWindowIcon(icons.mark())
        room, px = self.screen().availableSize(), self._look.px
        most = room_for(self)  # with large type a small screen is soon full
        self.setMinimumSize(QSize(*map(px, _LEAST)).boundedTo(most))
        wide, high = _OF_SCREEN
        at_first = QSize(round(room.width() * wide), round(room.height() * high))
        self.resize(QSize(*map(px, _SIZE)).boundedTo(at_first))
        self.frame = Frame(
            self._look,
            self.sidebar,
            banners=self.bulletin.banners,
            table=self.pane,
            below=self.below,
            empty=self.empty,
        )
        self.setCentralWidget(self.frame)
        self.addToolBar(self.tools)
        self.setStatusBar(self.status)
        alone = (self.tools, self.sidebar, self.empty, self.table)
        lower = ((self.graph, self.graph.view), (self.log, self.log.view))
        self.panes = Panes(self, (*zip(alone, alone, strict=True), *lower))
        add_context_key(self)

    def _connect_parts(self) -> None:
        session, table = self.session, self.table
        session.bridge.arrived.connect(self._apply)
        session.opened.connect(self._open)
        session.closed.connect(self._close_at_last)
        session.shown.connect(self.come_with, Qt.ConnectionType.QueuedConnection)
        table.chosen.connect(self._show_offers)
        table.ticked.connect(self._tell)
        table.asked.connect(self._carry_out)
        table.run_chosen.connect(self.show_log)
        self.sidebar.chosen.connect(self.pane.choose)
        self.sidebar.task_chosen.connect(self.sight.go_to)
        self.search.textChanged.connect(self.pane.search)
        self.search.left.connect(table.setFocus)
        self.pane.cleared.connect(self.sight.show_all)
        self.log.head.offered = lambda: sources(self.model.rows, table.selected_tasks())
        self.bulletin.resume_wanted.connect(self.acts.toggle_pause)
        self.bulletin.missed_wanted.connect(self.missed_wanted)
        self.linking.task_chosen.connect(self.sight.go_to)
        self.linking.menu_wanted.connect(self._show_menu)
        session.commands.failed.connect(self.fail)
        session.commands.done.connect(self.bulletin.succeed)
        logs, help_ = session.past_runs, self.help
        self._follow(Deed.READ_LOG, [logs.failed], [logs.read])
        self._follow(Deed.SAVE_LOG, [logs.not_saved], [logs.written])
        self._follow(Deed.PREFER, [help_.failed], [help_.done])
        self._look.changed.connect(self._dress)

    def _connect_editing(self) -> None:
        editing = self.editing
        self.table.moved.connect(editing.move)
        self.table.link_wanted.connect(editing.link_all)
        self.sidebar.moved.connect(editing.move)
        self.empty.wanted.connect(editing.add_examples)
        self.sidebar.renamed.connect(editing.rename_group)
        self.empty.new_wanted.connect(editing.new)
        self.empty.import_wanted.connect(self.importing.show)
        self.importing.found.connect(self.empty.offer_crontab)
        self.dropping.wanted.connect(editing.new_from)
        self.dropping.entered.connect(self.empty.show_drop)
        self.dropping.left.connect(self.empty.hide_drop)
        edits = self.session.edits
        refusals = [self.table.refused, editing.refused, self.dropping.refused, edits.failed]
        self._follow(Deed.EDIT, refusals, [edits.happened, edits.walked])
        self._follow(Deed.IMPORT, [self.importing.refused], [self.importing.asked])
        edits.came.connect(self.sight.wait_for)
        edits.walked.connect(self.status.say)
        self.bulletin.banners.left.connect(self.table.setFocus)

    def _follow(self, deed: Deed, failed: Sequence[SignalInstance], done: Sequence[SignalInstance]) -> None:
        """Say that it failed until it is done."""
        for signal in failed:
            signal.connect(partial(self.fail, deed=deed))
        for signal in done:
            signal.connect(lambda *_: self.bulletin.succeed(deed))

    def _dress(self) -> None:
        self.setStyleSheet(self._look.sheet())

    # --- what happens --------------------------------------------------------------------------------------

    def _apply(self, events: Sequence[Event]) -> None:
        """A batch from the bridge."""
        self.model.apply(events)
        self.log.apply(events)
        self.linking.apply(events)
        self.sight.look()
        for event in events:
            if isinstance(event, TaskRemoved) and event.task_id not in self.model.rows:
                self.editing.removed(event.task_id)
        self._show_offers()
        if not self._settle.isActive():
            self._settle.start()

    def _open(self, took: Took) -> None:
        self.phase = Phase.OPEN
        self.model.remember(took)
        self.linking.show_all()
        self.count()
        self.importing.look()
        self._arrangement.show_again()

    def count(self) -> None:
        """Take the counts anew, and show what follows from them."""
        rows, now, zone = self.model.rows, self._now(), self._zone()
        self._summary = summarise(rows.tally, rows.__getitem__)
        told = facts(rows.tally, rows.__getitem__, now, zone)
        self.sidebar.tell(told, self.model.hues(), now)
        self._show_offers()
        self._tell()
        if self.leaving.question is not None:
            self.leaving.follow(self._running())
        self.frame.show_empty(empty=self.phase is Phase.OPEN and not self._summary.tasks)

    def _tell(self) -> None:
        if self.phase is not Phase.OPENING:
            workers, paused = self.session.program.preferences.workers, self.session.paused
            self.status.tell(self._summary, self._now(), self._zone(), workers=workers, paused=paused)
            self.sidebar.tick(self._now())
        self.bulletin.tell(self.phase, self._summary)

    def fail(self, words: str, deed: Deed | None = None) -> None:
        """Something that was asked for could not be done."""
        self.empty.again()
        self.bulletin.fail(words, deed)

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

    # --- what the person asks for --------------------------------------------------------------------------

    def edit_selected(self) -> None:
        """Open the form of the selected task."""
        if len(chosen := self.table.selected_tasks()) == 1:
            self.editing.edit(chosen[0])

    def _carry_out(self, wish: Wish, tasks: Sequence[str]) -> None:
        """What the table was asked for: shown here, done by the acts, or an edit."""
        match wish:
            case Wish.LOG:
                self.show_log(tasks[0])
            case Wish.WHY:
                self.show_why(tasks[0])
            case _:
                if not self.acts.carry_out(wish, tasks):
                    self.editing.carry_out(wish, tasks)

    def show_log(self, task_id: str, run: int = 0) -> None:
        """What a task prints, or what a past run of it printed: the last one, where nothing of it came here."""
        self.below.show_log()
        row = self.model.rows.get(task_id)
        if not run and row is not None and not self.log.knows(task_id):
            run = last_run(row)
        if run:
            self.log.show_run(task_id, run, past_source(row, run).computer if row is not None else "")
        else:
            self.log.show_task(task_id)

    def show_why(self, task_id: str) -> None:
        """Why a task ran, or did not."""
        self.session.commands.why(task_id, partial(self._say_why, task_id))

    def _say_why(self, task_id: str, answer: "Answer") -> None:
        box = plain.box(self, QMessageBox.Icon.Information, self.model.rows.name_of(task_id), answer.words)
        if answer.run:
            show = box.addButton("Show log", QMessageBox.ButtonRole.ActionRole)
            show.clicked.connect(lambda: self.show_log(task_id, answer.run))
        box.setDefaultButton(box.addButton("Close", QMessageBox.ButtonRole.RejectRole))
        box.open()

    def _show_menu(self, task_id: str, place: QPoint) -> None:
        self.sight.go_to(task_id)
        self.table.menu().popup(place)

    def come_up(self) -> None:
        """Before the other windows, from the task bar too."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def come_with(self, path: str) -> None:
        """The same, and with this task list to be looked at; an empty path is none."""
        self.come_up()
        if path:
            self.importing.show_list(path)

    # --- closing -------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask first if runs would stop; then close the session, and the window only after it."""
        if self.phase is Phase.CLOSED:
            event.accept()
            return
        event.ignore()
        if self.phase is Phase.CLOSING:
            return
        if running := self._running():
            leave = partial(self.end, keep_running=True) if self.session.can_outlive else None
            self.leaving.ask(running, self.end, leave, shared=self.session.shares)
        else:
            self.end()

    def _running(self) -> list[Task]:
        """The tasks that run."""
        return [row.task for row in self.model.rows.all() if row.status.running]

    def end(self, *, keep_running: bool = False) -> None:
        """Close the session without asking; the window stays, and says so, until that is done."""
        if self.phase in {Phase.CLOSING, Phase.CLOSED}:
            return
        self.phase = Phase.CLOSING
        self._arrangement.keep()
        self.bulletin.leaves_running = keep_running
        self.count()
        self.session.close(keep_running=keep_running)

    def _close_at_last(self) -> None:
        self.phase = Phase.CLOSED
        self.close()
        self.finished.emit()

    # --- the window itself -------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is for the button that has the focus: of a banner, of the tool bar."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Parts give way where there is little room."""
        super().resizeEvent(event)
        wide, px = event.size().width(), self._look.px
        self.frame.fit(wide)
        short = max(px(_LEAST[0]) - wide, 0)
        self.search.setFixedWidth(max(px(_SEARCH) - short, px(_SEARCH_LEAST)))
