"""Starts: a start that is due happens, or the task's `overlap` says what does (rules 3 and 4)."""

from msgspec import structs

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.events import RunStarted
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.sweep import Sweep
from desktopsched.model import Cause, Outcome, Overlap, Run, State, needs_worker


class Starts:
    """From a decided start to RUNNING. Told the instant; owned by one agenda."""

    def __init__(self, board: Board, workers: int) -> None:
        self.workers = workers
        self.busy = 0
        self._board = board

    def offer(
        self,
        slot: Slot,
        scheduled_for: float,
        cause: Cause,
        now: float,
        *,
        parents: tuple[int, ...] = (),
        repairs: bool = False,
        sweep: Sweep | None = None,
    ) -> None:
        """A start is due."""
        waiting = next((live for live in slot.live if live.state is State.READY), None)
        if cause is Cause.MANUAL and waiting is not None:
            self._hurry(waiting, sweep, now)
            return
        run = self._board.new_run(slot, scheduled_for, cause, parents=parents, repairs=repairs)
        overlap = slot.task.overlap
        if not slot.live or overlap is Overlap.PARALLEL:
            self.let_wait(Live(run, slot, sweep), now)
        elif overlap is Overlap.SKIP:
            self._drop(Live(run, slot, sweep), words.STILL_RUNNING, now)
        else:
            self.queue(Live(run, slot, sweep), now)
            if overlap is Overlap.REPLACE:
                self.stop(slot, words.replaced(scheduled_for, self._board.zone))

    def let_wait(self, live: Live, now: float) -> None:
        """READY: for a worker, or, where the action needs none, just for its thread."""
        slot = live.slot
        live.state = State.READY
        if live not in slot.live:
            slot.live.append(live)
        if not needs_worker(slot.task.action):
            self._board.free.append(live)
            return
        self._board.ready.put(live, slot.task.priority, live.due)
        if self._board.ready.paused or len(self._board.ready) > self.workers - self.busy:
            self._board.changed(slot, now)  # else it starts at this very moment, and says that

    def _hurry(self, live: Live, sweep: Sweep | None, now: float) -> None:
        """A person wants to run what is READY already: that start is the one, and no pause holds it."""
        live.run = structs.replace(live.run, repairs=True)
        live.by_hand = True
        live.sweep = sweep or live.sweep
        if needs_worker(live.slot.task.action):
            self._board.ready.hurry(live)
        self._board.changed(live.slot, now)

    def take(self, now: float) -> Live | None:
        """The READY run that is first in line, now RUNNING on a worker; or None."""
        live = self._board.ready.take() if self.busy < self.workers else None
        if live is not None:
            self.busy += 1
            live.worker = True
            self.begin(live, now)
        return live

    def begin(self, live: Live, now: float) -> None:
        """An attempt starts."""
        slot, run = live.slot, live.run
        if run.attempt == 1:
            _use_up(slot, run)
        live.state, live.begun = State.RUNNING, True
        event = RunStarted(at=now, run=run, status=slot.status(), memory=slot.memory())
        self._board.events.append(event)

    def release(self, live: Live) -> None:
        """The attempt is over, and so is its use of a worker."""
        if live.worker:
            self.busy -= 1
            live.worker = False

    def stop(self, slot: Slot, reason: str) -> None:
        """End what is under way: a process is asked to stop, what has none is CANCELLED at once."""
        for live in list(slot.live):
            if live.state is State.RUNNING:
                self._board.stops.append((live.run.stop, reason))
            else:
                self.withdraw(live)
                self._board.concluded.append((live, Outcome(State.CANCELLED, reason)))

    def stop_queued(self, slot: Slot, reason: str) -> None:
        """End the start that waits for the run under way."""
        queued, slot.queued = slot.queued, None
        if queued is not None:
            _use_up(slot, queued.run)
            self._board.concluded.append((queued, Outcome(State.CANCELLED, reason)))

    def withdraw(self, live: Live) -> None:
        """Take back a run that has no process: READY, or between two attempts."""
        self._board.timetable.discard(live)
        live.state = State.CANCELLED
        live.slot.live.remove(live)
        if not live.begun:
            _use_up(live.slot, live.run)

    def queue(self, live: Live, now: float) -> None:
        """Let it wait for the run under way. At most one start waits, the latest."""
        slot = live.slot
        if live.run.cause in {Cause.SCHEDULE, Cause.DEPENDENCY}:
            live.run = structs.replace(live.run, cause=Cause.QUEUED)
        older, slot.queued = slot.queued, live
        if older is not None:
            self._drop(older, words.LATER_WAITS, now)

    def start_queued(self, slot: Slot, now: float) -> None:
        """The task is free: the start that waited for it happens."""
        queued, slot.queued = slot.queued, None
        if queued is None:
            return
        if slot.spent and queued.run.cause is not Cause.MANUAL:
            self._drop(queued, words.ran_often_enough(slot.starts), now)
        else:
            self.let_wait(queued, now)

    def _drop(self, live: Live, reason: str, now: float) -> None:
        """A start does not happen. What a sweep waits for must hear of it."""
        if live.sweep is None:
            self._board.record_skip(live.slot, live.run, reason, now)
        else:
            self._board.concluded.append((live, Outcome(State.SKIPPED, reason)))


def _use_up(slot: Slot, run: Run) -> None:
    """What a start uses up: its due instant, its edges, its place among the missed ones, one of `max_runs`."""
    if run.cause is Cause.MANUAL:
        return
    slot.starts += 1
    if slot.round is not None:
        slot.use_armed(run)
    elif run.cause is not Cause.CATCH_UP:
        slot.handled = max(slot.handled, run.scheduled_for)
    elif run.repairs:
        slot.interrupted = None
    else:
        slot.owed = [left for owed in slot.owed if (left := owed.after_run(run.scheduled_for))]
