"""The folder of one supervised attempt: what it was told, where it is reached, and how it ended. Any thread.

For its owner alone. Everything in it is written whole or not at all; what is not complete counts as not there.
"""

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.result import PROCESSES, RESULT, Processes, decode_ending, put

_ABOUT = "about.json"
_LINE = "line"  # the socket


class About(Struct, frozen=True, kw_only=True):
    """What must be known of an attempt to go on with it. No secrets. Spans are seconds, `started` since 1970."""

    task_id: str
    run_id: int
    attempt: int
    token: str  # the value of the variable that all its processes inherit
    success_codes: tuple[int, ...]
    timeout: float | None
    grace: float
    started: float


def write_about(folder: Path, about: About) -> None:
    """Keep it. Raises OSError."""
    put(os.fsencode(folder), os.fsencode(_ABOUT), msgspec.json.encode(about))


def read_about(folder: Path) -> About | None:
    """What was kept; None where it is missing or cannot be read."""
    try:
        return msgspec.json.decode((folder / _ABOUT).read_bytes(), type=About)
    except (OSError, msgspec.DecodeError):
        return None


def read_ending(folder: Path) -> Ending | None:
    """How it ended; None where that is missing or cannot be read."""
    data = _read(folder, RESULT)
    return decode_ending(data) if data else None


def read_processes(folder: Path) -> Processes | None:
    """Which processes it has; None where that is missing or cannot be read."""
    data = _read(folder, PROCESSES)
    return Processes.decode(data) if data else None


def has_result(folder: Path) -> bool:
    """Whether there is a result, readable or not."""
    return os.path.lexists(
        folder / os.fsdecode(RESULT)
    )  # which is "no" where the folder cannot be looked into


def listen(folder: Path) -> socket.socket:
    """A socket in the folder, by which the next program reaches the supervisor. Raises OSError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _reached(folder) as place:
            listener.bind(place)
            Path(place).chmod(0o600)
        listener.listen(4)
    except BaseException:
        listener.close()
        raise
    return listener


def connect(folder: Path) -> socket.socket | None:
    """The supervisor's line, if it is alive: its socket dies with it, so that no other is ever taken for it."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with _reached(folder) as place:
            line.connect(place)
    except OSError:
        line.close()
        return None
    return line


@contextlib.contextmanager
def _reached(folder: Path) -> Iterator[str]:
    """A path for the socket that is short, however deep the folder lies: the system takes some hundred bytes."""
    descriptor = os.open(folder, os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{_LINE}"
    finally:
        os.close(descriptor)


def _read(folder: Path, name: bytes) -> bytes:
    with contextlib.suppress(OSError):
        return (folder / os.fsdecode(name)).read_bytes()
    return b""
