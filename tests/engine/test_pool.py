"""The pool: an Executor that makes no Future unless asked."""

import threading
import time
from concurrent.futures import wait

import pytest

from desktopsched.engine.pool import Workers


def test_a_call_runs_on_a_thread_of_the_pool() -> None:
    pool = Workers()
    assert pool.submit(threading.get_ident).result(30) != threading.get_ident()
    pool.shutdown()


def test_threads_are_started_only_when_a_call_finds_none_free() -> None:
    pool = Workers(8)
    idents = set()
    for _ in range(50):
        idents.add(pool.submit(threading.get_ident).result(30))
        settled(pool)
    assert len(idents) == 1
    pool.shutdown()


def settled(pool: Workers) -> None:
    """Until the thread has said that it is free."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with pool._lock:
            if pool._free == len(pool._threads):
                return
    pytest.fail("the pool does not come to rest")


def test_calls_that_block_run_side_by_side_up_to_the_limit() -> None:
    pool, gate, inside = Workers(4), threading.Event(), threading.Semaphore(0)

    def block() -> None:
        inside.release()
        gate.wait(60)

    futures = [pool.submit(block) for _ in range(6)]
    for _ in range(4):
        assert inside.acquire(timeout=30)
    assert not inside.acquire(blocking=False)
    gate.set()
    wait(futures, 30)
    assert all(future.done() for future in futures)
    pool.shutdown()


def test_a_future_carries_the_result_and_the_error() -> None:
    pool = Workers()
    assert pool.submit(pow, 2, 10).result(30) == 1024
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda: 1 / 0).result(30)
    assert list(pool.map(str, range(5))) == ["0", "1", "2", "3", "4"]
    pool.shutdown()


def test_a_call_that_raises_is_logged_and_ends_no_thread(caplog: pytest.LogCaptureFixture) -> None:
    pool = Workers(1)
    pool.hand_off(lambda: 1 / 0)
    assert pool.submit(lambda: 7).result(30) == 7
    pool.shutdown()
    assert [record.action for record in caplog.records] == ["pool.call_failed"]  # type: ignore[attr-defined]
    caplog.clear()


def test_shutdown_does_what_was_handed_over_and_refuses_more() -> None:
    pool, done = Workers(2), []
    for number in range(100):
        pool.hand_off(lambda number=number: done.append(number))  # type: ignore[misc]
    pool.shutdown()
    assert sorted(done) == list(range(100))
    with pytest.raises(RuntimeError):
        pool.submit(print)


def test_shutdown_may_drop_what_has_not_begun() -> None:
    pool, gate, begun = Workers(1), threading.Event(), threading.Event()

    def block() -> None:
        begun.set()
        gate.wait(60)

    pool.hand_off(block)
    assert begun.wait(30)
    done: list[int] = []
    pool.hand_off(lambda: done.append(1))
    pool.shutdown(wait=False, cancel_futures=True)
    gate.set()
    pool.shutdown()
    assert done == []
