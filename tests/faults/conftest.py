"""Faults: what is injected, how often, what is required, and what was seen; one line each at the end of the run."""

import shutil
from collections.abc import Callable

import pytest
from msgspec import Struct

Record = Callable[..., None]


class Fault(Struct):
    """One kind of fault."""

    injected: str
    times: int
    required: str
    seen: str


_KEY = pytest.StashKey[list[Fault]]()


def pytest_configure(config: pytest.Config) -> None:
    """A place for what the tests report."""
    config.stash[_KEY] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The table."""
    faults = config.stash.get(_KEY, [])
    if not faults or not config.getoption("verbose"):
        return
    terminalreporter.section("faults")
    for fault in faults:
        terminalreporter.write_line(f"{fault.times:>6} × {fault.injected}")
        terminalreporter.write_line(f"         required: {fault.required}")
        terminalreporter.write_line(f"         seen:     {fault.seen}")


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Record:
    """Say what was injected, how often, what is required and what was seen."""

    def record(injected: str, times: int, required: str, seen: str) -> None:
        request.config.stash[_KEY].append(Fault(injected, times, required, seen))

    return record


@pytest.fixture
def strace() -> str:
    """The program that injects faults into system calls."""
    found = shutil.which("strace")
    if found is None:
        pytest.skip("strace is not installed: no faults can be injected into system calls")
    return found
