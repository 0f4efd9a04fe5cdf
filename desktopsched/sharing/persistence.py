"""Asking again: a step without an answer is repeated, the same try with the same nonce, until its time is over."""

from collections.abc import Callable
from typing import TypeVar

from desktopsched.sharing.answers import TooEarly, Unknown

_T = TypeVar("_T")

FIRST_PAUSE = 0.1
"""Seconds: a connection that broke is mostly there again at once."""

SHORTEST_PAUSE = 0.01
"""Seconds: clocks that differ by less than they can be read do not make this spin."""

LONGEST_PAUSE = 5.0
"""Seconds: a server that comes back is found soon, and one that is down is not hammered."""


def insist(
    step: Callable[[], _T | Unknown],
    *,
    until: float,
    clock: Callable[[], float],
    wait: Callable[[float], bool],
) -> _T | Unknown:
    """Repeat `step` until it has an answer, or `until` by `clock`; what is too early waits until it is due.

    `wait(seconds)` says whether to give up: the program closes, the run was stopped. The last answer is returned.
    """
    pause = FIRST_PAUSE
    while True:
        answer = step()
        if isinstance(answer, TooEarly):
            rest = max(answer.wait, SHORTEST_PAUSE)
        elif isinstance(answer, Unknown):
            rest, pause = pause, min(pause * 2, LONGEST_PAUSE)
        else:
            return answer
        if clock() + rest > until or wait(rest):
            return answer
