"""Tools that inject faults."""

import shutil

import pytest


@pytest.fixture
def strace() -> str:
    """The program that injects faults into system calls."""
    found = shutil.which("strace")
    if found is None:
        pytest.skip("strace is not installed: no faults can be injected into system calls")
    return found
