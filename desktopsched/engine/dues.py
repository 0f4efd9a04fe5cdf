"""Due instants: what is next, what is late, what was missed, and what happens to it (rules 4, 7, 9 and 10)."""

import math
from datetime import UTC, datetime

from msgspec import structs

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.events import RunsMissed
from desktopsched.engine.memory import Owed
from desktopsched.engine.occurrences import follows_clock, newest, next_after, once, random_delay, zone_of
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.starts import Starts
from desktopsched.engine.zones import instant_of
from desktopsched.model import CatchUp, Cause, Every, Overlap, Run, Task

MOST = 1_000
"""Missed due instants of one task that are run at most; what is beyond that is counted (rule 7)."""

PROMPT = 1.0
"""Seconds: a start within it is on time, whatever `grace` says: no program wakes at the very instant (M14)."""

_INSTANT = 1e-3  # seconds: just before a due instant; floats of this size tell microseconds apart
_PUT_BACK_AT_DISPATCH = (
    Overlap.PARALLEL,
    Overlap.REPLACE,
)  # a tuple: it compares by identity, without a hash
_WRONG_CLOCK = 3 * 3600.0  # seconds: a step back over this means that the old clock was wrong (rule 9)


class Dues:
    """The due instants of tasks that start by their own schedule. Told the instant; owned by one agenda."""

    def __init__(self, board: Board, starts: Starts) -> None:
        self._board = board
        self._starts = starts

    # --- what is next --------------------------------------------------------------------------------------

    def aim(self, slot: Slot, known: float | None = None) -> bool:
        """Find the next due instant after the cursor, unless it is `known`. Whether there is one."""
        task = slot.task
        if task.schedule is None or not task.enabled or slot.round is not None or slot.spent:
            return False
        nominal = self._next(slot, slot.cursor) if known is None else known
        if nominal is None:
            return False
        slot.nominal = nominal
        slot.due = nominal + random_delay(task, nominal) if task.random_delay else nominal
        return True

    def arm(self, slot: Slot, known: float | None = None) -> None:
        """Put the next due instant into the timetable; a child's armed start is left where it is."""
        if self.aim(slot, known):
            self._board.timetable.put(slot, slot.due, slot.task.priority)
        elif slot.round is None:
            self._board.timetable.discard(slot)

    def put_back(self, slot: Slot, now: float) -> None:
        """A task that was running is free again: what passed meanwhile follows `overlap`, then it is armed (rule 4)."""
        if slot.ticket or not self.aim(slot):
            return
        if slot.nominal <= now:
            self._overlapped(slot, now)
            if slot.queued is None:
                self.arm(slot)
        elif slot.queued is None:
            self._board.timetable.put(slot, slot.due, slot.task.priority)

    def pass_over(self, slot: Slot, ended: float, now: float) -> None:
        """A run ended while the program was away: what passed until then was overlapped, and not missed (rule 4)."""
        if slot.round is None and slot.task.enabled and not self.put_back_at_dispatch(slot):
            self._overlapped(slot, min(ended, now))

    @staticmethod
    def put_back_at_dispatch(slot: Slot) -> bool:
        """Whether the task is armed while it runs."""
        return slot.task.overlap in _PUT_BACK_AT_DISPATCH

    def _overlapped(self, slot: Slot, now: float) -> None:
        """What passed during a run follows `overlap`."""
        passed, older = self._passed(slot, now)
        if passed:
            first, slot.cursor = self._next(slot, slot.cursor), passed[-1]
            if slot.task.overlap is Overlap.QUEUE:
                latest = self._board.new_run(slot, passed.pop(), Cause.QUEUED)
                self._starts.queue(Live(latest, slot), now)
            if passed or older:
                last = passed[-1] if passed else slot.cursor
                count = len(passed) + older
                self._board.skip(slot, last, words.PASSED_MEANWHILE, now, count=count, first=first)

    def re_arm(self, slot: Slot, now: float) -> None:
        """When it runs was changed, or it was enabled: from now on only (rule 9)."""
        slot.cursor = max(slot.cursor, now)
        if isinstance(slot.task.schedule, Every):  # one that begins later has no grid before (see `_gridded`)
            slot.cursor = max(slot.cursor, self._start(slot.task.schedule, slot) - _INSTANT)
        self.forgive(slot, words.TASK_CHANGED, now)
        slot.armed = ()
        if slot.round is not None:
            self._board.timetable.discard(slot)
        elif not slot.live or slot.ticket or slot.task.overlap in _PUT_BACK_AT_DISPATCH:
            self.arm(slot)

    def lapse(self, slot: Slot, now: float) -> None:
        """A new task whose single instant is over never runs, and says so."""
        if not slot.ticket and once(slot.task) and slot.task.enabled and slot.round is None:
            nominal = self._next(slot, 0.0)
            if nominal is not None:
                self._board.skip(slot, nominal, words.TIME_OVER, now)

    # --- what is due, late or missed -----------------------------------------------------------------------

    def account(self, slot: Slot, now: float, first: float | None = None, *, in_turn: bool = False) -> None:
        """Decide every due instant that passed: the latest late one starts, missed ones follow `catch_up` (rule 7).

        `first`: the first of them, where it is known. `in_turn`: the first late one starts instead, and the others
        after it: what ran on another computer is known here only a while later, and so may they have.
        """
        if first is None and not slot.spent:
            first = self._next(slot, slot.cursor)
        passed, older = self._passed(slot, now, first)
        if passed:
            after, slot.cursor = slot.cursor, passed[-1]
            late = self._late(slot.task, passed, now)
            if in_turn and late:
                passed = passed[: len(passed) - len(late) + 1]
                late, slot.cursor = late[:1], passed[-1]
            if len(late) < len(passed):
                missed = passed[: len(passed) - len(late)]
                self._miss(slot, after, missed, older, now, covered=bool(late))
            self._start_late(slot, late, now)
        if slot.owed:
            self.catch_up(slot, now)
        if not slot.live or slot.task.overlap in _PUT_BACK_AT_DISPATCH:
            self.arm(slot, None if passed else first)
        if not slot.live:
            self._board.changed(slot, now)

    @staticmethod
    def _late(task: Task, passed: list[float], now: float) -> list[float]:
        """Those that are late by no more than `grace`; the ones before them were missed."""
        limit = now - max(task.grace, PROMPT)
        for position, instant in enumerate(passed):
            if instant + random_delay(task, instant) >= limit:
                return passed[position:]
        return []

    def skip_passed(self, slot: Slot, reason: str, now: float) -> None:
        """Drop every due instant that passed, and go on with the next."""
        self.drop_passed(slot, reason, now)
        self.arm(slot)
        self._board.changed(slot, now)

    def drop_passed(self, slot: Slot, reason: str, now: float) -> None:
        """Drop every due instant that passed, with one record."""
        passed, older = self._passed(slot, now)
        if passed:
            first, slot.cursor = self._next(slot, slot.cursor), passed[-1]
            self._board.skip(slot, passed[-1], reason, now, count=len(passed) + older, first=first)

    def _passed(self, slot: Slot, now: float, first: float | None = None) -> tuple[list[float], int]:
        """Due instants after the cursor that came due by `now`: the newest, and how many older ones there are."""
        if slot.spent:
            return [], 0
        first = self._next(slot, slot.cursor) if first is None else first
        if first is None or first > now:
            return [], 0
        second = None if once(slot.task) else self._next(slot, first)
        passed, older = [first], 0
        if second is not None and second <= now:
            passed, older = self._newest(slot, slot.cursor, now, MOST)
        if slot.task.random_delay:
            while passed and passed[-1] + random_delay(slot.task, passed[-1]) > now:
                passed.pop()
        return passed, older

    def _next(self, slot: Slot, instant: float) -> float | None:
        task = self._gridded(slot) if slot.generation else slot.task
        return next_after(task, instant, zone=self._board.zone, anchor=slot.first_seen)

    def _newest(self, slot: Slot, after: float, until: float, limit: int) -> tuple[list[float], int]:
        return newest(self._gridded(slot), after, until, limit, zone=self._board.zone, anchor=slot.first_seen)

    def _gridded(self, slot: Slot) -> Task:
        """The task; an interval that went on after the clock was set back to before its start, with an earlier one."""
        schedule = slot.task.schedule
        if not slot.generation or not isinstance(schedule, Every):
            return slot.task
        start = self._start(schedule, slot)
        if start <= slot.cursor:
            return slot.task
        start -= math.ceil((start - slot.cursor) / schedule.interval) * schedule.interval
        earlier = Every(interval=schedule.interval, start=datetime.fromtimestamp(start, UTC))
        return structs.replace(slot.task, schedule=earlier)

    def _start(self, schedule: Every, slot: Slot) -> float:
        zone = zone_of(slot.task, self._board.zone)
        return slot.first_seen if schedule.start is None else instant_of(schedule.start, zone)

    def _start_late(self, slot: Slot, late: list[float], now: float) -> None:
        if slot.task.overlap is not Overlap.PARALLEL and len(late) > 1:
            self._board.skip(slot, late[-2], words.LATER_DUE, now, count=len(late) - 1, first=late[0])
            late = late[-1:]
        for position, nominal in enumerate(late):
            if slot.spent:
                reason = words.ran_often_enough(slot.starts)
                self._board.skip(slot, late[-1], reason, now, count=len(late) - position, first=nominal)
                return
            self._starts.offer(slot, nominal, Cause.SCHEDULE, now)

    def _miss(
        self, slot: Slot, after: float, missed: list[float], older: int, now: float, *, covered: bool
    ) -> None:
        """Due instants were missed; `covered` by a later one that starts now, which is all that `latest` asks for."""
        policy, count, last = slot.task.catch_up, len(missed) + older, missed[-1]
        first = self._next(slot, after) if older else missed[0]
        absence, why = self._board.absences.over(last), self._board.why_missed(last)
        if policy is CatchUp.SKIP:
            self._board.skip(slot, last, words.missed(why), now, count=count, first=first)
        elif policy is CatchUp.LATEST and covered:
            self._board.skip(
                slot, last, words.missed(why, words.LATEST_INSTEAD), now, count=count, first=first
            )
        else:
            slot.owed += (Owed(after=after, until=last, count=count, first=first, why=why),)
            if policy is not CatchUp.ASK:
                self.owe(slot, policy, now)
        event = RunsMissed(
            at=now,
            task_id=slot.task.id,
            first=missed[0],
            last=last,
            count=count,
            policy=policy,
            status=slot.status(),
            absence=absence,
        )
        self._board.tell(slot, event)

    def miss_start(self, slot: Slot, run: Run, why: str, now: float) -> None:
        """A start was decided, and could not happen in time."""
        instant = run.scheduled_for
        owed = Owed(after=instant - _INSTANT, until=instant, count=1, first=instant, why=why)
        if run.cause is Cause.CATCH_UP:  # that was decided: it will run when it can
            self._put_owed(slot, structs.replace(owed, decided=True))
            self._board.changed(slot, now, lasting=True)
            return
        if slot.task.catch_up is CatchUp.SKIP:
            self._board.record_skip(slot, run, words.missed(why), now)
        else:
            self._put_owed(slot, owed)
            if slot.task.catch_up is not CatchUp.ASK:
                self.owe(slot, slot.task.catch_up, now)
        event = RunsMissed(
            at=now,
            task_id=slot.task.id,
            first=instant,
            last=instant,
            count=1,
            policy=slot.task.catch_up,
            status=slot.status(),
        )
        self._board.tell(slot, event)

    @staticmethod
    def _put_owed(slot: Slot, owed: Owed) -> None:
        """In its place: a start that waited may be older than what was missed meanwhile."""
        slot.owed = tuple(sorted((*slot.owed, owed), key=lambda one: one.until))

    def owe(self, slot: Slot, policy: CatchUp, now: float) -> None:
        """What is missed will run: all of it, at most `MOST` runs, or the latest alone. The rest is counted.

        The newest come first: what is beyond the limit is what is oldest.
        """
        room, then = (1, words.LATEST_INSTEAD) if policy is CatchUp.LATEST else (MOST, words.TOO_MANY)
        kept: list[Owed] = []
        first = self._first_owed(slot)
        dropped, last, why = 0, 0.0, ""
        for owed in reversed(slot.owed):
            instants, older = self._newest(slot, owed.after, owed.until, room + 1)
            over = instants[: max(len(instants) - room, 0)]
            if over:
                dropped, last, why = dropped + older + len(over), max(last, over[-1]), why or owed.why
            if len(instants) > len(over):
                after = over[-1] if over else owed.after
                count = len(instants) - len(over)
                kept.insert(0, Owed(after=after, until=owed.until, count=count, decided=True, why=owed.why))
                room -= count
        slot.owed = tuple(kept)
        if dropped:
            self._board.skip(slot, last, words.missed(why, then), now, count=dropped, first=first)

    def forgive(self, slot: Slot, then: str, now: float) -> None:
        """What is missed will not run, but for the one that is READY already. `then`: why."""
        first = self._first_owed(slot)
        owed, slot.owed = slot.owed, ()
        if owed:
            reason, count = words.missed(owed[-1].why, then), sum(one.count for one in owed)
            self._board.skip(slot, owed[-1].until, reason, now, count=count, first=first)

    def _first_owed(self, slot: Slot) -> float | None:
        """The first due instant that is missed and not decided, or not run."""
        return self._next(slot, slot.owed[0].after) if slot.owed else None

    def catch_up(self, slot: Slot, now: float, *, at_once: bool = False) -> None:
        """Start the oldest missed due instant that is to run, when nothing of the task is under way.

        `at_once`: though the computer has just woken up.
        """
        if slot.owed and slot.spent and not slot.live:
            self.forgive(slot, words.ran_often_enough(slot.starts), now)
        while slot.owed and slot.owed[0].decided and slot.task.enabled and not slot.live and not slot.queued:
            if self._board.withheld:
                return  # until something can be claimed again
            if not at_once and self._board.pacing.holds(slot, now):
                return
            owed = slot.owed[0]
            instants, _ = self._newest(slot, owed.after, owed.until, MOST)
            left = owed.without(instants[0]) if instants else None
            slot.owed = slot.owed[1:] if left is None else (left, *slot.owed[1:])
            if instants:
                self._starts.offer(slot, instants[0], Cause.CATCH_UP, now)
                return
            # The zone's rules changed, and there is no such instant any more.
            self._board.changed(slot, now, lasting=True)

    # --- when the clock or the zone changes ----------------------------------------------------------------

    def shift_retries(self, slot: Slot, step: float) -> None:
        """The clock was set: a retry waits for a span of time, not for an instant of the clock."""
        for live in slot.live:
            if live.asked is not None:
                live.asked.until += step
            if live.ticket:
                live.due += step
                self._board.timetable.put(live, live.due, slot.task.priority)

    def follow_back(self, slot: Slot, before: float, now: float) -> None:
        """The clock was set back, from `before`.

        What follows the clock goes on at once by the new one, in a new generation; what has a fixed time does not
        repeat what was handled, unless the step is so large that the old clock was wrong. A cursor ahead of the old
        clock stands for a start that is to come, or was cancelled.
        """
        if slot.task.schedule is None or now >= before:
            return
        if slot.round is not None:  # the instants that its schedule asked for may come again, as others
            slot.generation += 1
            self._board.changed(slot, now, lasting=True)
        elif once(slot.task):
            return
        elif now < slot.cursor <= before and (follows_clock(slot.task) or before - now > _WRONG_CLOCK):
            slot.generation += 1
            slot.cursor = now
            self._forget_ahead(slot, now)
            if slot.ticket or not slot.live:
                self.arm(slot)
            self._board.changed(slot, now, lasting=True)

    def _forget_ahead(self, slot: Slot, now: float) -> None:
        """What was missed by the old clock and lies ahead of the new one comes again by itself."""
        kept = []
        for owed in slot.owed:
            until = min(owed.until, now)
            instants, older = self._newest(slot, owed.after, until, MOST)
            if instants:
                kept.append(structs.replace(owed, until=instants[-1], count=len(instants) + older))
        slot.owed = tuple(kept)

    def change_zone(self, slot: Slot, now: float) -> None:
        """The computer is in another zone: a task without a zone of its own is armed anew (rule 9).

        What repeats starts nothing that it "would have" run there; a single instant that is past there runs late.
        """
        if slot.task.timezone or slot.round is not None or slot.task.schedule is None:
            return
        if slot.nominal <= now if slot.ticket else slot.live:
            return  # its instant has come, and only its random delay is not over; or it is armed when its run ends
        if not once(slot.task):
            slot.cursor = max(slot.cursor, now)
        elif slot.ticket and (nominal := self._next(slot, 0.0)) is not None and nominal <= now:
            slot.cursor = now
            self._starts.offer(slot, nominal, Cause.SCHEDULE, now)
        self.arm(slot)
        self._board.changed(slot, now)
