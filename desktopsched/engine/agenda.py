"""The agenda: the rules by which tasks run (rules 2–11) as a state machine. Told what happened and when, it decides.

No thread, lock, clock or listener: each method is told the instant `now` (seconds since 1970, UTC), changes the board,
and leaves there what people and files should know (`events`) and what should be stopped (`stops`). The dispatcher
holds the lock, and delivers both outside it.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec import structs

from desktopsched.engine import words
from desktopsched.engine.absence import Absence, Why
from desktopsched.engine.board import Board
from desktopsched.engine.dues import PROMPT, Dues, once
from desktopsched.engine.events import (
    Absent,
    ClockChanged,
    ClockDoubted,
    ClockTrusted,
    Paused,
    Resumed,
    TaskAdded,
    TaskEdited,
    TaskRemoved,
    ZoneChanged,
)
from desktopsched.engine.fates import Fate
from desktopsched.engine.memory import Mark, Memory
from desktopsched.engine.outcomes import Outcomes
from desktopsched.engine.pacing import Pacing
from desktopsched.engine.recall import Recall
from desktopsched.engine.rounds import Round
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.starts import Starts
from desktopsched.engine.sweep import Sweep
from desktopsched.engine.timetable import Item
from desktopsched.model import (
    CatchUp,
    Cause,
    Command,
    CycleError,
    DuplicateTaskError,
    Outcome,
    Overlap,
    State,
    Task,
    UnknownTaskError,
)
from desktopsched.model.graph import find_cycle, reach

WRONG_CLOCK = 86_400.0
"""Seconds: a clock that is this much before the last sign of life is not believed (the battery of some is empty)."""

_UNKNOWN: Mapping[int, Fate] = {}


class Agenda:
    """All tasks and what is due. Owned by one dispatcher, under its lock."""

    def __init__(self, *, zone: ZoneInfo, workers: int, first_run: int = 1) -> None:
        self.board = Board(zone=zone, first_run=first_run)
        self.starts = Starts(self.board, workers)
        self._dues = Dues(self.board, self.starts)
        self._outcomes = Outcomes(self.board, self.starts, self._dues)
        self._recall = Recall(self.board, self.starts, self._dues, self._outcomes)

    # --- the list of tasks ---------------------------------------------------------------------------------

    def add(
        self,
        tasks: Iterable[Task],
        now: float,
        memory: Mapping[str, Memory],
        marks: Mapping[str, Mapping[str, Mark]],
        *,
        fates: Mapping[int, Fate] = _UNKNOWN,
        strict: bool,
        alive: float | None = None,
    ) -> None:
        """Add tasks, all or none; those that are remembered go on from where they were.

        `fates`, by run: what became of those that were under way. `alive`: the last sign of life of the program before
        this one; since then it was closed.
        """
        if alive is not None:
            self._begin_after(alive, now)
        board = self.board
        new: dict[str, Slot] = {}
        for task in tasks:
            if task.id in new or task.id in board.slots:
                raise DuplicateTaskError(task.id)
            known = memory.get(task.id)
            new[task.id] = Slot.new(task, now) if known is None else Slot.recalled(task, known)
        children = [slot for slot in new.values() if slot.round is not None]
        if children:
            self._check([slot.task for slot in children], new, strict=strict)
        awaited = [slot for slot in new.values() if slot.task.id in board.children] if board.children else ()
        self._enter(new, children)
        unknown = [slot for task_id, slot in new.items() if task_id not in memory]
        self._arm_new(unknown)
        self._tell_new(new, memory, now)
        for slot in unknown:
            board.touched[slot.task.id] = slot
            if not slot.ticket:
                self._dues.lapse(slot, now)
        for slot in awaited:  # by tasks that were there before it
            self._outcomes.tell_children(slot, now)
        if len(unknown) < len(new):
            recalled = [(slot, memory[one], marks.get(one, {})) for one, slot in new.items() if one in memory]
            self._recall.resume(recalled, fates, now)

    def _begin_after(self, alive: float, now: float) -> None:
        self.doubt(alive, now)
        if now > alive:
            self.was_away(Absence(Why.CLOSED, alive, now), now)

    def _tell_new(self, new: Mapping[str, Slot], memory: Mapping[str, Memory], now: float) -> None:
        for task_id, slot in new.items():
            known = memory.get(task_id)
            retimed = known is not None and known.timing != slot.timing
            event = TaskAdded(
                at=now, task=slot.task, status=slot.status(), fresh=known is None, retimed=retimed
            )
            self.board.events.append(event)

    def _enter(self, new: Mapping[str, Slot], children: Iterable[Slot]) -> None:
        """Put the tasks on the board, and tie them to their parents there."""
        self.board.slots.update(new)
        for slot in children:
            self._link(slot)
        if self.board.leaving:
            self._take_back(new)

    def _arm_new(self, slots: Iterable[Slot]) -> None:
        aimed = []
        for slot in slots:
            if once(slot.task):  # one that is due at this very moment is on time
                slot.cursor -= max(slot.task.grace, PROMPT)
            if self._dues.aim(slot):
                aimed.append((slot, slot.due, slot.task.priority))
        self.board.timetable.put_many(aimed)

    def _take_back(self, new: Mapping[str, Slot]) -> None:
        """A task that was removed while it ran is on the list again: its run is its run."""
        for task_id in new.keys() & self.board.leaving.keys():
            for live in self.board.leaving.pop(task_id).live:
                live.slot = new[task_id]
                live.slot.live += (live,)

    def edit(self, task: Task, now: float, *, strict: bool) -> None:
        """Replace a definition. Its history stays; it starts nothing that it "would have" started."""
        self.board.slot(task.id)
        self._check([task], {task.id}, strict=strict)
        self._redefine(task, now)
        self._outcomes.settle(now)

    def follow(self, tasks: Sequence[Task], now: float, memory: Mapping[str, Memory]) -> dict[str, Memory]:
        """Make the list this one, all or nothing: tasks that are not in it leave, others change or come.

        Returns what those that left remembered, for when they come back. A run under way is not in it: it goes on.
        """
        self.check_list(tasks)
        new = {task.id for task in tasks}
        gone = {task_id: slot for task_id, slot in self.board.slots.items() if task_id not in new}
        left = {
            task_id: structs.replace(slot.memory(now), live=(), retry_at={}) for task_id, slot in gone.items()
        }
        for task_id in gone:
            self.remove(task_id, now)
        for task in tasks:
            if task.id in self.board.slots and self.board.slots[task.id].task != task:
                self._redefine(task, now)
        come = [task for task in tasks if task.id not in self.board.slots]
        self.add(come, now, memory, {}, strict=False)
        self.board.touched.update((task.id, self.board.slots[task.id]) for task in come)
        self._outcomes.settle(now)
        return left

    def check_list(self, tasks: Sequence[Task]) -> None:
        """Whether these could be the list."""
        new = {task.id: task for task in tasks}
        if len(new) < len(tasks):
            raise DuplicateTaskError(next(task.id for task in tasks if new[task.id] is not task))
        self._refuse_cycles(new)

    def _redefine(self, task: Task, now: float) -> None:
        slot = self.board.slots[task.id]
        before, timing = slot.task, slot.timing
        slot.define(task)
        if (before.waits_for, before.join) != (task.waits_for, task.join):
            self._relink(slot, before)
        if before.enabled and not task.enabled:
            self._outcomes.switch_off(slot, words.DISABLED)
        if slot.timing != timing:
            self._dues.re_arm(slot, now)
        elif slot.ticket and task.priority != before.priority:
            self.board.timetable.put(slot, slot.due, task.priority)
        marks = self._outcomes.marks_of(slot)
        switched = before.enabled != task.enabled
        event = TaskEdited(
            at=now,
            task=task,
            status=slot.status(),
            marks=marks,
            retimed=slot.timing != timing and not switched,
            switched=switched,
        )
        self.board.tell(slot, event)
        if (task.enabled, task.name) != (before.enabled, before.name):
            self._outcomes.tell_children(slot, now)

    def remove(self, task_id: str, now: float) -> None:
        """Take a task off the list. A run under way goes on; its outcome is recorded and leads to nothing."""
        slot = self.board.slot(task_id)
        slot.removed = True
        slot.queued = None
        self.board.timetable.discard(slot)
        for live in [live for live in slot.live if live.state is not State.RUNNING]:
            self.starts.withdraw(live)
        self._unlink(slot, slot.task)
        del self.board.slots[task_id]
        if slot.live:
            self.board.leaving[task_id] = slot
        self.board.tell(slot, TaskRemoved(at=now, task_id=task_id))
        self._outcomes.tell_children(slot, now)

    def _check(self, changed: Sequence[Task], new: Container[str], *, strict: bool) -> None:
        """Parents are known, and nothing waits for itself. Only a task that has parents can close a loop."""
        slots = self.board.slots
        for task in changed if strict else ():
            known = slots[task.id].round if task.id in slots else None
            for edge in task.waits_for:
                if (
                    edge.task not in new
                    and edge.task not in slots
                    and not (known and edge.task in known.edges)
                ):
                    raise UnknownTaskError(edge.task, wanted_by=task.id)
        awaited = {edge.task for task in changed for edge in task.waits_for}
        if any(task.waits_for and (task.id in awaited or task.id in self.board.children) for task in changed):
            tasks = {slot.task.id: slot.task for slot in slots.values()}
            self._refuse_cycles(tasks | {task.id: task for task in changed})

    @staticmethod
    def _refuse_cycles(tasks: Mapping[str, Task]) -> None:
        loop = find_cycle({one.id: [edge.task for edge in one.waits_for] for one in tasks.values()})
        if loop:
            raise CycleError(loop)

    def _link(self, slot: Slot) -> None:
        for edge in slot.task.waits_for:
            self.board.children.setdefault(edge.task, []).append(slot)
        slot.blocked = self._outcomes.blocked(slot)

    def _unlink(self, slot: Slot, task: Task) -> None:
        for edge in task.waits_for:
            heirs = self.board.children[edge.task]
            heirs.remove(slot)
            if not heirs:
                del self.board.children[edge.task]

    def _relink(self, slot: Slot, before: Task) -> None:
        """Other edges: those that stay keep what they remember, a new one starts empty."""
        self._unlink(slot, before)
        if not slot.task.waits_for:
            slot.round = None
        elif slot.round is None:
            slot.round = Round(slot.task.waits_for, slot.task.join)
        else:
            slot.round.edit(slot.task.waits_for, slot.task.join)
        self._link(slot)

    # --- what people ask for -------------------------------------------------------------------------------

    def run_now(
        self, task_id: str, now: float, *, downstream: bool = False, instead: Command | None = None
    ) -> int:
        """Start a task by hand. It moves neither its schedule nor its edges; a disabled task runs too.

        Returns the number of the run: of the one that waits already, if there is one.
        """
        slot = self.board.slot(task_id)
        sweep = None
        if downstream:
            found = reach(task_id, self._enabled_children)
            sweep = Sweep(task_id, {one: self.board.slots[one].task for one in found})
        run_id = self.starts.offer(slot, now, Cause.MANUAL, now, repairs=True, sweep=sweep, instead=instead)
        self._outcomes.settle(now)
        return run_id

    def _enabled_children(self, task_id: str) -> list[str]:
        return [child.task.id for child in self.board.children.get(task_id, ()) if child.task.enabled]

    def cancel(self, task_id: str, now: float) -> bool:
        """Stop the runs under way, or else cancel the pending start. Whether there was something to cancel."""
        slot = self.board.slot(task_id)
        found = bool(slot.live or slot.queued or slot.ticket)
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
        """Ask every run that has a process to end."""
        for slot in self.board.slots.values():
            running = [live.run.stop for live in slot.live if live.state is State.RUNNING]
            self.board.stops += [(stop, reason) for stop in running]

    def decide(self, task_id: str, choice: CatchUp, now: float, *, rerun: bool = False) -> None:
        """Answer what happens to the missed runs of a task; `rerun` starts its interrupted run again."""
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
                slot, due, Cause.CATCH_UP, now, repairs=True, rerun=True, instead=interrupted.instead
            )
        self._dues.catch_up(slot, now, at_once=True)
        self.board.changed(slot, now, lasting=True)
        self._outcomes.settle(now)

    def pause(self, now: float) -> None:
        """Start nothing more until `resume`, except by hand. What runs goes on."""
        if not self.board.ready.paused:
            self.board.ready.pause()
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
                self.starts.let_wait(item, now)
        elif isinstance(item, Slot):
            if item.round is not None:
                self._outcomes.armed_start(item, now)
            else:
                self._dues.account(item, now, item.nominal)

    def end(self, live: Live, outcome: Outcome, now: float) -> None:
        """An attempt ended."""
        self._outcomes.end(live, outcome, now)
        self._outcomes.settle(now)

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
