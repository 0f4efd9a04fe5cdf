"""Open connections, kept while they are used and a little longer: an idle program does not wake up for one."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from desktopsched.cluster.connect import close, open_client

if TYPE_CHECKING:
    from distributed import Client

LINGER = 60.0
"""Seconds for which a connection is kept after the last run on it: the next may come soon."""


class _Held:
    """One connection, and how many runs are on it."""

    def __init__(self, client: "Client") -> None:
        self.client = client
        self.users = 0
        self.end: threading.Timer | None = None


class Connections:
    """By address. May be used from many threads at once."""

    def __init__(self, *, linger: float = LINGER, opener: Callable[[str], "Client"] = open_client) -> None:
        self._linger = linger
        self._open = opener
        self._lock = threading.Lock()  # also while one is opened: many runs that are due together share it
        self._held: dict[str, _Held] = {}

    @contextlib.contextmanager
    def borrow(self, address: str) -> Iterator["Client"]:
        """A connection that works, while the context is open. ClusterError."""
        held = self._take(address)
        try:
            yield held.client
        finally:
            self._give_back(address, held)

    def close(self) -> None:
        """Close all that nobody is using; what is used is closed when it is given back."""
        with self._lock:
            self._linger = 0.0
            for address, held in tuple(self._held.items()):
                if not held.users:
                    self._end(address, held)

    def _take(self, address: str) -> _Held:
        with self._lock:
            held = self._held.get(address)
            if held is not None and held.client.status != "running":
                self._end(address, held)
                held = None
            if held is None:
                held = self._held[address] = _Held(self._open(address))
            if held.end is not None:
                held.end.cancel()
                held.end = None
            held.users += 1
            return held

    def _give_back(self, address: str, held: _Held) -> None:
        with self._lock:
            held.users -= 1
            if held.users:
                return
            if self._linger <= 0 or self._held.get(address) is not held or held.client.status != "running":
                self._end(address, held)
                return
            held.end = threading.Timer(self._linger, self._idle, (address, held))
            held.end.daemon = True
            held.end.start()

    def _idle(self, address: str, held: _Held) -> None:
        with self._lock:
            if not held.users:
                self._end(address, held)

    def _end(self, address: str, held: _Held) -> None:
        if self._held.get(address) is held:
            del self._held[address]
        if held.end is not None:
            held.end.cancel()
        close(held.client)
