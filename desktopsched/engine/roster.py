"""The roster: which tasks there are. They are added, edited and removed, all or nothing, and tied to their parents."""

from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import structs

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.dues import PROMPT, Dues
from desktopsched.engine.events import TaskAdded, TaskEdited, TaskRemoved
from desktopsched.engine.fates import Fate
from desktopsched.engine.memory import Mark, Memory
from desktopsched.engine.occurrences import once
from desktopsched.engine.outcomes import Outcomes
from desktopsched.engine.recall import Recall
from desktopsched.engine.rounds import Round
from desktopsched.engine.slot import Slot
from desktopsched.engine.starts import Starts
from desktopsched.model import CycleError, DuplicateTaskError, State, Task, UnknownTaskError
from desktopsched.model.graph import find_cycle

_UNKNOWN: Mapping[int, Fate] = {}


class Roster:
    """Part of the agenda, under its dispatcher's lock."""

    def __init__(self, board: Board, starts: Starts, dues: Dues, outcomes: Outcomes) -> None:
        self._board, self._starts = board, starts
        self._dues, self._outcomes = dues, outcomes
        self._recall = Recall(board, starts, dues, outcomes)

    def add(
        self,
        tasks: Iterable[Task],
        now: float,
        memory: Mapping[str, Memory],
        marks: Mapping[str, Mapping[str, Mark]],
        *,
        fates: Mapping[int, Fate] = _UNKNOWN,
        strict: bool,
    ) -> None:
        """Add tasks, all or none; those that are remembered go on from where they were.

        `fates`, by run: what became of those that were under way.
        """
        board = self._board
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

    def _tell_new(self, new: Mapping[str, Slot], memory: Mapping[str, Memory], now: float) -> None:
        for task_id, slot in new.items():
            known = memory.get(task_id)
            retimed = known is not None and known.timing != slot.timing
            event = TaskAdded(
                at=now, task=slot.task, status=slot.status(), fresh=known is None, retimed=retimed
            )
            self._board.events.append(event)

    def _enter(self, new: Mapping[str, Slot], children: Iterable[Slot]) -> None:
        """Put the tasks on the board, and tie them to their parents there."""
        self._board.slots.update(new)
        for slot in children:
            self._link(slot)
        if self._board.leaving:
            self._take_back(new)

    def _arm_new(self, slots: Iterable[Slot]) -> None:
        aimed = []
        for slot in slots:
            if once(slot.task):  # one that is due at this very moment is on time
                slot.cursor -= max(slot.task.grace, PROMPT)
            if self._dues.aim(slot):
                aimed.append((slot, slot.due, slot.task.priority))
        self._board.timetable.put_many(aimed)

    def _take_back(self, new: Mapping[str, Slot]) -> None:
        """A task that was removed while it ran is on the list again: its run is its run."""
        for task_id in new.keys() & self._board.leaving.keys():
            for live in self._board.leaving.pop(task_id).live:
                live.slot = new[task_id]
                live.slot.live += (live,)

    def edit(self, task: Task, now: float, *, strict: bool) -> None:
        """Replace a definition. Its history stays; it starts nothing that it "would have" started."""
        self._board.slot(task.id)
        self._check([task], {task.id}, strict=strict)
        self._redefine(task, now)
        self._outcomes.settle(now)

    def follow(self, tasks: Sequence[Task], now: float, memory: Mapping[str, Memory]) -> dict[str, Memory]:
        """Make the list this one, all or nothing: tasks that are not in it leave, others change or come.

        Returns what those that left remembered, for when they come back. A run under way is not in it: it goes on.
        """
        self.check_list(tasks)
        new = {task.id for task in tasks}
        gone = {task_id: slot for task_id, slot in self._board.slots.items() if task_id not in new}
        left = {
            task_id: structs.replace(slot.memory(now), live=(), retry_at={}) for task_id, slot in gone.items()
        }
        for task_id in gone:
            self.remove(task_id, now)
        for task in tasks:
            if task.id in self._board.slots and self._board.slots[task.id].task != task:
                self._redefine(task, now)
        come = [task for task in tasks if task.id not in self._board.slots]
        self.add(come, now, memory, {}, strict=False)
        self._board.touched.update((task.id, self._board.slots[task.id]) for task in come)
        self._outcomes.settle(now)
        return left

    def check_list(self, tasks: Sequence[Task]) -> None:
        """Whether these could be the list."""
        new = {task.id: task for task in tasks}
        if len(new) < len(tasks):
            raise DuplicateTaskError(next(task.id for task in tasks if new[task.id] is not task))
        self._refuse_cycles(new)

    def _redefine(self, task: Task, now: float) -> None:
        slot = self._board.slots[task.id]
        before, timing = slot.task, slot.timing
        slot.define(task)
        if (before.waits_for, before.join) != (task.waits_for, task.join):
            self._relink(slot, before)
        if before.enabled and not task.enabled:
            self._outcomes.switch_off(slot, words.DISABLED)
        if slot.timing != timing:
            self._dues.re_arm(slot, now)
        elif slot.ticket and task.priority != before.priority:
            self._board.timetable.put(slot, slot.due, task.priority)
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
        self._board.tell(slot, event)
        if (task.enabled, task.name) != (before.enabled, before.name):
            self._outcomes.tell_children(slot, now)

    def remove(self, task_id: str, now: float) -> None:
        """Take a task off the list. A run under way goes on; its outcome is recorded and leads to nothing."""
        slot = self._board.slot(task_id)
        slot.removed = True
        slot.queued = None
        self._board.timetable.discard(slot)
        for live in [live for live in slot.live if live.state is not State.RUNNING]:
            self._starts.withdraw(live)
        self._unlink(slot, slot.task)
        del self._board.slots[task_id]
        if slot.live:
            self._board.leaving[task_id] = slot
        self._board.tell(slot, TaskRemoved(at=now, task_id=task_id))
        self._outcomes.tell_children(slot, now)

    def _check(self, changed: Sequence[Task], new: Container[str], *, strict: bool) -> None:
        """Parents are known, and nothing waits for itself. Only a task that has parents can close a loop."""
        slots = self._board.slots
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
        if any(
            task.waits_for and (task.id in awaited or task.id in self._board.children) for task in changed
        ):
            tasks = {slot.task.id: slot.task for slot in slots.values()}
            self._refuse_cycles(tasks | {task.id: task for task in changed})

    @staticmethod
    def _refuse_cycles(tasks: Mapping[str, Task]) -> None:
        loop = find_cycle({one.id: [edge.task for edge in one.waits_for] for one in tasks.values()})
        if loop:
            raise CycleError(loop)

    def _link(self, slot: Slot) -> None:
        for edge in slot.task.waits_for:
            self._board.children.setdefault(edge.task, []).append(slot)
        slot.blocked = self._outcomes.blocked(slot)

    def _unlink(self, slot: Slot, task: Task) -> None:
        for edge in task.waits_for:
            heirs = self._board.children[edge.task]
            heirs.remove(slot)
            if not heirs:
                del self._board.children[edge.task]

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
