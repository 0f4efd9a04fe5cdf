"""What a bundle goes without. Used by `desktopsched.spec` alone, with an analysis of PyInstaller in its hands."""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from PyInstaller.depend.bindepend import get_imports

Entry = tuple[str, str, str]
"""Where it goes in the bundle, where it is now, and of which kind it is."""

UNUSED = [
    *("PySide6.QtNetwork", "tkinter", "unittest", "pydoc", "doctest", "pdb", "lib2to3", "multiprocessing"),
    *("_hashlib", "curses", "readline", "xmlrpc"),
    *("sqlalchemy.orm", "sqlalchemy.ext", "sqlalchemy.testing"),
    *("sqlalchemy.dialects.mssql", "sqlalchemy.dialects.oracle"),
]
"""Modules. `hashlib` has what is used without OpenSSL, which every command would load; of SQLAlchemy the statements are
used, in three dialects. Those of asynchronous drivers are small, and imported by the others."""

PLUGINS = (
    *("*/platforms/*qxcb*", "*/platforms/*qwayland*", "*/platforms/*qwindows*", "*/platforms/*qcocoa*"),
    "*/platforms/*qoffscreen*",  # for the tests of the bundle
    "*/platforminputcontexts/*",  # dead keys, and the scripts of many languages
    "*/platformthemes/*xdgdesktopportal*",  # light or dark, as the desktop says
    *("*/wayland-shell-integration/*xdg-shell*", "*/wayland-decoration-client/*"),
)
"""Those of Qt that are kept: icons are drawn by ourselves, and everything without the graphics card."""


def trim(analysis: Any) -> None:
    """Take out run-time hooks, plugins, translations, and the libraries that only these need.

    The hooks would load Qt for every command, and half of the standard library for every supervisor. They serve
    programs that look at their own source, start themselves by `multiprocessing`, or have Qt from another place.
    """
    analysis.scripts[:] = [entry for entry in analysis.scripts if not entry[0].startswith("pyi_rth")]
    kept = [entry for entry in analysis.binaries if _is_wanted_for_itself(entry)]
    needed = {_path(file).name for file in _libraries(source for _, source, _ in kept)}
    kept += [entry for entry in analysis.binaries if entry not in kept and _path(entry[0]).name in needed]
    analysis.binaries[:] = kept
    there = {_path(target).name for target, _, _ in kept}
    analysis.datas[:] = [entry for entry in analysis.datas if _is_wanted_data(entry, there)]


def _path(text: str) -> PurePosixPath:
    return PurePosixPath(text.replace("\\", "/"))


def _is_wanted_for_itself(entry: Entry) -> bool:
    path, kind = _path(entry[0]), entry[2]
    if "plugins" in path.parts:
        return any(path.match(pattern) for pattern in PLUGINS)
    return kind == "EXTENSION" or bool(re.match(r"(lib)?python3|Python$", path.name))


def _libraries(files: Iterable[str]) -> set[str]:
    """All that these load, and what that loads."""
    found: set[str] = set()
    waiting = list(files)
    while waiting:
        for _, file in get_imports(waiting.pop()):
            if file and file not in found:
                found.add(file)
                waiting.append(file)
    return found


def _is_wanted_data(entry: Entry, libraries: set[str]) -> bool:
    target, source, kind = entry
    if kind == "SYMLINK":  # from where a library is looked for to where it is
        return _path(source).name in libraries
    return "translations" not in _path(target).parts
