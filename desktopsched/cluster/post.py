"""What an errand says: written by a thread of its own, so that no reading of output waits for it. Sent to workers."""

from __future__ import annotations

import collections
import os
import threading

from desktopsched.supervisor.frames import frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Post:
    """Writes messages to a descriptor, in order. Whoever has much to say looks at `idle` first."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: collections.deque[bytes] = collections.deque()
        self._changed = threading.Condition()
        self._closed = False
        self._told: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._write_all, name="post", daemon=True)
        self._thread.start()

    @property
    def idle(self) -> bool:
        """Whether all that was said is written."""
        return not self._waiting

    def on_idle(self, told: Callable[[], None]) -> None:
        """Call this, on the thread that writes, each time that all is written."""
        self._told = told

    def say(self, kind: bytes, data: bytes) -> None:
        """Have it written."""
        with self._changed:
            self._waiting.append(frame(kind, data))
            self._changed.notify_all()

    def close(self) -> None:
        """Return when all is written, or nobody takes it any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _write_all(self) -> None:
        while (data := self._next()) is not None:
            try:
                while data:
                    data = data[os.write(self._descriptor, data) :]
            except OSError:
                data = b""  # the worker is gone; stdin says so as well
            with self._changed:
                self._waiting.popleft()
            if self.idle:
                self._told()

    def _next(self) -> bytes | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            return self._waiting[0] if self._waiting else None
