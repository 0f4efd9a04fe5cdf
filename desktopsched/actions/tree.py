"""The processes of one run, found without a supervisor. Runs on the run's pool thread.

Killing the process group is not enough: children in a session of their own and daemons leave it. A process
belongs to the run if it is in the group or session of the run's first process, descends from one that
belongs, or carries the run's marker in its environment. What leaves all three (own session, clean
environment, parents gone before the stop) is found by a supervisor alone, which adopts orphans.
"""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Protocol

import psutil

from desktopsched.actions.marker import MARKER
from desktopsched.actions.member import Member, parent_of

_POSIX = sys.platform != "win32"


class Leader(Protocol):
    """The first process of a run."""

    @property
    def pid(self) -> int:
        """Its number, which is that of its group and session too."""

    @property
    def returncode(self) -> int | None:
        """None: it was not reaped, so its number is nobody else's."""


class Tree:
    """The processes that carry the token, or came from one of the leaders; the first of these leads the group."""

    def __init__(self, token: str, *leaders: Leader) -> None:
        self._leaders = leaders
        self._mark = token
        self._members: dict[psutil.Process, Member] = {}  # also those that ended: their children are ours

    def living(self) -> list[Member]:
        """Those that live now.

        One look can miss a process whose parent ends meanwhile; two in a row do not.
        """
        return self._look() or self._look()

    @property
    def group(self) -> int | None:
        """The id of the first process's group, until that is reaped: then it may be another's."""
        return next((leader.pid for leader in self._leaders if leader.returncode is None), None)

    def close(self) -> None:
        """Let go of all descriptors."""
        for member in self._members.values():
            member.close()
        self._members.clear()

    def _look(self) -> list[Member]:
        everybody = {process.pid: process for process in _everybody()}
        roots = self._roots(everybody)
        ours = {process for process in everybody.values() if self._belongs(process, roots)}
        parents = {process: parent_of(process) for process in everybody.values()}
        pids = {process.pid for process in ours}
        while found := {process for process, parent in parents.items() if parent in pids} - ours:
            ours |= found
            pids |= {process.pid for process in found}
        for process in ours - self._members.keys():
            self._members[process] = Member(process)
        return [member for process, member in self._members.items() if process in ours and member.alive()]

    def _roots(self, everybody: Mapping[int, psutil.Process]) -> set[int]:
        """The pids by which a group or session is ours: of all members so far, less those that are another's by now.

        While a group or session has processes its number is not given out again, so the numbers of the dead
        count too: they tell of what was born between a look and a signal that ended its parent.
        """
        dead_or_same = {
            process.pid for process in self._members if everybody.get(process.pid, process) == process
        }
        return dead_or_same | {leader.pid for leader in self._leaders if leader.returncode is None}

    def _belongs(self, process: psutil.Process, roots: set[int]) -> bool:
        if process in self._members:
            return True
        with contextlib.suppress(psutil.Error, OSError):
            if not roots.isdisjoint(_groups(process.pid)):
                return True
            return process.environ().get(MARKER) == self._mark
        return False


def _everybody() -> Iterator[psutil.Process]:
    for pid in psutil.pids():
        with contextlib.suppress(psutil.Error, OSError):
            if pid != os.getpid():
                yield psutil.Process(pid)


def _groups(pid: int) -> tuple[int, ...]:
    """What it can be recognised by beside its marker: itself, its group, its session."""
    return (pid, os.getpgid(pid), os.getsid(pid)) if _POSIX else (pid,)
