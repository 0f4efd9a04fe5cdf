"""The window, asked for by the command line: Qt is loaded for it alone."""

import gc
import os
import sys

from desktopsched.cli.ending import COULD_NOT
from desktopsched.storage.home import Home


def open_window(home: Home, *, minimized: bool = False, file: str = "") -> int:
    """Run the program in a window; with `file`, also look at that task list. The exit code."""
    if not _has_display():
        sys.stderr.write(
            "There is no display to open a window on. `desktopsched serve` runs the tasks without one.\n"
        )
        return COULD_NOT
    gc.disable()  # what is loaded now stays; the window looks for garbage when it has time
    from desktopsched.ui import application

    return application.open_window(home, minimized=minimized, file=file)


def _has_display() -> bool:
    """Qt ends the process where it finds none, so somebody must look first."""
    if sys.platform != "linux":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
