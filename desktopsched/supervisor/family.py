"""The processes of a run, seen by its supervisor. Linux.

The supervisor is a subreaper: whoever loses its parent becomes its child, daemons and children with sessions of their
own included. So what descends from it is all that there is. Where the system refuses that, a process also belongs to
the run by its group, its session, or the run's marker in its environment.
"""

from __future__ import annotations

import os
import select

from desktopsched.supervisor.system import send_signal

_BOOT = "/proc/sys/kernel/random/boot_id"


def boot_id() -> str:
    """Which start of the computer this is: what `start_ticks` counts from."""
    return _read(_BOOT).decode("ascii", "replace").strip()


def start_ticks(pid: int) -> int:
    """When a process began, in ticks since the computer started; 0: there is none."""
    found = Glimpse.of(pid)
    return found.ticks if found else 0


class Glimpse:
    """What the system says of one process at one moment."""

    __slots__ = ("group", "parent", "pid", "session", "state", "ticks")

    def __init__(self, pid: int, fields: list[bytes]) -> None:
        self.pid = pid
        self.state = fields[0]
        self.parent, self.group, self.session = int(fields[1]), int(fields[2]), int(fields[3])
        self.ticks = int(fields[19])

    @classmethod
    def of(cls, pid: int) -> Glimpse | None:
        """The process with this number now, if there is one."""
        stat = _read(f"/proc/{pid}/stat")
        return (
            cls(pid, stat[stat.rindex(b")") + 2 :].split()) if stat else None
        )  # its name may have blanks and )


class Relative:
    """One process, known by its number and when it began, and held by a pidfd where there is such a thing."""

    def __init__(self, seen: Glimpse) -> None:
        self.pid = seen.pid
        self.asked = False
        self.pidfd: int | None = None
        self._ticks = seen.ticks
        try:
            self.pidfd = os.pidfd_open(seen.pid)
        except (AttributeError, OSError):
            return
        if not self._same():  # opened first and checked after, the descriptor stands for the right one
            self.close()

    def send(self, number: int) -> None:
        """Signal it, if it is still there."""
        try:
            if self.pidfd is not None:
                send_signal(self.pidfd, number)
            elif self._same():
                os.kill(self.pid, number)
        except OSError:
            return  # it has ended, or is another user's by now

    def alive(self) -> bool:
        """A zombie is not; a pidfd knows it surely, also where only the first thread has ended."""
        if self.pidfd is not None:
            poll = select.poll()
            poll.register(self.pidfd, select.POLLIN)
            return not poll.poll(0)
        seen = Glimpse.of(self.pid)
        return seen is not None and seen.ticks == self._ticks and seen.state not in {b"Z", b"X"}

    def parent(self) -> int:
        """The pid of its parent now; 0 if it is gone."""
        seen = Glimpse.of(self.pid)
        return seen.parent if seen else 0

    def close(self) -> None:
        """Let go of it."""
        if self.pidfd is not None:
            os.close(self.pidfd)
            self.pidfd = None

    def _same(self) -> bool:
        return start_ticks(self.pid) == self._ticks


class Family:
    """All that came from one child of ours. `mark` is the entry of the environment that they inherit."""

    def __init__(self, child: int, mark: bytes, *, subreaper: bool) -> None:
        self.child_held = True  # not reaped: until it is, its number, and its group's, are nobody else's
        self.child = child
        self._mark = mark
        self._subreaper = subreaper
        self._known: dict[tuple[int, int], Relative] = {}  # by number and beginning

    @property
    def group(self) -> int | None:
        """The id of the child's group."""
        return self.child if self.child_held else None

    def living(self) -> list[Relative]:
        """Those that live now.

        One look can miss a process whose parent ends meanwhile; two in a row do not.
        """
        return self._look() or self._look()

    def close(self) -> None:
        """Let go of all descriptors."""
        for relative in self._known.values():
            relative.close()
        self._known.clear()

    def _look(self) -> list[Relative]:
        everybody = [seen for seen in map(Glimpse.of, _pids()) if seen is not None]
        ours = {os.getpid()}
        if not self._subreaper:
            ours |= {seen.pid for seen in everybody if self._marked(seen)}
        found: dict[tuple[int, int], Glimpse] = {}
        before = -1
        while len(found) > before:
            before = len(found)
            for seen in everybody:
                if seen.parent in ours or (seen.pid in ours and seen.pid != os.getpid()):
                    found[seen.pid, seen.ticks] = seen
                    ours.add(seen.pid)
        return self._alive_of(found)

    def _alive_of(self, found: dict[tuple[int, int], Glimpse]) -> list[Relative]:
        for key in self._known.keys() - found.keys():
            self._known.pop(key).close()
        for key in found.keys() - self._known.keys():
            self._known[key] = Relative(found[key])
        return [relative for relative in self._known.values() if relative.alive()]

    def _marked(self, seen: Glimpse) -> bool:
        if seen.pid == os.getpid():
            return False
        if self.child_held and self.child in {seen.pid, seen.group, seen.session}:
            return True
        return self._mark in _read(f"/proc/{seen.pid}/environ").split(b"\0")


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def _read(file: str) -> bytes:
    """What is in a small file of the system; nothing, if it is gone or not ours to read."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    data = b""
    try:
        while piece := os.read(descriptor, 65_536):
            data += piece
    except OSError:
        data = b""
    finally:
        os.close(descriptor)
    return data
