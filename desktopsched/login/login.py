"""Whether this home's program is started at login, on whichever system this is."""

import sys
from functools import cached_property
from pathlib import Path
from typing import Protocol

from desktopsched.login.entry import Entry, entry_of
from desktopsched.storage.home import Home

_SANDBOX = Path("/.flatpak-info")


class System(Protocol):
    """How a system starts something at login. `put` and `remove` may raise StorageError."""

    def program(self, name: str) -> str | None:
        """The program that is started under this name; None: none."""
        ...

    def put(self, entry: Entry) -> None:
        """Have it started."""
        ...

    def remove(self, name: str) -> None:
        """Have it started no more."""
        ...


def system() -> System | None:
    """This one's; None where the program cannot say what is started at login."""
    if sys.platform == "win32":
        from desktopsched.login.runkey import RunKey, WindowsRegistry

        return RunKey(WindowsRegistry())
    if sys.platform == "darwin":
        from desktopsched.login.launchagent import LaunchAgent

        return LaunchAgent()
    if _SANDBOX.exists():
        return None  # it hides the folder, and its programs have no path outside
    from desktopsched.login.autostart import Autostart

    return Autostart()


class Login:
    """One home's."""

    def __init__(self, home: Home, at: System | None = None) -> None:
        self._home, self._at = home, at

    @cached_property
    def _system(self) -> System | None:
        """Looked for when it is first wanted: the window is painted sooner."""
        return self._at if self._at is not None else system()

    @cached_property
    def _entry(self) -> Entry:
        return entry_of(self._home)

    @property
    def possible(self) -> bool:
        """Whether this system can be told."""
        return self._system is not None

    def is_on(self) -> bool:
        """Whether it is started."""
        return self._system is not None and self._system.program(self._entry.name) is not None

    def switch(self, *, on: bool) -> None:
        """Have it started, or no more. Raises StorageError: then all is as it was."""
        if self._system is not None and on:
            self._system.put(self._entry)
        elif self._system is not None:
            self._system.remove(self._entry.name)

    def mend(self) -> None:
        """Where the program was moved since, have it started from where it is now. Raises StorageError."""
        program = self._system.program(self._entry.name) if self._system is not None else None
        if program is not None and not Path(program).exists():
            self.switch(on=True)
