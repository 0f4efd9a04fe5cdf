"""A store that is opened when it is first asked, and again as long as that fails: until then it is out of reach."""

import threading
from collections.abc import Callable
from typing import TypeVar

from desktopsched.model import DesktopschedError, Outcome
from desktopsched.sharing.answers import (
    ClaimAnswer,
    FinishAnswer,
    HeartbeatAnswer,
    LoseAnswer,
    ReleaseAnswer,
    StartAnswer,
    TakeOverAnswer,
    Unknown,
)
from desktopsched.sharing.claim import Claim, Hold, Wish
from desktopsched.sharing.errors import SharingError
from desktopsched.sharing.key import Key
from desktopsched.sharing.safety import Safety
from desktopsched.sharing.store import ANSWER_WITHIN, KEEP, SETTLE, Store

_T = TypeVar("_T")


class LateStore:
    """A `Store`. What cannot be opened answers `Unknown`, and so starts nothing: it is never as if nobody shared."""

    def __init__(self, open_: Callable[[], Store], *, within: float = ANSWER_WITHIN) -> None:
        """`open_` may raise any DesktopschedError; its words are the reason that people read.

        It may wait for the person, who is to unlock a keychain: the others wait for it for `within` seconds at most.
        """
        self._open, self._within = open_, within
        self._lock = threading.Lock()
        self._store: Store | None = None
        self._closed = False

    def _ask(self, step: Callable[[Store], _T]) -> _T | Unknown:
        if not self._lock.acquire(timeout=self._within):
            return Unknown("the shared list is still being opened: its password is asked for")
        try:
            store = self._opened()
        except DesktopschedError as error:
            return Unknown(str(error))
        finally:
            self._lock.release()
        return step(store)

    def _opened(self) -> Store:
        if self._store is None:
            found = self._open()
            if self._closed:  # meanwhile
                found.close()
                raise SharingError("the program ends")
            self._store = found
        return self._store

    def claim(self, wish: Wish) -> ClaimAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.claim(wish))

    def start(self, hold: Hold, stamp: str) -> StartAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.start(hold, stamp))

    def heartbeat(self, hold: Hold, *, lasts: float | None = None) -> HeartbeatAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.heartbeat(hold, lasts=lasts))

    def finish(self, hold: Hold, outcome: Outcome) -> FinishAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.finish(hold, outcome))

    def release(self, hold: Hold) -> ReleaseAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.release(hold))

    def take_over(self, wish: Wish, token: int, *, started: bool) -> TakeOverAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.take_over(wish, token, started=started))

    def lose(self, key: Key, token: int) -> LoseAnswer:
        """See `Store`."""
        return self._ask(lambda store: store.lose(key, token))

    def read(self, key: Key) -> Claim | Unknown | None:
        """See `Store`."""
        return self._ask(lambda store: store.read(key))

    def unfinished(self, list_id: str) -> tuple[Claim, ...] | Unknown:
        """See `Store`."""
        return self._ask(lambda store: store.unfinished(list_id))

    def prune(self, list_id: str, *, keep: float = KEEP, settle: float = SETTLE) -> int | Unknown:
        """See `Store`."""
        return self._ask(lambda store: store.prune(list_id, keep=keep, settle=settle))

    def now(self) -> float | Unknown:
        """See `Store`."""
        return self._ask(lambda store: store.now())

    def check(self) -> Safety | Unknown:
        """See `Store`."""
        return self._ask(lambda store: store.check())

    def close(self) -> None:
        """See `Store`. Whoever is just opening it closes it too."""
        self._closed = True
        if self._lock.acquire(blocking=False):
            try:
                if self._store is not None:
                    self._store.close()
            finally:
                self._lock.release()
