"""The window as a process of its own, drawn on no screen."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from desktopsched.actions.start import can_supervise
from tests.faultlines import Record
from tests.system.served import Home, shell, until


def opened(at: Home) -> subprocess.Popen[str]:
    """A window for this home, once the program in it answers."""
    process = subprocess.Popen(
        at.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    until(lambda: at.run("list", "--json", code=None) and at.run("resume", code=None) == "" and not at.errors)
    return process


def over(process: subprocess.Popen[str]) -> str:
    """What it said until it ended."""
    said, _ = process.communicate(timeout=60)
    return said


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that could be heard")
@pytest.mark.parametrize("outlive", [True, False])
def test_when_it_is_told_to_end_what_runs_goes_on_or_stops_as_the_preference_says(
    tmp_path: Path, outlive: bool, report: Record
) -> None:
    at, gate = Home(tmp_path / "served"), tmp_path / "gate"
    at.write(shell("long", f"echo one; until test -e {gate}; do sleep 0.02; done; echo two"))
    (at.folder / "preferences.json").write_text(json.dumps({"runs_outlive": outlive}))
    window = opened(at)
    run = subprocess.Popen(
        at.command("run", "long"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "one\n"
    window.send_signal(signal.SIGTERM)
    assert "Traceback" not in over(window)
    run.communicate(timeout=60)
    goes_on = outlive and can_supervise()
    with at.serve() as served:
        gate.touch()
        if goes_on:
            served.says("long succeeded")
        (record,) = at.history()
    report(
        f"SIGTERM to the window while a run goes on; runs outlive the program: {'yes' if outlive else 'no'}",
        1,
        "the run goes on, or stops, as the preference says",
        f"the run {record['state']}",
    )
    assert record["state"] == ("succeeded" if goes_on else "cancelled")
    assert at.run("log", "1") == ("one\ntwo\n" if goes_on else "one\n")
