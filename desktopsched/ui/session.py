"""A session: one program, opened and closed behind a window. UI thread; what may wait is done in the background.

It ties the program to the bridge, gives the dispatcher its thread, and answers others at the local socket.

What the program is made of is loaded when it is opened, in the background: the window is painted sooner.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktopsched.control.wire import Server, ask
from desktopsched.login.login import Login
from desktopsched.model import StorageError, Task
from desktopsched.model.change import Change
from desktopsched.storage.crontab import UserCrontab
from desktopsched.storage.errors import HomeTakenError
from desktopsched.storage.home import Home
from desktopsched.ui.background import Background
from desktopsched.ui.bridge import Bridge
from desktopsched.ui.commands import Commands
from desktopsched.ui.edits import Edits
from desktopsched.ui.form.workbench import Workbench
from desktopsched.ui.past_runs import PastRuns
from desktopsched.ui.reminders import Reminders
from desktopsched.ui.strip import PAST, Bar, bars_of

if TYPE_CHECKING:
    from desktopsched.program import Program
    from desktopsched.ui.dispatcher_thread import DispatcherThread

Took = Mapping[str, tuple[Bar, ...]]
"""By task: its last runs, newest first."""


_HAND_OVER, _AGAIN = 30.0, 0.05
"""Seconds in which another program must have let the home go, and from one try to the next."""


class Session(QObject):
    """From `open` to `closed`."""

    opened = Signal(object)
    """The program is open; with it `Took`, what the history says of the last runs."""

    refused = Signal(object)
    """It could not be opened; with it the error."""

    closed = Signal()
    """All is kept, and the home is free."""

    shown = Signal(str)
    """Somebody asks for the window: a second start. With it the path of a task list to be looked at; empty: none."""

    def __init__(self, home: Home, reminders: Reminders, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.home, self._reminders = home, reminders
        self._program: Program | None = None
        self._making = threading.Lock()
        self.bridge = Bridge(self)
        self.background = Background(self)
        self.patient = Background(self)  # for what may wait for another computer
        self.commands = Commands(lambda: self.program, self.background, self.patient, self)
        self.edits = Edits(self._change, self.background, self)
        self.past_runs = PastRuns(lambda: self.program.logs, self)
        self.crontab = UserCrontab()
        self.login = Login(home)
        self.bench = Workbench(lambda: self.program.drafts, self)
        self._server: Server | None = None
        self._thread: DispatcherThread | None = None

    @property
    def program(self) -> "Program":
        """What is behind the window. Any thread; the first who asks makes it, which takes a moment."""
        with self._making:
            if self._program is None:
                from desktopsched.program import Program

                self._program = Program(self.home, "window", remind=self._reminders.remind)
                self._program.listen(self.bridge.hear)
            return self._program

    @property
    def tasks(self) -> Sequence[Task]:
        """The list, in the order of its file; empty until that was read."""
        program = self._program
        return program.task_list.tasks if program is not None and program.is_listed else ()

    @property
    def is_open(self) -> bool:
        """Whether tasks run."""
        return self._thread is not None

    @property
    def can_outlive(self) -> bool:
        """Whether commands and scripts can go on without this program."""
        return self.program.can_outlive

    @property
    def may_outlive(self) -> bool:
        """Whether they do so where nobody can be asked."""
        return self.can_outlive and self.program.preferences.runs_outlive

    @property
    def paused(self) -> bool:
        """Whether nothing new starts."""
        return self.is_open and self.program.dispatcher.paused

    @property
    def shares(self) -> bool:
        """Whether other computers have the list too."""
        return self.is_open and self.program.shared is not None

    @property
    def handed_over(self) -> bool:
        """Whether all further starts are theirs."""
        return self.is_open and self.program.shared is not None and self.program.shared.handed_over

    @property
    def out_of_reach(self) -> tuple[float, str] | None:
        """Since when the shared list does not answer, and why; None: it does, or there is none."""
        shared = self.program.shared if self.is_open else None
        since = None if shared is None else shared.silent_since
        return None if shared is None or since is None else (since, shared.trouble)

    @property
    def clock_words(self) -> str:
        """How far the computer's clock is from the shared list's; empty: not far."""
        membership = self.program.membership if self.is_open else None
        return "" if membership is None else membership.clock_words

    @property
    def joins_another(self) -> bool:
        """Whether another list is shared from the next start on."""
        return self.is_open and self.program.joins_another

    @property
    def doubted(self) -> float | None:
        """The instant that the computer's clock has to pass before it is believed; None: it is."""
        return self.program.dispatcher.doubted if self.is_open else None

    @property
    def trouble(self) -> str:
        """Why nothing can be kept at present; empty: all is well."""
        error = self.program.history.trouble if self.is_open else None
        return str(error) if error is not None else ""

    def open(self) -> None:
        """Take the home and read it, in the background; then `opened` or `refused`. It may be tried again."""
        self.background.do(self._open, self._begin, self._refuse)

    def take_over(self) -> None:
        """Let the program that has the home end, and go on with its tasks and with what it runs."""
        self.background.do(self._take_over, self._begin, self._refuse)

    def close(self, *, keep_running: bool = False) -> None:
        """Start nothing more, stop what runs, keep all, in the background; then `closed`.

        With `keep_running`, commands and scripts go on, and the next program takes them over.
        """
        self._reminders.close()
        thread, self._thread = self._thread, None
        self.background.do(lambda: self._close(thread, keep_running), lambda _: self._end(), self._end_badly)

    # --- in the background ---------------------------------------------------------------------------------

    def _change(self, changes: Sequence[Change]) -> None:
        self.program.task_list.apply(changes)

    def _open(self) -> Took:
        from desktopsched.control.requests import Requests

        self.program.open()
        self.home.prepare_runtime()
        requests = Requests(self.program, self.shown.emit)
        self._server = Server(self.home.socket, requests.answer, requests.end)
        self._server.start()
        self._mend_login()
        outcomes = self.program.history.records.last_outcomes(PAST)
        return {task_id: bars_of(runs) for task_id, runs in outcomes.items()}

    def _mend_login(self) -> None:
        """What cannot be mended starts nothing at login, and is told of when it is."""
        try:
            self.login.mend()
        except StorageError as error:
            self.program.notices.append(str(error))

    def _take_over(self) -> Took:
        """It ends once it has kept everything, and lets the home go a moment after its last word."""
        until = time.monotonic() + _HAND_OVER
        for message in ask(self.home.socket, {"do": "hand over"}):
            if "error" in message:
                raise StorageError(message["error"])
        while True:
            try:
                return self._open()
            except HomeTakenError:
                if time.monotonic() > until:
                    raise
                time.sleep(_AGAIN)

    def _close(self, thread: "DispatcherThread | None", keep_running: bool) -> None:
        if thread is None or self._server is None:
            return  # it was never open
        thread.end()
        # Those who follow a run from the command line hear how it ended.
        self.program.stop(keep_running=keep_running)
        self._server.close()
        self.program.close(keep_running=keep_running)

    # --- on the UI thread ----------------------------------------------------------------------------------

    def _begin(self, took: Took) -> None:
        from desktopsched.ui.dispatcher_thread import DispatcherThread

        self._thread = DispatcherThread(self.program.dispatcher, self)
        self._thread.start()
        self.opened.emit(took)

    def _refuse(self, error: Exception) -> None:
        self.refused.emit(error)

    def _end(self) -> None:
        self.background.close()
        self.past_runs.close()
        self.patient.close()
        self.closed.emit()

    def _end_badly(self, error: Exception) -> None:
        self._end()
        raise error  # to the program's own log; the person has waited long enough
