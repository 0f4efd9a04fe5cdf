"""The application: from the command line's `open_window` to the event loop and back. The process's main thread.

A home has one window: a second start raises it. What a home is held by is asked for before anything is drawn.
"""

import logging
import sys
import threading
from types import TracebackType

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from desktopsched.control.wire import Message, NobodyThereError, ask
from desktopsched.engine.clock import WallClock
from desktopsched.storage.errors import HomeTakenError
from desktopsched.storage.home import Home
from desktopsched.storage.preferences import PreferencesFile
from desktopsched.ui import icons, plain
from desktopsched.ui.first_paint import FirstPaint
from desktopsched.ui.garbage import Garbage
from desktopsched.ui.look import Look
from desktopsched.ui.main_window import MainWindow
from desktopsched.ui.outside import Outside
from desktopsched.ui.qt_application import QtApplication
from desktopsched.ui.session import Session
from desktopsched.ui.signals import SystemSignals

DONE, COULD_NOT = 0, 3

SWITCH_INTERVAL = 0.0001
"""Seconds after which a busy Python thread lets others go on. At the default of 5 ms a repaint makes starts late; and a
repaint itself, which gives way with each call of Qt, waits so long for each of them while a long list is read."""

_log = logging.getLogger(__name__)


def open_window(home: Home, *, minimized: bool, file: str = "") -> int:
    """Run the program in a window until it is closed. The exit code: 0, or 3 if it could not be opened.

    `file`: the absolute path of a task list to be looked at; empty: none.
    """
    if raise_other(home, file):
        return DONE
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    sys.excepthook = log_exception
    threading.excepthook = lambda arguments: log_exception(
        arguments.exc_type, arguments.exc_value, arguments.exc_traceback
    )
    sys.setswitchinterval(SWITCH_INTERVAL)
    return Application(home, file).run(minimized=minimized)


def raise_other(home: Home, file: str = "") -> bool:
    """Whether another program has a window for this home; it has raised it, with this task list if there is one."""
    try:
        answer: Message = next(ask(home.socket, {"do": "show", "file": file}), {})
    except (NobodyThereError, OSError):
        return False
    return bool(answer.get("shown"))


def log_exception(
    kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None
) -> None:
    """What nobody caught: a mistake of ours. The program goes on."""
    if error is not None and not issubclass(kind, KeyboardInterrupt):
        _log.error("A mistake in the program", exc_info=(kind, error, traceback), extra={"action": "bug"})


class Application:
    """The parts of one run of the program. Holds them; they do the work."""

    def __init__(self, home: Home, file: str = "") -> None:
        """`file`: see `open_window`."""
        self._home, self._file = home, file
        found = QApplication.instance()
        self.qt = found if isinstance(found, QApplication) else QtApplication(["desktopsched"])
        self.qt.setApplicationName("desktopsched")
        self.qt.setApplicationDisplayName("Desktopsched")
        self.qt.setDesktopFileName("desktopsched")
        self.qt.setWindowIcon(icons.mark())
        self.qt.setStyle("Fusion")
        self.qt.setQuitOnLastWindowClosed(False)  # not before the session is closed
        self._code = DONE
        # One small file, before the first paint: a window that comes up light and turns dark is worse than a wait.
        self.look = Look(PreferencesFile(home.preferences).load().theme)
        self._dress()
        self.look.changed.connect(self._dress)
        clock = WallClock()
        self.outside = Outside(self.look, home.folder, now=clock.now, zone=clock.zone)
        self.session = Session(home, self.outside.reminders)
        self.garbage = Garbage()
        self._is_settled = False  # the list is there, and will stay
        self.window = MainWindow(self.session, self.look, now=clock.now, zone=clock.zone)
        self.outside.tie(self.session, self.window)
        self.outside.new_wanted.connect(self.window.editing.new)
        self.outside.failed_wanted.connect(self.window.sight.show_failed)
        self.outside.log_wanted.connect(self.window.show_log)
        self.window.quit_wanted.connect(self.outside.closing.quit)
        self.session.refused.connect(self._refused)
        self.window.finished.connect(self._leave)
        self.session.bridge.arrived.connect(self._look_for_garbage)  # after everybody else has heard
        self.window.table.ticked.connect(self._look_for_garbage)
        if isinstance(self.qt, QtApplication):
            self.qt.file_wanted.connect(self.window.come_with)
        if file:
            self.window.importing.show_list(file)

    def run(self, *, minimized: bool) -> int:
        """Show the window, then all else, and go on until it is closed."""
        self.garbage.start()
        signals = SystemSignals()
        signals.asked_to_end.connect(self._end_without_asking)
        self.qt.commitDataRequest.connect(self._end_without_asking, Qt.ConnectionType.DirectConnection)
        if minimized and not self._file:
            self.outside.appear()
            if not self.outside.tray.available:  # there it can be found, and the tray may never come
                self.window.showMinimized()
            QTimer.singleShot(0, self.session.open)
        else:
            first_paint = FirstPaint(self.window)
            first_paint.over.connect(self.session.open)
            first_paint.over.connect(self.outside.appear)
            self.window.show()
        self.qt.exec()
        self.garbage.stop()
        signals.close()
        return self._code

    def _end_without_asking(self, _session: object = None) -> None:
        """The person logs out, or somebody sends SIGTERM: what runs goes on or stops as the preference says."""
        self.window.end(keep_running=self.session.may_outlive)

    def _look_for_garbage(self) -> None:
        if not self._is_settled and self.session.is_open and not self.session.bridge.waiting:
            self._is_settled = True
            self.garbage.settle()
        self.garbage.look()

    def _dress(self) -> None:
        self.qt.setFont(self.look.font())
        self.qt.setPalette(self.look.palette())

    def _leave(self) -> None:
        self.qt.exit(self._code)

    def _refused(self, error: Exception) -> None:
        """The home could not be opened: say why, in plain words, and end."""
        self._code = COULD_NOT
        if isinstance(error, HomeTakenError) and raise_other(self._home, self._file):
            self._code = DONE  # the other one was just starting too
            self.window.end()
            return
        box = plain.box(self.window, QMessageBox.Icon.Critical, *refusal(error))
        if isinstance(error, HomeTakenError) and error.kind == "serve":
            take = box.addButton("Take over", QMessageBox.ButtonRole.AcceptRole)
            take.setToolTip("The program without a window ends; what it runs goes on here")
            box.setDefaultButton(take)
            box.addButton("Quit", QMessageBox.ButtonRole.RejectRole)
            box.finished.connect(lambda _: self._answer(take_over=box.clickedButton() is take))
        else:
            box.finished.connect(self.window.end)
        box.open()

    def _answer(self, *, take_over: bool) -> None:
        """To a home that `serve` has."""
        if take_over:
            self._code = DONE
            self.session.take_over()
        else:
            self.window.end()


def refusal(error: Exception) -> tuple[str, str]:
    """What happened, and what to do."""
    if not isinstance(error, HomeTakenError):
        return "The task list could not be opened.", str(error)
    if error.kind == "serve":
        return (
            "The tasks run already, without a window.",
            f"`desktopsched serve` (process {error.pid}) has {error.folder} open. Take over: it ends, its runs go on.",
        )
    return (
        "Another program has the task list open.",
        f"Process {error.pid} uses {error.folder}. Try again when it has ended.",
    )
