"""One process under way: what ends it, and what counts for it."""

from types import SimpleNamespace
from typing import Any

import pytest

from desktopsched.supervisor import attempt, pump
from desktopsched.supervisor.attempt import DRAIN, Attempt
from desktopsched.supervisor.link import Wish
from desktopsched.supervisor.output import Output


class Held:
    """A watch of a child that ends soon, and whose pipe somebody else holds; time passes as it waits."""

    def __init__(self, ends_at: float) -> None:
        self.now = 0.0
        self.ends = 0
        self.output_ended = False
        self._ends_at = ends_at

    @property
    def child_ended(self) -> bool:
        return self.now >= self._ends_at

    def wait(self, seconds: float | None) -> None:
        soon = self._ends_at - self.now if not self.child_ended else 86_400.0
        self.now += soon if seconds is None else min(seconds, soon)

    def read(self) -> bytes:
        return b""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    watch = Held(ends_at=0.9)
    for module in (attempt, pump):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: watch.now))
    return watch


def test_a_time_out_does_not_count_the_drain(held: Held) -> None:
    watch: Any = held
    output = Output(lambda: None, lambda text: None, ())
    ending = Attempt(watch, watch, output, Wish(), lambda: 0, grace=5.0).follow(timeout=1.0)
    assert (ending.code, ending.timed_out) == (0, False)
    assert held.now == pytest.approx(0.9 + DRAIN)
