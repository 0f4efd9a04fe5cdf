"""Runs that outlive the program: it is killed alone, and the next one takes over what went on. Real processes."""

import json
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktopsched.actions.start import can_supervise
from tests.faultlines import Record
from tests.system.served import Home, every, shell, started_here, until

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not can_supervise(), reason="supervisors are for Linux"),
]


KILLS = int(os.environ.get("DESKTOPSCHED_KILLS", "50"))


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Home]:
    yield Home(tmp_path / "served")
    until(lambda: not started_here(), "everything that was started to be gone")


def wait_for(gate: Path) -> str:
    return f"until test -e {gate}; do sleep 0.02; done"


def supervisors() -> list[psutil.Process]:
    found = []
    for process in started_here():
        with suppress(psutil.Error):
            if "desktopsched.supervisor" in " ".join(process.cmdline()):
                found.append(process)
    return found


def under_way(at: Home) -> list[Path]:
    """Runs whose process was started: a supervisor that lives may not have its order yet."""
    return list(at.folder.glob("runs/*/processes"))


def one(at: Home, task_id: str) -> dict[str, Any]:
    """The only run of a task."""
    (run,) = [run for run in at.history() if run["task_id"] == task_id]
    return run


def test_a_run_that_prints_while_the_program_is_killed_is_taken_over_whole(at: Home, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    count = "i=0; while ! test -e {gate}; do i=$((i+1)); echo line $i; sleep 0.002; done; echo end $i; exit 3"
    at.write(
        shell("talker", count.format(gate=gate)),
        shell("after", "echo after", waits_for=[{"task": "talker", "on": "failure"}]),
        shell("never", "echo never", waits_for=[{"task": "talker"}]),
    )
    log = at.folder / "logs" / "talker" / "1.log"
    served = at.serve()
    at_work = at.command("run", "talker")
    follower = psutil.Popen(at_work, stdout=-3, stderr=-3)
    served.says("talker started")
    for _ in range(3):
        size = log.stat().st_size if log.exists() else 0
        until(lambda size=size: log.exists() and log.stat().st_size > size + 200, "more lines")  # type: ignore[misc]
        served.die()
        follower.wait(30)
        size = log.stat().st_size
        until(lambda size=size: log.stat().st_size > size + 200, "it to go on alone")  # type: ignore[misc]
        served = at.serve()
        served.says("talker goes on, run 1")
        rows = {row["id"]: row for row in map(json.loads, at.run("list", "--json").splitlines())}
        assert rows["talker"]["state"] == "running"
    gate.touch()
    served.says("talker failed, run 1: exit code 3")
    served.says("after succeeded")
    served.says("never skipped.*talker failed")
    assert served.end() == 0
    lines = at.run("log", "1").splitlines()
    assert lines[:-1] == [f"line {number}" for number in range(1, len(lines))]
    assert lines[-1] == f"end {len(lines) - 1}"
    assert not any(re.search("talker started", line) for line in served.lines)
    assert list((at.folder / "runs").iterdir()) == []


def test_what_ended_while_the_program_was_dead_has_its_true_outcome_and_end(at: Home, tmp_path: Path) -> None:
    gate, long, bad = tmp_path / "gate", tmp_path / "long", tmp_path / "bad"
    at.write(
        shell(
            "long",
            f"echo one; touch {long}; {wait_for(gate)}; echo two",
            schedule=every(3600, start=f"{datetime.now(UTC) + timedelta(minutes=30):%FT%TZ}"),
        ),
        shell("bad", f"touch {bad}; {wait_for(gate)}; exit 7", retry={"attempts": 2, "delay": "1h"}),
        shell("after", "true", waits_for=[{"task": "long"}]),
        shell("later", "true", waits_for=[{"task": "long"}], schedule={"type": "after", "delay": "1h"}),
    )
    served = at.serve()
    followers = [psutil.Popen(at.command("run", name), stdout=-3, stderr=-3) for name in ("long", "bad")]
    until(lambda: long.exists() and bad.exists(), "both to begin")
    served.die()
    for follower in followers:
        follower.wait(30)
    before = time.time()
    gate.touch()
    until(lambda: not started_here(), "both to end")
    after = time.time()
    moment = time.monotonic() + 1.5
    until(lambda: time.monotonic() > moment)
    with at.serve() as served:
        served.says("long succeeded")
        served.says(r"bad failed, run \d: exit code 7; again")
        served.says("after succeeded")
        rows = {row["id"]: row for row in map(json.loads, at.run("list", "--json").splitlines())}
        ended = datetime.fromisoformat(one(at, "long")["ended"]).timestamp()
        assert int(before) <= ended <= after
        due = datetime.fromisoformat(rows["later"]["due"]).timestamp() if rows["later"]["due"] else None
        assert due is not None
        assert abs(due - (ended + 3600)) < 2
        assert at.run("log", str(one(at, "long")["id"])) == "one\ntwo\n"
        at.run("stop", "bad")


def test_a_run_that_was_taken_over_can_be_stopped(at: Home) -> None:
    at.write(shell("long", "echo begun; sleep 300 & setsid sleep 301", schedule=every(1)))
    served = at.serve()
    served.says("long started")
    until(lambda: len(started_here()) >= 4)
    served.die()
    with at.serve() as served:
        served.says("long goes on")
        at.run("stop", "long")
        served.says("long cancelled.*stopped by you")


def test_a_command_that_runs_one_task_does_not_stop_what_it_took_over(at: Home) -> None:
    at.write(shell("long", "echo begun; sleep 300", schedule=every(1), max_runs=1), shell("other", "echo hi"))
    served = at.serve()
    served.says("long started")
    until(lambda: under_way(at), "a run to be under way")
    served.die()
    goes_on = supervisors()
    assert at.run("run", "other") == "hi\n"
    until(lambda: supervisors() == goes_on)  # that of the other one may still be on its way out
    with at.serve() as served:
        served.says("long goes on")


def test_by_preference_runs_end_with_the_program_and_are_interrupted(at: Home) -> None:
    (at.folder / "preferences.json").write_text('{"runs_outlive": false}')
    at.write(shell("long", "echo begun; sleep 300", schedule=every(1), max_runs=1))
    served = at.serve()
    served.says("long started")
    until(lambda: under_way(at), "a run to be under way")
    served.die()
    until(lambda: not started_here(), "the run to be stopped")
    with at.serve() as served:
        served.says("long failed.*interrupted: the program or the computer stopped while it ran")


def test_when_the_supervisor_dies_too_the_run_is_interrupted_and_its_processes_are_stopped(at: Home) -> None:
    at.write(shell("long", "echo begun; setsid sleep 300 & sleep 301", schedule=every(1), max_runs=1))
    served = at.serve()
    served.says("long started")
    until(lambda: len(started_here()) >= 4)
    (supervisor,) = supervisors()
    served.die()
    os.kill(supervisor.pid, signal.SIGKILL)
    until(lambda: len(started_here()) == 3)
    with at.serve() as served:
        served.says("long failed.*interrupted")
        served.says("Run 1 of 'long' had lost its supervisor. What was left of it was stopped: 3 processes.")
        assert started_here() == []


@pytest.mark.parametrize("damage", ["half", "nothing", "noise"])
def test_a_result_that_cannot_be_read_is_an_interruption_with_words(
    at: Home, tmp_path: Path, damage: str
) -> None:
    gate = tmp_path / "gate"
    at.write(shell("long", wait_for(gate), schedule=every(1), max_runs=1))
    served = at.serve()
    served.says("long started")
    until(lambda: under_way(at), "a run to be under way")
    served.die()
    gate.touch()
    until(lambda: not started_here())
    result = at.folder / "runs" / "1-1" / "result"
    whole = result.read_bytes()
    result.write_bytes({"half": whole[: len(whole) // 2], "nothing": b"", "noise": os.urandom(200)}[damage])
    with at.serve() as served:
        served.says("long failed.*interrupted: what its supervisor wrote of its end cannot be read")


def test_a_run_whose_task_is_gone_is_stopped_and_has_an_end(at: Home) -> None:
    at.write(shell("long", "echo begun; sleep 300", schedule=every(1), max_runs=1), shell("stays", "true"))
    served = at.serve()
    served.says("long started")
    until(lambda: under_way(at), "a run to be under way")
    served.die()
    at.write(shell("stays", "true"))
    with at.serve():
        until(lambda: one(at, "long")["ended"], "the end in the history")
        run = one(at, "long")
        assert (run["state"], run["reason"]) == (
            "cancelled",
            "its task was taken off the list before it ended",
        )
        until(lambda: not supervisors())


@pytest.mark.timeout(900)
def test_killed_at_random_moments_nothing_starts_twice_and_nothing_is_left_without_an_owner(
    at: Home, tmp_path: Path, report: Record
) -> None:
    """A run that was interrupted has not begun its work; every other one has the outcome of its work."""
    done = tmp_path / "done"
    key = "$DESKTOPSCHED_TASK_ID $DESKTOPSCHED_RUN_ID $DESKTOPSCHED_SCHEDULED_FOR $DESKTOPSCHED_ATTEMPT"
    begin, end = f'echo "begin {key}" >> {done}', f'echo "end {key}" >> {done}'
    at.write(
        shell("a", f"{begin}; sleep 0.4; {end}", schedule=every(1), catch_up="all"),
        shell("b", f"{begin}; {end}", schedule=every(1), catch_up="latest", overlap="queue"),
        shell(
            "c",
            f"{begin}; sleep 0.1; {end}; exit 1",
            schedule=every(1),
            catch_up="skip",
            retry={"attempts": 3, "delay": "0.2s"},
        ),
        shell("d", f"{begin}; sleep 0.2; {end}", waits_for=[{"task": "a"}, {"task": "b"}]),
    )
    rng = random.Random(7)
    for _ in range(KILLS):
        served = at.serve()
        moment = time.monotonic() + rng.uniform(0.0, 0.9)
        until(lambda moment=moment: time.monotonic() > moment)  # type: ignore[misc]
        served.die()
        assert not any("Traceback" in line for line in served.lines), served.lines
    with at.serve() as served:
        served.says("d succeeded")
    lines = [line.split() for line in done.read_text().splitlines()]
    begun = Counter(tuple(line[1:]) for line in lines if line[0] == "begin")
    twice = [what for what, times in begun.items() if times > 1]
    dues = Counter((task, due, attempt) for task, _, due, attempt in begun if task in {"a", "b", "c"})
    twice += [what for what, times in dues.items() if times > 1]
    finished = {tuple(line[1:]) for line in lines if line[0] == "end"}
    runs = at.history()
    endless = [run for run in runs if run["ended"] is None and run["state"] != "pending"]
    folders = list((at.folder / "runs").iterdir())
    succeeded = sum(run["state"] == "succeeded" for run in runs)
    unreadable = [*at.folder.glob("*.damaged*"), *at.folder.glob("*.unreadable*")]
    report(
        "kill -9 of the program at a random moment of its work",
        KILLS,
        "no file unreadable, no due instant begun twice, no run without an end, no process without an owner",
        f"{len(runs)} runs, {succeeded} succeeded; {len(unreadable)} unreadable, {len(twice)} twice,"
        f" {len(endless)} without an end, {len(folders)} folders of runs left",
    )
    assert (twice, endless, unreadable) == ([], [], [])
    started = {(number, attempt) for _, number, _, attempt in begun}
    worked = {(number, attempt) for _, number, _, attempt in finished}
    stopped = {
        str(run["id"]) for run in runs if run["state"] == "cancelled"
    }  # by the end of the last program
    assert {number for number, _ in started - worked} <= stopped, "what began its work ended it"
    for run in runs:
        last = (str(run["id"]), str(run["attempts"]))
        if "interrupted" in run["reason"]:
            assert last not in started, run
        elif run["state"] == "succeeded":
            assert last in worked, run
    assert succeeded > KILLS // 2
    assert folders == []


def test_killed_together_with_supervisors_every_run_has_an_end_and_nothing_is_left(
    at: Home, tmp_path: Path
) -> None:
    """What lost its supervisor is stopped: by the program that follows it, or by the next one."""
    done = tmp_path / "done"
    key = "$DESKTOPSCHED_TASK_ID $DESKTOPSCHED_SCHEDULED_FOR"
    work = f'echo "{key}" >> {done}; setsid sleep 3 & sleep 3'
    at.write(*(shell(name, work, schedule=every(1), overlap="parallel", catch_up="skip") for name in "abc"))
    rng = random.Random(11)
    for _ in range(8):
        served = at.serve()
        until(supervisors)
        moment = time.monotonic() + rng.uniform(0.0, 0.8)
        until(lambda moment=moment: time.monotonic() > moment)  # type: ignore[misc]
        for process in rng.sample(found := supervisors(), max(1, len(found) // 2)):
            with suppress(psutil.Error):
                process.kill()
        if rng.random() < 0.5:
            served.says("lost: its supervisor was ended from outside")
        served.die()
        assert not any("Traceback" in line for line in served.lines), served.lines
    with at.serve() as served:
        served.says("a succeeded")
    begun = Counter(done.read_text().splitlines())
    assert [line for line, times in begun.items() if times > 1] == []
    runs = at.history()
    assert all(run["ended"] for run in runs)
    words = Counter(run["reason"].partition(":")[0] for run in runs)
    assert words["lost"] > 0
    assert words["interrupted"] > 0
