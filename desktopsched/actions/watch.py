"""The one place where a run's thread waits: for output, for the end of a process, for a stop, for a deadline.

No ticking: the pipe, a pidfd for each process and a pipe of our own for wake-ups are handed to `poll`.
Where there is no pidfd (macOS, old kernels), a thread waits for the process instead. Windows has
`watch_threads`.
"""

import contextlib
import os
import selectors
import subprocess
import threading
from collections.abc import Iterable

from desktopsched.actions.launch import Child

CHUNK = 64 * 1024  # bytes read at once: what a pipe of Linux holds
_LONGEST_NAP = 86_400.0  # seconds; poll() counts milliseconds in 31 bits, which end after 24.8 days


class Watch:
    """Watches one child. All but `wake` is for the run's thread alone.

    The child is not reaped here: as long as it is not, its pid and the id of its group belong to nobody else.
    """

    def __init__(self, child: Child, *, pidfds: bool = True) -> None:
        self.output_ended = child.stdout is None
        self.ends = 0  # grows with each watched process that ends
        self.child_ended = False
        self._child = child
        self._selector = selectors.PollSelector()
        self._lock = (
            threading.Lock()
        )  # guards `_waker`: a late wake must not write to a descriptor that is another's by then
        self._asleep, self._waker = os.pipe()
        self._waiter: threading.Thread | None = None
        self._begin(pidfds=pidfds)

    def wait(self, seconds: float | None) -> None:
        """Wait until something happened, at most so long. It may return early, and for no reason."""
        nap = _LONGEST_NAP if seconds is None else min(max(seconds, 0.0), _LONGEST_NAP)
        for key, _ in self._selector.select(nap):
            match key.data:
                case "woken":
                    self._drain_wakes()
                case "child" | "other":
                    self._selector.unregister(key.fd)
                    self._end_of(key.data)

    def read(self) -> bytes:
        """What is in the pipe now, at most a chunk; nothing, if nothing is."""
        if self.output_ended or self._child.stdout is None:
            return b""
        try:
            data = os.read(self._child.stdout.fileno(), CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._selector.unregister(self._child.stdout)
            self.output_ended = True
        return data

    def attend(self, pidfds: Iterable[int]) -> None:
        """Count the ends of these processes too."""
        for descriptor in pidfds:
            with contextlib.suppress(KeyError):  # it is watched already
                self._selector.register(descriptor, selectors.EVENT_READ, "other")

    def wake(self) -> None:
        """End the wait. From any thread, at any time, also after `close`."""
        with self._lock, contextlib.suppress(BlockingIOError):  # a full pipe wakes as well
            if self._waker >= 0:
                os.write(self._waker, b"!")

    def close(self) -> None:
        """Let go of everything; whoever still writes into the pipe finds it closed."""
        self._selector.close()
        if self._child.stdout is not None:
            self._child.stdout.close()
        with self._lock:
            os.close(self._waker)
            self._waker = -1
        os.close(self._asleep)
        if self._pidfd is not None:
            os.close(self._pidfd)
        if self._waiter is not None and self.child_ended:
            self._waiter.join()

    def _begin(self, *, pidfds: bool) -> None:
        os.set_blocking(self._asleep, False)
        os.set_blocking(self._waker, False)
        self._selector.register(self._asleep, selectors.EVENT_READ, "woken")
        if self._child.stdout is not None:
            os.set_blocking(self._child.stdout.fileno(), False)
            self._selector.register(self._child.stdout, selectors.EVENT_READ, "output")
        self._pidfd = open_pidfd(self._child.pid) if pidfds else None
        if self._pidfd is not None:
            self._selector.register(self._pidfd, selectors.EVENT_READ, "child")
        else:
            self._waiter = threading.Thread(
                target=self._wait_for_child, name="wait for a process", daemon=True
            )
            self._waiter.start()

    def _wait_for_child(self) -> None:
        """On a thread of its own, where the system cannot tell otherwise. Reaps the child."""
        self._child.wait()
        self.wake()

    def _drain_wakes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._asleep, CHUNK)
        if self._waiter is not None and self._child.returncode is not None and not self.child_ended:
            self._end_of("child")

    def _end_of(self, who: str) -> None:
        self.ends += 1
        self.child_ended = self.child_ended or who == "child"


def open_pidfd(pid: int) -> int | None:
    """A descriptor that stands for this very process, or None where there is no such thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def reap(child: Child, seconds: float) -> int | None:
    """Take the exit status of a child that ended; None if it has not, within so many seconds."""
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
