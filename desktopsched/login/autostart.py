"""Linux and its relatives: a file in the autostart folder of the desktop, by the rules of freedesktop.org.

The file names the program that it needs, so it means nothing once that is removed.
"""

import configparser
import os
from collections.abc import Mapping
from pathlib import Path

from desktopsched.login.entry import Entry
from desktopsched.model import StorageError
from desktopsched.storage import atomic

_GROUP = "Desktop Entry"
_ESCAPED = str.maketrans({char: f"\\{char}" for char in '"`$\\'} | {"%": "%%"})
_TEXT = """\
[Desktop Entry]
Type=Application
Name=Desktopsched
Comment=Run tasks when they are due
Exec={exec}
TryExec={program}
Icon=desktopsched
Terminal=false
"""


class Autostart:
    """`folder`: the one that desktops look into; None: that of this person."""

    def __init__(self, folder: Path | None = None, environ: Mapping[str, str] = os.environ) -> None:
        config = environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
        self._folder = folder or Path(config, "autostart")

    def program(self, name: str) -> str | None:
        """What is started under this name; None: nothing, also where the desktop was told to leave it out."""
        said = self._read(name)
        is_off = said.get("Hidden") == "true" or said.get("X-GNOME-Autostart-enabled") == "false"
        return None if is_off else said.get("TryExec")

    def put(self, entry: Entry) -> None:
        """Have it started. Raises StorageError."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"Cannot make the folder {self._folder}: {error.strerror or error}."
            ) from error
        words = " ".join(map(_quoted, entry.command))
        text = _TEXT.format(exec=_escaped(words), program=_escaped(entry.command[0]))
        atomic.replace_file(self._file(entry.name), text.encode())

    def remove(self, name: str) -> None:
        """Have it started no more. Raises StorageError."""
        file = self._file(name)
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"Cannot remove {file}: {error.strerror or error}.") from error

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.desktop"

    def _read(self, name: str) -> Mapping[str, str]:
        reader = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
        reader.optionxform = str  # type: ignore[assignment,method-assign]  # keys are told apart by their case
        try:
            reader.read_string((atomic.read_file(self._file(name)) or b"").decode())
        except (StorageError, ValueError, configparser.Error):
            return {}  # nothing that a desktop would start
        said = dict(reader[_GROUP]) if reader.has_section(_GROUP) else {}
        return {key: value.replace("\\\\", "\\") for key, value in said.items()}


def _quoted(word: str) -> str:
    """One argument of a command."""
    return f'"{word.translate(_ESCAPED)}"'


def _escaped(text: str) -> str:
    """A text as the file has it."""
    return text.replace("\\", "\\\\")
