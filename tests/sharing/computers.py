"""Other computers, as processes: each has a store of its own, and is told what to do."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from msgspec import Struct

from tests.sharing.places import Place

LEAD = 150_000
"""Nanoseconds between the order to claim and the moment to do so: the order has reached both by then."""


MOST = 50
"""So many times the starts that were asked for there are at most."""


class Claim(Struct, frozen=True):
    """What one computer had of one due start, and when it asked and was answered."""

    answer: str
    asked: int
    answered: int


class Computer:
    """A process that does what `racer` says."""

    def __init__(self, url: str, list_id: str, name: str, lease: float, *more: str) -> None:
        command = (sys.executable, "-m", "tests.sharing.racer", url, list_id, name, str(lease), *more)
        root = Path(__file__).parents[2]
        self.process = subprocess.Popen(
            command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in: IO[str] = self.process.stdin
        self._out: IO[str] = self.process.stdout

    def wait_ready(self) -> None:
        """Until it has asked the store what time it is."""
        assert self._out.readline() == "float\n"

    def tell(self, *words: object) -> None:
        """An order, without waiting for its answer."""
        self._in.write(" ".join(map(str, words)) + "\n")

    def hear(self) -> str:
        """The answer to the oldest order."""
        return self._out.readline().rstrip("\n")

    def do(self, *words: object) -> str:
        """An order, and its answer."""
        self.tell(*words)
        return self.hear()

    def claim(self, nominal: object, due: float | None = None) -> str:
        """Claim now. What came of it."""
        return self.do("claim", nominal, "-" if due is None else due, 0).split()[0]

    def heard_claim(self) -> Claim:
        """The answer to an order to claim."""
        answer, asked, answered = self.hear().split()
        return Claim(answer, int(asked), int(answered))

    def end(self) -> None:
        """Let it go."""
        if self.process.poll() is None:
            self._in.close()
            self.process.wait(20)
        else:
            self._in.close()
        self._out.close()


@contextmanager
def computer(place: Place, list_id: str) -> Iterator[Computer]:
    """One other computer."""
    one = Computer(place.url, list_id, "attic", place.lease)
    try:
        one.wait_ready()
        yield one
    finally:
        one.end()


@contextmanager
def computers(place: Place, list_id: str, *more: str, lease: float | None = None) -> Iterator[list[Computer]]:
    """An attic and a cellar."""
    pair = [
        Computer(place.url, list_id, name, place.lease if lease is None else lease, *more)
        for name in ("attic", "cellar")
    ]
    try:
        for one in pair:
            one.wait_ready()
        yield pair
    finally:
        for one in pair:
            one.end()


class Tally(Struct):
    """What came of many due starts."""

    once: int = 0
    doubled: int = 0
    nobody: int = 0
    overlaps: int = 0  # both asked before either was answered
    unknown: int = 0

    @property
    def starts(self) -> int:
        """How many there were."""
        return self.once + self.doubled + self.nobody


def race(pair: list[Computer], starts: int, enough: Callable[[Tally], bool]) -> Tally:
    """In lock step: both computers claim the same due start at the same moment, one start after the other.

    More than `starts` where that was not `enough`: on a busy computer one of the two is often kept waiting.
    """
    tally = Tally()
    for number in range(MOST * starts):
        if number >= starts and enough(tally):
            break
        at = time.perf_counter_ns() + LEAD
        for one in pair:
            one.tell("claim", number, "-", at)
        count(tally, [one.heard_claim() for one in pair])
    return tally


def count(tally: Tally, claims: list[Claim]) -> None:
    """One due start more."""
    had = sum(one.answer == "Claimed" for one in claims)
    tally.once += had == 1
    tally.doubled += had > 1
    tally.nobody += had == 0
    tally.unknown += sum(one.answer == "Unknown" for one in claims)
    tally.overlaps += max(one.asked for one in claims) < min(one.answered for one in claims)
