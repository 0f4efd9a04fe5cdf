"""The agenda: the rules by which tasks run (rules 2–11) as a state machine. Told what happened and when, it decides.

No thread, lock, clock or listener: each method is told the instant `now` (seconds since 1970, UTC), changes the board,
and leaves there what people and files should know (`events`) and what should be stopped (`stops`). The dispatcher
holds the lock, and delivers both outside it.
"""

from zoneinfo import ZoneInfo

from desktopsched.engine import naming, words
from desktopsched.engine.absence import Absence, Why
from desktopsched.engine.asking import Asking
from desktopsched.engine.board import Board
from desktopsched.engine.dues import Dues
from desktopsched.engine.events import (
    Absent,
    ClockChanged,
    ClockDoubted,
    ClockTrusted,
    Paused,
    Resumed,
    ZoneChanged,
)
from desktopsched.engine.occurrences import once
from desktopsched.engine.outcomes import Outcomes
from desktopsched.engine.pacing import Pacing
from desktopsched.engine.roster import Roster
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.starts import Starts
from desktopsched.engine.sweep import Sweep
from desktopsched.engine.timetable import Item
from desktopsched.model import (
    CatchUp,
    Cause,
    Command,
    Outcome,
    Overlap,
    State,
)
from desktopsched.model.graph import reach

WRONG_CLOCK = 86_400.0
"""Seconds: a clock that is this much before the last sign of life is not believed (the battery of some is empty)."""


class Agenda:
    """All tasks and what is due. Owned by one dispatcher, under its lock."""

    def __init__(self, *, zone: ZoneInfo, workers: int, first_run: int = 1, shared: bool = False) -> None:
        self.board = Board(zone=zone, first_run=first_run, shared=shared)
        self.starts = Starts(self.board, workers)
        self._dues = Dues(self.board, self.starts)
        self._outcomes = Outcomes(self.board, self.starts, self._dues)
        self.asking = Asking(self.board, self.starts, self._dues, self._outcomes)
        self.roster = Roster(self.board, self.starts, self._dues, self._outcomes)

    # --- what people ask for -------------------------------------------------------------------------------

    def run_now(
        self,
        task_id: str,
        now: float,
        *,
        downstream: bool = False,
        instead: Command | None = None,
        request: str = "",
    ) -> int:
        """Start a task by hand. It moves neither its schedule nor its edges; a disabled task runs too.

        Returns the number of the run: of the one that waits already, if there is one. `request`: what nobody else
        calls his, where the list is shared.
        """
        slot = self.board.slot(task_id)
        sweep = None
        if downstream:
            found = reach(task_id, self._enabled_children)
            sweep = Sweep(task_id, {one: self.board.slots[one].task for one in found})
        run_id = self.starts.offer(
            slot,
            now,
            Cause.MANUAL,
            now,
            repairs=True,
            sweep=sweep,
            instead=instead,
            nominal=naming.by_hand(request),
        )
        self._outcomes.settle(now)
        return run_id

    def _enabled_children(self, task_id: str) -> list[str]:
        return [child.task.id for child in self.board.children.get(task_id, ()) if child.task.enabled]

    def cancel(self, task_id: str, now: float) -> bool:
        """Stop the runs under way, or else cancel the pending start. Whether there was something to cancel.

        What another computer performs only that one can stop.
        """
        slot = self.board.slot(task_id)
        here = any(not live.elsewhere for live in slot.live)
        found = bool(here or slot.queued or (slot.ticket and not slot.live))
        if slot.live or slot.queued:
            if (
                slot.task.overlap is Overlap.QUEUE and slot.round is None
            ):  # the start that waits for its end as well
                self._dues.drop_passed(slot, words.STOPPED, now)
            self.starts.stop(slot, words.STOPPED)
            self.starts.stop_queued(slot, words.STOPPED)
        elif slot.ticket:
            self._cancel_pending(slot)
        self._outcomes.settle(now)
        return found

    def _cancel_pending(self, slot: Slot) -> None:
        self.board.timetable.discard(slot)
        cause = Cause.SCHEDULE
        if slot.round is not None:
            cause = Cause.DEPENDENCY
            slot.armed = ()
        else:
            slot.cursor = slot.nominal
        run = self.board.new_run(slot, slot.nominal, cause)
        self.board.concluded.append((Live(run, slot), Outcome(State.CANCELLED, words.CANCELLED)))

    def stop_runs(self, reason: str) -> None:
        """Ask every run that has a process to end, and those of removed tasks too: the program closes."""
        self.board.closing = True
        for slot in (*self.board.slots.values(), *self.board.leaving.values()):
            running = [
                live.run.stop for live in slot.live if live.state is State.RUNNING and not live.elsewhere
            ]
            self.board.stops += [(stop, reason) for stop in running]

    def decide(
        self, task_id: str, choice: CatchUp, now: float, *, rerun: bool = False, request: str = ""
    ) -> None:
        """Answer what happens to the missed runs of a task; `rerun` starts its interrupted run again.

        That one is a start by hand to the other computers of a shared list: `request` as for `run_now`.
        """
        slot = self.board.slot(task_id)
        interrupted = slot.interrupted
        if not rerun:
            slot.interrupted = None  # else when it has begun: until then a crash must not lose it
        if choice is CatchUp.SKIP:
            self._dues.forgive(slot, words.SKIPPED_BY_YOU, now)
        elif choice is not CatchUp.ASK:
            self._dues.owe(slot, choice, now)
        if rerun and interrupted is not None:
            due = interrupted.scheduled_for
            self.starts.offer(
                slot,
                due,
                Cause.CATCH_UP,
                now,
                repairs=True,
                rerun=True,
                instead=interrupted.instead,
                nominal=naming.by_hand(request),
            )
        self._dues.catch_up(slot, now, at_once=True)
        self.board.changed(slot, now, lasting=True)
        self._outcomes.settle(now)

    def pause(self, now: float) -> None:
        """Start nothing more until `resume`, except by hand. What runs goes on."""
        if not self.board.ready.paused:
            self.board.ready.pause()
            self.starts.tell_silent(now)
            self.board.events.append(Paused(at=now))

    def resume(self, now: float) -> None:
        """Start tasks again. What repeats and came due meanwhile is skipped; a single start happens now."""
        if not self.board.ready.paused:
            return
        self.board.ready.resume()
        self.board.events.append(Resumed(at=now))
        for item in self.board.timetable.take(now):
            if isinstance(item, Slot) and item.round is None and not once(item.task):
                self._dues.skip_passed(item, words.PAUSED, now)
            else:
                self._fall_due(item, now)
        self._outcomes.settle(now)

    # --- what happens by itself ----------------------------------------------------------------------------

    @property
    def next_due(self) -> float | None:
        """When the next thing is due, in a pause the next attempt of what was started by hand; None: nothing is."""
        return self.board.next_errand if self.board.ready.paused else self.board.timetable.top

    def fall_due(self, now: float) -> None:
        """Take everything that is due, in order, and decide it."""
        paused = self.board.ready.paused
        for item in self.board.take_errands(now) if paused else self.board.timetable.take(now):
            self._fall_due(item, now)
        self._outcomes.settle(now)

    def _fall_due(self, item: Item, now: float) -> None:
        if isinstance(item, Pacing):
            if (slot := item.release(now)) is not None:
                self._dues.catch_up(slot, now, at_once=True)
        elif isinstance(item, Live):
            if item.state is State.PENDING:  # else it was replaced by what fell due just before it
                self.asking.again(item, now)
        elif isinstance(item, Slot):
            if item.round is not None:
                self._outcomes.armed_start(item, now)
            else:
                self._dues.account(item, now, item.nominal)

    def end(self, live: Live, outcome: Outcome, now: float) -> None:
        """An attempt ended."""
        self._outcomes.end(live, outcome, now)
        self._outcomes.settle(now)

    def begin_after(self, alive: float, now: float) -> None:
        """The program was closed since the instant `alive`, its last sign of life. Before its tasks are added."""
        self.doubt(alive, now)
        if now > alive:
            self.was_away(Absence(Why.CLOSED, alive, now), now)

    def was_away(self, absence: Absence, now: float) -> None:
        """For a while nothing could start: the computer slept, or the program was closed."""
        self.board.absences.add(absence)
        self.board.events.append(Absent(at=now, absence=absence))
        if absence.why is Why.SLEPT:
            self.board.pacing.woke(now)

    def clock_set(self, step: float, now: float) -> None:
        """The wall clock was set by `step` seconds. Forward, what is due falls due by itself."""
        self.board.events.append(ClockChanged(at=now, step=step))
        self.board.pacing.shift(step)
        if step > 0:
            self._outlive_doubt(now)
            self.was_away(Absence(Why.CLOCK, now - step, now), now)
        for slot in self.board.slots.values():
            self._dues.shift_retries(slot, step)
            self._outcomes.shift_delay(slot, step, now)
            if step < 0:
                self._dues.follow_back(slot, now - step, now)

    # --- a clock that is wrong -----------------------------------------------------------------------------

    def doubt(self, alive: float, now: float) -> None:
        """The clock says an instant long before one at which the program was alive: its battery is empty, perhaps.

        Nothing that was handled is handled again: what repeats starts when the clock is past that instant.
        """
        if alive - now > WRONG_CLOCK:
            self.board.doubted = alive
            self.board.events.append(ClockDoubted(at=now, alive=alive))

    def trust_clock(self, now: float) -> None:
        """A person says that the clock is right: everything goes on by it."""
        before, self.board.doubted = self.board.doubted, None
        if before is not None:
            for slot in self.board.slots.values():
                self._dues.follow_back(slot, before, now)
            self.board.events.append(ClockTrusted(at=now))
        self._outcomes.settle(now)

    def _outlive_doubt(self, now: float) -> None:
        """The clock was set past the instant: what was armed by the wrong one begins anew, and missed nothing."""
        doubted = self.board.doubted
        if doubted is None or now < doubted:
            return
        self.board.doubted = None
        self.board.events.append(ClockTrusted(at=now))
        for slot in self.board.slots.values():
            if slot.cursor < doubted - WRONG_CLOCK and not once(slot.task):
                self._dues.re_arm(slot, now)

    def zone_changed(self, zone: ZoneInfo, now: float) -> None:
        """The computer's zone is another one."""
        self.board.zone = zone
        self.board.events.append(ZoneChanged(at=now, zone=str(zone)))
        for slot in self.board.slots.values():
            self._dues.change_zone(slot, now)
            self._outcomes.change_zone(slot, now)
        self._outcomes.settle(now)
