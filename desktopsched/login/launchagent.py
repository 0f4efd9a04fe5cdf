"""macOS: a file among the person's launch agents, which is read at the next login."""

import plistlib
from pathlib import Path
from typing import Any

from desktopsched.login.entry import Entry
from desktopsched.model import StorageError
from desktopsched.storage import atomic

_PREFIX = "org.desktopsched."


class LaunchAgent:
    """`folder`: the one that the system looks into; None: that of this person."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path.home() / "Library" / "LaunchAgents"

    def program(self, name: str) -> str | None:
        """What is started under this name; None: nothing."""
        said = self._read(name)
        arguments = said.get("ProgramArguments")
        if said.get("Disabled") or not isinstance(arguments, list) or not arguments:
            return None
        return str(arguments[0])

    def put(self, entry: Entry) -> None:
        """Have it started. Raises StorageError."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"Cannot make the folder {self._folder}: {error.strerror or error}."
            ) from error
        agent = {
            "Label": _PREFIX + entry.name,
            "ProgramArguments": list(entry.command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",  # not for those who come over the network, and see no window
        }
        atomic.replace_file(self._file(entry.name), plistlib.dumps(agent))

    def remove(self, name: str) -> None:
        """Have it started no more. Raises StorageError."""
        file = self._file(name)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"Cannot remove {file}: {error.strerror or error}.") from error

    def _file(self, name: str) -> Path:
        return self._folder / f"{_PREFIX}{name}.plist"

    def _read(self, name: str) -> dict[str, Any]:
        try:
            said = plistlib.loads(atomic.read_file(self._file(name)) or b"")
        except (StorageError, plistlib.InvalidFileException, ValueError):
            return {}  # nothing that the system would start
        return said if isinstance(said, dict) else {}
