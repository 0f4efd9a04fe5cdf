"""What is started for a command or a script. A script's text lives in a private file meanwhile."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from desktopsched.actions.argv import of_script, of_shell, split, unwritten
from desktopsched.actions.environment import inherited
from desktopsched.actions.failure import CannotStartError
from desktopsched.model import Command, Script


@contextlib.contextmanager
def arguments(action: Command | Script) -> Iterator[str | list[str]]:
    """The argument list, good for as long as the context is open. Raises CannotStartError."""
    if not isinstance(action, Script):
        yield _command(action)
        return
    interpreter = split(action.interpreter)
    try:
        folder = tempfile.mkdtemp(prefix="desktopsched-")
    except OSError as error:
        raise CannotStartError(unwritten(error)) from error
    try:
        yield of_script(interpreter, action.text, Path(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def arguments_in(action: Command | Script, folder: Path) -> list[str]:
    """The argument list, good for as long as the folder is there. Raises CannotStartError. Not for Windows."""
    if not isinstance(action, Script):
        command = _command(action)
        return [command] if isinstance(command, str) else command
    interpreter = split(action.interpreter)
    own = folder / "script"
    try:
        own.mkdir(mode=0o700)
    except OSError as error:
        raise CannotStartError(unwritten(error)) from error
    return of_script(interpreter, action.text, own)


def locate(program: str, cwd: str, path: str | None = None) -> str:
    """The file that a program's name stands for, as a run in this folder would find it; empty: there is none.

    `path`: the PATH that the task sets itself. It looks at the disk, which may take its time.
    """
    if os.path.dirname(program):  # noqa: PTH120 - Path would lose the './' that makes the difference
        program = str(Path.home() / Path(cwd or "~").expanduser() / program)
    found = shutil.which(program, path=inherited(os.environ)["PATH"] if path is None else path)
    return found or ""


def _command(action: Command) -> str | list[str]:
    return of_shell(action.shell) if action.shell else list(action.argv)
