"""The hands: what the threads of the pool do with runs that are READY, and how many of them are at it.

READY is one queue, and the pool gets calls that empty it: each takes the first READY run, performs it, reports its
outcome and takes the next, in one hold of the lock. So a storm of 100,000 runs costs the pool as many calls as there
are workers, and any `concurrent.futures.Executor` will do.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Protocol

from msgspec import structs

from desktopsched.engine.claims import Answer, Claims
from desktopsched.engine.guard import Calls, Guard, Todo
from desktopsched.engine.slot import Live
from desktopsched.model import LeftRunning, Outcome, Run, State, Task

_log = logging.getLogger(__name__)


class Perform(Protocol):
    """Does the work of one attempt, on a pool thread. What it raises is a bug: logged, and the attempt FAILED."""

    def __call__(self, task: Task, run: Run) -> Outcome:
        """Perform, and say how it ended. `run.stop` tells when it should end early.

        LeftRunning when the program ends and the run goes on: then it has not ended for the engine either.
        """


class Hands:
    """They take what the agenda made READY. `calls` is asked under the guard's lock; all else is for the pool."""

    def __init__(self, guard: Guard, perform: Perform, claims: Claims) -> None:
        self._guard, self._agenda = guard, guard.agenda
        self._perform, self._claims = perform, claims
        self._emptying = 0  # calls in the pool that empty READY
        self._reports: deque[tuple[Live, Outcome] | None] = deque()  # of those, what they bring
        self._exchanging = threading.Lock()
        self._following = 0  # calls in the pool that follow a run of an earlier program, on a worker too
        guard.calls = self.calls

    def calls(self) -> Calls:
        """What the pool is to call for all that is READY now."""
        board, starts = self._agenda.board, self._agenda.starts
        hands_free = self._emptying < starts.workers
        if not (board.free or board.followed or (hands_free and board.ready)) or self._guard.stopping:
            return ()  # what is READY when the program stops stays so; it is not handled, and so it is not lost
        calls: list[Callable[[], object]] = []
        if board.free:
            kept = [live for live in board.free if board.ready.paused and not live.by_hand]
            calls = [partial(self._perform_free, live) for live in board.free if live not in kept]
            board.free = kept
        calls += [partial(self._perform_followed, live) for live in board.followed]
        self._following += len(board.followed)
        board.followed.clear()
        more = min(len(board.ready), starts.workers - self._emptying - self._following)
        if more > 0:
            self._emptying += more
            calls += [self._empty_ready] * more
        return calls

    def _empty_ready(self) -> None:
        """Perform READY runs, first in line first, until there is none, or somebody else is taking them."""
        live = self._exchange(None)
        while live is not None:
            outcome = self._attempt(live)
            live = self._exchange(None if outcome is None else (live, outcome))

    def _exchange(self, ended: tuple[Live, Outcome] | None) -> Live | None:
        """Report a run that ended and take the next; None: there is nothing to do for this thread.

        One thread at a time is inside. Another that comes leaves its report and its place to that one, which asks the
        pool for as many threads as there is work: were they to queue for the lock instead, each release of it would
        be a switch of threads, and those cost more than all else in a storm of short runs.
        """
        guard = self._guard
        self._reports.append(ended)
        live: Live | None = None
        todos: list[Todo] = []
        while self._reports and self._exchanging.acquire(False):
            try:
                with guard.lock:
                    now = guard.clock.now()
                    live = self._settle_reports(live, now)
                    todos.append(guard.collect(now))
            finally:
                self._exchanging.release()
        for todo in todos:
            guard.carry_out(todo)
        return live

    def _settle_reports(self, live: Live | None, now: float) -> Live | None:
        """Under the lock: end what was reported. Returns the caller's run: the one it has, or the first in line."""
        while self._reports:
            ended = self._reports.popleft()
            self._emptying -= 1  # who reported has left, or is the caller
            if ended is not None:
                self._agenda.end(*ended, now)
        if live is None and not self._guard.stopping:
            live = self._agenda.starts.take(now)
            self._emptying += live is not None
        return live

    def _perform_free(self, live: Live) -> None:
        """Perform a run that needs no worker."""
        if not self._guard.do(partial(self._set_out, live)):
            return
        outcome = self._attempt(live)
        if outcome is not None:
            self._guard.do(partial(self._agenda.end, live, outcome))

    def _set_out(self, live: Live, now: float) -> bool:
        """Whether it is still to be performed."""
        if live.state is not State.READY or self._guard.stopping:
            return False
        self._agenda.starts.set_out(live, now)
        return True

    def _perform_followed(self, live: Live) -> None:
        """Perform a run that began under an earlier program, which claimed it."""
        outcome = self._attempt(live, claimed=True)
        if outcome is None:
            return

        def end(now: float) -> None:
            self._following -= 1
            self._agenda.end(live, outcome, now)

        self._guard.do(end)

    def _attempt(self, live: Live, *, claimed: bool = False) -> Outcome | None:
        """Perform it. None: it goes on without this program, or it does not start here now."""
        task, instead = live.slot.task, live.run.instead
        if instead is not None:
            task = structs.replace(task, action=instead)
        try:
            if self._claims.shared and not claimed and not self._may_perform(task, live):
                return None
            return self._perform(task, live.run)
        except LeftRunning:
            return None
        except Exception as error:  # noqa: BLE001 - one action's bug costs one run
            _log.exception("A run could not be performed", extra={"action": "run.broken", "run": live.run.id})
            return Outcome(
                State.FAILED, f"the program could not perform it ({type(error).__name__}: {error})"
            )

    def _may_perform(self, task: Task, live: Live) -> bool:
        """Ask whether it is this computer's to perform, and follow the answer."""
        answer: Answer = self._claims.claim(task, live.run)
        return self._guard.do(lambda now: self._agenda.asking.answer(live, answer, now))
