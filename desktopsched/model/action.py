"""Actions: what a task does when it runs. Values only; performing them is the room `actions`."""

import enum
from collections.abc import Mapping

from msgspec import Struct


class Secret(Struct, frozen=True, omit_defaults=True, gc=False):
    """A value read from the system keychain when the run starts, and written nowhere."""

    secret: str  # the name under which the keychain keeps it


EnvValue = str | Secret


class Where(enum.StrEnum):
    """On which computer a command or script runs."""

    HERE = "here"
    DASK = "dask"  # a worker of the Dask cluster whose address is in the preferences


class Command(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Run a program: `argv` as it is, without a shell, or `shell` by the platform's shell. Exactly one is given."""

    argv: tuple[str, ...] = ()
    shell: str = ""
    cwd: str = ""  # empty: the home folder; `~` is expanded when it runs
    env: Mapping[str, EnvValue] = {}
    timeout: float | None = None  # seconds; then the run is stopped and FAILED "timed out"
    success_codes: tuple[int, ...] = (0,)
    where: Where = Where.HERE


class Script(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Run a text by an interpreter, which may have arguments: `python3 -u`."""

    interpreter: str
    text: str
    cwd: str = ""
    env: Mapping[str, EnvValue] = {}
    timeout: float | None = None
    success_codes: tuple[int, ...] = (0,)
    where: Where = Where.HERE


class Reminder(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Tell the person something."""

    message: str
    sound: bool = False


class Open(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Open a file, a folder or a URL with the program that the desktop has for it."""

    target: str


Action = Command | Script | Reminder | Open

_WORK = (Command, Script)  # made once: it is asked for each start


def needs_worker(action: Action) -> bool:
    """Whether a run of this action takes one of the `workers`: reminders and `open` do not (rule 3)."""
    return isinstance(action, _WORK)
