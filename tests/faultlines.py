"""Faults: what is injected, how often, what is required, and what was seen; one line each at the end of the run.

A test that asks for `report` injects a fault, wherever it stands: `pytest -m fault` runs those.
"""

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that inject faults."""
    for item in items:
        if "report" in getattr(item, "fixturenames", ()):
            item.add_marker("fault")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The table."""
    faults = config.stash.get(_KEY, [])
    if not faults or config.getoption("verbose") < 1:
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
        request.config.stash.setdefault(_KEY, []).append(Fault(injected, times, required, seen))

    return record
