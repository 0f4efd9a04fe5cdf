"""The suspicious harness: what a test leaves behind, and what it logs unasked, fails it.

Every test has a home of its own and sees nothing of the person's. A test that ends with a thread, a process
or an unexpected log record has failed: each of them is how a program that runs for months goes wrong.
"""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import psutil
import pytest
from hypothesis import HealthCheck, settings

from tests.children import families_since
from tests.faultlines import pytest_collection_modifyitems, pytest_terminal_summary, report  # noqa: F401

# Before anything imports Qt: tests need no screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# A shell gives what it starts in the background no Ctrl+C, and all programs of the tests would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

T = TypeVar("T")

HOME = "USERPROFILE" if psutil.WINDOWS else "HOME"

PATIENCE = 20.0
"""Seconds in which threads and processes may come to their end after a test: they were told to end."""

# The same examples in each run, so that no one's run fails, or passes, by chance. DESKTOPSCHED_EXAMPLES=5000
# asks for a search: it draws that many, at random, and prints how to repeat what fails.
settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "search",
    deadline=None,
    max_examples=int(os.environ.get("DESKTOPSCHED_EXAMPLES", "100")),
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("search" if "DESKTOPSCHED_EXAMPLES" in os.environ else "steady")


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers of this harness."""
    config.addinivalue_line(
        "markers", "logs_warnings: log records of level warning and above are what this test is about"
    )
    config.addinivalue_line("markers", "fault: injects a fault, and reports what was seen")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the test's own; `DESKTOPSCHED_HOME` is the folder `desktopsched` in it."""
    person = tmp_path / "home"
    person.mkdir(mode=0o700)
    (person / "run").mkdir(mode=0o700)
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(person))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(person / name.lower()))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(person / "run"))
    monkeypatch.setenv("DESKTOPSCHED_HOME", str(person / "desktopsched"))
    # Nothing is asked of the person's keychain, and no notification comes up on their desktop.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    return person


@pytest.fixture(autouse=True)
def no_unexpected_log_records(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Fail a test that logged a warning or worse.

    A test whose subject is such a record says so by the marker `logs_warnings`, or looks at it in `caplog`
    and then calls `caplog.clear()`, which leaves the rest of the test under guard.
    """
    yield
    if request.node.get_closest_marker("logs_warnings"):
        return
    # "teardown" holds what the fixtures of the test itself logged as they ended, before this one.
    records = [
        record
        for phase in ("setup", "call", "teardown")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.WARNING
    ]
    if records:
        lines = (f"  {record.levelname} {record.name}: {record.getMessage()}" for record in records)
        pytest.fail("The test logged what nobody expected:\n" + "\n".join(lines), pytrace=False)


@pytest.fixture(autouse=True)
def no_threads_left() -> Iterator[None]:
    """Fail a test whose threads outlive it."""
    before = set(threading.enumerate())
    yield
    left = _wait_until_gone(lambda: _new_threads(before))
    if left:
        pytest.fail("Threads outlived the test: " + ", ".join(map(repr, left)), pytrace=False)


@pytest.fixture(autouse=True)
def no_processes_left(home: Path) -> Iterator[None]:
    """Fail a test whose processes outlive it, and end them.

    Children are found by their parent; daemons, which have left theirs, by the home in their environment.
    """
    before = set(psutil.pids())
    yield
    left = _wait_until_gone(lambda: _new_processes(before, home))
    if left:
        words = [_describe(process) for process in left]
        for process in left:
            _end(process)
        pytest.fail("Processes outlived the test: " + "; ".join(words), pytrace=False)


def _wait_until_gone(find: Callable[[], list[T]]) -> list[T]:
    """What `find` still finds after PATIENCE; returns at once when it finds nothing."""
    deadline = time.monotonic() + PATIENCE
    while (left := find()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def _new_threads(before: set[threading.Thread]) -> list[threading.Thread]:
    # Stand-ins for threads that Python did not start, such as QThreads, stay after their thread has ended;
    # the tests of windows look after those.
    new = set(threading.enumerate()) - before
    return [thread for thread in new if not isinstance(thread, threading._DummyThread)]


def _new_processes(before: set[int], home: Path) -> list[psutil.Process]:
    children = {child.pid for child in families_since(before)}
    found = []
    for pid in set(psutil.pids()) - before:
        try:
            process = psutil.Process(pid)
            if pid in children or process.environ().get(HOME) == str(home):
                found.append(process)
        except psutil.Error:
            continue  # it has ended meanwhile, or is somebody else's
    return found


def _describe(process: psutil.Process) -> str:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return f"{process.pid} has ended, and nobody waited for it"
        return f"{process.pid} {process.cmdline()}"
    except psutil.Error:
        return f"{process.pid}"


def _end(process: psutil.Process) -> None:
    try:
        process.kill()
        process.wait(PATIENCE)
    except (psutil.Error, ChildProcessError):
        pass
