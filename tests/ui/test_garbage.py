import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from desktopsched.ui.garbage import Garbage


class Loop:
    """Nobody's, but for itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def garbage() -> Iterator[Garbage]:
    found = Garbage()
    found.start()
    yield found
    found.stop()


def litter(count: int) -> list[weakref.ref[Loop]]:
    return [weakref.ref(Loop()) for _ in range(count)]


def test_nobody_looks_by_himself_until_it_is_stopped(garbage: Garbage) -> None:
    left = litter(3_000)
    assert all(one() is not None for one in left)
    assert not gc.isenabled()
    garbage.stop()
    assert gc.isenabled()


def test_little_is_left_alone_and_enough_is_taken_away(garbage: Garbage) -> None:
    left = litter(1_000)
    garbage.look()
    assert left[0]() is not None
    left += litter(20_000)
    garbage.look()
    assert not any(one() for one in left)


def test_so_much_at_once_is_a_list_that_was_read_and_stays_without_a_look(garbage: Garbage) -> None:
    kept = [[number] for number in range(250_000)]
    garbage.look()
    assert gc.get_freeze_count() > len(kept)
    assert gc.get_count()[0] < 1_000


def test_now_and_then_everything_new_is_looked_at(garbage: Garbage) -> None:
    left = litter(20_000)
    gc.collect(0)
    kept = litter(1)
    garbage._looked = time.monotonic() - 3_600
    old = Loop()
    gone = weakref.ref(old)
    gc.collect(1)  # it is among what is old now
    del old
    left += litter(20_000)
    garbage.look()
    assert gone() is None
    assert kept[0]() is None
