"""What a bundle starts: the window and the command line."""

import os
import sys

import pyimod02_importers  # PyInstaller's own, in every bundle


def _forget_loader() -> None:
    """What was told to the loader of this bundle is no business of what the program starts."""
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", "")
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


def _hold_on_to_modules() -> None:
    """Modules are read from this program's file when they are wanted; an update that replaces it is not read from."""
    archive = pyimod02_importers.pyz_archive
    held = os.open(archive._filename, os.O_RDONLY)  # noqa: SLF001 - there is no other way to it
    archive._filename = f"/proc/self/fd/{held}"  # noqa: SLF001


if sys.platform == "linux":
    _forget_loader()
    _hold_on_to_modules()

from desktopsched.cli import main  # noqa: E402 - the first of the modules that are read

main()
