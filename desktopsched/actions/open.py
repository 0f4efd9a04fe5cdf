"""Things to open: a file, a folder or a URL, by the program that the desktop has for it. On a pool thread."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from desktopsched.actions.environment import inherited
from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.launch import Child, launch
from desktopsched.actions.reminder import NO_DESKTOP
from desktopsched.actions.watch import reap
from desktopsched.model import Open, Outcome, State

SCHEMES = ("http", "https", "mailto", "file")
"""What is opened as a URL. Others reach programs that do as they are told by whoever wrote the address."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)  # of two letters at least: `C:` is a drive
_SOON = 5.0  # seconds in which an opener says that it could not; if it still runs, it is the program itself
_XDG_WORDS = {2: "it is not there", 3: "no program for it was found", 4: "the program for it failed"}


def perform_open(action: Open, open_target: Callable[[str], bool] | None) -> Outcome:
    """SUCCEEDED when the desktop took it; SKIPPED when there is none."""
    if open_target is None or not open_target(checked_target(action.target)):
        return NO_DESKTOP
    return Outcome(State.SUCCEEDED)


def checked_target(target: str) -> str:
    """An absolute path, or a URL that may be opened. Raises CannotStartError."""
    try:
        path = Path.home() / Path(target).expanduser()
    except RuntimeError:  # '~somebody' whom this computer does not know
        path = Path(target)
    if target and path.exists():
        return str(path)  # absolute, so that a name with a leading dash is no option
    if scheme := _SCHEME.match(target):
        if scheme[1].lower() in SCHEMES:
            return target
        raise CannotStartError(f"'{scheme[1]}:' addresses are not opened. Allowed are {', '.join(SCHEMES)}.")
    raise CannotStartError(
        f"There is no file or folder '{target}'. For a web page, write 'https://' before it."
    )


def open_on_desktop(target: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Hand it to the desktop; False: there is none. Raises CannotStartError where it could not be opened."""
    if sys.platform == "win32":
        os.startfile(target)  # noqa: S606  opening is what was asked for
        return True
    if sys.platform != "darwin" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return False
    opener = "open" if sys.platform == "darwin" else "xdg-open"
    child = launch([opener, target], Path.home(), inherited(environ), output=subprocess.DEVNULL)
    code = reap(child, _SOON)
    if code is None:
        _reap_later(child)
    elif code != 0:
        raise CannotStartError(
            f"'{target}' could not be opened: {_XDG_WORDS.get(code, f'{opener} ended with {code}')}."
        )
    return True


def _reap_later(child: Child) -> None:
    """The program goes on without us, and leaves no zombie when it ends."""
    threading.Thread(target=child.wait, name="wait for an opened program", daemon=True).start()
