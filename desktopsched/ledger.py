"""The ledger: what became of a due instant, and why, in words: "why didn't it run?". Free of Qt.

Each due instant is in exactly one state. It is looked for in the order in which one rules out the other: a start for
it, a record that counts it, what waits for an answer, and then what kept the task from being due at all.
"""

import enum
from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from msgspec import Struct

from desktopsched import phrases
from desktopsched.engine import words
from desktopsched.engine.memory import Memory
from desktopsched.engine.occurrences import newest, next_after, once, random_delay, zone_of
from desktopsched.model import At, Cause, Cron, Overlap, State, Task
from desktopsched.storage.records import EVERYBODY, Records, RunRecord

_ON_TIME = 1.0  # seconds
_NOBODY: Mapping[float, str] = {}
_UNNAMED: Mapping[str, str] = {}


class Fate(enum.StrEnum):
    """What became of a due instant."""

    RAN = "ran"
    RUNNING = "running"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"  # it began, and the program or the computer ended before it
    ASKED = "missed"  # and waits for an answer
    CATCHING_UP = "catching up"  # missed, and will run
    DECIDED = "decided"  # it will start: a worker, or the run before it, is waited for
    TO_COME = "to come"
    WAITING = "waiting"  # for the run before it, which is under way
    PAUSED = "paused"
    SPENT = "ran often enough"
    DISABLED = "disabled"
    NOT_DUE = "not due"  # by the schedule of then, or not on the list
    UNKNOWN_YET = "before it was made"
    NOT_OPEN = "not open"  # no program ran since
    NOT_KNOWN = "not known"
    ELSEWHERE = "elsewhere"  # another computer that shares the list performed it, or does


class Answer(Struct, frozen=True, kw_only=True):
    """Why a task ran or did not, for one due instant; `due` is None for one that has none of its own."""

    due: float | None
    fate: Fate
    sentences: tuple[str, ...]
    run: int = 0

    @property
    def words(self) -> str:
        """All of it."""
        return " ".join(self.sentences)


class Ledger:
    """Answers for one home at a moment. It reads the history; any thread may ask."""

    def __init__(
        self,
        records: Records,
        now: float,
        zone: ZoneInfo,
        *,
        open_: bool = True,
        alive: float | None = None,
        paused: bool = False,
        away: Mapping[float, str] = _NOBODY,
        names: Mapping[str, str] = _UNNAMED,
    ) -> None:
        """`open_`: a program has the home open; if not, `alive` is its last sign of life. `paused`: all tasks are.

        `away`: the due instants that other computers perform now, and which ones. `names`: of tasks, by their ids.
        """
        self._away, self._names = away, names
        self._records, self._now, self._zone = records, now, zone
        self._open, self._alive, self._paused = open_, alive, paused

    def why(self, task: Task, memory: Memory | None, at: float | None = None, waiting: str = "") -> Answer:
        """What became of the last due instant up to `at` (now, if not given). StorageError.

        `waiting`: what a task waits for now, in words.
        """
        if task.waits_for or task.schedule is None:
            return self._of_last_run(task, at, waiting)
        anchor = memory.first_seen if memory is not None else self._now
        until = self._now if at is None else at
        found, _ = newest(task, 0.0, until, 1, zone=self._zone, anchor=anchor)
        coming = self._coming(task, memory, anchor)
        if at is not None and at > self._now:
            return Answer(due=at, fate=Fate.TO_COME, sentences=("That is still to come.", *coming))
        if not found:
            said = f"{task.name} was never due before {self._say(until)}."
            return Answer(due=None, fate=Fate.TO_COME, sentences=(said, *coming))
        due = found[-1]
        fate, became, run = self._of(task, memory, due, waiting)
        head = f"{task.name} was due on {self._say(due, task)}."
        return Answer(due=due, fate=fate, sentences=(head, *became, *coming), run=run)

    # --- a task with a schedule of its own -----------------------------------------------------------------

    def _of(
        self, task: Task, memory: Memory | None, due: float, waiting: str
    ) -> tuple[Fate, Sequence[str], int]:
        record = self._records.of_instant(task.id, due)
        if record is not None:
            fate, became = self._of_record(record, due + random_delay(task, due))
            between_attempts = fate is Fate.RUNNING and record.state is State.PENDING and waiting
            return fate, (*became, _sentence(waiting)) if between_attempts else became, record.id
        if memory is not None and (owed := _owed(memory, due, waiting)) is not None:
            return *owed, 0
        return *self._of_none(task, memory, due, waiting), 0

    def _of_record(self, record: RunRecord, due: float) -> tuple[Fate, Sequence[str]]:
        if record.ended is None:
            if self._open:
                said = f"Run {record.id} for it {self._began(record, due)}"
                between_attempts = record.state is State.PENDING and record.reason
                became = (
                    f". Its last attempt ended: {record.reason}." if between_attempts else " and goes on."
                )
                return Fate.RUNNING, (said + became,)
            return Fate.INTERRUPTED, (
                f"Run {record.id} for it {self._began(record, due)}; its end is not known.",
            )
        if record.state is State.SKIPPED:
            others = record.count - 1
            with_others = f" with {others:,} {'other' if others == 1 else 'others'}" if others else ""
            return Fate.SKIPPED, (f"It was skipped{with_others}: {record.reason}.",)
        if record.owner:
            return Fate.ELSEWHERE, (f"Run {record.id} for it {record.reason}; it {_BECAME[record.state]}.",)
        if record.started is None:
            return Fate.CANCELLED, (f"It did not start: {record.reason or record.state.value}.",)
        took = phrases.took(record.ended - record.started)
        reason = f": {record.reason}" if record.reason else ""
        became = _BECAME.get(record.state, record.state.value)
        said = f"Run {record.id} for it {self._began(record, due)} and {became} after {took}{reason}."
        return Fate.INTERRUPTED if record.reason.startswith("interrupted") else Fate.RAN, (said,)

    def _began(self, record: RunRecord, due: float) -> str:
        if record.started is None:
            return "has not begun"
        late = record.started - due
        if record.cause in {Cause.MANUAL, Cause.CATCH_UP}:
            return f"began on {self._say(record.started)} ({_CAUSES[record.cause]})"
        return "began on time" if late <= _ON_TIME else f"began {phrases.span(late)} late"

    def _of_none(
        self, task: Task, memory: Memory | None, due: float, waiting: str
    ) -> tuple[Fate, Sequence[str]]:
        """There is no record: nothing was to be started then, or it is not decided yet."""
        if memory is None or due <= memory.first_seen:
            seen = f" It was first seen on {self._say(memory.first_seen)}." if memory else ""
            return Fate.UNKNOWN_YET, (f"Desktopsched did not know it yet.{seen}",)
        if (changed := self._changed(task, memory, due)) is not None:
            return changed
        undecided = due > memory.handled
        if _is_spent(task, memory) and (undecided or not self._started_after(task.id, due)):
            return Fate.SPENT, (_often_enough(memory),)
        if not self._open and due > min(memory.handled, self._alive or 0.0):
            return Fate.NOT_OPEN, (self._not_open(due),)
        if undecided:
            return self._undecided(task, memory, due, waiting)
        return (
            self._elsewhere(task, due)
            or self._absent(due)
            or (
                Fate.NOT_KNOWN,
                ("There is no record of it: it is older than the history that is kept.",),
            )
        )

    def _not_open(self, due: float) -> str:
        if self._alive is not None and due <= self._alive:
            ended = self._say(self._alive)
            return f"Desktopsched ended on {ended}, before it was decided: it will be when it is opened."
        since = f" since {self._say(self._alive)}" if self._alive is not None else ""
        return f"Desktopsched has not been open{since}: it will be missed when it is opened."

    def _undecided(self, task: Task, memory: Memory, due: float, waiting: str) -> tuple[Fate, Sequence[str]]:
        """It came due, and what becomes of it is not decided."""
        if (of_list := self._of_list(due, waiting)) is not None:
            return of_list
        if task.overlap in _WAIT_FOR_END and (memory.live or memory.armed or waiting):
            return Fate.WAITING, (_BEHIND[task.overlap],)
        if self._paused:
            return Fate.PAUSED, (_PAUSED[once(task)],)
        if waiting.startswith("waits for a free"):
            return Fate.DECIDED, (_WILL_START,)
        starts = due + random_delay(task, due)
        if starts > self._now:
            return Fate.DECIDED, (f"It is to start on {self._say(starts, task)}, after its random delay.",)
        return self._absent(due) or (Fate.DECIDED, ("It is to start at any moment.",))

    def _of_list(self, due: float, waiting: str) -> tuple[Fate, Sequence[str]] | None:
        """The shared list has a say in it."""
        if due in self._away:
            return Fate.ELSEWHERE, (f"It {words.goes_on_on([self._away[due]])}.",)
        if words.is_of_list(waiting) and not words.is_elsewhere(waiting):
            return Fate.DECIDED, (f"It, or the start before it, {waiting}.",)
        return None

    def _changed(self, task: Task, memory: Memory, due: float) -> tuple[Fate, Sequence[str]] | None:
        """The task was not due then: it was another one, or is disabled."""
        # A change handles all that came before it. What is not handled came after it, whatever the clock said then.
        if due <= memory.handled and (change := self._change_after(task.id, due)) is not None:
            at, what = change
            return Fate.DISABLED if what == "enabled" else Fate.NOT_DUE, (
                _CHANGED[what].format(self._say(at)),
            )
        return None if task.enabled else (Fate.DISABLED, ("It is disabled.",))

    def _elsewhere(self, task: Task, due: float) -> tuple[Fate, Sequence[str]] | None:
        """The computer was in another time zone then, by whose clock it was not due."""
        if task.timezone or not isinstance(task.schedule, Cron | At):
            return None
        at = next((at for at, what in self._records.changes(EVERYBODY) if what == "zone" and at >= due), None)
        return None if at is None else (Fate.NOT_DUE, (_ELSEWHERE.format(self._say(at)),))

    def _absent(self, due: float) -> tuple[Fate, Sequence[str]] | None:
        """Nothing could start then."""
        absences = self._records.absences(due)
        why = next((why for began, ended, why in absences if began <= due <= ended), "")
        return (Fate.NOT_OPEN, (f"At that time {why}.",)) if why else None

    def _started_after(self, task_id: str, due: float) -> bool:
        """Whether a later due instant than this one has a record."""
        runs = self._records.runs(task_id, 200)
        return any(run.scheduled_for > due for run in runs if run.cause is not Cause.MANUAL)

    def _change_after(self, task_id: str, due: float) -> tuple[float, str] | None:
        """The first change of the task after an instant, if it says that it was not due then."""
        after = next(((at, what) for at, what in self._records.changes(task_id) if at >= due), None)
        return after if after is not None and after[1] in _CHANGED else None

    def _coming(self, task: Task, memory: Memory | None, anchor: float) -> tuple[str, ...]:
        if not task.enabled:
            return ("It is disabled now.",)
        if memory is not None and _is_spent(task, memory):
            return ("It is not due again.",)
        due = next_after(task, self._now, zone=self._zone, anchor=anchor)
        return ("It is not due again.",) if due is None else (f"It is due next on {self._say(due, task)}.",)

    # --- a task that runs after others, or by hand ---------------------------------------------------------

    def _of_last_run(self, task: Task, at: float | None, waiting: str) -> Answer:
        until = self._now if at is None else at
        runs = [run for run in self._records.runs(task.id, 200) if run.scheduled_for <= until]
        if not runs:
            said = [f"{task.name} has not run before {self._say(until)}."]
        else:
            _, what = self._of_record(runs[0], runs[0].scheduled_for)
            said = [
                f"{task.name} was to start on {self._say(runs[0].scheduled_for)}{self._because(runs[0])}.",
                *what,
            ]
        if at is None:
            said.append(_sentence(waiting) if waiting else _NO_SCHEDULE.get(bool(task.waits_for), ""))
        fate = self._of_record(runs[0], runs[0].scheduled_for)[0] if runs else Fate.TO_COME
        sentences = tuple(filter(None, said))
        due = runs[0].scheduled_for if runs else None
        return Answer(due=due, fate=fate, sentences=sentences, run=runs[0].id if runs else 0)

    def _because(self, record: RunRecord) -> str:
        """What it followed from. Of one that was left out the reason says it."""
        if record.cause is not Cause.DEPENDENCY or record.state is State.SKIPPED or not record.parents:
            return ""
        parent, more = self._records.run(record.parents[0]), len(record.parents) - 1
        if parent is None:
            return ""  # it is older than the history that is kept
        name = self._names.get(parent.task_id, parent.task_id)
        others = f" and {more:,} more ended" if more else ""
        return f", because {name} {_BECAME.get(parent.state, f'was {parent.state.value}')}{others}"

    def _say(self, instant: float, task: Task | None = None) -> str:
        zone = self._zone if task is None else zone_of(task, self._zone)
        return phrases.full(instant, zone)


_WAIT_FOR_END = frozenset({Overlap.SKIP, Overlap.QUEUE})
_BEHIND = {
    Overlap.SKIP: "The run before it is under way: what comes due meanwhile is skipped.",
    Overlap.QUEUE: "The run before it is under way: the latest of what comes due meanwhile starts after it.",
}
_PAUSED = {
    False: "Everything is paused: what comes due meanwhile is skipped.",
    True: "Everything is paused: it starts when that is over.",
}
_WILL_START = "It will start: it waits for a free worker, or for the run before it."
_CAUSES = {Cause.MANUAL: "started by hand", Cause.CATCH_UP: "caught up"}
_CHANGED = {
    "enabled": "The task was disabled until {}.",
    "edited": "When it runs was changed on {}: by the schedule before that it was not due then.",
    "added": "The task was put on the list on {}.",
}
_BECAME = {State.SUCCEEDED: "succeeded", State.FAILED: "failed", State.CANCELLED: "was cancelled"}
_ELSEWHERE = "The computer was in another time zone until {}: by the clock of that it was not due then."
_NO_SCHEDULE = {False: "It has no schedule: it starts by hand.", True: ""}


def _is_spent(task: Task, memory: Memory) -> bool:
    """Whether it ran, or is about to run, as often as it may."""
    return task.max_runs is not None and memory.starts + len(memory.armed) >= task.max_runs


def _often_enough(memory: Memory) -> str:
    said = words.ran_often_enough(memory.starts + len(memory.armed))
    return f"It did not start: {said}."


def _owed(memory: Memory, due: float, waiting: str) -> tuple[Fate, Sequence[str]] | None:
    """What was missed and is still to be decided or run; or decided and not begun."""
    for owed in memory.owed:
        if owed.after < due <= owed.until:
            why = f": {owed.why}" if owed.why else ""
            if owed.decided:
                return Fate.CATCHING_UP, (
                    f"It was missed{why}. It will run, after what was missed before it.",
                )
            return Fate.ASKED, (f"It was missed{why}. It waits for your answer: run it, or skip it.",)
    if any(armed.scheduled_for == due for armed in memory.armed):
        if words.is_of_list(waiting):
            return Fate.ELSEWHERE if words.is_elsewhere(waiting) else Fate.DECIDED, (f"It {waiting}.",)
        return Fate.DECIDED, (_WILL_START,)
    return None


def _sentence(words: str) -> str:
    return f"It {words}." if words.startswith(("waits", "tries", "goes on on")) else f"Now: {words}."
