"""The system's clock: the real one, since it is the subject. Each wait ends by its own reason; nothing sleeps."""

import gc
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from desktopsched.engine import clock as module
from desktopsched.engine.clock import SystemClock


class Waiter(threading.Thread):
    """Waits once, and says when it was back."""

    def __init__(self, clock: SystemClock, until: float | None) -> None:
        super().__init__()
        self.clock, self.until, self.back = clock, until, 0.0

    def run(self) -> None:
        self.clock.wait(self.until)
        self.back = self.clock.now()


@pytest.fixture(params=[True, False], ids=["timerfd", "bounded"])
def clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[SystemClock]:
    monkeypatch.setattr(module, "_LINUX", request.param)
    found = SystemClock()
    yield found
    found.close()


def test_a_wait_ends_at_its_instant_and_never_before(clock: SystemClock) -> None:
    for _ in range(20):
        until = clock.now() + 0.01
        clock.wait(until)
        assert clock.now() >= until - 1e-4  # the bounded wait counts monotonic seconds; the loop looks again


def test_a_wait_for_an_instant_that_is_past_returns_at_once(clock: SystemClock) -> None:
    began = time.monotonic()
    clock.wait(clock.now() - 3600)
    clock.wait(0.0)
    assert time.monotonic() - began < 60  # not an hour


@pytest.mark.parametrize("until", [None, 2e10])
def test_a_wake_ends_a_wait_of_any_length(clock: SystemClock, until: float | None) -> None:
    waiter = Waiter(clock, until)
    waiter.start()
    clock.wake()
    waiter.join(30)
    assert waiter.back


def test_a_wake_before_the_wait_is_not_lost_and_counts_once(clock: SystemClock) -> None:
    clock.wake()
    clock.wake()
    clock.wait(None)
    waiter = Waiter(clock, None)
    waiter.start()
    waiter.join(0.05)
    assert waiter.is_alive(), "one wake ends one wait"
    clock.wake()
    waiter.join(30)
    assert not waiter.is_alive()


def test_many_waits_and_wakes_from_two_threads_lose_none(clock: SystemClock) -> None:
    waits = 0

    def wait() -> None:
        nonlocal waits
        for _ in range(300):
            clock.wait(None)
            waits += 1

    waiter = threading.Thread(target=wait)
    waiter.start()
    while waiter.is_alive():
        clock.wake()
    waiter.join()
    assert waits == 300


def test_k06_where_the_system_reports_nothing_no_wait_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits that an operating system stretches, or that sleep through a change of the clock, end and are looked at."""
    monkeypatch.setattr(module, "_LINUX", False)
    monkeypatch.setattr(module, "LONGEST_WAIT", 0.05)
    found = SystemClock()
    began = time.monotonic()
    found.wait(None)
    found.wait(found.now() + 3600)
    assert 0.1 <= time.monotonic() - began < 60  # not an hour


def test_closing_gives_the_descriptor_back() -> None:
    gc.collect()  # what others left closes now, and not in between
    before = psutil.Process().num_fds()
    found = SystemClock()
    found.close()
    found.close()
    assert psutil.Process().num_fds() == before


def test_k09_the_zone_is_read_again_when_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [100.0]
    zone = module._LocalZone(lambda: passed[0])
    monkeypatch.setenv("TZ", "Europe/London")
    assert str(zone.read()) == "Europe/London"
    first = zone.read()
    passed[0] += 1
    assert zone.read() is first, "the same object while nothing changed"
    monkeypatch.setenv("TZ", "America/New_York")
    passed[0] += 1
    assert str(zone.read()) == "America/New_York"


def test_the_zone_is_looked_up_once_a_second_at_most() -> None:
    looks, passed = [0], [100.0]

    class Counted(module._LocalZone):
        def _stamp(self) -> object:
            looks[0] += 1
            return super()._stamp()

    zone = Counted(lambda: passed[0])
    for _ in range(3):
        zone.read()
    assert looks == [1], "whatever is due would wait for a look"
    passed[0] += 1
    zone.read()
    assert looks == [2]
