"""What is started for a command or a script. A script's text lives in a private file meanwhile."""

import contextlib
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from desktopsched.actions.failure import CannotStartError
from desktopsched.model import Command, Script

_WINDOWS = sys.platform == "win32"
# Windows shells choose by the ending of a file's name what they take it for.
_ENDINGS = {"powershell": ".ps1", "pwsh": ".ps1", "cmd": ".bat"}


@contextlib.contextmanager
def arguments(action: Command | Script) -> Iterator[str | list[str]]:
    """The argument list, good for as long as the context is open. Raises CannotStartError."""
    if isinstance(action, Script):
        interpreter = _split(action.interpreter)
        with _script_file(action.text, _ENDINGS.get(Path(interpreter[0]).stem.lower(), "")) as file:
            yield [
                *interpreter,
                file,
            ]  # one argument, whatever blanks the name of the temporary folder has (X16)
    elif action.shell:
        yield _shell(action.shell)
    else:
        yield list(action.argv)


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


@contextlib.contextmanager
def _script_file(text: str, ending: str) -> Iterator[str]:
    """A file in a folder that only this user may enter (mkdtemp makes it 0700), removed afterwards.

    In a folder of its own, because some interpreters look for modules beside the script: in the temporary folder
    itself anybody could put one there.
    """
    folder = ""
    try:
        folder = tempfile.mkdtemp(prefix="desktopsched-")
        file = Path(folder, f"script{ending}")
        file.write_bytes(text.encode())
        file.chmod(0o600)
    except (OSError, UnicodeError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise CannotStartError(
            f"The script's text could not be written to a temporary file: {error}."
        ) from error
    try:
        yield str(file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
