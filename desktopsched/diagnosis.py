"""Diagnosis: the state of a home and of the program that has it, line by line, for the person and for reports.

No secrets and no output of tasks are in it. It opens files of its own and changes nothing, so any process may ask.
"""

import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from zoneinfo import ZoneInfo

import psutil
from msgspec import Struct

from desktopsched import __version__, phrases
from desktopsched.engine.clock import SOURCE
from desktopsched.model import StorageError
from desktopsched.program import Program
from desktopsched.storage import backups
from desktopsched.storage.home import Home, our_uid
from desktopsched.storage.preferences import TABLE, Preference, Preferences, PreferencesFile
from desktopsched.storage.records import Records
from desktopsched.storage.taskfile import TaskFile

if TYPE_CHECKING:
    from desktopsched.claiming.shared import SharedList

_PACKAGES = ("PySide6-Essentials", "msgspec", "psutil", "croniter", "keyring", "watchdog", "tzdata")
_LITTLE = 200 * 1024 * 1024  # bytes that are free; with less, logs and history soon cannot be written
_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afpfs", "webdav"})
_MEGABYTE = 1_048_576


class Line(Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    section: str
    name: str
    value: str
    advice: str = ""  # what is to be done about it; empty: all is well


def diagnose(home: Home) -> list[Line]:
    """The computer, the folders and the files."""
    lines: list[Line] = []
    for section, look in (
        ("Program", _program),
        ("Home", lambda: _folders(home)),
        ("Task file", lambda: _task_file(home)),
        ("History", lambda: _history(home)),
        ("Preferences", lambda: _preferences(home)),
    ):
        lines += _section(section, look)
    return lines


def diagnose_running(program: Program) -> list[Line]:
    """The program that has the home open. From any thread."""
    return list(_section("Running", lambda: _running(program)))


def _section(name: str, look: Callable[[], Iterable[tuple[str, ...]]]) -> Iterator[Line]:
    """The lines of one; what cannot be looked at is a line too."""
    try:
        for title, value, *advice in look():
            yield Line(section=name, name=title, value=value, advice=" ".join(advice))
    except (OSError, StorageError, sqlite3.Error) as error:
        yield Line(section=name, name="Trouble", value=str(error), advice="This could not be looked at.")


# --- the computer ------------------------------------------------------------------------------------------


def _program() -> Iterator[tuple[str, ...]]:
    yield "Desktopsched", __version__
    yield "Python", f"{platform.python_version()} ({sys.executable})"
    yield "SQLite", sqlite3.sqlite_version
    for package in _PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            yield package, "not installed"
    yield "System", f"{platform.system()} {platform.release()}, {platform.machine()}"
    yield "Clock", SOURCE
    if our_uid() == 0 and os.name != "nt":
        yield (
            "User",
            "root",
            "Tasks run with all rights. Use an ordinary account, unless they are about the system itself.",
        )


def _folders(home: Home) -> Iterator[tuple[str, ...]]:
    for name, folder in (
        ("Tasks", home.folder),
        ("History", home.history.parent),
        ("Logs", home.logs),
        ("Preferences", home.preferences.parent),
    ):
        yield name, *_folder(folder)


def _folder(folder: Path) -> tuple[str, ...]:
    if not folder.is_dir():
        return f"{folder}, not there yet", ""
    free = shutil.disk_usage(folder).free
    kind = _file_system(folder)
    words = f"{folder}, mode {folder.stat().st_mode & 0o777:o}, {free // _MEGABYTE:,} MB free, {kind}"
    if free < _LITTLE:
        return words, "Little space is left: free some, or results cannot be kept."
    if kind in _NETWORK:
        return words, "This is a network drive, on which locks and crashes are not safe. Use a local folder."
    if not os.access(folder, os.W_OK):
        return words, "Nothing can be written here. Check who owns it."
    return words, ""


def _file_system(folder: Path) -> str:
    """What the disk is formatted with: of the mount points above the folder, the deepest one's."""
    path = folder.resolve()
    found = [
        (len(part.mountpoint), part.fstype)
        for part in psutil.disk_partitions(all=True)
        if path.is_relative_to(part.mountpoint)
    ]
    return max(found)[1] if found else "unknown file system"


# --- the files ---------------------------------------------------------------------------------------------


def _task_file(home: Home) -> Iterator[tuple[str, ...]]:
    document = TaskFile(home.tasks).load(mend=False)
    size = home.tasks.stat().st_size if home.tasks.exists() else 0
    disabled = sum(not task.enabled for task in document.tasks)
    yield "Tasks", f"{len(document.tasks):,}, {disabled:,} of them disabled, {size / 1024:,.0f} KB"
    problems = document.problems
    if problems:
        yield "Mistakes", f"{len(problems):,}; the first: {problems[0]}", "See: desktopsched check"
    yield "Earlier copies", str(sum(1 for _ in backups.backups(home.tasks)))
    aside = sorted(one.name for one in home.tasks.parent.glob(f"{home.tasks.name}.unreadable*"))
    if aside:
        yield "Put aside", ", ".join(aside), "Remove them when nothing in them is needed any more."


def _history(home: Home) -> Iterator[tuple[str, ...]]:
    if not home.history.exists():
        yield "Runs", "none yet"
        return
    with closing(sqlite3.connect(f"file:{quote(str(home.history))}?mode=ro", uri=True)) as connection:
        (runs,) = connection.execute("SELECT count(*) FROM runs").fetchone()
        (form,) = connection.execute("PRAGMA user_version").fetchone()
        (check,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    size = home.history.stat().st_size / _MEGABYTE
    yield "Runs", f"{runs:,}, {size:,.1f} MB, format {form}"
    advice = "" if check == "ok" else "Start Desktopsched again: it saves what can be read."
    yield "Check", check, advice
    going = len(Records(home.history).open_runs())
    yield "Runs without an end", f"{going:,}"
    aside = sorted(one.name for one in home.history.parent.glob(f"{home.history.name}.damaged*"))
    if aside:
        yield "Put aside", ", ".join(aside), "Remove them when nothing in them is needed any more."
    logs = [path for path in home.logs.rglob("*.log*") if path.is_file()]
    yield "Logs", f"{len(logs):,}, {sum(path.stat().st_size for path in logs) / _MEGABYTE:,.1f} MB"


def _preferences(home: Home) -> Iterator[tuple[str, ...]]:
    file = PreferencesFile(home.preferences)
    chosen, usual = file.load(), Preferences()
    for problem in file.problems:
        yield "Mistake", str(problem), "Mend it in the file, or choose anew in the window."
    for row in TABLE:
        value, default = getattr(chosen, row.field.name), getattr(usual, row.field.name)
        if value != default:
            words = f"{_written(row, value)} (else {_written(row, default)})"
            yield row.words, words, _UNSAFE.get(row.field.name, "")


def _written(row: Preference, value: object) -> str:
    """As the file has it; but of an address no password, which some write into it."""
    written = str(row.field.write(value))
    if row.field.name == "shared_list" and written:
        from desktopsched.sharing.address import Address  # loaded only where a list is shared

        written = str(Address("", written))
    return written or "none"


_UNSAFE = {
    "settle_delay": "Right after the computer woke up, the network is often not there yet.",
}


# --- the program that runs ---------------------------------------------------------------------------------


def _running(program: Program) -> Iterator[tuple[str, ...]]:
    dispatcher = program.dispatcher
    figures, zone = dispatcher.statistics(), dispatcher.zone
    now = figures.now
    yield "Process", f"{os.getpid()}, {program.kind}"
    yield "Time zone", str(zone)
    yield "Last wake-up", f"{phrases.iso(figures.looked, zone)}, {figures.wakeups:,} so far"
    due = figures.next_due
    yield "Next start", "none" if due is None else f"{phrases.until(due, now)}, {phrases.iso(due, zone)}"
    yield "Workers", f"{figures.busy} of {dispatcher.workers} busy, {figures.ready:,} runs wait for one"
    yield "Paused", "yes" if dispatcher.paused else "no"
    trouble = program.history.trouble
    if trouble is not None:
        yield "History", str(trouble), "No task starts until it can be written."
    if program.shared is not None:
        yield "Shared list", *_shared(program.shared, zone)
    for notice in program.notices[-3:]:
        yield "Notice", notice, "Told when it happened."


def _shared(shared: "SharedList", zone: ZoneInfo) -> tuple[str, ...]:
    """Whether the list that others have too can be asked, and whether this computer takes part."""
    name = f"{shared.identity.list_id!r}, here as {shared.identity.computer!r}"
    since = shared.silent_since
    if since is not None:
        words = f"{name}, out of reach since {phrases.iso(since, zone)}. {shared.trouble}"
        return words, "Nothing starts here until it answers."
    return (f"{name}, handed over to the other computers",) if shared.handed_over else (name,)
