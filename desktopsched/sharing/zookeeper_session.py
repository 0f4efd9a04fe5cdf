"""A session with ZooKeeper, by kazoo: connected when it is first needed, bounded in every answer.

Kazoo keeps the session alive from a thread of its own and connects again by itself. While it is not connected nothing
is asked: what is queued then would be done at some later time, when nobody wants it any more.
"""

import logging
import time
from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Any, TypeVar

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException, RolledBackError, RuntimeInconsistency
from kazoo.handlers.threading import KazooTimeoutError
from kazoo.retry import KazooRetry
from kazoo.security import make_acl
from msgspec import Struct

from desktopsched.sharing.address import Address
from desktopsched.sharing.answers import Unknown
from desktopsched.sharing.errors import AddressError
from desktopsched.sharing.silence import silence
from desktopsched.sharing.store import CONNECT_WITHIN, REPLY_WITHIN
from desktopsched.sharing.zookeeper_paths import CLOCK

_T = TypeVar("_T")

_LOOK_AT_CLOCK = 60.0
"""Seconds for which the server's time is reckoned from the last look; clocks do not part by much in that."""

_log = logging.getLogger(f"{__name__}.kazoo")
_log.setLevel(logging.ERROR)  # that a connection broke is an answer here, `Unknown`, and not news

Step = Callable[["Session"], _T]


class _Look(Struct, frozen=True):
    """A look at the server's clock."""

    server: float  # seconds since 1970, UTC
    at: float  # monotonic, when the answer was there: the server's time was that, or a little more
    session: int


class Session:
    """One client of a server, or of an ensemble. Any thread may ask."""

    def __init__(self, address: Address, lease: float) -> None:
        address.options()
        if not address.place:
            raise AddressError(f"{address} names no server. Write zookeeper://one:2181,two:2181,three:2181")
        self._address = address
        secure: dict[str, Any] = {}
        if address.user:
            secure = {
                "auth_data": [("digest", f"{address.user}:{address.password}")],
                "default_acl": [make_acl("auth", "", all=True)],
            }
        self._kazoo = KazooClient(
            hosts=address.place + ("/" + address.path if address.path else ""),
            timeout=lease,
            connection_retry=KazooRetry(max_tries=-1, delay=0.1, max_delay=2.0),
            command_retry=KazooRetry(max_tries=0),
            logger=_log,
            **secure,
        )
        self._lease = lease
        self._starting = Lock()
        self._begun = self._closed = False
        self._look: _Look | None = None
        self._watch_lease()

    def _watch_lease(self) -> None:
        """Kazoo keeps to itself what time-out the server granted, and that is what a lease is worth.

        It returns two thirds of it, in milliseconds, from the method that connects.
        """
        handler = self._kazoo._connection  # noqa: SLF001
        connect = handler._connect  # noqa: SLF001

        def watched(*where: Any) -> Any:
            granted = connect(*where)
            self._lease = granted[0] * 1.5 / 1000
            return granted

        handler._connect = watched  # noqa: SLF001

    @property
    def lease(self) -> float:
        """Seconds after which the server takes this session for dead."""
        return self._lease

    @property
    def number(self) -> int:
        """Of the session, as it stands beside what is ephemeral."""
        number: int = self._kazoo.client_id[0] if self._kazoo.client_id else 0
        return number

    def ask(self, step: Callable[[], _T]) -> _T | Unknown:
        """Do a step; whatever the server refuses or fails to say, nobody knows then whether it happened."""
        try:
            self._connect()
            return step()
        except (KazooException, KazooTimeoutError, OSError) as error:
            return silence(self._address, str(error) or type(error).__name__)

    def _connect(self) -> None:
        with self._starting:
            if not self._begun and not self._closed:
                self._begun = True
                self._kazoo.start_async().wait(CONNECT_WITHIN)
        if not self._kazoo.connected:
            raise KazooTimeoutError("no connection at present")

    # --- questions, each bounded ---------------------------------------------------------------------------

    def call(self, name: str, *given: Any, **named: Any) -> Any:
        """One of kazoo's questions. KazooException, KazooTimeoutError."""
        return getattr(self._kazoo, f"{name}_async")(*given, **named).get(timeout=REPLY_WITHIN)

    def call_all(self, questions: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Several at once; an exception stands in the place of an answer that failed for what it asked."""
        waiting = [getattr(self._kazoo, f"{name}_async")(*given) for name, *given in questions]
        answers: list[Any] = []
        for one in waiting:
            try:
                answers.append(one.get(timeout=REPLY_WITHIN))
            except KazooException as error:
                answers.append(error)
        return answers

    def transaction(self) -> Any:
        """A new one; `commit` it."""
        return self._kazoo.transaction()

    @staticmethod
    def commit(transaction: Any) -> Exception | None:
        """All of it or nothing. What it failed for, if it did: then nothing was changed."""
        for result in transaction.commit_async().get(timeout=REPLY_WITHIN):
            if isinstance(result, Exception) and not isinstance(
                result, (RolledBackError, RuntimeInconsistency)
            ):
                return result
        return None

    # --- the time ------------------------------------------------------------------------------------------

    def now(self, *, fresh: bool = False) -> float:
        """The server's time, or a little less; seconds since 1970, UTC.

        ZooKeeper tells the time of what was written, and nothing else: so something is written now and then.
        """
        look = self._look
        if (
            fresh
            or look is None
            or look.session != self.number
            or time.monotonic() - look.at > _LOOK_AT_CLOCK
        ):
            look = self._look = self._look_at_clock()
        return look.server + (time.monotonic() - look.at)

    def _look_at_clock(self) -> _Look:
        self.call("ensure_path", CLOCK)
        stat = self.call("set", CLOCK, b"")
        return _Look(stat.mtime / 1000, time.monotonic(), self.number)

    def close(self) -> None:
        """End the session, and with it all leases; if the server does not answer, it ends them when their time is over.

        Kazoo would wait for that answer for as long as a session lasts.
        """
        with self._starting:
            self._closed = True
            ending = Thread(target=self._end, name="zookeeper-close", daemon=True)
            ending.start()
            ending.join(REPLY_WITHIN)

    def _end(self) -> None:
        try:
            if self._begun:
                self._kazoo.stop()
            self._kazoo.close()
        except KazooException as error:
            _log.info("The session was not ended: %r", error)
