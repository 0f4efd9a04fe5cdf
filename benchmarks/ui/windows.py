"""Windows for the benchmarks: the real one, with the real program behind it or with nothing but a bridge."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtWidgets import QApplication

from benchmarks.ui.heartbeat import wait_for
from desktopsched.storage.home import find_home
from desktopsched.ui.application import SWITCH_INTERVAL, Application
from desktopsched.ui.phase import Phase

_SIZE = 1_400, 900
_kept: list[Application] = []  # to the end of the process: no thread but this one may take them away


@contextmanager
def application(folder: Path | None = None) -> Iterator[Application]:
    """The program, its window shown, its home not opened yet. Closed at the end, if it was opened."""
    sys.setswitchinterval(SWITCH_INTERVAL)
    with TemporaryDirectory() as place:
        made = Application(find_home(folder or Path(place)))
        _kept.append(made)
        made.window.finished.disconnect(made._leave)  # the event loop is the benchmark's
        made.window.resize(*_SIZE)
        made.garbage.start()
        made.window.show()
        QApplication.processEvents()
        yield made
        if made.window.phase is Phase.OPEN and made.session.is_open:
            made.window.end()
            wait_for(lambda: made.window.phase is Phase.CLOSED)
