"""Asking and killing the processes of a run. Nothing here looks for them."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktopsched.supervisor.faces import Member

_POSIX = sys.platform != "win32"


def ask(group: int | None, members: Iterable[Member]) -> None:
    """Ask all to end. Who is stopped must go on to hear it."""
    import signal  # slow to load, and most runs end by themselves

    if sys.platform == "win32":
        _signal_group(group, signal.CTRL_BREAK_EVENT)
        return
    for number in (signal.SIGTERM, signal.SIGCONT):
        _signal_group(group, number)
    for member in members:
        _ask(group, member)


def ask_orphans(group: int | None, living: Sequence[Member]) -> None:
    """Ask those who were born when `ask` had looked already, and whose parent it ended.

    Not the children of those who live: they may be what a process needs to end well.
    """
    pids = {member.pid for member in living}
    for member in living:
        if _POSIX and not member.asked and member.parent() not in pids:
            _ask(group, member)


def kill(group: int | None, members: Iterable[Member]) -> None:
    """Kill the group, and these."""
    import signal

    number = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
    if _POSIX:
        _signal_group(group, number)
    for member in members:
        member.send(number)


def _ask(group: int | None, member: Member) -> None:
    import signal

    member.asked = True
    if sys.platform != "win32" and not _in_group(group, member):
        member.send(signal.SIGTERM)
        member.send(signal.SIGCONT)


def _signal_group(group: int | None, number: int) -> None:
    if group is None:
        return
    try:
        if sys.platform == "win32":
            os.kill(group, number)
        else:
            os.killpg(group, number)
    except OSError:
        return  # it has ended


def _in_group(group: int | None, member: Member) -> bool:
    """Whether a signal to the group reaches it."""
    if group is None or sys.platform == "win32":
        return False
    try:
        return os.getpgid(member.pid) == group
    except OSError:
        return False
