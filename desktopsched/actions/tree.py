"""The processes of one run: finding all of them, and signalling them. Runs on the run's pool thread.

Killing the process group is not enough: children in a session of their own and daemons leave it. A process
belongs to the run if it is in the group or session of the run's first process, descends from one that
belongs, or carries the run's marker in its environment. What leaves all three (own session, clean
environment, parents gone before the stop) is not found. A supervisor that adopts orphans would find it; it
would stand where the first process stands.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping

import psutil

from desktopsched.actions.environment import MARKER
from desktopsched.actions.launch import Child
from desktopsched.actions.member import Member

_POSIX = sys.platform != "win32"


class Tree:
    """The processes that came from one child."""

    def __init__(self, leader: Child, token: str) -> None:
        self._leader = leader
        self._mark = token
        self._members: dict[psutil.Process, Member] = {}  # also those that ended: their children are ours

    def living(self) -> list[Member]:
        """Those that live now.

        One look can miss a process whose parent ends meanwhile; two in a row do not.
        """
        return self._look() or self._look()

    def ask(self) -> None:
        """Ask all to end. Who is stopped must go on to hear it."""
        members = self.living()
        if not _POSIX:
            self._signal_group(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
            return
        for number in (signal.SIGTERM, signal.SIGCONT):
            self._signal_group(number)
        for member in members:
            self._ask(member)

    def ask_orphans(self, living: Collection[Member]) -> None:
        """Ask those who were born when `ask` had looked already, and whose parent it ended.

        Not the children of those who live: they may be what a process needs to end well.
        """
        pids = {member.pid for member in living}
        for member in living:
            if _POSIX and not member.asked and _parent(member.process) not in pids:
                self._ask(member)

    def _ask(self, member: Member) -> None:
        member.asked = True
        if not self._in_group(member):
            member.send(signal.SIGTERM)
            member.send(signal.SIGCONT)

    def kill(self, members: Iterable[Member]) -> None:
        """Kill the group, and these."""
        if _POSIX:
            self._signal_group(signal.SIGKILL)
        for member in members:
            member.send(signal.SIGKILL if _POSIX else signal.SIGTERM)

    def close(self) -> None:
        """Let go of all descriptors."""
        for member in self._members.values():
            member.close()
        self._members.clear()

    def _signal_group(self, number: int) -> None:
        """Only while the leader is not reaped: until then nobody else can have its number."""
        if self._leader.returncode is None:
            with contextlib.suppress(OSError):
                (os.killpg if _POSIX else os.kill)(self._leader.pid, number)

    def _in_group(self, member: Member) -> bool:
        """Whether a signal to the group reaches it."""
        if self._leader.returncode is not None:
            return False
        with contextlib.suppress(OSError):
            return os.getpgid(member.pid) == self._leader.pid
        return False

    def _look(self) -> list[Member]:
        everybody = {process.pid: process for process in _everybody()}
        roots = self._roots(everybody)
        ours = {process for process in everybody.values() if self._belongs(process, roots)}
        parents = {process: _parent(process) for process in everybody.values()}
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
        return dead_or_same | ({self._leader.pid} if self._leader.returncode is None else set())

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


def _parent(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error, OSError):
        return process.ppid()
    return 0


def _groups(pid: int) -> tuple[int, ...]:
    """What it can be recognised by beside its marker: itself, its group, its session."""
    return (pid, os.getpgid(pid), os.getsid(pid)) if _POSIX else (pid,)
