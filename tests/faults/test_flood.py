"""Tasks that say far too much, with the window open. `DESKTOPSCHED_FLOOD=2000` lets each say so many megabytes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faultlines import Record

MEGABYTES = int(os.environ.get("DESKTOPSCHED_FLOOD", "100"))
MEMORY = 64 * 1024 * 1024  # bytes: what the log panel and the allocator may hold, whatever a task says

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the floods come from a shell's tools")

FLOODS = {
    "lines": f"yes | head -c {MEGABYTES}M",
    "line": f"head -c {min(MEGABYTES, 100)}M /dev/zero | tr '\\0' x",
    "zeros": f"head -c {MEGABYTES}M /dev/zero",
    "noise": f"head -c {MEGABYTES}M /dev/urandom",
}


@pytest.mark.timeout(900)
def test_floods_leave_the_memory_of_the_window_flat(tmp_path: Path, report: Record) -> None:
    home = tmp_path / "own"
    home.mkdir(mode=0o700)
    tasks = [
        {"id": name, "name": name, "action": {"type": "command", "shell": text}}
        for name, text in FLOODS.items()
    ]
    (home / "tasks.json").write_text(json.dumps({"format": 1, "tasks": tasks}))
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.flooded", str(home)],
        capture_output=True,
        text=True,
        timeout=850,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert set(seen) == set(FLOODS)
    for name, one in seen.items():
        size = min(MEGABYTES, 100) if name == "line" else MEGABYTES
        report(
            f"a flood of {size} MB, {name}, with the window open",
            1,
            "memory flat, the window's thread away for less than 50 ms (the time is told, not tested)",
            f"{one['grown'] / 2**20:+.0f} MB; away at most {one['away'] * 1_000:.0f} ms, at work for"
            f" {one['busy'] * 1_000:.0f} of them",
        )
    assert {one["state"] for one in seen.values()} == {"succeeded"}
    assert max(one["grown"] for one in seen.values()) < MEMORY
