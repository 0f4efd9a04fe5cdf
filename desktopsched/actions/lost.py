"""Runs whose supervisor is dead, or deaf: what is left of them is found and stopped. On a pool thread, or at launch.

A process is theirs by the marker in its environment, which is random, or because it descends from the run's first
process or its supervisor; these two are known by number, beginning and start of the computer. Signals go to each
process by itself: no group is signalled that could be another's by now. Linux.
"""

import contextlib
import select
from collections.abc import Iterable
from pathlib import Path

from desktopsched.actions.runfolder import read_about, read_processes
from desktopsched.actions.tree import Tree
from desktopsched.supervisor.family import boot_id, start_ticks
from desktopsched.supervisor.ladder import bring_down
from desktopsched.supervisor.output import Output
from desktopsched.supervisor.pump import Pump


def stop_remains(folder: Path, grace: float) -> int:
    """Stop what is left of the run of this folder; how many processes of it there were. Returns after `grace` + 5 s.

    The supervisor does not count, which is still dying perhaps, or deaf and stopped too.
    """
    about, processes = read_about(folder), read_processes(folder)
    if about is None or (processes is not None and processes.boot != boot_id()):
        return 0  # it was never ordered; or the computer was started since, and nothing of it lives
    leaders = []
    if processes is not None:
        leaders = [
            _Leader(processes.child, processes.child_ticks),
            _Leader(processes.supervisor, processes.supervisor_ticks),
        ]
    with contextlib.closing(Tree(about.token, *leaders)) as tree:
        living = tree.living()
        if living:
            watch = _Ends()
            bring_down(_Remains(tree), Pump(watch, Output(lambda: None, _nobody, ())), grace)
    supervisor = None if processes is None else processes.supervisor
    return sum(member.pid != supervisor for member in living)


class _Leader:
    """A process that is not ours to reap, and whose number means something only while it lives."""

    def __init__(self, pid: int, ticks: int) -> None:
        self.pid = pid
        self._ticks = ticks

    @property
    def returncode(self) -> int | None:
        """None while it is the one that it was."""
        return None if self._ticks and start_ticks(self.pid) == self._ticks else 0


class _Remains:
    """A tree without a group."""

    group = None

    def __init__(self, tree: Tree) -> None:
        self.living = tree.living


class _Ends:
    """Waits for the ends of processes, and for nothing else."""

    output_ended = True
    child_ended = True

    def __init__(self) -> None:
        self.ends = 0
        self._poll = select.poll()

    def wait(self, seconds: float | None) -> None:
        """Wait until one ended, at most so long."""
        for descriptor, _ in self._poll.poll(None if seconds is None else max(seconds, 0.0) * 1000):
            self._poll.unregister(descriptor)
            self.ends += 1

    def read(self) -> bytes:
        """There is no output."""
        return b""

    def attend(self, pidfds: Iterable[int]) -> None:
        """Count the ends of these processes."""
        for descriptor in pidfds:
            self._poll.register(descriptor, select.POLLIN)


def _nobody(text: str) -> None:
    """Looks on."""
