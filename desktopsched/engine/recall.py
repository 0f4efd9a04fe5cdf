"""Recall: going on after a restart from what was remembered, however the program ended (rules 5–7)."""

from collections.abc import Mapping, Sequence

from desktopsched.engine import words
from desktopsched.engine.board import Board
from desktopsched.engine.dues import Dues
from desktopsched.engine.fates import Ended, Fate, StillRunning
from desktopsched.engine.memory import Mark, Memory
from desktopsched.engine.occurrences import once
from desktopsched.engine.outcomes import Outcomes
from desktopsched.engine.retry import retry_delay
from desktopsched.engine.rounds import Round, Verdict
from desktopsched.engine.slot import Live, Slot
from desktopsched.engine.starts import Starts
from desktopsched.model import Join, Outcome, Run, State

Recalled = tuple[Slot, Memory, Mapping[str, Mark]]


class Recall:
    """In this order: what the edges knew, then the runs that were under way, then what is due."""

    def __init__(self, board: Board, starts: Starts, dues: Dues, outcomes: Outcomes) -> None:
        self._board = board
        self._starts = starts
        self._dues = dues
        self._outcomes = outcomes

    def resume(self, recalled: Sequence[Recalled], fates: Mapping[int, Fate], now: float) -> None:
        """Let remembered tasks go on. Nothing that started before starts again by itself.

        Due instants are decided before the ended runs are told on: what passed while the program was closed was
        missed, not overlapped by a run that had long ended.
        """
        alive = max((memory.at for _, memory, _ in recalled), default=now)
        for slot, memory, marks in recalled:
            if slot.round is not None and slot.task.enabled:
                self._marks(slot.round, marks)
            self._runs(slot, memory, fates, now, alive)
            if memory.timing != slot.timing:  # edited while the program was closed
                self._dues.re_arm(slot, now)
            if self._board.doubted is None:
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

    def _runs(self, slot: Slot, memory: Memory, fates: Mapping[int, Fate], now: float, alive: float) -> None:
        """Those that were under way."""
        for run in memory.live:
            if run.id in memory.retry_at:
                self._between_attempts(slot, run, memory.retry_at[run.id], now)
            else:
                self._run(slot, run, fates.get(run.id), now, alive)

    def _run(self, slot: Slot, run: Run, fate: Fate | None, now: float, alive: float) -> None:
        """A run that had begun: it goes on, it ended meanwhile, or it was interrupted, after `alive`."""
        live = Live(run, slot, begun=True)
        match fate:
            case StillRunning(started=started):
                self._starts.go_on(live, started)
            case Ended(outcome=outcome, at=at):
                self._ended(live, outcome, min(at, now), now)
            case _:
                slot.interrupted, slot.interrupted_at = run, min(alive, now)
                reason = words.INTERRUPTED if fate is None else fate.reason
                self._board.concluded.append((live, Outcome(State.FAILED, reason)))

    def _ended(self, live: Live, outcome: Outcome, at: float, now: float) -> None:
        """What came due during the run is dropped, or waits for its end; what came due after it was missed."""
        slot = live.slot
        live.state, live.ended = State.RUNNING, at
        slot.live += (live,)
        if slot.round is None:
            decided, slot.armed = slot.armed, ()
            for armed in decided:
                self._outcomes.start_armed(slot, armed, now)
        self._dues.pass_over(slot, at, now)
        self._outcomes.end(live, outcome, at)

    def _between_attempts(self, slot: Slot, run: Run, retry_at: float, now: float) -> None:
        """A run whose next attempt is still due."""
        live = Live(run, slot, begun=True)
        if not slot.task.enabled:
            self._board.concluded.append((live, Outcome(State.CANCELLED, words.DISABLED)))
            return
        longest = retry_delay(slot.task.retry, run.attempt - 1, luck=1.0)
        live.state = State.PENDING
        live.due = min(retry_at, now + longest)  # the clock may have been set back
        slot.live += (live,)
        if self._board.holding:  # one thing alone is run by hand there
            self._board.timetable.put(live, live.due, slot.task.priority)
        else:
            self._board.wait_for_retry(live)
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
        elif self._runs_on(slot):
            pass  # what comes due meanwhile is decided when it ends
        elif self._board.ready.paused and not self._board.holding and not once(slot.task):
            self._dues.skip_passed(slot, words.PAUSED, now)
        else:
            self._dues.account(slot, now)

    def _runs_on(self, slot: Slot) -> bool:
        """Whether it is not in the timetable, because a run of it is under way (rule 4)."""
        running = any(live.state is State.RUNNING for live in slot.live)
        return running and not self._dues.put_back_at_dispatch(slot)

    def _met(self, edges: Round) -> list[tuple[tuple[int, ...], str]]:
        """Use the marks up: the starts that follow from them, by the parents' runs, and their names."""
        if edges.join is not Join.ANY:
            nominal = self._outcomes.name_after(edges, None)
            return [(edges.use(), nominal)]
        met = [mark.run for mark in edges.marks.values() if mark.met]
        names = [self._outcomes.name_after(edges, run) for run in met]
        edges.clear()
        return [((run,), name) for run, name in zip(met, names, strict=True)]

    def _round(self, slot: Slot, edges: Round, now: float) -> None:
        """The program may have ended between an outcome of a parent and what follows from it."""
        verdict, repairs = edges.verdict(), any(mark.repairs for mark in edges.marks.values())
        if verdict is Verdict.RUN:
            for parents, nominal in self._met(edges):
                self._outcomes.edges_met(slot, parents, now, repairs=repairs, nominal=nominal)
        elif verdict is Verdict.SKIP:
            parent = next(parent for parent, mark in edges.marks.items() if not mark.met)
            self._outcomes.skip_child(slot, parent, now, repairs=repairs)
        else:
            self._board.changed(slot, now)
