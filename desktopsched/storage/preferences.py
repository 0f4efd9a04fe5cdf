"""The preferences: one table with, for each, its name, how it is read and written, and the words that explain it.

A bad value heals to its default and is reported; it never stops the program.
"""

import enum
import os
import re
from pathlib import Path

from msgspec import UNSET, Struct, field

from desktopsched.model import InvalidTaskError, StorageError, format_duration
from desktopsched.model.fields import ID_PATTERN, choice, string, switch, whole
from desktopsched.model.problem import Problem, collect, shown
from desktopsched.model.shape import Field, Shape, unknown_key
from desktopsched.model.times import duration
from desktopsched.storage import atomic, backups, jsontext


class Theme(enum.StrEnum):
    """How the window looks."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


_SCHEDULER = re.compile(r"((tcp|tls|ws|wss)://)?([\w.-]+|\[[0-9A-Fa-f:.%\w]+\]):\d{1,5}/?")


def scheduler_address(raw: object) -> str:
    """Where the scheduler of a Dask cluster listens; empty: there is none."""
    address = string(raw).strip()
    if address and not _SCHEDULER.fullmatch(address):
        raise InvalidTaskError("must be an address with a port, such as tcp://10.0.0.5:8786, or empty.")
    return address


def default_workers() -> int:
    """Two for each processor: runs mostly wait; at least four."""
    return max(4, 2 * (os.cpu_count() or 1))


class Preferences(Struct, frozen=True, kw_only=True):
    """What the person can choose. Durations are seconds."""

    workers: int = field(default_factory=default_workers)
    settle_delay: float = 30.0
    trust_edits: bool = True
    runs_outlive: bool = True
    log_age: float = 90 * 86_400.0
    logs_per_task: int = 100
    history_age: float = 365 * 86_400.0
    runs_per_task: int = 1_000
    dask_address: str = ""
    theme: Theme = Theme.SYSTEM
    shared_list: str = (
        ""  # where the claims of a shared list are kept, without a password; empty: nobody shares it
    )
    shared_list_secret: str = ""  # the name of its password in the keychain; empty: it has none
    list_id: str = "main"
    computer: str = ""  # what the others call this one; empty: its host name


def _written(raw: object) -> str:
    """A text, whatever stands there: a shared list whose address is wrong starts nothing; it is never not shared."""
    return raw if isinstance(raw, str) else jsontext.dump(raw).decode().strip()


def list_id_problem(text: str) -> str:
    """What is wrong with the name of a shared list; empty: nothing."""
    if ID_PATTERN.fullmatch(text):
        return ""
    return f"{shown(text)} cannot be the name of a list. Use 1 to 64 of a-z 0-9 . _ - and begin with a letter or digit."


class Preference(Struct, frozen=True):
    """One row of the table."""

    field: Field
    words: str


TABLE = (
    Preference(Field("workers", whole(1, 256)), "How many commands and scripts run at the same time at most"),
    Preference(
        Field("settle_delay", duration(), format_duration),
        "How long to wait after the computer woke up before missed runs start",
    ),
    Preference(
        Field("trust_edits", switch), "Run tasks that another program puts into the task file without asking"
    ),
    Preference(
        Field("runs_outlive", switch),
        "Let runs go on when the program is cut off; it takes them over when it is started again",
    ),
    Preference(Field("log_age", duration(3_600), format_duration), "How long the output of runs is kept"),
    Preference(Field("logs_per_task", whole(1, 100_000)), "Of how many runs of a task the output is kept"),
    Preference(Field("history_age", duration(3_600), format_duration), "How long the history is kept"),
    Preference(Field("runs_per_task", whole(1, 1_000_000)), "How many runs of a task the history keeps"),
    Preference(
        Field("dask_address", scheduler_address),
        "Where the scheduler of the Dask cluster listens, on which tasks may run; empty: there is none",
    ),
    Preference(Field("theme", choice(Theme), str), "Light or dark, or as the system has it"),
    Preference(Field("shared_list", _written), "Where several computers keep who performs which start"),
    Preference(
        Field("shared_list_secret", _written), "The password of the shared list, kept in the keychain"
    ),
    Preference(
        Field("list_id", _written), "What the list is called, the same on all computers that share it"
    ),
    Preference(Field("computer", _written), "What the others call this computer"),
)

_SHAPE = Shape(Preferences, tuple(row.field for row in TABLE))
_KEYS = tuple(row.field.file_key for row in TABLE)


class PreferencesFile:
    """The file with what differs from the defaults. Belongs to one thread at a time.

    `problems` are what was wrong in it. Keys that mean nothing here are reported and kept: a newer version of the
    program may have written them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: tuple[Problem, ...] = ()
        self._others: dict[str, object] = {}

    @property
    def unreadable(self) -> bool:
        """Whether nothing in it could be read."""
        return any(not problem.place for problem in self.problems)

    def load(self) -> Preferences:
        """The preferences; defaults for what is missing or bad. Never raises."""
        problems: list[Problem] = []
        given = self._given(problems)
        values = {}
        for row in TABLE:
            key = row.field.file_key
            value = (
                collect(row.field.read, given[key], key, problems) if given.get(key) is not None else UNSET
            )
            if value is not UNSET:
                values[row.field.name] = value
        self._others = {key: value for key, value in given.items() if key not in _KEYS}
        problems.extend(unknown_key(key, _KEYS) for key in self._others)
        self.problems = tuple(problems)
        return Preferences(**values)

    def save(self, preferences: Preferences) -> None:
        """Keep them. Raises StorageError: then the file is as it was."""
        data = jsontext.dump({**_SHAPE.write(preferences), **self._others})
        atomic.replace_file(self.path, data, before=lambda: backups.rotate(self.path, kept=1))

    def _given(self, problems: list[Problem]) -> dict[str, object]:
        try:
            data = atomic.read_file(self.path)
            raw = {} if data is None else jsontext.parse(data, self.path)
        except StorageError as error:
            problems.append(Problem("", str(error)))
            return {}
        if isinstance(raw, dict):
            return raw
        problems.append(Problem("", f"{self.path} must have an object in {{ }}, not {shown(raw)}."))
        return {}
