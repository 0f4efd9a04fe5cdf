"""The command line: a front without Qt. Each group of commands is a module; `main` is the program's entry."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

_COMPLETE = "_DESKTOPSCHED_COMPLETE"
"""The variable by which a shell asks what could be typed; it gives no arguments."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Do what is asked for. A double-click asks for nothing: then the window comes, and no command is loaded before."""
    if (sys.argv[1:] if arguments is None else arguments) or _COMPLETE in os.environ:
        from desktopsched.cli import commands

        commands.main(arguments)
    from desktopsched.cli.ending import end_with
    from desktopsched.cli.window import open_window
    from desktopsched.model import DesktopschedError
    from desktopsched.storage.home import find_home

    try:
        sys.exit(open_window(find_home()))
    except DesktopschedError as error:
        end_with(error)


__all__ = ["main"]
