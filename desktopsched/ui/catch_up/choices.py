"""Choices: what can be decided about missed and interrupted runs, and what a decision leads to. Pure, no Qt.

`choices.Choices` is the one mutable thing: the picks of one open window. Instants are seconds since 1970, UTC.
"""

import enum
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from desktopsched.model import CatchUp, Task

MOST = 1_000
"""Missed runs of one task that start at most: the engine counts the others and leaves them (rule 7)."""

MANY = 50
"""More runs of one task than this need a second press."""


class Pick(enum.Enum):
    """What happens to one line."""

    ALL = "all"
    LATEST = "latest"
    SKIP = "skip"
    RERUN = "rerun"
    LEAVE = "leave"


class MissedTask(Struct, frozen=True, kw_only=True):
    """A task with something to decide."""

    task: Task
    schedule: str = ""  # in words
    count: int = 0  # missed runs that wait for an answer
    first: float | None = None
    last: float | None = None
    interrupted: bool = False  # a run of it was cut off
    interrupted_at: float | None = None
    usual: float | None = None  # seconds that it usually takes


class Decision(NamedTuple):
    """The answer for one task. ASK: nothing was missed, or what was is left as it is."""

    task_id: str
    choice: CatchUp
    rerun: bool
    remember: bool


LineKey = tuple[str, bool]
"""What a row is known by: its task, and whether it is about an interrupted run."""


class Line(Struct, frozen=True):
    """One row: the missed runs of a task, or its interrupted one."""

    missed: MissedTask
    interrupted: bool = False

    @property
    def key(self) -> LineKey:
        """Stays while other rows come and go."""
        return self.missed.task.id, self.interrupted

    @property
    def picks(self) -> tuple[Pick, ...]:
        """What there is to choose from."""
        if self.interrupted:
            return (Pick.RERUN, Pick.LEAVE)
        return (Pick.ALL, Pick.SKIP) if self.missed.count == 1 else (Pick.ALL, Pick.LATEST, Pick.SKIP)

    @property
    def usual_pick(self) -> Pick:
        """What is picked at first."""
        if self.interrupted:
            return Pick.RERUN
        return Pick.ALL if self.missed.count == 1 else Pick.LATEST

    @property
    def can_remember(self) -> bool:
        """Whether the answer can become the task's rule: there is none for interrupted runs."""
        return not self.interrupted

    def runs(self, pick: Pick) -> int:
        """How many runs a pick starts."""
        if pick is Pick.ALL:
            return min(self.missed.count, MOST)
        return 1 if pick in {Pick.LATEST, Pick.RERUN} else 0


def lines_of(missed: Sequence[MissedTask]) -> tuple[Line, ...]:
    """The rows: interrupted runs first, as something was cut off there."""
    cut = [Line(one, interrupted=True) for one in missed if one.interrupted]
    return (*cut, *(Line(one) for one in missed if one.count))


class Choices:
    """The picks for all lines. Belongs to one open window."""

    def __init__(self, missed: Sequence[MissedTask]) -> None:
        self.lines = lines_of(missed)
        self._picks = [line.usual_pick for line in self.lines]
        self._remembered = [False] * len(self.lines)

    def follow(self, missed: Sequence[MissedTask]) -> None:
        """Other lines, as more was missed meanwhile; what was picked for those that stay is kept."""
        before = {line.key: (self._picks[at], self._remembered[at]) for at, line in enumerate(self.lines)}
        self.lines = lines_of(missed)
        self._picks, self._remembered = [], []
        for line in self.lines:
            pick, remembered = before.get(line.key, (line.usual_pick, False))
            self._picks.append(pick if pick in line.picks else line.usual_pick)
            self._remembered.append(remembered)

    def pick_of(self, at: int) -> Pick:
        """What is picked for a line."""
        return self._picks[at]

    def remembered(self, at: int) -> bool:
        """Whether the answer holds next time too."""
        return self._remembered[at]

    def pick(self, at: int, pick: Pick) -> None:
        """Choose for one line; what it does not offer is left alone."""
        if pick in self.lines[at].picks:
            self._picks[at] = pick

    def step(self, at: int, by: int) -> None:
        """The pick beside the present one."""
        picks = self.lines[at].picks
        place = picks.index(self._picks[at]) + by
        self._picks[at] = picks[min(max(place, 0), len(picks) - 1)]

    def remember(self, at: int) -> None:
        """The other way round."""
        if self.lines[at].can_remember:
            self._remembered[at] = not self._remembered[at]

    def pick_everywhere(self, pick: Pick) -> None:
        """One choice for all; skipping also leaves what was interrupted, running the latest runs it again."""
        twin = Pick.LEAVE if pick is Pick.SKIP else Pick.RERUN
        for at, line in enumerate(self.lines):
            wanted = twin if line.interrupted else pick
            self._picks[at] = wanted if wanted in line.picks else line.usual_pick

    # --- what it leads to ----------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """Missed and interrupted runs, all of them."""
        return sum(1 if line.interrupted else line.missed.count for line in self.lines)

    @property
    def runs(self) -> int:
        """How many runs start."""
        return sum(self._each())

    @property
    def many(self) -> tuple[str, ...]:
        """The tasks of which so many runs start that it is asked twice."""
        each = zip(self.lines, self._each(), strict=True)
        return tuple(line.missed.task.name for line, runs in each if runs > MANY)

    def _each(self) -> list[int]:
        return [line.runs(self._picks[at]) for at, line in enumerate(self.lines)]

    def seconds(self, workers: int) -> tuple[float, int]:
        """About how long the runs take, and of how many that is not known.

        Runs of one task come one after the other, tasks beside each other: no shorter than the longest, nor than all
        work shared among the workers.
        """
        by_task: dict[str, float] = {}
        unknown = 0
        for line, runs in zip(self.lines, self._each(), strict=True):
            if line.missed.usual is None:
                unknown += runs
            else:
                task_id = line.missed.task.id
                by_task[task_id] = by_task.get(task_id, 0.0) + runs * line.missed.usual
        if not by_task:
            return 0.0, unknown
        return max(*by_task.values(), sum(by_task.values()) / max(workers, 1)), unknown

    def decisions(self) -> list[Decision]:
        """One answer for each task."""
        found: dict[str, Decision] = {}
        for at, line in enumerate(self.lines):
            task_id, pick = line.missed.task.id, self._picks[at]
            before = found.get(task_id, Decision(task_id, CatchUp.ASK, rerun=False, remember=False))
            if line.interrupted:
                found[task_id] = before._replace(rerun=pick is Pick.RERUN)
            else:
                found[task_id] = before._replace(choice=CatchUp(pick.value), remember=self._remembered[at])
        return list(found.values())
