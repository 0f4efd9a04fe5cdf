"""Floods: memory stays flat, and the live copy has at most twenty batches a second."""

import resource
import time

from desktopsched.actions.live import EVERY, HALF
from desktopsched.actions.perform import Performer
from desktopsched.actions.text import LONGEST, TextReader
from desktopsched.model import Command, Outcome, Run, State, Task
from tests.actions.conftest import a_run

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
    def __init__(self) -> None:
        self.log = Counter()
        self.batches: list[tuple[float, str]] = []

    def run(self, shell: str) -> Outcome:
        performer = Performer(lambda task_id, run_id: self.log, on_output=self.hear)
        return performer.perform(Task(id="task", name="Task", action=Command(shell=shell)), a_run())

    def hear(self, run: Run, text: str) -> None:
        self.batches.append((time.monotonic(), text))


def test_l09_flood_is_logged_whole_and_shown_bounded_in_flat_memory() -> None:
    flood = Flood()
    flood.run("yes | head -c 1000000")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    assert flood.run("yes | head -c 600000000") == SUCCEEDED
    seconds = time.monotonic() - began
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024  # KiB
    assert flood.log.size == 601_000_000
    assert all(len(text) < 2 * HALF + 100 for _, text in flood.batches)
    assert len(flood.batches) <= seconds / EVERY + 6
    assert any("bytes dropped …\n" in text for _, text in flood.batches)


def test_l09_five_million_lines() -> None:
    flood = Flood()
    assert flood.run("yes | head -n 5000000") == SUCCEEDED
    assert flood.log.size == 10_000_000
    assert flood.batches[-1][1].endswith("y\ny\n")


def test_l08_endless_line_is_logged_whole_and_shown_cut() -> None:
    flood = Flood()
    assert flood.run("head -c 50000000 /dev/zero | tr '\\0' x") == SUCCEEDED
    assert flood.log.size == 50_000_000
    reader = TextReader()
    lines = [line for _, text in flood.batches for line in reader.feed(text)] + reader.finish()
    assert max(len(line.plain) for line in lines) < LONGEST + 50


def test_binary_garbage_is_shown_without_a_control_character() -> None:
    flood = Flood()
    assert flood.run("head -c 3000000 /dev/urandom") == SUCCEEDED
    reader = TextReader()
    lines = [line for _, text in flood.batches for line in reader.feed(text)] + reader.finish()
    assert flood.log.size == 3_000_000
    assert not any(char < " " and char != "\t" for line in lines for char in line.plain)
