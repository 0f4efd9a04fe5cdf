"""This user's crontab, as the system gives it. It is only ever read."""

import logging
import shutil
import subprocess
from collections.abc import Sequence

_PATIENCE = 5.0  # seconds; the program answers at once or not at all

_log = logging.getLogger(__name__)


class UserCrontab:
    """Asks the system's own program, which alone may read the file. Windows has none."""

    def __init__(self, command: Sequence[str] = ("crontab", "-l")) -> None:
        self._command = tuple(command)

    @property
    def available(self) -> bool:
        """Whether this system has crontabs."""
        return shutil.which(self._command[0]) is not None

    def read(self) -> str:
        """All of its text; empty where there is none, or where the system does not let this user have one.

        For any thread but a window's. Never raises: a crontab is an offer, and its absence no fault.
        """
        if not self.available:
            return ""
        try:
            found = subprocess.run(
                self._command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            _log.info("the crontab was not read", exc_info=error, extra={"action": "crontab.unread"})
            return ""
        # Bytes that are no UTF-8 stay what they are: the reader then refuses that line alone.
        return found.stdout.decode("utf-8", "surrogateescape") if found.returncode == 0 else ""
