"""DESIGN §5, rule 5: retries belong to the run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktopsched.engine.retry import retry_delay
from desktopsched.model import OnFailure, Outcome, Retry, State
from tests.engine.world import FAIL, World, after, cron, every, task


def test_attempts_follow_with_back_off_from_the_end_of_the_one_before() -> None:
    world = World(task("a", retry=Retry(attempts=4, delay=10, backoff=2, max_delay=25)))
    world.lasts["a"] = 5
    world.outcomes["a"] = [FAIL] * 4
    world.dispatcher.run_now("a")
    world.advance(120)
    assert world.story() == [
        "12:00:00 a start 12:00:00 manual",
        "12:00:05 a failed, again at 12:00:15",
        "12:00:15 a start 12:00:00 manual attempt 2",
        "12:00:20 a failed, again at 12:00:40",
        "12:00:40 a start 12:00:00 manual attempt 3",
        "12:00:45 a failed, again at 12:01:10",
        "12:01:10 a start 12:00:00 manual attempt 4",
        "12:01:15 a failed: exit code 1",
    ]


def test_r03_a_task_that_always_fails_is_silent_until_its_next_instant() -> None:
    world = World(cron("a", "*/5 * * * *", retry=Retry(attempts=3, delay=1)))
    world.outcomes["a"] = [FAIL] * 3
    world.advance(599)
    assert len(world.performed) == 3


def test_g12_children_see_the_final_outcome_only() -> None:
    world = World(every("a", 600, retry=Retry(attempts=3, delay=5)), after("b", "a"))
    world.outcomes["a"] = [FAIL, FAIL]
    world.advance(620)
    assert world.story("b") == ["12:10:10 b start 12:10:10 dependency", "12:10:10 b succeeded"]


def test_r01_stopping_by_hand_is_not_retried_and_starts_no_child() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=1)), after("b", "a"))
    world.lasts["a"] = 100
    world.dispatcher.run_now("a")
    world.advance(10)
    world.dispatcher.cancel("a")
    world.advance(60)
    assert world.story() == [
        "12:00:00 a start 12:00:00 manual",
        "12:00:10 a cancelled: stopped by you",
        "12:00:10 b skipped: a was cancelled",
    ]


def test_a_stop_between_two_attempts_ends_the_run() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=100)))
    world.outcomes["a"] = [FAIL] * 3
    world.dispatcher.run_now("a")
    world.advance(10)
    assert world.status("a").state is State.PENDING
    assert world.status("a").waiting == "tries again, attempt 2 of 3"
    assert world.dispatcher.cancel("a")
    world.advance(500)
    assert world.story()[-1] == "12:00:10 a cancelled: stopped by you"
    assert len(world.performed) == 1


def test_r05_renaming_keeps_the_pending_retry() -> None:
    world = World(task("a", retry=Retry(attempts=2, delay=60)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.advance(10)
    world.dispatcher.replace(task("a", name="another name", retry=Retry(attempts=2, delay=60)))
    world.advance(60)
    assert world.story()[-2:] == ["12:01:00 a start 12:00:00 manual attempt 2", "12:01:00 a succeeded"]


def test_r06_a_restart_between_attempts_keeps_the_count() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=60)))
    world.outcomes["a"] = [FAIL] * 3
    world.dispatcher.run_now("a")
    world.advance(10)
    world = world.restart(after=10)
    world.advance(200)
    assert world.story() == [
        "12:01:00 a start 12:00:00 manual attempt 2",
        "12:01:00 a failed, again at 12:02:00",
        "12:02:00 a start 12:00:00 manual attempt 3",
        "12:02:00 a failed: exit code 1",
    ]


def test_r07_a_retry_that_falls_into_sleep_happens_once_after_waking() -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=300)))
    world.outcomes["a"] = [FAIL]
    world.dispatcher.run_now("a")
    world.advance(60)
    world.suspend(3 * 3600)
    assert [line for line in world.story() if "attempt" in line] == [
        "15:01:00 a start 12:00:00 manual attempt 2"
    ]


def test_r02_a_failure_by_a_signal_from_outside_is_retried() -> None:
    world = World(task("a", retry=Retry(attempts=2, delay=1)))
    world.outcomes["a"] = [Outcome(State.FAILED, "signal 9 (SIGKILL)", -9)]
    world.dispatcher.run_now("a")
    world.advance(5)
    assert world.story()[-1] == "12:00:01 a succeeded"


@pytest.mark.parametrize("hold", [True, False])
def test_what_is_run_by_hand_while_everything_is_paused_is_tried_again_all_the_same(hold: bool) -> None:
    world = World(task("a", retry=Retry(attempts=3, delay=5.0)), every("b", 1, retry=Retry(attempts=2)))
    world.outcomes["a"] = [FAIL, FAIL]
    world.dispatcher.hold() if hold else world.dispatcher.pause()
    world.dispatcher.run_now("a")
    world.advance(60)
    assert world.story() == [
        "12:00:00 a start 12:00:00 manual",
        "12:00:00 a failed, again at 12:00:05",
        "12:00:05 a start 12:00:00 manual attempt 2",
        "12:00:05 a failed, again at 12:00:10",
        "12:00:10 a start 12:00:00 manual attempt 3",
        "12:00:10 a succeeded",
    ]


def test_a_stop_and_a_clock_that_is_set_reach_what_is_tried_again_in_a_pause() -> None:
    world = World(
        task("a", retry=Retry(attempts=2, delay=60.0)), task("b", retry=Retry(attempts=2, delay=60.0))
    )
    world.outcomes["a"], world.outcomes["b"] = [FAIL], [FAIL]
    world.dispatcher.pause()
    world.dispatcher.run_now("a")
    world.dispatcher.run_now("b")
    world.run()
    world.set_clock(-3_600)
    world.dispatcher.cancel("b")
    world.advance(59)
    assert world.starts("a") == ["12:00:00"]
    world.advance(1)
    assert world.status("a").outcome.state is State.SUCCEEDED
    assert world.status("b").outcome.state is State.CANCELLED
    world.dispatcher.resume()
    world.advance(600)
    assert len(world.performed) == 3


def test_on_failure_pause_disables_the_task_after_its_final_failure() -> None:
    world = World(
        every("a", 60, on_failure=OnFailure.PAUSE, retry=Retry(attempts=2, delay=5)), after("b", "a")
    )
    world.outcomes["a"] = [FAIL] * 2
    world.advance(600)
    assert len(world.performed) == 2
    assert not world.status("a").enabled
    assert world.status("b").waiting == "waits for a, which is disabled"


def test_the_next_due_instant_waits_for_the_end_of_the_retries() -> None:
    world = World(every("a", 60, retry=Retry(attempts=3, delay=50)))
    world.outcomes["a"] = [FAIL, FAIL]
    world.advance(240)
    assert world.starts("a") == ["12:01:00", "12:03:00", "12:04:00"]


@given(
    st.integers(1, 1000),
    st.floats(0, 1e6),
    st.floats(1, 100),
    st.floats(0, 1),
    st.tuples(st.none() | st.floats(0, 1e6), st.floats(0, 0.999)),
)
def test_a_delay_stays_within_its_bounds(
    attempt: int, delay: float, backoff: float, jitter: float, bounds: tuple[float | None, float]
) -> None:
    max_delay, luck = bounds
    retry = Retry(attempts=1000, delay=delay, backoff=backoff, jitter=jitter, max_delay=max_delay)
    seconds = retry_delay(retry, attempt, luck)
    assert seconds >= 0
    if max_delay is not None:
        assert seconds <= max_delay * (1 + jitter) + 1e-6


@pytest.mark.parametrize(("luck", "seconds"), [(0.0, 8.0), (0.5, 10.0), (0.75, 11.0)])
def test_jitter_is_a_fraction_of_the_delay_to_both_sides(luck: float, seconds: float) -> None:
    assert retry_delay(Retry(attempts=2, delay=10, jitter=0.2), 1, luck) == pytest.approx(seconds)
