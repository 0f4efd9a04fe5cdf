"""A window whose tasks flood it, in a process of its own: `python -m tests.faults.flooded HOME`.

Each task of the list runs once, one after the other, while a heartbeat in the event loop measures how long the window's
thread is away. At the end it writes what it saw as JSON, by task.
"""

import json
import sys
import time
from pathlib import Path

import psutil
from PySide6.QtCore import QObject, Qt, QTimer

from desktopsched.engine.events import Event, RunFinished
from desktopsched.storage.home import find_home
from desktopsched.ui.application import SWITCH_INTERVAL, Application

BEAT = 5  # milliseconds between two heartbeats
REST = 500  # milliseconds between two tasks, in which the log panel comes to the end


class Flood(QObject):
    """Runs the tasks, and watches."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.seen: dict[str, dict[str, float | str]] = {}
        self.application = Application(find_home(home))
        self._beats = QTimer(self, interval=BEAT, timerType=Qt.TimerType.PreciseTimer)
        self._beats.timeout.connect(self._beat)
        self._waiting: list[str] = []
        self._process = psutil.Process()
        self.application.session.opened.connect(self._begin)
        self.application.session.bridge.arrived.connect(self._hear)

    def _begin(self) -> None:
        self._waiting = [task.id for task in self.application.session.program.task_list.tasks]
        QTimer.singleShot(REST, self._next)

    def _next(self) -> None:
        if not self._waiting:
            self.application.window.end()
            return
        self._at, self._used = time.perf_counter(), time.thread_time()
        self._away = self._busy = 0.0
        self._before = self._most = self._process.memory_info().rss
        self._beats.start()
        self.application.session.commands.run_now([self._waiting[0]])

    def _beat(self) -> None:
        at, used = time.perf_counter(), time.thread_time()
        self._away, self._busy = max(self._away, at - self._at), max(self._busy, used - self._used)
        self._at, self._used = at, used
        self._most = max(self._most, self._process.memory_info().rss)

    def _hear(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, RunFinished):
                self._beats.stop()
                self._beat()
                self.seen[self._waiting.pop(0)] = {
                    "state": event.outcome.state.value,
                    "grown": self._most - self._before,
                    "away": self._away,
                    "busy": self._busy,
                }
                QTimer.singleShot(REST, self._next)


if __name__ == "__main__":
    sys.setswitchinterval(SWITCH_INTERVAL)
    flood = Flood(Path(sys.argv[1]))
    flood.application.run(minimized=False)
    sys.stdout.write(json.dumps(flood.seen))
