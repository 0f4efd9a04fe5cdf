"""The windows beside the list: preferences, errors of the program, versions. UI thread.

They are loaded when they are wanted: the main window is painted sooner.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from desktopsched.storage.preferences import Preferences
from desktopsched.ui.background import words_of
from desktopsched.ui.error_log import ErrorLog
from desktopsched.ui.look import Look
from desktopsched.ui.session import Session

if TYPE_CHECKING:
    from desktopsched.diagnosis import Line


class Help(QObject):
    """Opens them, and follows what is chosen there."""

    failed = Signal(str)
    """Why preferences could not be kept."""

    done = Signal()
    """They were."""

    def __init__(self, look: Look, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._look, self._session, self._window = look, session, window
        self.errors = ErrorLog(self)
        self.errors.install()
        window.destroyed.connect(self.errors.uninstall)

    def show_preferences(self) -> None:
        """To look at, and to choose."""
        if not self._session.is_open:
            return  # they are not read yet
        self._session.background.do(self._session.login.is_on, self._show_preferences, self._say)

    def _show_preferences(self, at_login: bool) -> None:
        from desktopsched.ui.preferences_window import PreferencesWindow

        session = self._session
        dialog = PreferencesWindow(
            self._look,
            session.program.preferences,
            self._window,
            bench=session.bench,
            worker=session.patient,
            at_login=at_login if session.login.possible else None,
            test_cluster=self._test_cluster,
        )
        dialog.chosen.connect(self._choose)
        dialog.login_chosen.connect(self._choose_login)
        self._open(dialog)

    def show_keys(self) -> None:
        """What each key does."""
        from desktopsched.ui.keys_window import KeysWindow

        self._open(KeysWindow(self._look, self._window))

    def _test_cluster(
        self, address: str, told: Callable[[str], object], failed: Callable[[str], object]
    ) -> None:
        from desktopsched.cluster.connect import describe

        self._session.patient.do(lambda: describe(address), told, lambda error: failed(words_of(error)))

    def show_errors(self) -> None:
        """What went wrong inside the program since it was started."""
        from desktopsched.ui.errors_window import ErrorsWindow

        self._open(ErrorsWindow(self._look, self.errors, self._window))

    def show_diagnosis(self) -> None:
        """What home, files and program look like."""
        from desktopsched.ui.diagnosis_window import DiagnosisWindow

        self._open(DiagnosisWindow(self._look, self._diagnose, self._window))

    def _diagnose(self, told: Callable[["list[Line]"], object]) -> None:
        from desktopsched.diagnosis import diagnose, diagnose_running

        program, is_open = self._session.program, self._session.is_open
        self._session.background.do(
            lambda: [*diagnose(program.home), *(diagnose_running(program) if is_open else ())],
            told,
            self._say,
        )

    def show_about(self) -> None:
        """Versions and folders."""
        from desktopsched.ui.about_window import AboutWindow

        self._open(AboutWindow(self._look, self._session.home, self._window))

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _choose(self, preferences: Preferences) -> None:
        self._session.background.do(
            lambda: self._session.program.choose(preferences),
            lambda _: self._kept(preferences),
            self._say,
        )

    def _choose_login(self, on: bool) -> None:
        self._session.background.do(
            partial(self._session.login.switch, on=on), lambda _: self.done.emit(), self._say
        )

    def _kept(self, preferences: Preferences) -> None:
        self._look.set_theme(preferences.theme)
        self.done.emit()

    def _say(self, error: Exception) -> None:
        self.failed.emit(words_of(error))
