"""Asking: what a shared list says of a start, and what follows from it here.

A start is the same on all computers: one performs it, the others show that and learn how it ended. What nobody can be
asked about waits without a worker, for as long as the task's grace lasts, and never starts.
"""

import math
from typing import assert_never

from msgspec import structs

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.claims import Answer, Elsewhere, Mine, Over, Wait
from desktopsched.engine.dues import PROMPT, Dues
from desktopsched.engine.events import ClaimsGoOn, ClaimsWithheld, RunElsewhere
from desktopsched.engine.outcomes import Outcomes
from desktopsched.engine.slot import Asked, Live, Slot
from desktopsched.engine.starts import Starts
from desktopsched.model import CatchUp, Cause, Outcome, Overlap, State

LAG = 5.0
"""Seconds: a run that ended on another computer has told the list so by then, if that is within its reach."""


class Asking:
    """Part of the agenda, under its dispatcher's lock. Told the instant."""

    def __init__(self, board: Board, starts: Starts, dues: Dues, outcomes: Outcomes) -> None:
        self._board = board
        self._starts = starts
        self._dues = dues
        self._outcomes = outcomes

    def answer(self, live: Live, answer: Answer, now: float) -> bool:
        """What was said of an attempt that set out. Whether it is to be performed now, by who asked."""
        if isinstance(answer, Mine):
            live.asked = None
            live.run = structs.replace(live.run, token=answer.token)
            self._starts.begin(live, now)
            return True
        self._starts.release(live)
        match answer:
            case Elsewhere():
                self._is_elsewhere(live, answer, now)
            case Wait():
                self._wait(live, answer, now)
            case _:
                assert_never(answer)
        self._outcomes.settle(now)
        return False

    def learn(self, task_id: str, run_id: int, news: Elsewhere | None, now: float) -> None:
        """News of a run on another computer. None: nobody performs it any more, so it is asked about anew."""
        live = self._find(task_id, run_id)
        if live is None:
            self._offer_no_more(task_id, run_id, now)
        if live is None or not live.elsewhere:
            return
        if news is not None:
            self._is_elsewhere(live, news, now)
        else:
            live.asked = None
            self._starts.let_wait(live, now)
            self._board.changed(live.slot, now)
        self._outcomes.settle(now)

    def _offer_no_more(self, task_id: str, run_id: int, now: float) -> None:
        """It was interrupted here, and another computer took it over: nobody needs to be asked what becomes of it."""
        slot = self._board.slots.get(task_id)
        if slot is not None and slot.interrupted is not None and slot.interrupted.id == run_id:
            slot.interrupted = None
            self._board.changed(slot, now, lasting=True)

    def fence(self, task_id: str, run_id: int, now: float) -> None:
        """Another computer may have it by now: it is stopped here, and claimed anew."""
        live = self._find(task_id, run_id)
        if live is None or live.elsewhere or not live.begun:
            return
        if live.state is State.RUNNING:
            live.asked = Asked(fenced=True)
            self._board.stops.append((live.run.stop, words.FENCED))
        else:
            live.run = structs.replace(live.run, token=0)
        self._board.changed(live.slot, now)

    def withhold(self, reason: str, now: float) -> None:
        """Nothing can be claimed for now."""
        if reason != self._board.withheld:
            self._board.withheld = reason
            self._board.events.append(ClaimsWithheld(at=now, reason=reason))

    def go_on(self, now: float) -> None:
        """Starts can be claimed again: what waits for that is asked about at once."""
        if not self._board.withheld:
            return
        self._board.withheld = ""
        self._board.events.append(ClaimsGoOn(at=now))
        for slot in self._board.slots.values():
            for live in slot.live:
                if live.state is State.PENDING and live.asked is not None:
                    self._board.timetable.discard(live)
                    self._starts.let_wait(live, now)
            if slot.owed:
                self._dues.catch_up(slot, now)
        self._outcomes.settle(now)

    def again(self, live: Live, now: float) -> None:
        """The instant has come for which a run waited: of its next attempt, or to ask again."""
        if live.asked is not None and now >= live.asked.until:
            self._give_up(live, live.asked, now)
            self._outcomes.settle(now)
        else:
            self._starts.let_wait(live, now)

    def _find(self, task_id: str, run_id: int) -> Live | None:
        slot = self._board.slots.get(task_id) or self._board.leaving.get(task_id)
        return next((live for live in slot.live if live.run.id == run_id), None) if slot else None

    # --- it is performed elsewhere -------------------------------------------------------------------------

    def _is_elsewhere(self, live: Live, news: Elsewhere, now: float) -> None:
        wanted, live.by_hand_as = live.by_hand_as, ""
        if wanted and (news.outcome is not None or live.slot.task.overlap is Overlap.PARALLEL):
            live = self._part(live, wanted, now)
        if news.outcome is not None:
            self._ended(live, news.owner, news.outcome, now - news.ago, now)
            return
        live.state, slot = State.RUNNING, live.slot
        live.asked = Asked(owner=news.owner, token=news.token)
        event = RunElsewhere(at=now, run=live.run, owner=news.owner, token=news.token, status=slot.status())
        self._board.events.append(event)

    def _part(self, live: Live, wanted: str, now: float) -> Live:
        """A person wanted this start now, and another computer has it: he gets one of his own. Returns the other's."""
        slot, run = live.slot, live.run
        theirs = self._board.new_run(
            slot, run.scheduled_for, run.cause, repairs=run.repairs, parents=run.parents, nominal=run.nominal
        )
        other = Live(structs.replace(theirs, generation=run.generation), slot, rerun=live.rerun)
        slot.live += (other,)
        live.run = structs.replace(run, cause=Cause.MANUAL, scheduled_for=now, nominal=wanted, repairs=True)
        live.asked, live.rerun = None, False
        self._starts.let_wait(live, now)
        return other

    def _ended(self, live: Live, owner: str, outcome: Outcome, ended: float, now: float) -> None:
        """It has an end there, and so it has one here. What came due after that end was not overlapped by it."""
        slot, run = live.slot, live.run
        live.asked = Asked(owner=owner)
        if not live.begun:
            live.begun = True
            slot.starts += run.cause is not Cause.MANUAL
            slot.use_armed(run)
        if live.rerun:
            slot.interrupted = None
        live.run = structs.replace(run, owner=owner)
        live.ended = min(ended, now)
        self._dues.pass_over(slot, live.ended, now)
        if owner:
            outcome = structs.replace(outcome, reason=words.ran_on(owner, outcome))
        self._conclude(live, outcome)
        self._free(slot, now)

    def _conclude(self, live: Live, outcome: Outcome) -> None:
        slot = live.slot
        slot.let_go(live)
        if slot.removed and not slot.live:
            self._board.leaving.pop(slot.task.id, None)
        self._board.concluded.append((live, outcome))

    # --- nobody can be asked -------------------------------------------------------------------------------

    def _wait(self, live: Live, answer: Wait, now: float) -> None:
        slot, run = live.slot, live.run
        if self._board.closing and run.stop.reason is not None and not live.begun:
            live.state = State.READY  # it was decided, and the next program goes on with it
            return
        if run.stop.reason is not None or slot.removed or not (slot.task.enabled or live.by_hand):
            reason = run.stop.reason or words.DISABLED
            self._conclude(live, Outcome(State.CANCELLED, reason))
            return
        asked, over = live.asked, Over.NEVER if live.begun else answer.over
        if asked is None or (asked.over is not over and over is Over.OVERLAPPED):
            asked = live.asked = Asked(until=now + self._patience(live, over))
        asked.why, asked.over = answer.why, over
        live.due = now + answer.seconds
        if over is Over.NEVER:
            asked.until = max(asked.until, live.due + self._patience(live, over))
        live.due = min(live.due, asked.until)
        caught_up = run.cause is Cause.CATCH_UP and self._board.withheld and not (live.begun or live.rerun)
        if now >= asked.until or caught_up:
            self._give_up(live, asked, now)
            return
        live.state = State.PENDING
        self._board.wait_for_retry(live)
        self._board.changed(slot, now)

    @staticmethod
    def _patience(live: Live, over: Over) -> float:
        """Seconds for which a start waits to be claimed. One that has begun has been claimed, and goes on.

        A child that is late starts late: its parents' outcomes do not come again (unless nothing of it is caught up).
        """
        task, child = live.slot.task, live.run.cause is Cause.DEPENDENCY
        late = child and over is not Over.OVERLAPPED and task.catch_up is not CatchUp.SKIP
        if live.begun or late:
            return math.inf
        if over is Over.OVERLAPPED:
            return LAG
        return max(task.grace, PROMPT)

    def _give_up(self, live: Live, asked: Asked, now: float) -> None:
        """It waited in vain."""
        slot, run = live.slot, live.run
        self._starts.withdraw(live)
        if asked.over is Over.OVERLAPPED:
            self._starts.drop(live, words.STILL_RUNNING, now)
        elif run.cause in {Cause.MANUAL, Cause.DEPENDENCY} or live.rerun or live.sweeps:
            self._starts.drop(live, words.missed(asked.why), now)
        else:
            self._dues.miss_start(slot, run, asked.why, now)
        self._free(slot, now)

    def _free(self, slot: Slot, now: float) -> None:
        """Nothing of the task may be under way any more. What came due meanwhile is decided as if nothing had been."""
        if slot.live or slot.removed:
            return
        if slot.queued is not None:
            self._starts.start_queued(slot, now)
        elif slot.round is not None or not slot.task.enabled:
            self._board.changed(slot, now, lasting=True)
        elif self._board.ready.paused:
            self._dues.arm(slot)
            self._board.changed(slot, now, lasting=True)
        else:
            self._dues.account(slot, now, in_turn=True)
            self._board.changed(slot, now, lasting=True)
