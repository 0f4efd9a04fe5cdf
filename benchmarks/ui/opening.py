"""Opening: how long the window stands still while a list is read and filled in."""

from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.ui.figure import Figure
from benchmarks.ui.heartbeat import Heartbeat, spin, wait_for
from benchmarks.ui.lists import entries, write_list
from benchmarks.ui.windows import application
from desktopsched.ui.main_window import Phase


def measure() -> list[Figure]:
    """With few tasks, and with many."""
    return [figure for count in (300, 10_000, 30_000) for figure in _opened(count)]


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
    ]
