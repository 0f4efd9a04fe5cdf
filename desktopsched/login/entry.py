"""What is started at login: a name that tells homes apart, and a command that is there after an update too."""

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from desktopsched.storage.home import Home, find_home

NAME = "desktopsched"


class Entry(Struct, frozen=True):
    """One start."""

    name: str
    command: tuple[str, ...]


def entry_of(home: Home) -> Entry:
    """The one of this home, in the tray. Homes in folders of their own have entries of their own."""
    command = own_command()
    if home.folder == find_home(environ={}).folder:
        return Entry(NAME, (*command, "--minimized"))
    folder = str(home.folder.absolute())
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]
    return Entry(f"{NAME}-{mark}", (*command, "--home", folder, "--minimized"))


def own_command(
    environ: Mapping[str, str] = os.environ, executable: str = sys.executable, *, frozen: bool | None = None
) -> tuple[str, ...]:
    """How this program is started with its window, and on Windows without a console."""
    program, ending = Path(executable), Path(executable).suffix
    if "APPIMAGE" in environ and program.is_relative_to(environ.get("APPDIR") or program):
        return (environ["APPIMAGE"],)  # what runs is somewhere else each time
    window = program.with_name(f"desktopsched-window{ending}")
    if frozen if frozen is not None else getattr(sys, "frozen", False):
        return (str(window if window.exists() else program),)
    for script in (window, program.with_name(f"desktopsched{ending}")):
        if script.exists():
            return (str(script),)
    return (executable, "-m", "desktopsched")
