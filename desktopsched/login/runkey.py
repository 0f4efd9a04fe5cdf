"""Windows: a value under the person's Run key. The Task Manager switches it off by a value of its own, beside it."""

import subprocess
import sys
from typing import Protocol

from desktopsched.login.entry import Entry
from desktopsched.model import StorageError

RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"


class Registry(Protocol):
    """The person's own part of it. All may raise OSError."""

    def get(self, key: str, name: str) -> str | bytes | None:
        """A value; None: there is none."""
        ...

    def put(self, key: str, name: str, text: str) -> None:
        """Write a text."""
        ...

    def remove(self, key: str, name: str) -> None:
        """Remove a value, if it is there."""
        ...


class RunKey:
    """`registry`: the system's own, but in tests."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def program(self, name: str) -> str | None:
        """What is started under this name; None: nothing, also where the Task Manager switched it off."""
        try:
            command = self._registry.get(RUN, name)
            approved = self._registry.get(APPROVED, name)
        except OSError:
            return None
        if not isinstance(command, str) or (isinstance(approved, bytes) and approved[:1] and approved[0] % 2):
            return None
        return command[1:].partition('"')[0] if command.startswith('"') else command.partition(" ")[0]

    def put(self, entry: Entry) -> None:
        """Have it started. Raises StorageError."""
        program, *arguments = entry.command
        try:
            self._registry.put(RUN, entry.name, f'"{program}" {subprocess.list2cmdline(arguments)}')
            self._registry.remove(APPROVED, entry.name)
        except OSError as error:
            raise StorageError(f"Windows does not let Desktopsched start at login: {error}.") from error

    def remove(self, name: str) -> None:
        """Have it started no more. Raises StorageError."""
        try:
            self._registry.remove(RUN, name)
            self._registry.remove(APPROVED, name)
        except OSError as error:
            raise StorageError(f"Windows keeps starting Desktopsched at login: {error}.") from error


if sys.platform == "win32":
    import winreg

    class WindowsRegistry:
        """The system's own."""

        def get(self, key: str, name: str) -> str | bytes | None:
            """See `Registry`."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as found:
                    value: str | bytes = winreg.QueryValueEx(found, name)[0]
                    return value
            except FileNotFoundError:
                return None

        def put(self, key: str, name: str, text: str) -> None:
            """See `Registry`."""
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as found:
                winreg.SetValueEx(found, name, 0, winreg.REG_SZ, text)

        def remove(self, key: str, name: str) -> None:
            """See `Registry`."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as found:
                    winreg.DeleteValue(found, name)
            except FileNotFoundError:
                return
