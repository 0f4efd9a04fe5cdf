"""Closing the window: with a panel it goes into the tray and the tasks go on; without one it asks and ends. UI thread.

It stands before the window as an event filter, so that the window knows nothing of trays.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.tray.tray import Tray

TOLD = (
    "Desktopsched goes on in the tray",
    "Your tasks keep their times. To end it, choose Quit in the menu of its icon.",
)


class CloseToTray(QObject):
    """`may_hide` says whether the window is in a phase of its life in which it can be hidden."""

    def __init__(
        self,
        window: QWidget,
        tray: Tray,
        kept: KeptFile,
        *,
        may_hide: Callable[[], bool],
        come_up: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window, self._tray, self._kept = window, tray, kept
        self._may_hide, self._come_up = may_hide, come_up
        self._quitting = False
        window.installEventFilter(self)
        tray.lost.connect(come_up)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A wish to close hides the window instead, where it can be found again."""
        if watched is not self._window:
            return False
        if event.type() is QEvent.Type.Close and self._hides():
            event.ignore()
            self._window.hide()
            self._tell_once()
            return True
        if event.type() in {QEvent.Type.Show, QEvent.Type.Hide}:
            self._tray.watch(hidden=event.type() is QEvent.Type.Hide)
        return False

    def quit(self) -> None:
        """Close for good: the window asks if runs would stop, so it comes up first."""
        if self._tray.summary.runs and not self._window.isVisible():
            self._come_up()
        self._quitting = True
        try:
            QApplication.sendEvent(self._window, QCloseEvent())
        finally:
            self._quitting = False

    def _hides(self) -> bool:
        return not self._quitting and self._may_hide() and self._tray.available

    def _tell_once(self) -> None:
        if not self._kept.kept.told_of_tray and self._tray.say(*TOLD):
            self._kept.change(told_of_tray=True)
