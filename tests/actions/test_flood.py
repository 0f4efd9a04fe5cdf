"""Floods: memory stays flat, and the live copy has at most twenty batches a second."""

import resource
import time

import pytest

from desktopsched.actions.perform import Performer
from desktopsched.actions.text import LONGEST, TextReader
from desktopsched.model import Command, Outcome, Run, State, Task
from desktopsched.supervisor.live import EVERY, HALF
from tests.actions.conftest import Desk, a_run

SUCCEEDED = Outcome(State.SUCCEEDED, exit_code=0)


class Counter:
    """A log that keeps nothing."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: bytes) -> None:
        self.size += len(data)

    def close(self) -> None:
        pass


class Flood:
    def __init__(self, desk: Desk | None) -> None:
        self._desk = desk
        self._log = Counter()
        self.batches: list[tuple[float, str]] = []

    @property
    def size(self) -> int:
        """How many bytes went to the log of the last run."""
        return self._desk.logs[-1].size if self._desk is not None else self._log.size

    def run(self, shell: str) -> Outcome:
        self._log = Counter()
        places = self._desk.places() if self._desk is not None else None
        performer = Performer(lambda task_id, run_id: self._log, on_output=self.hear, places=places)
        return performer.perform(Task(id="task", name="Task", action=Command(shell=shell)), a_run())

    def hear(self, run: Run, text: str) -> None:
        self.batches.append((time.monotonic(), text))


@pytest.fixture
def flood(desk: Desk | None) -> Flood:
    return Flood(desk)


def test_l09_flood_is_logged_whole_and_shown_bounded_in_flat_memory(flood: Flood) -> None:
    flood.run("yes | head -c 1000000")
    flood.batches.clear()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    assert flood.run("yes | head -c 600000000") == SUCCEEDED
    seconds = time.monotonic() - began
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024  # KiB
    assert flood.size == 600_000_000
    assert all(len(text) < 2 * HALF + 100 for _, text in flood.batches)
    assert len(flood.batches) <= seconds / EVERY + 6
    assert any("bytes dropped …\n" in text for _, text in flood.batches)


def test_l09_five_million_lines(flood: Flood) -> None:
    assert flood.run("yes | head -n 5000000") == SUCCEEDED
    assert flood.size == 10_000_000
    assert flood.batches[-1][1].endswith("y\ny\n")


def test_l08_endless_line_is_logged_whole_and_shown_cut(flood: Flood) -> None:
    assert flood.run("head -c 50000000 /dev/zero | tr '\\0' x") == SUCCEEDED
    assert flood.size == 50_000_000
    reader = TextReader()
    lines = [line for _, text in flood.batches for line in reader.feed(text)] + reader.finish()
    assert max(len(line.plain) for line in lines) < LONGEST + 50


def test_binary_garbage_is_shown_without_a_control_character(flood: Flood) -> None:
    assert flood.run("head -c 3000000 /dev/urandom") == SUCCEEDED
    reader = TextReader()
    lines = [line for _, text in flood.batches for line in reader.feed(text)] + reader.finish()
    assert flood.size == 3_000_000
    assert not any(char < " " and char != "\t" for line in lines for char in line.plain)
