"""Pausing for a while: when everything goes on by itself, over restarts and however long it is. UI thread."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktopsched.engine.events import Event, Paused, Resumed
from desktopsched.ui.alerts.kept import KeptFile
from desktopsched.ui.alerts.waiting import Awaited


class Pausing(QObject):
    """Holds the instant at which to resume; it asks for the pause and for its end."""

    asked = Signal(bool)
    """Pause everything, or resume."""

    changed = Signal()
    """Another end, or none."""

    def __init__(self, kept: KeptFile, now: Callable[[], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept, self._now = kept, now
        self._end = Awaited(now, self)
        self._end.come.connect(self._resume)

    @property
    def until(self) -> float | None:
        """When everything goes on, in seconds since 1970, UTC; None: nothing is planned."""
        return self._kept.kept.paused_until

    def opened(self, *, paused: bool) -> None:
        """The program is open. What was paused for a while goes on, or on time."""
        if not paused:
            self._set(None)
        elif self.until is not None:
            self._end.wait(self.until)

    def pause(self, seconds: float) -> None:
        """Pause for so long; 0: until somebody resumes."""
        self._set(self._now() + seconds if seconds else None)
        self.asked.emit(True)

    def hear(self, events: Sequence[Event]) -> None:
        """Whoever resumes ends it."""
        for event in events:
            match event:
                case Resumed():
                    self._set(None)
                case Paused():
                    self.changed.emit()

    def close(self) -> None:
        """The program ends; what is kept stays."""
        self._end.wait(None)

    def _resume(self) -> None:
        self._set(None)
        self.asked.emit(False)

    def _set(self, until: float | None) -> None:
        self._end.wait(until)
        if until != self.until:
            self._kept.change(paused_until=until)
            self.changed.emit()
