"""The id of a new task, made from its name, and a draft of a task from a script. Pure: no file is looked at."""

import re
import unicodedata
from collections.abc import Collection
from pathlib import PurePath

from desktopsched.model.action import Command
from desktopsched.model.task import Task

LONGEST = 64
_SCRIPTS = {".py": "python3", ".sh": "sh", ".bash": "bash", ".js": "node", ".rb": "ruby", ".pl": "perl"}
_FALLBACK = "task"


def new_id(name: str, taken: Collection[str]) -> str:
    """An id like the name that no other task has: "Datenbank: Größe" gives `datenbank-grosse`."""
    base = _plain(name)[:LONGEST].strip("-._") or _FALLBACK
    if base not in taken:
        return base
    number = 2
    while (found := f"{base[: LONGEST - len(str(number)) - 1]}-{number}") in taken:
        number += 1
    return found


def _plain(name: str) -> str:
    """Letters without marks, in lower case; what no id may have becomes a dash."""
    folded = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9._]+", "-", folded)


def draft_of_script(path: str) -> Task:
    """A task that runs this file in its own folder, by the program that its ending calls for."""
    file = PurePath(path)
    program = _SCRIPTS.get(file.suffix.lower())
    argv = (program, path) if program else (path,)
    name = file.stem.replace("_", " ").replace("-", " ").strip() or file.name or path
    shown = (name[0].upper() + name[1:])[:200]
    return Task(id=new_id(shown, ()), name=shown, action=Command(argv=argv, cwd=_folder(file)))


def _folder(file: PurePath) -> str:
    return str(file.parent) if file.is_absolute() else ""
