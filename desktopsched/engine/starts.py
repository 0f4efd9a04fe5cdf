"""Starts: a start that is due happens, or the task's `overlap` says what does (rules 3 and 4)."""

from msgspec import structs

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.events import RunGoesOn, RunStarted
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.sweep import Sweep
from desktopsched.model import Cause, Command, Outcome, Overlap, State, needs_worker

# An enum's attributes are slow to reach in Python 3.11.
_MANUAL, _READY, _RUNNING = Cause.MANUAL, State.READY, State.RUNNING


class Starts:
    """From a decided start to RUNNING. Told the instant; owned by one agenda."""

    def __init__(self, board: Board, workers: int) -> None:
        self.workers = workers
        self.busy = 0
        self._silent: list[Live] = []  # READY and not told: they start at this very moment, and say that
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
        rerun: bool = False,
        instead: Command | None = None,
        generation: int | None = None,
        nominal: str = "",
    ) -> int:
        """A start is due. Returns the number of its run."""
        if cause is _MANUAL and instead is None and (waiting := _waiting(slot)) is not None:
            self._hurry(waiting, parents, sweep, now, nominal)
            return waiting.run.id
        run = self._board.new_run(
            slot, scheduled_for, cause, parents=parents, repairs=repairs, nominal=nominal
        )
        if generation is not None:  # it was decided by an earlier clock
            run = structs.replace(run, generation=generation)
        if instead is not None:
            run = structs.replace(run, instead=instead)
        live = Live(run, slot, () if sweep is None else (sweep,), rerun=rerun)
        overlap = slot.task.overlap
        if not slot.live or overlap is Overlap.PARALLEL or _is_asked_about(slot, cause):
            self.let_wait(live, now)
        elif overlap is Overlap.SKIP:
            self.drop(live, words.STILL_RUNNING, now)
        else:
            self.queue(live, now)
            if overlap is Overlap.REPLACE:
                self.stop(slot, words.replaced(scheduled_for, self._board.zone))
        return run.id

    def let_wait(self, live: Live, now: float) -> None:
        """READY: for a worker, or, where the action needs none, just for its thread."""
        slot, ready = live.slot, self._board.ready
        live.state = _READY
        if live not in slot.live:
            slot.live += (live,)
        if not needs_worker(slot.task.action):
            self._board.free.append(live)
            return
        ready.put(live, slot.task.priority, live.due or live.run.scheduled_for)
        if not ready.paused and len(ready) <= self.workers - self.busy:
            self._silent = [one for one in self._silent if one.state is _READY]
            self._silent.append(live)
            return
        if self._silent:
            self.tell_silent(now)  # this one may go before them
        self._board.changed(slot, now)

    def tell_silent(self, now: float) -> None:
        """Those that wait do not start at this very moment after all."""
        for one in self._silent:
            if one.state is _READY:
                self._board.changed(one.slot, now)
        self._silent.clear()

    def _hurry(
        self, live: Live, parents: tuple[int, ...], sweep: Sweep | None, now: float, nominal: str
    ) -> None:
        """A person wants to run what waits already, for a worker or for its next attempt: that start is the one."""
        if not (live.by_hand or live.begun):
            live.by_hand_as = nominal
        live.hurried = True
        live.run = structs.replace(live.run, parents=(*live.run.parents, *parents))
        if sweep is not None:
            live.sweeps = (*live.sweeps, sweep)
        if live.state is State.PENDING:
            self._board.timetable.discard(live)
            self.let_wait(live, now)
        elif needs_worker(live.slot.task.action):
            self._board.ready.hurry(live)
        self._board.changed(live.slot, now)

    def take(self, now: float) -> Live | None:
        """The READY run that is first in line, now RUNNING on a worker; or None."""
        live = self._board.ready.take() if self.busy < self.workers else None
        if live is not None:
            self.busy += 1
            live.worker = True
            self.set_out(live, now)
        return live

    def set_out(self, live: Live, now: float) -> None:
        """An attempt starts; but where the list is shared, it is asked about first."""
        if self._board.shared:
            live.state = _RUNNING
        else:
            self.begin(live, now)

    def begin(self, live: Live, now: float) -> None:
        """An attempt starts."""
        slot, run = live.slot, live.run
        if not live.begun:
            slot.starts += run.cause is not _MANUAL
            slot.use_armed(run)
            if live.rerun:
                slot.interrupted = None
        live.state, live.begun = _RUNNING, True
        self._board.tell(slot, RunStarted(at=now, run=run, status=slot.status()))

    def go_on(self, live: Live, started: float) -> None:
        """An attempt that began under an earlier program is still under way, on a worker of its own."""
        slot = live.slot
        live.state, live.begun = State.RUNNING, True
        live.worker = True
        self.busy += 1
        slot.live += (live,)
        self._board.followed.append(live)
        self._board.tell(slot, RunGoesOn(at=started, run=live.run, status=slot.status()))

    def release(self, live: Live) -> None:
        """The attempt is over, and so is its use of a worker."""
        if live.worker:
            self.busy -= 1
            live.worker = False

    def stop(self, slot: Slot, reason: str) -> None:
        """End what is under way: a process is asked to stop, what has none is CANCELLED at once."""
        for live in slot.live:
            if live.elsewhere:
                pass  # nobody here can stop it
            elif live.state is _RUNNING:
                self._board.stops.append((live.run.stop, reason))
            else:
                self.withdraw(live)
                self._board.concluded.append((live, Outcome(State.CANCELLED, reason)))

    def stop_queued(self, slot: Slot, reason: str) -> None:
        """End the start that waits for the run under way."""
        queued, slot.queued = slot.queued, None
        if queued is not None:
            slot.use_armed(queued.run)
            self._board.concluded.append((queued, Outcome(State.CANCELLED, reason)))

    def withdraw(self, live: Live) -> None:
        """Take back a run that has no process: READY, or between two attempts."""
        self._board.timetable.discard(live)
        live.state = State.CANCELLED
        live.slot.let_go(live)
        live.slot.use_armed(live.run)

    def queue(self, live: Live, now: float) -> None:
        """Let it wait for the run under way. At most one start waits, the latest."""
        slot = live.slot
        if live.run.cause in {Cause.SCHEDULE, Cause.DEPENDENCY}:
            live.run = structs.replace(live.run, cause=Cause.QUEUED)
        older, slot.queued = slot.queued, live
        if older is not None:
            self.drop(older, words.LATER_WAITS, now)

    def start_queued(self, slot: Slot, now: float) -> None:
        """The task is free: the start that waited for it happens."""
        queued, slot.queued = slot.queued, None
        if queued is None:
            return
        if slot.spent and queued.run.cause is not _MANUAL:
            self.drop(queued, words.ran_often_enough(slot.starts), now)
        else:
            self.let_wait(queued, now)

    def drop(self, live: Live, reason: str, now: float) -> None:
        """A start does not happen. What a sweep waits for must hear of it."""
        if live.sweeps:
            self._board.concluded.append((live, Outcome(State.SKIPPED, reason)))
        else:
            self._board.record_skip(live.slot, live.run, reason, now)


def _is_asked_about(slot: Slot, cause: Cause) -> bool:
    """Whether all that is under way is on other computers: that it has ended is known here only a while later.

    So the shared list is asked whether it still goes on; but for what a person wants now.
    """
    return cause is not _MANUAL and all(one.elsewhere for one in slot.live)


def _waiting(slot: Slot) -> Live | None:
    """A start of the task that has no process yet, or none at present."""
    return next((live for live in slot.live if live.state in (State.READY, State.PENDING)), None)
