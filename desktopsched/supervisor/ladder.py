"""The way down for a run that must end: ask, wait, kill, sweep. On the one thread of the run.

It goes on pumping meanwhile: who must write before it can end is not held up.
"""

from __future__ import annotations

import time

from desktopsched.supervisor.signalling import ask, ask_orphans, kill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktopsched.supervisor.faces import Member, Tree
    from desktopsched.supervisor.pump import Pump

SWEEP = 5.0  # seconds in which what was killed must be gone; who is not hangs in the kernel
_LOOK_AGAIN = 0.25  # seconds, where no pidfd tells of an end, and for processes that are born meanwhile


class Descent:
    """How it went: whether something did not end when it was asked, and the pids of what will not die."""

    __slots__ = ("killed", "survivors")

    def __init__(self, *, killed: bool = False, survivors: tuple[int, ...] = ()) -> None:
        self.killed = killed
        self.survivors = survivors


def bring_down(tree: Tree, pump: Pump, grace: float) -> Descent:
    """End all processes of the tree. Returns after `grace` + 5 seconds at the latest."""
    ask(tree.group, tree.living())
    if not _wait(tree, pump, time.monotonic() + grace):
        return Descent()
    deadline = time.monotonic() + SWEEP
    while living := tree.living():
        kill(tree.group, living)
        if time.monotonic() >= deadline:
            return Descent(killed=True, survivors=tuple([member.pid for member in living]))
        _wait_for_an_end(living, pump, deadline)
    return Descent(killed=True)


def _wait(tree: Tree, pump: Pump, deadline: float) -> Sequence[Member]:
    """Wait until all are gone, and give those that are not when the time is over."""
    while (living := tree.living()) and time.monotonic() < deadline:
        ask_orphans(tree.group, living)
        _wait_for_an_end(living, pump, deadline)
    return living


def _wait_for_an_end(living: Sequence[Member], pump: Pump, deadline: float) -> None:
    watch = pump.watch
    seen = watch.ends
    watch.attend([member.pidfd for member in living if member.pidfd is not None])
    blind = any(member.pidfd is None for member in living)
    nap = time.monotonic() + _LOOK_AGAIN if blind else deadline
    pump.run(lambda: watch.ends != seen, min(nap, deadline))
