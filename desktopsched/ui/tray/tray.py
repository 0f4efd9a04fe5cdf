"""The tray: our icon in the panel, whether there is a panel, and what closing the window means. UI thread.

Qt puts the icon into a panel that comes later by itself, as long as it was asked to show it. Nothing tells when a panel
goes; so while the window is hidden, and only then, it is looked for now and then.
"""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

from desktopsched.ui import plain
from desktopsched.ui.look import Look
from desktopsched.ui.reminders import unmarked
from desktopsched.ui.tray import state
from desktopsched.ui.tray.icon import tray_icon
from desktopsched.ui.tray.menu import TrayMenu, Wishes
from desktopsched.ui.tray.state import TraySummary

LOOKS = 15_000
"""Milliseconds between two looks for the panel, while the window is hidden."""

_GONE_AFTER = 2  # looks: a panel that is started anew is away for some seconds
_SHOWN_FOR = 12_000  # milliseconds of a notification, where the desktop listens to that
_OPENS = frozenset({QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick})


class Tray(Wishes):
    """The icon and its menu. `icon` may be another one, in tests."""

    lost = Signal()
    """The window is hidden, and there is no panel any more: it must be shown."""

    def __init__(
        self,
        look: Look,
        *,
        now: Callable[[], float],
        zone: Callable[[], ZoneInfo],
        icon: QSystemTrayIcon | None = None,
    ) -> None:
        super().__init__()
        self._now, self._zone = now, zone
        self._missing = 0
        self.summary = TraySummary(is_open=False)
        self.menu = TrayMenu(look, self, now=now, zone=zone)
        self.icon = icon if icon is not None else QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activate)
        self.icon.messageClicked.connect(self.show_wanted)
        self._looks = QTimer(self, interval=LOOKS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._looks.timeout.connect(self._look_for_panel)

    def appear(self) -> None:
        """Be in the panel from now on, or in the one that comes."""
        self.show_summary(self.summary)
        self.icon.show()

    @property
    def available(self) -> bool:
        """Whether there is a panel that shows the icon."""
        return self.icon.isSystemTrayAvailable() and self.icon.isVisible()

    def show_summary(self, summary: TraySummary) -> None:
        """What there is now: the icon, the tip, the menu."""
        self.summary = summary
        self.icon.setIcon(tray_icon(summary.sign))
        self.icon.setToolTip(plain.button_text(state.tip(summary, self._now(), self._zone())))
        self.menu.show_summary(summary)

    def say(self, title: str, text: str) -> bool:
        """A notification of the desktop; whether it could be shown."""
        if not (self.available and self.icon.supportsMessages()):
            return False
        self.icon.showMessage(unmarked(title), unmarked(text), tray_icon(self.summary.sign), _SHOWN_FOR)
        return True

    def watch(self, *, hidden: bool) -> None:
        """The window is hidden now, or shown."""
        self._missing = 0
        if hidden:
            self._looks.start()
        else:
            self._looks.stop()

    def close(self) -> None:
        """Take the icon out of the panel."""
        self._looks.stop()
        self.icon.hide()
        self.menu.close()

    def _look_for_panel(self) -> None:
        self._missing = 0 if self.available else self._missing + 1
        if self._missing >= _GONE_AFTER:
            self._looks.stop()
            self.lost.emit()

    def _activate(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in _OPENS:
            self.show_wanted.emit()
