"""How the program ends. Exit codes: 0 done; 1 the task failed or the file has problems; 2 wrong use; 3 it could not."""

import sys
from typing import NoReturn

from desktopsched.model import MISTAKES, DesktopschedError

FAILED, WRONG_USE, COULD_NOT = 1, 2, 3


def end_with(error: DesktopschedError) -> NoReturn:
    """Say what went wrong, in one line, and end."""
    sys.stderr.write(f"{error}\n")
    sys.exit(WRONG_USE if isinstance(error, MISTAKES) or getattr(error, "mistake", False) else COULD_NOT)
