"""Outcomes: how a run ends, and what follows from it for the task and its children (rules 5 and 6).

Conclusions wait in one line and are told on one by one, so that a chain of any depth needs no recursion.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import structs

from desktopsched.engine import naming, words
from desktopsched.engine.board import Board
from desktopsched.engine.dues import Dues
from desktopsched.engine.events import RunFinished, RunRetrying, RunSkipped, TaskDisabled
from desktopsched.engine.memory import Armed, Marked
from desktopsched.engine.occurrences import next_after
from desktopsched.engine.retry import retry_delay
from desktopsched.engine.rounds import Round, Verdict
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.starts import Starts
from desktopsched.engine.sweep import Sweep
from desktopsched.model import After, At, CatchUp, Cause, Join, OnFailure, Outcome, State, StopRequest
from desktopsched.model.graph import reach

# An enum's attributes are slow to reach in Python 3.11.
_FAILED, _SKIPPED, _PAUSE = State.FAILED, State.SKIPPED, OnFailure.PAUSE
_WAIT, _RUN = Verdict.WAIT, Verdict.RUN


class Outcomes:
    """From the end of an attempt to what it starts or skips. Told the instant; owned by one agenda."""

    def __init__(self, board: Board, starts: Starts, dues: Dues) -> None:
        self._board = board
        self._starts = starts
        self._dues = dues

    def end(self, live: Live, outcome: Outcome, now: float) -> None:
        """An attempt ended: another one follows, or this is the outcome of the run."""
        slot, run = live.slot, live.run
        self._starts.release(live)
        fenced = live.asked is not None and live.asked.fenced and outcome.state is not State.SUCCEEDED
        if fenced and slot.task.enabled and not slot.removed:
            self._claim_anew(live, outcome, now)
            return
        if outcome.state is _FAILED:
            if run.stop.reason is not None:
                outcome = structs.replace(outcome, state=State.CANCELLED, reason=run.stop.reason)
            elif run.attempt < slot.task.retry.attempts and slot.task.enabled and not slot.removed:
                self._retry(live, outcome, now)
                return
        slot.let_go(live)
        if slot.removed and not slot.live:
            self._board.leaving.pop(slot.task.id, None)
        self._board.concluded.append((live, outcome))

    def settle(self, now: float) -> None:
        """Tell on every outcome that waits, and whatever follows from it, until nothing is left.

        What follows from a run that ended while the program was away counts from that end, not from now.
        """
        line = self._board.concluded
        while line:
            live, outcome = line.popleft()
            slot = live.slot
            ended = now if live.ended is None else live.ended
            if outcome.state is _FAILED and slot.task.on_failure is _PAUSE and not slot.removed:
                self._disable(slot, outcome, now)
            free = not slot.live and not slot.removed
            if free:
                self._dues.put_back(slot, now)
            if live.begun or not slot.live:  # after what passed during the run: the run is the later news
                slot.remember(live.run, outcome, ended)
            heirs = () if slot.removed or live.sweeps else self._mark(live, outcome)
            self._announce(live, outcome, tuple([marked for _, marked in heirs]) if heirs else (), ended)
            for sweep in live.sweeps:
                self._sweep_on(live, sweep, outcome, now)
            for child, _ in heirs:
                self._judge(child, live, ended)
            if free and (slot.queued is not None or slot.owed):
                self._start_next(slot, now)

    def _retry(self, live: Live, outcome: Outcome, now: float) -> None:
        slot, ended = live.slot, live.run
        live.run = structs.replace(ended, attempt=ended.attempt + 1)
        live.state = State.PENDING
        live.due = now + retry_delay(slot.task.retry, ended.attempt)
        self._board.wait_for_retry(live)
        event = RunRetrying(
            at=now,
            run=ended,
            outcome=outcome,
            retry_at=live.due,
            status=slot.status(),
        )
        self._board.tell(slot, event)

    def _claim_anew(self, live: Live, outcome: Outcome, now: float) -> None:
        """It was stopped, since another computer may have it: whoever claims it now performs it."""
        ended = live.run
        live.run = structs.replace(ended, attempt=ended.attempt + 1, token=0, stop=StopRequest())
        live.asked = None
        self._starts.let_wait(live, now)
        status = live.slot.status()
        event = RunRetrying(at=now, run=ended, outcome=outcome, retry_at=now, status=status)
        self._board.tell(live.slot, event)

    def _disable(self, slot: Slot, outcome: Outcome, now: float) -> None:
        if not slot.task.enabled:
            return
        slot.define(structs.replace(slot.task, enabled=False))
        self.switch_off(slot, words.DISABLED)
        reason = words.paused_after(slot.task.name, outcome.reason)
        self._board.tell(slot, TaskDisabled(at=now, task=slot.task, reason=reason))
        self.tell_children(slot, now)

    def switch_off(self, slot: Slot, reason: str) -> None:
        """A disabled task starts nothing more, and remembers nothing of its parents. What runs goes on."""
        for live in [live for live in slot.live if live.state is not State.RUNNING]:
            self._starts.withdraw(live)
            self._board.concluded.append((live, Outcome(State.CANCELLED, reason)))
        self._starts.stop_queued(slot, reason)
        self._board.timetable.discard(slot)
        slot.armed = ()
        if slot.round is not None:
            slot.round.clear()

    def tell_children(self, slot: Slot, now: float) -> None:
        """A task is gone, disabled, or back: its children say whether they wait for something that will not come."""
        for child in self._board.children.get(slot.task.id, ()):
            child.blocked = self.blocked(child)
            self._board.changed(child, now)

    def blocked(self, slot: Slot) -> str:
        """Why a child waits for something that will not come: a parent that is gone or disabled; else empty."""
        for edge in slot.task.waits_for:
            parent = self._board.slots.get(edge.task)
            if parent is None:
                return f"waits for {edge.task!r}, which is not on the list any more"
            if not parent.task.enabled:
                return f"waits for {parent.task.name}, which is disabled"
        return ""

    def _announce(self, live: Live, outcome: Outcome, marks: tuple[Marked, ...], now: float) -> None:
        slot = live.slot
        if slot.round is not None and live.told in slot.round.marks:
            marks = (Marked(slot.task.id, live.told, slot.round.marks[live.told]), *marks)
        kind = RunSkipped if outcome.state is _SKIPPED and not live.begun else RunFinished
        event = kind(
            at=now,
            run=live.run,
            outcome=outcome,
            status=slot.status(),
            marks=marks,
        )
        self._board.tell(slot, event)

    def _start_next(self, slot: Slot, now: float) -> None:
        """The task is free: the start that waited for it happens, or the next missed one."""
        if slot.live:
            return
        self._starts.start_queued(slot, now)
        self._dues.catch_up(slot, now)

    # --- the children --------------------------------------------------------------------------------------

    def _mark(self, live: Live, outcome: Outcome) -> Sequence[tuple[Slot, Marked]]:
        children = self._board.children.get(live.run.task_id)
        if children is None:
            return ()
        run, state, heirs = live.run, outcome.state, []
        for child in children:
            if child.round is not None and child.task.enabled:
                mark, fresh = child.round.mark(
                    run.task_id, state, run.id, repairs=run.repairs, nominal=run.nominal
                )
                heirs.append((child, Marked(child.task.id, run.task_id, mark, fresh)))
        return heirs

    def _judge(self, child: Slot, live: Live, now: float) -> None:
        """Decide a child whose edge was marked a moment ago."""
        assert child.round is not None  # noqa: S101 - it was marked
        run, verdict = live.run, child.round.verdict(live.run.task_id)
        if verdict is _RUN and child.round.join is Join.ALL and self._board.shared:
            verdict = _WAIT if child.round.awaits(run.task_id, self._is_under_way) else _RUN
        if verdict is _WAIT:
            self._board.changed(child, now)
        elif verdict is _RUN:
            nominal = self.name_after(child.round, run.id if child.round.join is Join.ANY else None)
            self.edges_met(child, child.round.use(), now, repairs=run.repairs, nominal=nominal)
        else:
            self.skip_child(child, run.task_id, now, repairs=run.repairs)

    def _is_under_way(self, task_id: str) -> bool:
        """Whether a task runs, here or elsewhere, or something that it waits for."""
        slots = self._board.slots

        def parents(one: str) -> list[str]:
            return [edge.task for edge in slots[one].task.waits_for if edge.task in slots]

        return any(slots[one].live for one in reach(task_id, parents)) if task_id in slots else False

    def skip_child(self, child: Slot, parent: str, now: float, *, repairs: bool) -> None:
        """An edge is unmet: the child is SKIPPED, once a round, and so are its descendants in their turn."""
        assert child.round is not None  # noqa: S101 - it has parents
        mark = child.round.tell(parent)
        name = self._board.slots[parent].task.name if parent in self._board.slots else parent
        run = self._board.new_run(child, now, Cause.DEPENDENCY, parents=(mark.run,), repairs=repairs)
        live = Live(run, child, told=parent)
        self._board.concluded.append((live, Outcome(_SKIPPED, words.because(name, mark.state))))

    @staticmethod
    def marks_of(slot: Slot) -> tuple[Marked, ...]:
        """Everything that the edges of a child remember."""
        marks = {} if slot.round is None else slot.round.marks
        return tuple(Marked(slot.task.id, parent, mark) for parent, mark in marks.items())

    def name_after(self, edges: Round, run: int | None) -> str:
        """What a start that follows from these edges is called on a shared list; empty: nobody shares it."""
        return naming.following(*edges.origin(run)) if self._board.shared else ""

    def edges_met(
        self, slot: Slot, parents: tuple[int, ...], now: float, *, repairs: bool, nominal: str = ""
    ) -> None:
        """The edges are used up; the child's own time rule says when it starts (rule 6)."""
        due = self._own_time(slot, now)
        if slot.spent:
            self._board.skip(slot, now, words.ran_often_enough(slot.starts), now)
        elif due is None:
            self._board.skip(slot, now, words.LAST_DAY_OVER, now)
        elif slot.ticket:
            pass  # it is armed already, and that one start stands for this round too
        elif due <= now:
            instant = self._distinct(slot, now)
            slot.armed += (self._armed(slot, instant, parents, nominal, repairs=repairs),)
            self._starts.offer(
                slot, instant, Cause.DEPENDENCY, now, parents=parents, repairs=repairs, nominal=nominal
            )
        else:
            slot.nominal = slot.due = due
            slot.armed += (self._armed(slot, due, parents, nominal, repairs=repairs),)
            self._board.timetable.put(slot, due, slot.task.priority)
        self._board.changed(slot, now, edges_used=True)

    @staticmethod
    def _armed(slot: Slot, due: float, parents: tuple[int, ...], nominal: str, *, repairs: bool) -> Armed:
        return Armed(
            scheduled_for=due,
            parents=parents,
            repairs=repairs,
            generation=slot.generation,
            nominal=nominal,
        )

    def armed_start(self, slot: Slot, now: float) -> None:
        """The instant that a child's own schedule asked for has come."""
        armed = next((one for one in slot.armed if one.scheduled_for == slot.nominal), None)
        if armed is None:
            return
        slot.cursor = max(slot.cursor, armed.scheduled_for)  # so that `_distinct` gives another
        if now - slot.due > slot.task.grace and slot.task.catch_up is CatchUp.SKIP:
            why = self._board.why_missed(armed.scheduled_for)
            self._board.skip(slot, armed.scheduled_for, words.missed(why), now)
        else:
            self.start_armed(slot, armed, now)

    def shift_delay(self, slot: Slot, step: float, now: float) -> None:
        """The clock was set: "that long after its parents" is a span of time, not an instant of the clock."""
        if slot.round is not None and slot.ticket and isinstance(slot.task.schedule, After):
            self._re_time(slot, slot.nominal + step, now)

    def change_zone(self, slot: Slot, now: float) -> None:
        """The computer is in another zone: a start that waits for an instant of the wall clock follows it (rule 9)."""
        if (
            slot.round is None
            or not slot.ticket
            or slot.task.timezone
            or isinstance(slot.task.schedule, After)
        ):
            return
        due = self._own_time(slot, now)
        if due is not None:
            self._re_time(slot, due, now)

    def _re_time(self, slot: Slot, due: float, now: float) -> None:
        moved = {"scheduled_for": due, "generation": slot.generation}
        slot.armed = tuple(
            structs.replace(one, **moved) if one.scheduled_for == slot.nominal else one for one in slot.armed
        )
        slot.nominal = slot.due = due
        self._board.timetable.put(slot, due, slot.task.priority)
        self._board.changed(slot, now, lasting=True)

    def start_armed(self, slot: Slot, armed: Armed, now: float) -> None:
        """A start that was decided earlier."""
        self._starts.offer(
            slot,
            armed.scheduled_for,
            armed.cause,
            now,
            parents=armed.parents,
            repairs=armed.repairs,
            generation=armed.generation,
            nominal=armed.nominal,
        )

    def _own_time(self, slot: Slot, now: float) -> float | None:
        """When a child starts whose edges are met now: its schedule's word; None when its bounds are over."""
        task, zone = slot.task, self._board.zone
        match task.schedule:
            case None:
                due = now
            case After(delay=delay):
                due = now + delay
            case At():
                due = max(now, next_after(task, 0.0, zone=zone, anchor=slot.first_seen) or now)
            case _:
                return next_after(task, now, zone=zone, anchor=slot.first_seen)
        if task.not_before is None and task.not_after is None:
            return due
        instant = structs.replace(task, schedule=At(datetime.fromtimestamp(due, UTC)))
        return due if next_after(instant, 0.0, zone=zone, anchor=slot.first_seen) is not None else None

    @staticmethod
    def _distinct(slot: Slot, now: float) -> float:
        """An instant that no other start of the task has: two rounds may end at one reading of the clock."""
        slot.cursor = now if slot.cursor < now else slot.cursor + 1e-6
        return slot.cursor

    def _sweep_on(self, live: Live, sweep: Sweep, outcome: Outcome, now: float) -> None:
        slots, parents = self._board.slots, (live.run.id,)
        for task_id, unmet in sweep.outcome(live.run.task_id, outcome.state, slots.__contains__):
            child = slots[task_id]
            if unmet is None:
                nominal = naming.swept(live.run.task_id, live.run.nominal) if self._board.shared else ""
                self._starts.offer(
                    child,
                    now,
                    Cause.MANUAL,
                    now,
                    parents=parents,
                    repairs=True,
                    sweep=sweep,
                    nominal=nominal,
                )
            else:
                run = self._board.new_run(child, now, Cause.MANUAL, parents=parents, repairs=True)
                reason = words.because(live.slot.task.name, outcome.state)
                self._board.concluded.append((Live(run, child, (sweep,)), Outcome(_SKIPPED, reason)))
