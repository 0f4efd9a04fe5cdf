"""The computer's clock is set while `serve` runs, by libfaketime: one catch-up by the rule, and nothing twice.

libfaketime knows nothing of the kernel's timers, so the program waits here as it does on other systems: for a bounded
time, after which it looks at the clock.
"""

import glob
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.faultlines import Record
from tests.system.served import Home, shell, until

LIBRARIES = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")  # noqa: PTH207 - as many folders as architectures

pytestmark = pytest.mark.skipif(
    not LIBRARIES, reason="libfaketime is not installed: the clock cannot be set here"
)

# Under libfaketime a sleep until an instant of the monotonic clock, as Python makes it, fails: a wait does not.
_SERVE = dedent("""
    import sys, threading, time
    time.sleep = lambda seconds: threading.Event().wait(seconds) and None
    from desktopsched.engine import clock
    clock._LINUX, clock.LONGEST_WAIT = False, 0.1
    clock.SystemClock.boottime = staticmethod(time.monotonic)
    from desktopsched.cli import main
    main(["--home", sys.argv[1], "serve"])
""")


class Clock:
    """What the program takes for the time of day."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def set(self, words: str) -> None:
        """As "2026-03-30 12:00:00": from then on it goes on by itself."""
        new = self._file.with_suffix(".new")
        new.write_text(f"@{words}")
        new.replace(self._file)

    def environ(self) -> dict[str, str]:
        return os.environ | {
            "LD_PRELOAD": LIBRARIES[0],
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "TZ": "UTC",
        }


@contextmanager
def served(at: Home, clock: Clock) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, str(at.folder)],
        env=clock.environ(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    assert "serving" in process.stdout.readline()
    try:
        yield
    finally:
        process.terminate()
        said, _ = process.communicate(timeout=30)
        assert "Traceback" not in said, said


def runs(at: Home) -> list[tuple[str, str, str, int]]:
    """Task, due instant, state and count of each run, the newest first."""
    found: list[dict[str, Any]] = at.history()
    return [(one["task_id"], one["scheduled_for"][:16], one["state"], one["count"]) for one in found]


def over(at: Home) -> list[str]:
    """The states of the runs that have an end."""
    return [state for _, _, state, _ in runs(at) if state != "running"]


def test_a_clock_that_is_set_gives_one_catch_up_and_no_second_start(tmp_path: Path, report: Record) -> None:
    at, clock = Home(tmp_path / "served"), Clock(tmp_path / "now")
    hourly = {"type": "cron", "expression": "0 * * * *"}
    fixed = {"type": "cron", "expression": "30 12,13 * * *"}
    at.write(
        shell("latest", "true", schedule=hourly, catch_up="latest"),
        shell("skip", "true", schedule=hourly, catch_up="skip"),
        shell("fixed", "true", schedule=fixed, catch_up="all"),
    )
    clock.set("2026-03-30 12:10:00")
    with served(at, clock):
        clock.set("2026-03-30 15:10:00")
        until(lambda: len(over(at)) >= 5, "the catch-up after +3 h")
        after = runs(at)
        clock.set("2026-03-30 13:05:00")
        at.run("run", "latest")
        again = runs(at)
    assert sorted(after) == [
        ("fixed", "2026-03-30T12:30", "succeeded", 1),
        ("fixed", "2026-03-30T13:30", "succeeded", 1),
        ("latest", "2026-03-30T14:00", "skipped", 2),
        ("latest", "2026-03-30T15:00", "succeeded", 1),
        ("skip", "2026-03-30T15:00", "skipped", 3),
    ]
    assert len(again) == len(after) + 1, again  # the run by hand, and nothing else
    report(
        "the clock set by +3 h, then by −2 h (libfaketime)",
        2,
        "one catch-up by each task's rule, and no second start",
        f"{json.dumps([f'{task} {due[11:]} {state}' for task, due, state, _ in sorted(after)])}, then nothing twice",
    )
