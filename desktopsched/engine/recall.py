"""Recall: going on after a restart from what was remembered, however the program ended (rules 5–7)."""

from collections.abc import Mapping, Sequence

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.dues import Dues, once
from desktopsched.engine.memory import Mark, Memory
from desktopsched.engine.outcomes import Outcomes
from desktopsched.engine.retry import retry_delay
from desktopsched.engine.rounds import Round, Verdict
from desktopsched.engine.slot import Live, Slot
from desktopsched.model import Join, Outcome, Run, State

Recalled = tuple[Slot, Memory, Mapping[str, Mark]]


class Recall:
    """In this order: what the edges knew, then the runs that were under way, then what is due."""

    def __init__(self, board: Board, dues: Dues, outcomes: Outcomes) -> None:
        self._board = board
        self._dues = dues
        self._outcomes = outcomes

    def resume(self, recalled: Sequence[Recalled], now: float) -> None:
        """Let remembered tasks go on. Nothing that started before starts again by itself.

        Due instants are decided before the interrupted runs are told on: what passed while the program was closed
        was missed, not overlapped by a run that had long ended.
        """
        alive = max((memory.at for _, memory, _ in recalled), default=now)
        for slot, memory, marks in recalled:
            if slot.round is not None and slot.task.enabled:
                self._marks(slot.round, marks)
            for run in memory.live:
                self._run(slot, run, memory.retry_at.get(run.id), now, alive)
            if memory.timing != slot.timing:  # edited while the program was closed
                self._dues.re_arm(slot, now)
            self._dues.follow_back(slot, memory.at, now)
        for slot, _, _ in recalled:
            if slot.task.enabled:
                self._due(slot, now)
        self._outcomes.settle(now)
        for slot, _, _ in recalled:
            if slot.round is not None and slot.task.enabled:
                self._round(slot, slot.round, now)
        self._outcomes.settle(now)

    @staticmethod
    def _marks(edges: Round, marks: Mapping[str, Mark]) -> None:
        for parent, mark in marks.items():
            if parent in edges.edges:
                edges.put(parent, mark)

    def _run(self, slot: Slot, run: Run, retry_at: float | None, now: float, alive: float) -> None:
        """A run that had begun: its next attempt is still due, or it was interrupted, after `alive`."""
        live = Live(run, slot, begun=True)
        if retry_at is None:
            slot.interrupted, slot.interrupted_at = run, min(alive, now)
            self._board.concluded.append((live, Outcome(State.FAILED, words.INTERRUPTED)))
        elif not slot.task.enabled:
            self._board.concluded.append((live, Outcome(State.CANCELLED, words.DISABLED)))
        else:
            longest = retry_delay(slot.task.retry, run.attempt - 1, luck=1.0)
            live.state, live.due = (
                State.PENDING,
                min(retry_at, now + longest),
            )  # the clock may have been set back
            slot.live += (live,)
            self._board.timetable.put(live, live.due, slot.task.priority)
            self._board.changed(slot, now)

    def _due(self, slot: Slot, now: float) -> None:
        if slot.round is None:
            decided, slot.armed = slot.armed, ()
        else:
            decided = slot.armed
        for armed in decided:
            if armed.scheduled_for > now and not slot.ticket and slot.round is not None:
                slot.nominal = slot.due = armed.scheduled_for
                self._board.timetable.put(slot, slot.due, slot.task.priority)
            else:
                self._outcomes.start_armed(slot, armed, now)
        if slot.round is not None:
            slot.cursor = max([slot.cursor, *(min(armed.scheduled_for, now) for armed in decided)])
        elif self._board.ready.paused and not self._board.holding and not once(slot.task):
            self._dues.skip_passed(slot, words.PAUSED, now)
        else:
            self._dues.account(slot, now)

    def _round(self, slot: Slot, edges: Round, now: float) -> None:
        """The program may have ended between an outcome of a parent and what follows from it."""
        verdict, repairs = edges.verdict(), any(mark.repairs for mark in edges.marks.values())
        if verdict is Verdict.RUN:
            runs = edges.use()
            for parents in [(run,) for run in runs] if edges.join is Join.ANY else [runs]:
                self._outcomes.edges_met(slot, parents, now, repairs=repairs)
        elif verdict is Verdict.SKIP:
            parent = next(parent for parent, mark in edges.marks.items() if not mark.met)
            self._outcomes.skip_child(slot, parent, now, repairs=repairs)
        else:
            self._board.changed(slot, now)
