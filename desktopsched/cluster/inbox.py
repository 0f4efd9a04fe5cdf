"""The one place where a run on a cluster waits: for what comes up, for the end of its task, for a stop, for a deadline.

What the connection's own thread hears is put there; the run's thread takes it. One thing is fetched at a time, and the
next only when it was taken, so that a flood waits where it comes from.
"""

import asyncio
import concurrent.futures
import queue
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from distributed import Client, Future, Queue


class Over(Struct, frozen=True):
    """The task of the cluster has ended: what it gave, or why it gave nothing."""

    result: str = ""
    error: BaseException | None = None


class Cut(Struct, frozen=True):
    """Nothing more can be heard."""

    error: BaseException


Message = bytes | str | Over | Cut

_LAST = 2.0  # seconds for what is still to be heard of a task that is over


class Inbox:
    """For the run's own thread, but for `wake`."""

    def __init__(self, client: "Client", up: "Queue", task: "Future") -> None:
        self._client = client
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._taken = asyncio.Event()
        self._closed = False
        self._up = up
        self._task = task
        self._readers = [self.start(self._read()), self.start(self._follow())]

    def say(self, queue: "Queue", item: bytes | str) -> None:
        """Put something into a queue, and wait for nothing. That it cannot be done is heard otherwise."""
        self._call(lambda: self.start(self._quietly(queue.put(item))))

    def start(self, work: Coroutine[Any, Any, None]) -> "concurrent.futures.Future[None]":
        """Do something on the connection's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._client.loop.asyncio_loop)

    def take(self, seconds: float) -> Message | None:
        """What comes next; None: nothing in that time, or somebody woke us."""
        try:
            message = self._messages.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        if isinstance(message, bytes | str):
            self._call(self._taken.set)
        return message

    def wake(self) -> None:
        """Let `take` return. From any thread."""
        self._messages.put(None)

    def close(self) -> None:
        """Nothing more is wanted. What was being fetched is let go by an item of our own."""
        self._closed = True
        self._call(self._taken.set)
        if not self._readers[0].done():
            self.say(self._up, b"")
        concurrent.futures.wait(self._readers, timeout=_LAST)

    async def _read(self) -> None:
        try:
            while not self._closed:
                self._messages.put(await self._up.get())
                await self._taken.wait()
                self._taken.clear()
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - whatever it is, it is told
            self._messages.put(Cut(error))

    async def _follow(self) -> None:
        try:
            self._messages.put(Over(str(await self._task)))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - as above
            self._messages.put(Over(error=error))

    @staticmethod
    async def _quietly(work: Any) -> None:
        try:
            await work
        except (OSError, RuntimeError, TimeoutError):
            return  # the connection is gone, and what was asked of it with it

    def _call(self, what: Callable[[], object]) -> None:
        try:
            self._client.loop.asyncio_loop.call_soon_threadsafe(what)
        except RuntimeError:
            return  # the connection is closed
