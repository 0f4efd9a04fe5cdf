"""Argument lists of shells and scripts, on the computer where they run. No tasks here: workers are sent this."""

import os
import shlex
import sys
from pathlib import Path

from desktopsched.actions.failure import CannotStartError

_WINDOWS = sys.platform == "win32"
# Windows shells choose by the ending of a file's name what they take it for.
_ENDINGS = {"powershell": ".ps1", "pwsh": ".ps1", "cmd": ".bat"}


def of_shell(text: str) -> str | list[str]:
    """One line for the shell of this computer."""
    if _WINDOWS:
        # One string: cmd.exe does not read the quoting that a list would be given.
        return f'{os.environ.get("COMSPEC", "cmd.exe")} /d /s /c "{text}"'
    return ["/bin/sh", "-c", text]


def split(interpreter: str) -> list[str]:
    """The interpreter of a script, and its arguments. Raises CannotStartError."""
    try:
        parts = [
            part.strip('"') if _WINDOWS else part for part in shlex.split(interpreter, posix=not _WINDOWS)
        ]
    except ValueError as error:
        raise CannotStartError(f"The interpreter {interpreter!r} cannot be read: {error}.") from error
    if not parts:
        raise CannotStartError("The script has no interpreter. Write one, for example 'bash' or 'python3'.")
    return parts


def of_script(interpreter: list[str], text: str, folder: Path) -> list[str]:
    """The script's text as a file in a folder that only this user may enter.

    In a folder of its own, because some interpreters look for modules beside the script: in the temporary folder
    itself anybody could put one there. One argument, whatever blanks the folder's name has (X16).
    """
    file = folder / f"script{_ENDINGS.get(Path(interpreter[0]).stem.lower(), '')}"
    try:
        file.write_bytes(text.encode())
        file.chmod(0o600)
    except (OSError, UnicodeError) as error:
        raise CannotStartError(unwritten(error)) from error
    return [*interpreter, str(file)]


def unwritten(error: Exception) -> str:
    """Why a script cannot be run, where its file could not be made."""
    return f"The script's text could not be written to a temporary file: {error}."
