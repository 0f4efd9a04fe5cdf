"""The one place where a supervisor waits: for output, ends, signals, and the program's words. No ticking. Linux."""

from __future__ import annotations

import os
import select

from desktopsched.supervisor.system import SIGCHLD, catch_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktopsched.supervisor.family import Family
    from desktopsched.supervisor.link import Link, Wish

CHUNK = 64 * 1024  # bytes read at once: what a pipe of Linux holds
_LONGEST_NAP = 86_400.0  # seconds; poll() counts milliseconds in 31 bits
_ENDERS = {1: "SIGHUP", 2: "SIGINT", 15: "SIGTERM"}


def hear_signals() -> int:
    """The descriptor that a `Watch` reads signals from. To be called before a child is started."""
    return catch_signals((SIGCHLD, *_ENDERS))


class Watch:
    """Watches one child, which is reaped by `exit_code` alone, if possible; orphans are reaped as they end."""

    def __init__(self, family: Family, pipe: int, signals: int, link: Link, wish: Wish) -> None:
        self.output_ended = False
        self.child_ended = False
        self.ends = 0
        self._child = family.child
        self._status: int | None = None
        self._pipe = pipe
        self._signals = signals
        self._family = family
        self._link = link
        self._wish = wish
        self._line = -1  # the one that is polled
        self._poll = select.poll()
        for descriptor in (pipe, signals, link.listener):
            self._poll.register(descriptor, select.POLLIN)
        os.set_blocking(pipe, False)

    def wait(self, seconds: float | None) -> None:
        """Wait until something happened, at most so long. It may return early, and for no reason."""
        self._follow_line()
        nap = _LONGEST_NAP if seconds is None else min(max(seconds, 0.0), _LONGEST_NAP)
        for descriptor, event in self._poll.poll(-int(-nap * 1000 // 1)):
            if descriptor == self._signals:
                self._hear_signals()
            elif descriptor == self._link.listener:
                self._link.accept()
            elif descriptor == self._line == self._link.line:
                self._talk(event)
            elif descriptor not in {self._pipe, self._line}:  # the pidfd of one that ended
                self._poll.unregister(descriptor)
                self.ends += 1

    def read(self) -> bytes:
        """What is in the pipe now, at most a chunk; nothing, if nothing is."""
        if self.output_ended:
            return b""
        try:
            data = os.read(self._pipe, CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._poll.unregister(self._pipe)
            self.output_ended = True
        return data

    def attend(self, pidfds: Iterable[int]) -> None:
        """Count the ends of these processes too."""
        for descriptor in pidfds:
            self._poll.register(descriptor, select.POLLIN)

    def exit_code(self) -> int:
        """How the child ended, which it has. Negative: by this signal."""
        if self._status is None:
            self._family.child_held = False
            self._status = os.waitpid(self._child, 0)[1]
        return os.waitstatus_to_exitcode(self._status)

    def _follow_line(self) -> None:
        """Poll the line that there is now, for writing only while something waits to be taken."""
        line = self._link.line
        if self._line not in {-1, line}:
            self._poll.unregister(self._line)
        self._line = line
        if line >= 0:
            self._poll.register(line, select.POLLIN | (select.POLLOUT if self._link.pending else 0))

    def _talk(self, event: int) -> None:
        if event & select.POLLOUT:
            self._link.push()
        if event & ~select.POLLOUT:
            self._link.hear()

    def _hear_signals(self) -> None:
        for number in os.read(self._signals, CHUNK):
            if number in _ENDERS:
                self._wish.request(f"stopped from outside, by {_ENDERS[number]}")
        if not self.child_ended and os.waitid(os.P_PID, self._child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            self._child_ends()
        if not self.child_ended:  # else it can wait: the run is about to end
            self.reap()

    def reap(self) -> None:
        """Take the status of all that ended, so that nobody else has to."""
        while self._reap_one():
            pass

    def _reap_one(self) -> bool:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == self._child:  # it ended since it was looked for: its number may be another's from now on
            self._status, self._family.child_held = status, False
            self._child_ends()
        return pid > 0

    def _child_ends(self) -> None:
        self.child_ended = True
        self.ends += 1
