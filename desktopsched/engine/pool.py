"""A pool of threads that is a `concurrent.futures.Executor` and makes no Future unless asked.

`ThreadPoolExecutor.submit` is the ceiling of every Python scheduler: a Future, two conditions and a work item for each
call. The dispatcher wants no Future: it hands over calls that report their end themselves.
"""

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_log = logging.getLogger(__name__)

_Call = Callable[[], object]


class Workers(Executor):
    """Threads that are started when a call finds none free, up to `most`, and kept.

    `most` is above the number of runs at once that the dispatcher allows: reminders and `open` need no worker.
    """

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._free = 0  # threads that wait for a call, less the calls that wait for a thread
        self._closed = False

    def hand_off(self, call: _Call) -> None:
        """Run `call` on a thread of the pool. What it raises is logged. RuntimeError once the pool is shut down."""
        with self._lock:
            if self._closed:
                raise RuntimeError("The pool is shut down.")
            self._free -= 1
            if self._free < 0 and len(self._threads) < self._most:
                self._free += 1
                self._start()
            self._calls.put(call)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Run `fn` on a thread of the pool; the Future tells its end."""
        future: Future[_T] = Future()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:  # noqa: BLE001 - a Future carries whatever was raised to who asks
                future.set_exception(error)
            else:
                future.set_result(result)

        self.hand_off(call)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; those handed over are still done, unless they are dropped by `cancel_futures`."""
        with self._lock:
            self._closed = True
            if cancel_futures:
                self._drop_calls()
            for _ in self._threads:
                self._calls.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name=f"worker-{len(self._threads) + 1}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except Exception:  # noqa: BLE001 - the thread goes on to the next call
                _log.exception("A call in the pool failed", extra={"action": "pool.call_failed"})
            del call  # nothing is kept alive by an idle thread
            with self._lock:
                self._free += 1

    def _drop_calls(self) -> None:
        try:
            while True:
                self._calls.get_nowait()
        except queue.Empty:
            pass
