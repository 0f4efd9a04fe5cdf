"""What is started for a command or a script. A script's text lives in a private file meanwhile."""

import contextlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from desktopsched.actions.environment import inherited
from desktopsched.actions.failure import CannotStartError
from desktopsched.model import Command, Script

_WINDOWS = sys.platform == "win32"
# Windows shells choose by the ending of a file's name what they take it for.
_ENDINGS = {"powershell": ".ps1", "pwsh": ".ps1", "cmd": ".bat"}


@contextlib.contextmanager
def arguments(action: Command | Script) -> Iterator[str | list[str]]:
    """The argument list, good for as long as the context is open. Raises CannotStartError."""
    if not isinstance(action, Script):
        yield _command(action)
        return
    interpreter = _split(action.interpreter)
    try:
        folder = tempfile.mkdtemp(prefix="desktopsched-")
    except OSError as error:
        raise CannotStartError(_unwritten(error)) from error
    try:
        yield _script(action, interpreter, Path(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def arguments_in(action: Command | Script, folder: Path) -> list[str]:
    """The argument list, good for as long as the folder is there. Raises CannotStartError. Not for Windows."""
    if not isinstance(action, Script):
        command = _command(action)
        return [command] if isinstance(command, str) else command
    interpreter = _split(action.interpreter)
    own = folder / "script"
    try:
        own.mkdir(mode=0o700)
    except OSError as error:
        raise CannotStartError(_unwritten(error)) from error
    return _script(action, interpreter, own)


def locate(program: str, cwd: str, path: str | None = None) -> str:
    """The file that a program's name stands for, as a run in this folder would find it; empty: there is none.

    `path`: the PATH that the task sets itself. It looks at the disk, which may take its time.
    """
    if os.path.dirname(program):  # noqa: PTH120 - Path would lose the './' that makes the difference
        program = str(Path.home() / Path(cwd or "~").expanduser() / program)
    found = shutil.which(program, path=inherited(os.environ)["PATH"] if path is None else path)
    return found or ""


def _command(action: Command) -> str | list[str]:
    return _shell(action.shell) if action.shell else list(action.argv)


def _shell(text: str) -> str | list[str]:
    if _WINDOWS:
        # One string: cmd.exe does not read the quoting that a list would be given.
        return f'{os.environ.get("COMSPEC", "cmd.exe")} /d /s /c "{text}"'
    return ["/bin/sh", "-c", text]


def _split(interpreter: str) -> list[str]:
    try:
        parts = [
            part.strip('"') if _WINDOWS else part for part in shlex.split(interpreter, posix=not _WINDOWS)
        ]
    except ValueError as error:
        raise CannotStartError(f"The interpreter {interpreter!r} cannot be read: {error}.") from error
    if not parts:
        raise CannotStartError("The script has no interpreter. Write one, for example 'bash' or 'python3'.")
    return parts


def _script(action: Script, interpreter: list[str], folder: Path) -> list[str]:
    """The script's text as a file in a folder that only this user may enter.

    In a folder of its own, because some interpreters look for modules beside the script: in the temporary folder
    itself anybody could put one there. One argument, whatever blanks the folder's name has (X16).
    """
    file = folder / f"script{_ENDINGS.get(Path(interpreter[0]).stem.lower(), '')}"
    try:
        file.write_bytes(action.text.encode())
        file.chmod(0o600)
    except (OSError, UnicodeError) as error:
        raise CannotStartError(_unwritten(error)) from error
    return [*interpreter, str(file)]


def _unwritten(error: Exception) -> str:
    return f"The script's text could not be written to a temporary file: {error}."
