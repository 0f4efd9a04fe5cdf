"""Located: which file a command runs, or that there is no such program. UI thread; the disk is looked at elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QLabel
from shiboken6 import isValid

from desktopsched.actions.program import locate
from desktopsched.model import InvalidTaskError, Where
from desktopsched.ui import plain
from desktopsched.ui.background import Background
from desktopsched.ui.form.command_line import split_words
from desktopsched.ui.look import Look

_NAME_MOST = 24  # characters of a program's name; the tip has the rest


class Wanted(NamedTuple):
    """A program's name, and where it is looked for."""

    program: str
    cwd: str
    path: str | None


def wanted(action: Mapping[str, object]) -> Wanted | None:
    """The program of an action as it is written; None: it has none of its own, or not yet, or not on this computer."""
    name = ""
    if action.get("where", Where.HERE) != Where.HERE:
        return None
    if action.get("type") == "script":
        try:
            name = next(iter(split_words(action.get("interpreter", ""))), "")
        except InvalidTaskError:
            name = ""
    elif isinstance(argv := action.get("argv"), Sequence) and argv:
        name = str(argv[0])
    env = action.get("env")
    path = env.get("PATH") if isinstance(env, Mapping) else None
    if not name or "\0" in name:
        return None
    return Wanted(name, str(action.get("cwd", "")), path if isinstance(path, str) else None)


class Located:
    """Says it in the command's field, or beside the interpreter's. `tell` is told the file, or nothing: for the tip."""

    def __init__(self, look: Look, background: Background | None, tell: Callable[[str], object]) -> None:
        self.of_command: QLabel = plain.label("", look.font(12), "warning_words")
        self.of_script: QLabel = plain.label("", look.font(12), "warning_words")
        for label in (self.of_command, self.of_script):
            label.hide()
        self._background, self._tell = background, tell
        self._asked: Wanted | None = None
        self._is_script = False

    def look_for(self, action: Mapping[str, object]) -> None:
        """Find it, if it is another one than before."""
        found, self._is_script = wanted(action), action.get("type") == "script"
        if found == self._asked:
            return
        self._asked = found
        if found is None:
            self._say(None, "")
        elif self._background is None:
            self._say(found, locate(*found))
        else:
            self._background.do(lambda: locate(*found), lambda file: self._say(found, file))

    def _say(self, asked: Wanted | None, file: str) -> None:
        if asked != self._asked or not isValid(self.of_command):
            return
        missing = asked.program if asked is not None and not file else ""
        label, other = (self.of_script, self.of_command)[:: 1 if self._is_script else -1]
        other.hide()
        label.setText(f"There is no program “{_short(missing)}”" if missing else "")
        label.setToolTip(
            plain.tip(f"There is no program “{missing}” on this computer now." if missing else "")
        )
        label.setVisible(bool(missing))
        self._tell(f"Runs {file}" if file else "")


def _short(name: str) -> str:
    return name if len(name) <= _NAME_MOST else f"{name[: _NAME_MOST - 1]}…"
