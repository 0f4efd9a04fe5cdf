"""The way down for a run that must end: ask, wait, kill, sweep.

Runs on the run's pool thread, which goes on pumping meanwhile: who must write before it can end is not held
up.
"""

import time
from typing import NamedTuple

from desktopsched.actions.member import Member
from desktopsched.actions.pump import Pump
from desktopsched.actions.tree import Tree

SWEEP = 5.0  # seconds in which what was killed must be gone; who is not hangs in the kernel
_LOOK_AGAIN = 0.25  # seconds, where no pidfd tells of an end, and for processes that are born meanwhile


class Descent(NamedTuple):
    """How it went."""

    killed: bool = False  # something did not end when it was asked
    survivors: tuple[int, ...] = ()  # the pids of what will not die

    def note(self, grace: float) -> str:
        """What people should know of it; nothing if all ended when they were asked."""
        if self.survivors:
            return "; ".join(f"process {pid} will not die" for pid in self.survivors)
        return f"killed after {grace:g} s" if self.killed else ""


def bring_down(tree: Tree, pump: Pump, grace: float) -> Descent:
    """End all processes of the tree. Returns after `grace` + 5 seconds at the latest."""
    tree.ask()
    if not _wait(tree, pump, time.monotonic() + grace):
        return Descent()
    deadline = time.monotonic() + SWEEP
    while living := tree.living():
        tree.kill(living)
        if time.monotonic() >= deadline:
            return Descent(killed=True, survivors=tuple(member.pid for member in living))
        _wait_for_an_end(living, pump, deadline)
    return Descent(killed=True)


def _wait(tree: Tree, pump: Pump, deadline: float) -> list[Member]:
    """Wait until all are gone, and give those that are not when the time is over."""
    while (living := tree.living()) and time.monotonic() < deadline:
        tree.ask_orphans(living)
        _wait_for_an_end(living, pump, deadline)
    return living


def _wait_for_an_end(living: list[Member], pump: Pump, deadline: float) -> None:
    watch = pump.watch
    seen = watch.ends
    watch.attend(member.pidfd for member in living if member.pidfd is not None)
    blind = any(member.pidfd is None for member in living)
    nap = time.monotonic() + _LOOK_AGAIN if blind else deadline
    pump.run(lambda: watch.ends != seen, min(nap, deadline))
