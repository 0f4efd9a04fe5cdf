"""Opening: how long the window stands still while a list is read and filled in."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from PySide6.QtWidgets import QApplication

from benchmarks.ui.figure import Figure
from benchmarks.ui.heartbeat import Heartbeat, spin, wait_for
from benchmarks.ui.lists import entries, write_list
from benchmarks.ui.windows import application
from desktopsched.ui.phase import Phase

_COUNTS = 300, 10_000, 30_000


def measure() -> list[Figure]:
    """With few tasks and with many, each in a process of its own."""
    figures = []
    for count in _COUNTS:
        command = [sys.executable, "-m", "benchmarks.ui.opening", str(count)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        figures += msgspec.json.decode(done.stdout, type=list[Figure])
    return figures


def _opened(count: int) -> list[Figure]:
    with TemporaryDirectory() as place:
        write_list(Path(place), entries(count))
        with application(Path(place)) as running:
            window, heart = running.window, Heartbeat()
            heart.start()
            running.session.open()
            seconds = wait_for(lambda: window.phase is Phase.OPEN and len(window.model.rows) == count)
            spin(1.0)  # counts, the graph, the tray
            stall = heart.stop()
    return [
        Figure(f"{count:,} tasks opened", seconds * 1e3),
        Figure("… longest stall", stall, most=50),
        Figure("… longest work of the UI thread", max(heart.works), most=50),
    ]


if __name__ == "__main__":
    _application = QApplication(["benchmarks"])
    _application.setStyle("Fusion")
    sys.stdout.buffer.write(msgspec.json.encode(_opened(int(sys.argv[1]))))
    sys.stdout.flush()
    os._exit(0)
