"""`serve` from outside: real processes, the real clock, and what is left when it dies."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktopsched.actions.start import can_supervise
from tests.faultlines import Record
from tests.system.served import Home, every, shell, until

pytestmark = pytest.mark.system


@pytest.fixture
def at(tmp_path: Path) -> Home:
    return Home(tmp_path / "served")


def test_tasks_run_on_time_with_parents_retries_and_their_output(at: Home, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    at.write(
        shell("tick", 'echo "tick for $DESKTOPSCHED_SCHEDULED_FOR"', schedule=every(1)),
        shell("child", "echo after $DESKTOPSCHED_PARENT_RUN_IDS", waits_for=[{"task": "tick"}]),
        shell(
            "flaky",
            f"test -e {flag} || {{ touch {flag}; exit 3; }}",
            schedule=every(1),
            max_runs=1,
            retry={"attempts": 2, "delay": "0.2s"},
        ),
        shell("broken", "exit 7", waits_for=[{"task": "flaky"}]),
        shell("skipped", "true", waits_for=[{"task": "broken"}]),
    )
    with at.serve() as served:
        served.says("tick succeeded", times=3)
        served.says("child succeeded", times=2)
        served.says("flaky failed.*exit code 3; again")
        served.says("flaky started.*attempt 2")
        served.says("broken failed.*exit code 7")
        served.says("skipped skipped.*broken failed")
        runs = at.history()
        tick = next(run for run in runs if run["task_id"] == "tick")
        stamp = datetime.fromisoformat(tick["scheduled_for"]).astimezone(UTC)
        assert at.run("log", str(tick["id"])).startswith(f"tick for {stamp:%Y-%m-%dT%H:%M:%S}")
        child = next(run for run in runs if run["task_id"] == "child")
        assert at.run("log", str(child["id"])) == f"after {tick['id']}\n"
    assert _no_gap([run for run in runs if run["task_id"] == "tick"])


def test_it_starts_without_loading_qt(at: Home) -> None:
    at.write(shell("a", "true", schedule=every(1)))
    with at.serve() as served:
        served.says("a succeeded")
        maps = Path(f"/proc/{served.process.pid}/maps")
        if maps.exists():
            assert "PySide6" not in maps.read_text()


def test_x09_sigterm_stops_three_runs_and_their_children_and_keeps_everything(
    at: Home, report: Record
) -> None:
    names = ("one", "two", "three")
    at.write(*(shell(name, "echo begun; sleep 300 & sleep 301", schedule=every(1)) for name in names))
    served = at.serve()
    for name in names:
        served.says(f"{name} started")
    each = 4 if can_supervise() else 3  # a supervisor, the shell, and two children of that
    until(lambda: len(psutil.Process(served.process.pid).children(recursive=True)) == 3 * each)
    children = psutil.Process(served.process.pid).children(recursive=True)
    began = time.monotonic()
    assert served.end() == 0
    took = time.monotonic() - began
    report(
        "SIGTERM while three runs with children go on", 1, "all end, all is recorded", f"after {took:.1f} s"
    )
    assert took < 60  # not 300; and nobody waited for the grace, which would be said
    assert [child for child in children if _lives(child)] == []
    for run in at.history():
        assert (run["state"], run["reason"]) == ("cancelled", "the program was closed")
        assert at.run("log", str(run["id"])) == "begun\n"


def _lives(process: psutil.Process) -> bool:
    """Whether it has not died, though perhaps nobody has fetched its end."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def test_commands_reach_the_running_program(at: Home) -> None:
    at.write(
        shell("hello", "echo hello; exit 5"),
        shell("long", "echo begun; sleep 300"),
        shell("after", "echo after", waits_for=[{"task": "hello", "on": "failure"}]),
        shell("tick", "true", schedule=every(1)),
    )
    with at.serve() as served:
        assert at.run("run", "hello", code=5) == "hello\n"
        assert "hello failed: exit code 5" in at.errors
        assert at.run("run", "hello", "--downstream", code=5) == "hello\nafter\n"
        served.says("tick succeeded")
        at.run("pause")
        served.says("paused")
        states = {row["id"]: row for row in map(json.loads, at.run("list", "--json").splitlines())}
        assert states["hello"]["outcome"] == "failed"
        assert "hello" in at.run("list")
        assert "Everything is paused" in at.errors
        at.run("resume")
        at.run("list")
        assert "paused" not in at.errors
        ticks = sum("tick succeeded" in line for line in served.lines)
        served.says("tick succeeded", times=ticks + 1)
        at.run("stop", "hello", code=1)
        at.run("run", "nobody", code=2)
        assert "There is no task 'nobody'" in at.errors


def test_a_run_is_stopped_from_another_process(at: Home) -> None:
    at.write(shell("long", "echo begun; sleep 300", schedule=every(1)))
    with at.serve() as served:
        served.says("long started")
        at.run("stop", "long")
        served.says("long cancelled.*stopped by you")


def test_pausing_survives_a_restart(at: Home) -> None:
    at.write(shell("tick", "true", schedule=every(1)))
    with at.serve() as served:
        served.says("tick succeeded")
        at.run("pause")
    with at.serve() as served:
        moment = time.monotonic() + 2
        until(lambda: time.monotonic() > moment)
        assert not any("tick started" in line for line in served.lines)
        at.run("resume")
        served.says("tick succeeded")


def test_one_program_for_a_home(at: Home, report: Record) -> None:
    at.write(shell("a", "true"))
    with at.serve():
        at.run("serve", code=3)
        report("a second program for a home", 1, "it is refused in words", at.errors.strip())
        assert "is already running" in at.errors
        assert "serve" in at.errors


def test_after_kill_9_the_home_is_free_at_once(at: Home, report: Record) -> None:
    at.write(shell("a", "true", schedule=every(1)))
    at.serve().kill()
    with at.serve() as served:
        served.says("a succeeded")
    report("kill -9, then the program again", 1, "the home is free at once", "it served again")


@pytest.mark.skipif(os.name == "nt", reason="Windows suspends no process by a signal")
def test_suspended_for_three_seconds_each_task_goes_on_by_its_rule(at: Home, report: Record) -> None:
    at.write(
        shell("latest", "true", schedule=every(1), catch_up="latest", grace="0.5s"),
        shell("skip", "true", schedule=every(1), catch_up="skip", grace="0.5s"),
    )
    with at.serve() as served:
        served.says("latest succeeded")
        served.says("skip succeeded")  # one that is under way would be dropped by overlap, not missed
        served.process.send_signal(signal.SIGSTOP)
        asleep = time.monotonic() + 3.5
        until(lambda: time.monotonic() > asleep)
        served.process.send_signal(signal.SIGCONT)
        served.says("skip missed")
        served.says("latest missed")
        served.says("latest succeeded", 4)
    runs = at.history()
    begun = Counter((run["task_id"], run["scheduled_for"]) for run in runs if run["started"] is not None)
    dropped, due = Counter[str](), Counter[str]()
    for name in ("latest", "skip"):
        of_task = [run for run in runs if run["task_id"] == name]
        dropped[name] = sum(run["count"] for run in of_task if run["started"] is None)
        instants = [datetime.fromisoformat(run["scheduled_for"]) for run in of_task]
        due[name] = round((max(instants) - min(instants)).total_seconds()) + 1
    report(
        "the program suspended for 3.5 s (SIGSTOP, SIGCONT), two tasks due every second",
        1,
        "what came due meanwhile is caught up with once, or dropped; nothing twice, nothing unaccounted for",
        f"{due.total()} due instants, {len(begun)} begun, {dropped.total()} dropped with a record",
    )
    assert max(begun.values()) == 1
    for name in due:
        assert dropped[name] >= 2
        assert dropped[name] + sum(task_id == name for task_id, _ in begun) == due[name]


def test_sighup_reads_the_task_file_again(at: Home) -> None:
    at.write(shell("a", "true", schedule=every(1)), shell("gone", "true"))
    with at.serve() as served:
        served.says("a succeeded")
        at.write(shell("a", "true", schedule=every(1)), shell("b", "echo b", schedule=every(1)))
        os.kill(served.process.pid, signal.SIGHUP)
        served.says("gone removed")
        served.says("b succeeded")
        (at.folder / "tasks.json").write_text("{")
        os.kill(served.process.pid, signal.SIGHUP)
        served.says("not read again: .*tasks.json, line 1")
        assert (at.folder / "tasks.json").read_text() == "{"


def test_a_task_with_a_mistake_does_not_stop_the_others(at: Home) -> None:
    at.write(
        shell("good", "true", schedule=every(1)),
        shell("bad", "true", schedule={"type": "every", "interval": "x"}),
        shell("child", "true", waits_for=[{"task": "bad"}]),
        shell("orphan", "true", waits_for=[{"task": "nobody"}]),
    )
    before = (at.folder / "tasks.json").read_bytes()
    with at.serve() as served:
        served.says(r"tasks\[1\].schedule.interval")
        served.says(r"tasks\[3\].waits_for\[0\].task: there is no task 'nobody'")
        served.says("good succeeded")
        rows = {row["id"]: row for row in map(json.loads, at.run("list", "--json").splitlines())}
        assert rows["bad"]["waiting"] == "disabled"
        assert rows["child"]["waiting"] == "waits for bad, which is disabled"
        assert rows["orphan"]["waiting"] == "waits for 'nobody', which is not on the list any more"
    assert (at.folder / "tasks.json").read_bytes() == before


def test_on_failure_pause_is_kept_in_the_file(at: Home) -> None:
    at.write(shell("a", "exit 1", schedule=every(1), on_failure="pause"))
    with at.serve() as served:
        served.says("a failed .exit code 1. and is disabled")
        until(lambda: not json.loads((at.folder / "tasks.json").read_text())["tasks"][0].get("enabled", True))
    with at.serve() as served:
        assert '"enabled": false' in at.run("list", "--json")


def test_a_turned_edge_is_followed(at: Home) -> None:
    at.write(shell("a", "true"), shell("b", "true", waits_for=[{"task": "a"}]))
    with at.serve() as served:
        at.write(shell("a", "echo a", waits_for=[{"task": "b"}]), shell("b", "echo b"))
        os.kill(served.process.pid, signal.SIGHUP)
        served.says("read .* again, 2 tasks")
        assert at.run("run", "b", "--downstream") == "b\na\n"


def test_two_who_run_one_task_each_hear_of_their_own_run(at: Home, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    at.write(shell("a", f"while ! test -e {gate}; do sleep 0.05; done; echo done"))
    with at.serve() as served:
        first = subprocess.Popen(at.command("run", "a"), stdout=subprocess.PIPE, text=True)
        served.says("a started")
        at.run("run", "a", code=1)
        assert "still under way" in at.errors
        gate.touch()
        assert first.communicate(timeout=60)[0] == "done\n"
        assert first.returncode == 0


@pytest.mark.parametrize("end", ["end", "kill"])
def test_who_follows_a_run_is_told_when_the_program_ends_first(at: Home, end: str) -> None:
    at.write(shell("long", "echo begun; sleep 300"))
    served = at.serve()
    process = subprocess.Popen(
        at.command("run", "long"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    getattr(served, end)()
    _, errors = process.communicate(timeout=60)
    cut_short = "The program ended before it could say how everything ended."
    assert (process.returncode, errors) in [
        (1, "long cancelled: the program was closed\n"),
        (3, f"{cut_short} `desktopsched history` says what came of it.\n"),
    ]
    assert process.returncode == (1 if end == "end" else 3)


def test_sigterm_with_starts_that_wait_leaves_no_traceback(at: Home) -> None:
    at.write(
        shell("long", "sleep 300", overlap="queue", schedule=every(1)),
        shell("child", "true", waits_for=[{"task": "long", "on": "finish"}]),
    )
    with at.serve() as served:
        served.says("long started")
        moment = time.monotonic() + 1.2
        until(lambda: time.monotonic() > moment)


def test_tasks_go_on_when_nobody_reads_the_log(at: Home, tmp_path: Path) -> None:
    done = tmp_path / "done"
    at.write(shell("a", f"echo x >> {done}", schedule=every(1)))
    process = subprocess.Popen(at.command("serve"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    until(lambda: done.exists() and len(done.read_text()) >= 6)
    process.terminate()
    process.wait(60)
    assert process.stderr is not None
    assert (process.returncode, process.stderr.read()) == (0, "")
    process.stderr.close()


# --- killed in the middle ----------------------------------------------------------------------------------


def test_kill_9_then_missed_runs_by_policy_and_nothing_twice(at: Home, tmp_path: Path) -> None:
    """The program is killed while tasks run and started again when due times have passed."""
    done = tmp_path / "done"
    say = f'echo "$DESKTOPSCHED_TASK_ID $DESKTOPSCHED_SCHEDULED_FOR" >> {done}'
    policies = {"all": "all", "latest": "latest", "skip": "skip"}
    at.write(
        *(
            shell(name, say, schedule=every(1), catch_up=policy, grace="0s")
            for name, policy in policies.items()
        ),
        shell("asks", say, schedule=every(1), grace="0s"),
        shell("long", f"{say}; sleep 5", schedule=every(2), max_runs=1),
        shell("alarm", say, waits_for=[{"task": "long", "on": "failure"}]),
    )
    before = (at.folder / "tasks.json").read_bytes()
    served = at.serve()
    until(lambda: done.exists() and "long" in done.read_text(), "the long run to have begun")
    for name in policies:
        served.says(f"{name} succeeded")
    served.kill()
    moment = time.time() + 4
    until(lambda: time.time() > moment)
    with at.serve() as served:
        served.says("long failed.*interrupted")
        served.says("alarm succeeded")
        served.says("all missed")
        served.says("latest skipped.*missed: .*, a later one runs instead")
        served.says("skip skipped.*: missed")
        served.says("missed runs wait for a decision: asks")
        for name in ("all", "latest", "skip", "asks"):
            served.says(rf"{name} started, run \d+$", times=2)
    assert (at.folder / "tasks.json").read_bytes() == before
    starts = Counter(done.read_text().split("\n")[:-1])
    assert set(starts.values()) == {1}, [line for line, times in starts.items() if times > 1]
    runs = at.history()
    assert _no_gap([run for run in runs if run["task_id"] == "all"]), "all: not one is missing"
    caught_up = [run for run in runs if run["cause"] == "catch-up"]
    assert Counter(run["task_id"] for run in caught_up)["latest"] <= 1, (
        "a start that is only late stands for all"
    )
    assert Counter(run["task_id"] for run in caught_up)["all"] >= 3
    assert not any(run["task_id"] in {"skip", "asks"} for run in caught_up)


def test_serve_answers_for_those_who_would_ask(at: Home) -> None:
    at.write(shell("asks", "true", schedule=every(1), grace="0s"))
    served = at.serve()
    served.says("asks succeeded")
    served.kill()
    moment = time.time() + 3
    until(lambda: time.time() > moment)
    with at.serve("--catch-up", "all") as served:
        served.says("asks started.*catch-up", times=2)
        until(
            lambda: _no_gap(at.history()), "all that were missed to be started"
        )  # there may be more than two


def _no_gap(runs: list[dict[str, Any]]) -> bool:
    """Whether each second from the first to the last one has its run, or is counted in the record of others."""
    instants = {datetime.fromisoformat(run["scheduled_for"]).timestamp() for run in runs}
    first = min([*instants, *(run["first"] for run in runs if run["first"] is not None)])
    return len(instants) == len(runs) and sum(run["count"] for run in runs) == max(instants) - first + 1


def test_killed_ten_times_no_due_instant_starts_twice_and_no_run_is_without_an_end(
    at: Home, tmp_path: Path
) -> None:
    done, gate = tmp_path / "done", tmp_path / "gate"
    say = f'echo "$DESKTOPSCHED_TASK_ID $DESKTOPSCHED_SCHEDULED_FOR $DESKTOPSCHED_ATTEMPT" >> {done}'
    at.write(
        shell("a", f"{say}; test -e {gate} || sleep 300; sleep 0.3", schedule=every(1), catch_up="all"),
        shell("b", say, schedule=every(1), catch_up="latest", overlap="queue"),
        shell(
            "c", f"{say}; exit 1", schedule=every(1), catch_up="skip", retry={"attempts": 3, "delay": "0.2s"}
        ),
        shell("d", say, waits_for=[{"task": "a"}, {"task": "b"}]),
    )
    for number in range(10):
        served = at.serve()
        moment = time.monotonic() + 0.25 * (1 + number % 5)
        if number == 0:
            until(lambda: done.exists() and "a " in done.read_text())  # that one is still under way
        else:
            until(lambda moment=moment: time.monotonic() > moment)  # type: ignore[misc]
        served.kill()
        gate.touch()
    with at.serve() as served:
        served.says("d succeeded")
    starts = Counter(done.read_text().split("\n")[:-1])
    assert [line for line, times in starts.items() if times > 1] == []
    runs = at.history()
    assert {run["state"] for run in runs if run["ended"] is None} <= {"pending"}, (
        "only what will be tried again"
    )
    assert any("interrupted" in run["reason"] for run in runs)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root is warned")
def test_running_as_root_is_said(at: Home) -> None:
    at.write()
    with at.serve() as served:
        served.says("running as root")
