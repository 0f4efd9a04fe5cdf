"""One process of a run's tree, held so that no other is ever taken for it. Runs on the run's pool thread."""

import contextlib
import os
import select
import signal

import psutil

from desktopsched.actions.watch import open_pidfd


class Member:
    """A process that is known by its pid and its start time, and by a pidfd where there is such a thing."""

    def __init__(self, process: psutil.Process) -> None:
        self.process = process
        self.pid: int = process.pid
        self.asked = False  # to end
        self.pidfd: int | None = open_pidfd(process.pid)
        # psutil compares start times: opened first and checked after, the descriptor stands for the
        # right one.
        if self.pidfd is not None and not process.is_running():
            self.close()

    def send(self, number: int) -> None:
        """Signal it, if it is still there and ours to signal."""
        with contextlib.suppress(psutil.Error, OSError):
            if self.pidfd is not None:
                signal.pidfd_send_signal(self.pidfd, number)
            elif self.process.is_running():  # not somebody else who has its pid now
                self.process.send_signal(number)

    def alive(self) -> bool:
        """A zombie is not: it only waits for its parent to ask how it ended."""
        if self.pidfd is not None:
            # Surer than the status, which says zombie when the first thread ended and others still run.
            poll = select.poll()
            poll.register(self.pidfd, select.POLLIN)
            return not poll.poll(0)
        with contextlib.suppress(psutil.Error):
            return self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE
        return False

    def parent(self) -> int:
        """The pid of its parent now; 0 if it is gone."""
        return parent_of(self.process)

    def close(self) -> None:
        """Let go of it."""
        if self.pidfd is not None:
            os.close(self.pidfd)
            self.pidfd = None


def parent_of(process: psutil.Process) -> int:
    """The pid of a process's parent now; 0 if it is gone."""
    with contextlib.suppress(psutil.Error, OSError):
        return process.ppid()
    return 0
