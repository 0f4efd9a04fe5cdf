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
# Each line it is given is the new time of day. It is handed on in the environment: where libfaketime reads it from a
# file for several threads at once, one of them may see the real time.
_SERVE = dedent("""
    import os, sys, threading, time
    time.sleep = lambda seconds: threading.Event().wait(seconds) and None

    def set_the_clock():
        for line in sys.stdin:
            os.environ["FAKETIME"] = line.strip()
            print("the clock is set", flush=True)

    threading.Thread(target=set_the_clock, daemon=True).start()
    from desktopsched.engine import clock
    clock._LINUX, clock.LONGEST_WAIT = False, 0.1
    clock.SystemClock.boottime = staticmethod(time.monotonic)
    from desktopsched.cli import main
    main(["--home", sys.argv[1], "serve"])
""")


class Served:
    """`serve` in a process with a clock of its own, which goes on by itself from where it was set."""

    def __init__(self, at: Home, now: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(at.folder)],
            env=os.environ
            | {
                "LD_PRELOAD": LIBRARIES[0],
                "FAKETIME": f"@{now}",
                "FAKETIME_NO_CACHE": "1",
                "DONT_FAKE_MONOTONIC": "1",
                "TZ": "UTC",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def set(self, now: str) -> None:
        """As "2026-03-30 12:00:00"; it is so when this returns."""
        assert self._process.stdin is not None
        print(f"@{now}", file=self._process.stdin, flush=True)
        self.says("the clock is set")

    def says(self, words: str) -> None:
        """Wait for a line with these words."""
        assert self._process.stdout is not None
        said: list[str] = []
        for line in self._process.stdout:
            said.append(line)
            if words in line:
                return
        raise AssertionError("".join(said))

    def end(self) -> None:
        self._process.terminate()
        said, _ = self._process.communicate(timeout=60)
        assert "Traceback" not in said, said


@contextmanager
def served(at: Home, now: str) -> Iterator[Served]:
    serve = Served(at, now)
    try:
        serve.says("serving")
        yield serve
    finally:
        serve.end()


def runs(at: Home) -> list[tuple[str, str, str, int]]:
    """Task, due instant, state and count of each run, the newest first."""
    found: list[dict[str, Any]] = at.history()
    return [(one["task_id"], one["scheduled_for"][:16], one["state"], one["count"]) for one in found]


def over(at: Home) -> list[str]:
    """The states of the runs that have an end."""
    return [state for _, _, state, _ in runs(at) if state != "running"]


def test_a_clock_that_is_set_gives_one_catch_up_and_no_second_start(tmp_path: Path, report: Record) -> None:
    at = Home(tmp_path / "served")
    hourly = {"type": "cron", "expression": "0 * * * *"}
    fixed = {"type": "cron", "expression": "30 12,13 * * *"}
    at.write(
        shell("latest", "true", schedule=hourly, catch_up="latest"),
        shell("skip", "true", schedule=hourly, catch_up="skip"),
        shell("fixed", "true", schedule=fixed, catch_up="all"),
    )
    with served(at, "2026-03-30 12:10:00") as clock:
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
