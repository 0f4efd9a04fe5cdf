"""The program itself, started as people start it: says when its window is painted, and when its list is complete."""

import os
import sys

from PySide6.QtCore import QEvent, QObject, QTimer

from desktopsched.cli import main
from desktopsched.ui.application import Application


class Watch(QObject):
    """Looks at the first window of an application; ends the process when its list is complete."""

    def __init__(self, application: Application, count: int) -> None:
        super().__init__()
        self._window, self._count, self._painted = application.window, count, False
        self._looks = QTimer(self, interval=5)
        self._looks.timeout.connect(self._look)
        self._looks.start()
        self._window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The first paint, and when it is done."""
        if event.type() is QEvent.Type.Paint and not self._painted:
            self._painted = True
            QTimer.singleShot(0, lambda: os.write(1, b"painted\n"))
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if self._window.phase.value == "open" and len(self._window.model.rows) == self._count:
            os.write(1, b"complete\n")
            os._exit(0)


def start(count: int) -> None:
    """Open the home of this environment, whose list has `count` tasks."""
    run, watches = Application.run, []

    def watched(application: Application, *, minimized: bool) -> int:
        watches.append(Watch(application, count))
        return run(application, minimized=minimized)

    Application.run = watched  # type: ignore[assignment, method-assign]  # all else is as it is
    main([])


if __name__ == "__main__":
    start(int(sys.argv[1]))
