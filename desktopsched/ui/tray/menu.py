"""The tray's menu: what it offers, from a summary. UI thread; it does nothing: `Wishes` say what is wanted."""

from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QFont, QIcon
from PySide6.QtWidgets import QMenu

from desktopsched.model import State
from desktopsched.ui import icons, plain
from desktopsched.ui.look import Look
from desktopsched.ui.tray import state
from desktopsched.ui.tray.menu_style import INK, STRONG_AFTER, MenuStyle
from desktopsched.ui.tray.state import RUNNING_MOST, TASKS_MOST, Item, TraySummary

PAUSES = (("For 15 min", 900.0), ("For 1 h", 3_600.0), ("Until resumed", 0.0))
"""Words, and seconds; 0: without an end."""

_TICK = 1_000  # milliseconds, while it is open
_NAME_MOST = 48  # characters of a name in the menu


class Wishes(QObject):
    """What the person asks for in the menu. Tasks are named by their ids."""

    show_wanted = Signal()
    show_task = Signal(str)
    show_log = Signal(str)
    show_failed = Signal()
    stop_wanted = Signal(str)
    run_wanted = Signal(str)
    new_wanted = Signal()
    pause_wanted = Signal(float)
    """Seconds; 0: until resumed."""
    resume_wanted = Signal()
    quit_wanted = Signal()


class TrayMenu(QMenu):
    """Made anew when something else is in it; while it is open only its times change."""

    def __init__(
        self, look: Look, wishes: Wishes, *, now: Callable[[], float], zone: Callable[[], ZoneInfo]
    ) -> None:
        super().__init__()
        self._look, self._wishes, self._now, self._zone = look, wishes, now, zone
        self._style = MenuStyle(look)
        self._style.setParent(self)
        self.setStyle(self._style)
        self.setToolTipsVisible(False)
        self._summary = TraySummary(is_open=False)
        self._shown: TraySummary | None = None
        self._timed: list[tuple[QAction, Callable[[], str]]] = []
        self._tick = QTimer(self, interval=_TICK)
        self._tick.timeout.connect(self._tell_times)
        self.aboutToShow.connect(self._open)
        self.aboutToHide.connect(self._tick.stop)
        look.changed.connect(self._remake)
        self._remake()

    def show_summary(self, summary: TraySummary) -> None:
        """What there is now."""
        self._summary = summary
        if not self.isVisible() and summary != self._shown:
            self._remake()

    def _open(self) -> None:
        self._remake()
        self._tick.start()

    def _tell_times(self) -> None:
        for action, words in self._timed:
            action.setText(words())

    # --- what is in it -------------------------------------------------------------------------------------

    def _remake(self) -> None:
        self._shown = self._summary
        self._timed.clear()
        for action in self.actions():
            submenu = action.menu()
            self.removeAction(action)
            if isinstance(submenu, QMenu):
                submenu.deleteLater()
            action.deleteLater()
        self._add_next()
        self._add_running()
        self._add_failed()
        self._rule()
        self._add_pause()
        self._add_run()
        self._add("plus", "New task…", self._wishes.new_wanted.emit, enabled=self._summary.is_open)
        self._rule()
        show = self._add("window", "Open Desktopsched", self._wishes.show_wanted.emit)
        font = QFont(show.font())
        font.setBold(True)
        show.setFont(font)
        self._add("power", "Quit", self._wishes.quit_wanted.emit, aside=state.quit_words(self._summary))
        for action in self.actions():
            submenu = action.menu()
            if isinstance(submenu, QMenu):
                submenu.setStyle(self._style)

    def _add_next(self) -> None:
        item = self._summary.next
        wish = partial(self._wishes.show_task.emit, item.task_id) if item is not None else None
        action = self._add("clock", "", wish, enabled=item is not None)
        action.setProperty(STRONG_AFTER, "Next: ")
        self._time(action, self._next_text)

    def _next_text(self) -> str:
        words, when = state.next_words(self._summary, self._now(), self._zone())
        return f"{_short(words)}\t{when}" if when else words

    def _add_running(self) -> None:
        running = self._summary.running
        if not running:
            return
        self._rule()
        self.addSection("Running now")
        icon = self._state_icon(State.RUNNING)
        for item in running[:RUNNING_MOST]:
            menu = QMenu(self)
            menu.addAction("Show log", partial(self._wishes.show_log.emit, item.task_id))
            menu.addAction("Stop", partial(self._wishes.stop_wanted.emit, item.task_id))
            action = self.addMenu(menu)
            action.setIcon(icon)
            self._time(action, partial(self._running_text, item))
        if len(running) > RUNNING_MOST:
            self._add("more", f"{len(running) - RUNNING_MOST} more…", self._wishes.show_wanted.emit)

    def _running_text(self, item: Item) -> str:
        return f"{_short(item.name)}\t{state.running_words(item, self._now())}"

    def _add_failed(self) -> None:
        if self._summary.failed:
            action = self._add(
                "", state.failed_words(self._summary), self._wishes.show_failed.emit, aside="Show"
            )
            action.setIcon(self._state_icon(State.FAILED))
            action.setProperty(INK, self._look.tokens.states[State.FAILED].ink)

    def _add_pause(self) -> None:
        summary = self._summary
        if summary.paused:
            aside = state.paused_words(summary, self._now(), self._zone())
            self._add("resume", "Resume all", self._wishes.resume_wanted.emit, aside=aside)
            return
        menu = QMenu("Pause all", self)
        menu.setIcon(self._look.icon("pause"))
        for words, seconds in PAUSES:
            menu.addAction(words, partial(self._wishes.pause_wanted.emit, seconds))
        self.addMenu(menu).setEnabled(summary.is_open)

    def _add_run(self) -> None:
        tasks = self._summary.tasks
        menu = QMenu("Run a task", self)
        menu.setIcon(self._look.icon("run"))
        for item in tasks[:TASKS_MOST]:
            menu.addAction(_short(item.name), partial(self._wishes.run_wanted.emit, item.task_id))
        if more := self._summary.more + max(len(tasks) - TASKS_MOST, 0):
            menu.addAction(f"{more:,} more…", self._wishes.show_wanted.emit)
        self.addMenu(menu).setEnabled(bool(tasks) and self._summary.is_open)

    # --- its parts -----------------------------------------------------------------------------------------

    def _add(
        self,
        icon: str,
        words: str,
        wish: Callable[[], object] | None,
        *,
        aside: str = "",
        enabled: bool = True,
    ) -> QAction:
        action = self.addAction(f"{words}\t{aside}" if aside else words)
        if icon:
            action.setIcon(self._look.icon(icon))
        action.setEnabled(enabled)
        if wish is not None:
            action.triggered.connect(lambda _checked=False: wish())
        return action

    def _rule(self) -> None:
        self.addSeparator()

    def _time(self, action: QAction, words: Callable[[], str]) -> None:
        action.setText(words())
        self._timed.append((action, words))

    def _state_icon(self, of: State) -> QIcon:
        tokens, size = self._look.tokens, self._look.px(16)
        return icons.icon(f"state-{of.value}", tokens.states[of].ink, tokens.off, size, tokens.cut)


def _short(name: str) -> str:
    """A name that makes no menu as wide as the screen; `&` and tabs mean nothing in it."""
    first = " ".join(name.split())
    return plain.button_text(first if len(first) <= _NAME_MOST else f"{first[: _NAME_MOST - 1]}…")
