"""Rounds: what the edges of one child remember of its parents, and what follows from it (rule 6). Pure.

A round gathers one outcome from each parent. A newer outcome of a parent replaces its older one. When every edge
has an outcome and one is unmet, the round is over: the next scheduled outcome starts a clean one, while one that
repairs (a run by hand, and what follows from it) writes into it.
"""

import enum
from collections.abc import Callable, Iterable

from msgspec import structs

from desktopsched.engine import naming
from desktopsched.engine.memory import Mark
from desktopsched.model import Edge, Join, On, State

# An enum's attributes are slow to reach in Python 3.11.
_SUCCEEDED, _FAILED = State.SUCCEEDED, State.FAILED
_ALL, _SUCCESS, _FAILURE = Join.ALL, On.SUCCESS, On.FAILURE


class Verdict(enum.Enum):
    """What an outcome of a parent leads to."""

    WAIT = enum.auto()
    RUN = enum.auto()  # the edges are met; `use` takes the marks
    SKIP = enum.auto()  # one is unmet, and that is the news of this round


_WAIT, _RUN = Verdict.WAIT, Verdict.RUN


def fits(on: On, state: State) -> bool:
    """Whether an outcome meets an edge. SKIPPED and CANCELLED meet none."""
    if state is _SUCCEEDED:
        return on is not _FAILURE
    return state is _FAILED and on is not _SUCCESS


def _is_another(one: tuple[str, str] | None, newest: tuple[str, str] | None) -> bool:
    """Whether these are two starts of one task."""
    return one is not None and newest is not None and one[0] == newest[0] and one[1] != newest[1]


class Round:
    """The edges of one child."""

    __slots__ = ("awaited", "edges", "join", "marks", "teller", "unmet")

    def __init__(self, edges: Iterable[Edge], join: Join) -> None:
        self.edges = {edge.task: edge.on for edge in edges}
        self.join = join
        self.marks: dict[str, Mark] = {}
        self.unmet = 0  # marks that are unmet: counted, since a child may have thousands of parents
        self.teller = ""  # the parent whose mark remembers that this round's skip was told
        self.awaited: set[str] | None = None  # see `awaits`; None: nobody asked

    @property
    def complete(self) -> bool:
        """Whether every edge has an outcome."""
        return len(self.marks) == len(self.edges)

    def mark(
        self, parent: str, state: State, run: int, *, repairs: bool, nominal: str = ""
    ) -> tuple[Mark, bool]:
        """Remember a parent's outcome. Returns the mark, and whether a clean round began with it."""
        fresh = self.unmet > 0 and not repairs and self.join is _ALL and self.complete
        if fresh:
            self.clear()
        if self.awaited:
            self.awaited.discard(parent)
        met = fits(self.edges[parent], state)
        mark = Mark(state, run, met, told=self.teller == parent, repairs=repairs, nominal=nominal)
        self.put(parent, mark)
        return mark, fresh

    def tell(self, parent: str) -> Mark:
        """This round's skip is being told, because of `parent`: its mark remembers that."""
        mark = structs.replace(self.marks[parent], told=True)
        self.put(parent, mark)
        return mark

    def put(self, parent: str, mark: Mark) -> None:
        """Set one mark, counting."""
        older = self.marks.get(parent)
        self.unmet += (not mark.met) - (older is not None and not older.met)
        self.marks[parent] = mark
        if mark.told:
            self.teller = parent

    def verdict(self, parent: str | None = None) -> Verdict:
        """What follows from the marks, `parent`'s being the newest (None: they were restored)."""
        if self.join is not _ALL:
            newest = self.marks.values() if parent is None else (self.marks[parent],)
            return Verdict.RUN if any(mark.met for mark in newest) else Verdict.WAIT
        if not self.unmet:
            return _RUN if self.complete else _WAIT
        news = parent is None or not self.marks[parent].met
        return Verdict.SKIP if news and not self.teller else _WAIT

    def awaits(self, parent: str, under_way: Callable[[str], bool]) -> bool:
        """Whether all edges are met, but some by outcomes of another round than `parent`'s, the newest.

        So it is after a round of which one outcome was lost, or came late. Those parents that are under way again are
        waited for, each once; the two rounds are told apart by the start that all their runs descend from.
        """
        if self.awaited is None:
            newest = naming.origin(self.marks[parent].nominal)
            self.awaited = {
                one
                for one, mark in self.marks.items()
                if _is_another(naming.origin(mark.nominal), newest) and under_way(one)
            }
        return bool(self.awaited)

    def use(self) -> tuple[int, ...]:
        """Use the marks up: the parents' runs that let the child start."""
        runs = tuple(mark.run for mark in self.marks.values() if mark.met)
        self.clear()
        return runs

    def origin(self, run: int | None = None) -> tuple[str, str]:
        """The parent after whose start the child's is named on all computers of a shared list, and that start's name.

        The first one that met its edge, in the order of the task: so one start of that parent leads to one of the child
        at most, whichever outcomes of the others a computer had heard of by then. `run`: only this one of the parents'.
        """
        marks = self.marks
        met = [parent for parent in self.edges if parent in marks and marks[parent].met]
        parent = next(one for one in met if run is None or marks[one].run == run)
        return parent, marks[parent].nominal

    def clear(self) -> None:
        """A clean round."""
        self.marks.clear()
        self.awaited = None
        self.unmet = 0
        self.teller = ""

    def edit(self, edges: Iterable[Edge], join: Join) -> None:
        """Other edges: those that stay as they were keep their marks, a new one starts empty."""
        new = {edge.task: edge.on for edge in edges}
        kept = {p: m for p, m in self.marks.items() if new.get(p) is self.edges.get(p) and join is self.join}
        self.edges, self.join = new, join
        self.clear()
        for parent, mark in kept.items():
            self.put(parent, mark)
