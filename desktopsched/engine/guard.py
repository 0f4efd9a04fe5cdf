"""The guard: the lock around the agenda, and what is done once it is given back (rule 1).

What is due and what follows from it is decided by the agenda, under the lock. The listener, stop requests, the pool and
the clock's alarm are called outside it, so that none of them can block a decision.
"""

import logging
import math
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec import Struct

from desktopsched.engine.agenda import Agenda
from desktopsched.engine.clock import Clock
from desktopsched.engine.events import Event
from desktopsched.model import StopRequest

_T = TypeVar("_T")
_log = logging.getLogger(__name__)

Calls = Sequence[Callable[[], object]]
"""What a pool is to call, each on a thread of its own."""


class Todo(Struct, gc=False):
    """What is to be done once the lock is given back, beside telling the listener."""

    calls: Calls = ()
    stops: Sequence[tuple[StopRequest, str]] = ()
    wake: bool = False


_NO_MORE = Todo()


def _no_calls() -> Calls:
    return ()


class Guard:
    """Every method may be called from any thread; `lock` is for those who decide several things in one hold."""

    def __init__(
        self,
        agenda: Agenda,
        clock: Clock,
        submit: Callable[[Callable[[], object]], object],
        listener: Callable[[Event], None],
    ) -> None:
        """`submit` hands a call to the pool; `listener` hears every event in order, one at a time."""
        self.agenda, self.clock = agenda, clock
        self.lock = threading.Lock()
        self.calls: Callable[[], Calls] = _no_calls  # asked under the lock: what the pool is to call now
        self.stopping = False  # nothing more starts
        self._submit, self._listener = submit, listener
        self._until = -math.inf  # what the loop waits for; −∞ while it is not waiting
        self._outbox: deque[Event] = deque()
        self._delivering = threading.Lock()

    def do(self, change: Callable[[float], _T]) -> _T:
        """Let the agenda decide under the lock, told the time; then carry out what follows."""
        with self.lock:
            now = self.clock.now()
            result = change(now)
            todo = self.collect(now)
        self.carry_out(todo)
        return result

    def wait_for(self, due: float | None) -> None:
        """Under the lock: the loop goes to sleep until then (epoch seconds; None: until it is woken)."""
        self._until = math.inf if due is None else due

    def publish(self, event: Event) -> None:
        """Let the listener hear an event of somebody else's, in its place among the engine's own."""
        self._outbox.append(event)
        self._deliver()

    def collect(self, now: float) -> Todo:
        """Under the lock, at the end of a change: take from the board what is to be done outside it."""
        board = self.agenda.board
        if board.touched:
            board.remember(now)
        if board.events:
            self._outbox.extend(board.events)
            board.events.clear()
        calls = self.calls()
        due = self.agenda.next_due
        wake = due is not None and due < self._until
        if due is not None and wake:
            self._until = due  # the loop is on its way: a later insert need not wake it again
        if not (calls or wake or board.stops):
            return _NO_MORE
        stops, board.stops = board.stops, []
        return Todo(calls, stops, wake)

    def carry_out(self, todo: Todo) -> None:
        """Outside the lock: wake the loop, tell the listener, ask runs to stop, give the pool its calls."""
        if todo.wake:
            self.clock.wake()
        if self._outbox:
            self._deliver()
        for request, reason in todo.stops:
            request.request(reason)
        for call in todo.calls:
            self._submit(call)

    def _deliver(self) -> None:
        """Tell the listener, in order. One thread at a time tells; another that has news leaves it to that one."""
        outbox, listener = self._outbox, self._listener
        while outbox and self._delivering.acquire(False):
            try:
                while outbox:
                    event = outbox.popleft()
                    try:
                        listener(event)
                    except Exception:  # noqa: BLE001 - a listener's bug is not everybody's
                        _log.exception("A listener failed", extra={"action": "listener.failed"})
            finally:
                self._delivering.release()
