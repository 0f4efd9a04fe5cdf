"""The same as `watch`, by two threads: for Windows, whose pipes cannot be polled together with a process."""

import collections
import threading
from collections.abc import Iterable

from desktopsched.actions.launch import Child
from desktopsched.actions.watch import CHUNK

_AHEAD = 16  # chunks read before anybody wants them; then the reader waits, and so does the process


class ThreadedWatch:
    """Watches one child. All but `wake` is for the run's thread alone.

    Where a process that was left behind keeps the pipe, the reading thread ends with that process: nothing
    can end its read before.
    """

    def __init__(self, child: Child) -> None:
        self.output_ended = child.stdout is None
        self.ends = 0
        self.child_ended = False
        self._child = child
        self._chunks: collections.deque[bytes] = collections.deque()
        self._changed = threading.Condition()
        self._woken = False
        self._closed = False
        self._threads = [
            threading.Thread(target=work, name=f"{name} a process", daemon=True)
            for work, name in ((self._read_on, "read from"), (self._wait_for_child, "wait for"))
        ]
        for thread in self._threads:
            thread.start()

    def wait(self, seconds: float | None) -> None:
        """Wait until something happened, at most so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._woken or self._chunks, seconds)
            self._woken = False

    def read(self) -> bytes:
        """What was read meanwhile, at most a chunk; nothing, if nothing was."""
        with self._changed:
            data = self._chunks.popleft() if self._chunks else None
            self._changed.notify_all()
        if data == b"":
            self.output_ended = True
        return data or b""

    def attend(self, pidfds: Iterable[int]) -> None:
        """There are none here."""

    def wake(self) -> None:
        """End the wait. From any thread, at any time."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def close(self) -> None:
        """Let go of everything."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self.output_ended and self.child_ended:
            for thread in self._threads:
                thread.join()

    def _read_on(self) -> None:
        stream = self._child.stdout
        if stream is None:
            return
        with stream:
            while data := stream.read(CHUNK):
                if not self._hand_over(data):
                    return
        self._hand_over(b"")

    def _hand_over(self, data: bytes) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._chunks) < _AHEAD)
            self._chunks.append(data)
            self._changed.notify_all()
            return not self._closed

    def _wait_for_child(self) -> None:
        self._child.wait()
        with self._changed:
            self.child_ended = True
            self.ends += 1
            self._woken = True
            self._changed.notify_all()
