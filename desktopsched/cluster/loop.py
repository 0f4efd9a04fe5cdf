"""The thread on which a connection lives. Our own, because the one that Dask makes stays when connecting fails."""

import asyncio
import logging
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tornado.ioloop import IOLoop

_log = logging.getLogger(__name__)


class Loop:
    """Runs from when it is made until `close`. Both may be called from any thread but its own."""

    def __init__(self) -> None:
        self.loop: IOLoop  # as Dask wants it
        self._asyncio = asyncio.new_event_loop()
        self._asyncio.set_exception_handler(_note)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="connection to a cluster", daemon=True)
        self._thread.start()
        self._ready.wait()

    def close(self) -> None:
        """End it, and what is still under way on it."""
        self._asyncio.call_soon_threadsafe(self._asyncio.stop)
        self._thread.join()

    def _run(self) -> None:
        from tornado.ioloop import IOLoop

        asyncio.set_event_loop(self._asyncio)
        self._asyncio.call_soon(self._begin, IOLoop)
        try:
            self._asyncio.run_forever()
        finally:
            self._cancel_all()
            self._asyncio.close()

    def _begin(self, kind: type["IOLoop"]) -> None:
        self.loop = kind.current()
        self._ready.set()

    def _cancel_all(self) -> None:
        left = asyncio.all_tasks(self._asyncio)
        for task in left:
            task.cancel()
        self._asyncio.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._asyncio.run_until_complete(self._asyncio.shutdown_asyncgens())
        # Names of computers are looked up on threads of its own.
        self._asyncio.run_until_complete(self._asyncio.shutdown_default_executor())


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Dask leaves answers behind that nobody waits for any more when a connection is lost; a run says so by itself."""
    _log.info(
        "left behind by a connection: %s",
        context["message"],
        exc_info=context.get("exception"),
        extra={"action": "cluster.left"},
    )
