"""The environment of a task's process: the session's, less what is the program's own, and what a run is told.

Secrets pass through here into the child's environment and into the masking of its output, nowhere else.
"""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.marker import MARKER
from desktopsched.model import EnvValue, Run, Secret

# What was set for this program, by its starter, its bundle or its tests, and would lead others astray.
_OURS = re.compile(
    r"LD_PRELOAD|LD_AUDIT|DYLD_\w+|PYTHON\w*|QT_\w+|QML\w*|_PYI_\w+|_MEIPASS2|"
    r"NOTIFY_SOCKET|LISTEN_(PID|FDS|FDNAMES)|GIO_LAUNCHED_DESKTOP_FILE(_PID)?|DESKTOP_STARTUP_ID|XDG_ACTIVATION_TOKEN|"
    r"DESKTOPSCHED_SHARED_LIST_PASSWORD"
)


class ChildEnvironment(NamedTuple):
    """What a child is given, by which token it is found again, and what must not be seen in its output."""

    variables: dict[str, str]
    token: str
    secrets: tuple[str, ...]


def inherited(base: Mapping[str, str]) -> dict[str, str]:
    """The part of the program's environment that others may have. PATH is always there."""
    kept = {name: value for name, value in base.items() if not _OURS.fullmatch(name)}
    kept.setdefault("PATH", os.defpath)
    return kept


def child_environment(
    base: Mapping[str, str], given: Mapping[str, EnvValue], run: Run, read_secret: Callable[[str], str]
) -> ChildEnvironment:
    """Build the environment of one attempt. Raises CannotStartError for a name that no variable can have."""
    own = own_environment(given, run, read_secret)
    # Python holds its output back when it writes to a pipe (L12); who wants that says so in the task.
    defaults = {**inherited(base), "PYTHONUNBUFFERED": "1"}
    return own._replace(variables={**defaults, **own.variables})


def own_environment(
    given: Mapping[str, EnvValue], run: Run, read_secret: Callable[[str], str]
) -> ChildEnvironment:
    """The part of it that is the same on every computer. CannotStartError, as above."""
    values = {name: _value(name, value, read_secret) for name, value in given.items()}
    hidden = tuple(
        values[name] for name, value in given.items() if isinstance(value, Secret) and values[name]
    )
    token = secrets.token_hex(16)
    return ChildEnvironment({**values, **told(run), MARKER: token}, token, hidden)


def told(run: Run) -> dict[str, str]:
    """What a run is told about itself (rule 8)."""
    due = datetime.fromtimestamp(run.scheduled_for, UTC).isoformat().replace("+00:00", "Z")
    return {
        "DESKTOPSCHED_TASK_ID": run.task_id,
        "DESKTOPSCHED_RUN_ID": str(run.id),
        "DESKTOPSCHED_SCHEDULED_FOR": due,
        "DESKTOPSCHED_ATTEMPT": str(run.attempt),
        "DESKTOPSCHED_CAUSE": run.cause.value,
        "DESKTOPSCHED_PARENT_RUN_IDS": ",".join(map(str, run.parents)),
    }


def _value(name: str, value: EnvValue, read_secret: Callable[[str], str]) -> str:
    if not name or "=" in name or "\0" in name:
        raise CannotStartError(
            f"An environment variable cannot be called {name!r}: write a name without '='."
        )
    text = read_secret(value.secret) if isinstance(value, Secret) else value
    if "\0" in text:
        raise CannotStartError(f"The environment variable {name} has a NUL character in its value.")
    return text
