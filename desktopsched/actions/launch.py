"""Starting one child process: own session, no stdin, one pipe for all output. Runs on pool threads."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from desktopsched.actions.failure import CannotStartError, why_not

Child = subprocess.Popen[bytes]

NO_COMMAND = "There is no command to run. Write one in the task."

if sys.platform == "win32":
    _FLAGS = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
else:
    _FLAGS = 0


def launch(
    argv: str | Sequence[str], cwd: Path, env: Mapping[str, str], *, output: int = subprocess.PIPE
) -> Child:
    """Start `argv` without a shell; a string is a whole Windows command line.

    Raises CannotStartError with a plain reason, whatever was wrong. Never `preexec_fn`: it turns vfork into
    fork, 40 times slower in a large program. stdout and stderr share one pipe, so that their order is kept
    (L11).
    """
    if not argv or not argv[0]:
        raise CannotStartError(NO_COMMAND)
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            bufsize=0,
            close_fds=True,
            start_new_session=True,
            creationflags=_FLAGS,
        )
    except (OSError, ValueError) as error:
        words = [argv] if isinstance(argv, str) else argv
        raise CannotStartError(why_not(error, words, cwd, env)) from error


def working_folder(text: str) -> Path:
    """Where a task's process starts.

    Empty: the home folder; `~` is expanded; a relative one is inside the home folder. Raises
    CannotStartError when it is not there (X15).
    """
    try:
        folder = Path.home() / Path(text or "~").expanduser()
    except RuntimeError:  # '~somebody' whom this computer does not know
        folder = Path(text)
    if not folder.is_dir():
        raise CannotStartError(
            f"The working folder '{folder}' is not there. Make it, or choose another one in the task."
        )
    return folder
