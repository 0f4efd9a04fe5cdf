"""Stops and time-outs: the whole tree goes, and nothing that is a stranger's."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from desktopsched.actions.direct import AnyWatch, perform_directly
from desktopsched.actions.ending import descent_in_words
from desktopsched.actions.launch import Child
from desktopsched.actions.member import Member
from desktopsched.actions.surroundings import Surroundings
from desktopsched.actions.tree import Tree
from desktopsched.actions.watch import Watch
from desktopsched.actions.watch_threads import ThreadedWatch
from desktopsched.model import Command, Outcome, Run, Script, State
from desktopsched.supervisor import ladder, signalling
from desktopsched.supervisor.ending import Ending
from desktopsched.supervisor.ladder import bring_down
from desktopsched.supervisor.output import Output
from desktopsched.supervisor.pump import Pump
from tests.actions.conftest import MARK, Log, Stage, a_run, until
from tests.faultlines import Record

STOPPED = Outcome(State.CANCELLED, "stopped by you")

DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("ready", flush=True)
        time.sleep(300)
    os._exit(0)
os.wait()
{rest}
"""


def short_grace(stage: Stage, grace: float = 0.2) -> Stage:
    stage.set_up(grace)
    return stage


def python(text: str) -> Script:
    return Script(interpreter=f"{sys.executable} -S", text=text)


def test_stop_ends_what_listens_without_waiting_for_the_grace(stage: Stage) -> None:
    began = time.monotonic()
    assert stage.shell("echo ready; sleep 300 | sleep 301", stop_at="ready") == STOPPED
    assert time.monotonic() - began < 20.0  # the grace is 30 s
    assert stage.left() == []


def test_x03_who_ignores_the_stop_is_killed_after_the_grace(stage: Stage) -> None:
    short_grace(stage)
    outcome = stage.shell("trap '' TERM; echo ready; while :; do sleep 1; done", stop_at="ready")
    assert outcome == Outcome(State.CANCELLED, "stopped by you; killed after 0.2 s")
    assert stage.left() == []


def test_the_grace_is_for_the_whole_tree_not_for_the_first_process_alone(stage: Stage) -> None:
    text = "(trap 'sleep 0.3; echo saved; exit' TERM; echo ready; while :; do sleep 0.05; done) & wait"
    assert stage.shell(text, stop_at="ready") == STOPPED
    assert stage.log.data.endswith(b"saved\n")


def test_x04_stop_finds_a_child_in_its_own_session(stage: Stage) -> None:
    assert stage.shell("setsid sleep 300 & echo ready; wait", stop_at="ready") == STOPPED
    assert stage.left() == []


@pytest.mark.parametrize("rest", ["time.sleep(300)", "sys.exit()"])
def test_stop_finds_a_daemon(stage: Stage, rest: str, long_drain: None) -> None:
    """Also when it comes after the first process ended, while its pipe is still read."""
    assert stage.perform(python(DAEMON.format(rest=rest)), stop_at="ready") == STOPPED
    assert stage.left() == []


def test_stop_finds_a_descendant_without_the_marker(stage: Stage) -> None:
    """One that is born between the look and the signal, too: its session is known by then."""
    mine = f"3{os.getpid()}"
    outcome = stage.shell(f"env -i setsid sh -c 'echo ready; sleep {mine}; true' & wait", stop_at="ready")
    assert outcome == STOPPED
    assert not [
        process for process in psutil.process_iter(["cmdline"]) if mine in (process.info["cmdline"] or ())
    ]


def test_stop_reaches_a_process_that_is_itself_stopped(stage: Stage) -> None:
    assert stage.shell("echo ready; kill -STOP $$; sleep 300", stop_at="ready") == STOPPED
    assert stage.left() == []


def test_four_kinds_of_deaf_children_are_gone_after_the_sweep(stage: Stage) -> None:
    short_grace(stage)
    deaf = "sh -c 'trap \"\" TERM; while :; do sleep 0.1; done'"
    text = (
        f"trap '' TERM; {deaf} & setsid {deaf} & (setsid {deaf} &) ; setsid setsid {deaf} & echo ready; wait"
    )
    outcome = stage.shell(text, stop_at="ready")
    assert outcome.reason == "stopped by you; killed after 0.2 s"
    assert stage.left() == []


def test_tree_goes_down_on_systems_without_pidfds(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktopsched.actions.member.open_pidfd", lambda pid: None)
    short_grace(stage)
    text = "setsid sh -c 'trap \"\" TERM; echo ready; while :; do sleep 0.1; done' & wait"
    assert stage.shell(text, stop_at="ready").reason == "stopped by you; killed after 0.2 s"
    assert stage.left() == []


def test_sweep_catches_up_with_children_that_are_born_meanwhile(stage: Stage, report: Record) -> None:
    short_grace(stage, 0.05)
    text = "trap '' TERM; echo ready; while :; do setsid sh -c \"trap '' TERM; sleep 300\" & sleep 0.01; done"
    assert stage.shell(text, stop_at="ready").state is State.CANCELLED
    left = stage.left()
    report(
        "a stop while children that ignore it are born without end", 1, "none is left", f"{len(left)} left"
    )
    assert left == []


def test_stop_works_during_a_flood(stage: Stage) -> None:
    assert stage.shell("yes", stop_at="y") == STOPPED
    assert stage.left() == []


def test_timeout_is_a_stop_that_fails_the_run(stage: Stage) -> None:
    outcome = stage.shell("echo ready; sleep 300", timeout=0.2)
    assert outcome == Outcome(State.FAILED, "timed out after 0.2 s")
    assert stage.left() == []


def test_stop_after_the_run_wakes_nobody(stage: Stage) -> None:
    run = a_run()
    stage.perform(Command(argv=("true",)), run)
    run.stop.request("too late")


def test_who_will_not_die_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What hangs in the kernel."""
    monkeypatch.setattr(ladder, "SWEEP", 0.1)
    for signal_all in ("ask", "kill"):
        monkeypatch.setattr(ladder, signal_all, lambda group, members: None)
    child = subprocess.Popen(["sleep", "300"], stdout=subprocess.PIPE, start_new_session=True)
    watch, tree = Watch(child), Tree("no token", child)
    descent = bring_down(tree, Pump(watch, Output(Log, lambda text: None, ())), 0.05)
    assert (descent.killed, descent.survivors) == (True, (child.pid,))
    ending = Ending(killed=descent.killed, survivors=descent.survivors)
    assert descent_in_words(ending, 10) == f"process {child.pid} will not die"
    tree.close()
    child.kill()
    child.wait()
    watch.close()


def test_a_stranger_with_the_pid_of_a_member_is_not_signalled(
    monkeypatch: pytest.MonkeyPatch, report: Record
) -> None:
    child = subprocess.Popen(["sleep", "300"])
    process = psutil.Process(child.pid)
    with monkeypatch.context() as patch:
        patch.setattr(psutil.Process, "is_running", lambda self: False)  # its start time is another one
        member = Member(process)
        member.send(signal.SIGKILL)
        assert not member.alive()
    child.terminate()
    ended = signal.Signals(
        -child.wait()
    )  # of two signals the one that came first, and SIGKILL before all others
    report(
        "a stranger has the number of a process to be stopped",
        1,
        "it is not signalled",
        f"it ended by {ended.name}, which the test sent",
    )
    assert ended is signal.SIGTERM


def test_group_of_a_reaped_process_is_not_signalled(monkeypatch: pytest.MonkeyPatch) -> None:
    child = subprocess.Popen(["true"], start_new_session=True)
    child.wait()
    monkeypatch.setattr("os.killpg", lambda *_: pytest.fail("signalled a group that may be another's"))
    tree = Tree("no token", child)
    assert tree.group is None
    signalling.ask(tree.group, tree.living())
    signalling.kill(tree.group, ())
    tree.close()


WATCHES: dict[str, Callable[[Child], AnyWatch]] = {
    "pidfd": Watch,
    "waiter": lambda child: Watch(child, pidfds=False),
    "threads": ThreadedWatch,
}


@pytest.fixture(params=WATCHES)
def perform_by(request: pytest.FixtureRequest, stage: Stage) -> Callable[..., Outcome]:
    """Performs a shell command with each way of waiting, by whichever system it is needed."""

    def perform(text: str, timeout: float | None = None, grace: float = 30.0) -> Outcome:
        around = Surroundings(
            open_log=lambda task_id, run_id: stage._log,
            on_output=stage.hear,
            read_secret=str,
            grace=grace,
            environ={"PATH": "/bin:/usr/bin", MARK: stage.mark},
        )
        return perform_directly(Command(shell=text, timeout=timeout), a_run(), around, WATCHES[request.param])

    return perform


Perform = Callable[..., Outcome]


def test_each_watch_reads_everything_and_tells_the_end(perform_by: Perform, stage: Stage) -> None:
    assert perform_by("seq 1 100000; exit 3") == Outcome(State.FAILED, "exit code 3", 3)
    assert stage._log.data == b"".join(b"%d\n" % n for n in range(1, 100_001))


def test_each_watch_sees_an_end_without_output(perform_by: Perform, stage: Stage) -> None:
    assert perform_by("exec >/dev/null 2>&1; sleep 0.1").state is State.SUCCEEDED


@contextlib.contextmanager
def born_deaf() -> Iterator[None]:
    """What is started meanwhile ignores SIGTERM from its first moment; a trap of its own may come too late."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def test_each_watch_wakes_for_a_stop_and_a_timeout(perform_by: Perform, stage: Stage) -> None:
    stage.stop_at = "ready"
    assert perform_by("echo ready; sleep 300") == STOPPED
    stage.stop_at = None
    with born_deaf():
        outcome = perform_by("while :; do sleep 0.1; done", timeout=0.1, grace=0.2)
    assert outcome.reason == "timed out after 0.1 s; killed after 0.2 s"
    assert stage.left() == []


def test_each_watch_does_not_wait_for_who_keeps_the_pipe(perform_by: Perform, stage: Stage) -> None:
    began = time.monotonic()
    assert perform_by("sleep 60 & echo hi").state is State.SUCCEEDED
    assert time.monotonic() - began < 30.0  # not 60
    stage.clear()


def test_stop_from_another_run_of_the_same_request_is_heard_by_the_next_attempt(stage: Stage) -> None:
    run = a_run()
    assert stage.perform(Command(shell="exit 1"), run).state is State.FAILED
    second = Run(id=run.id, task_id="task", scheduled_for=0, cause=run.cause, attempt=2, stop=run.stop)
    assert stage.perform(Command(shell="echo ready; sleep 300"), second, stop_at="ready") == STOPPED
    until(lambda: not stage.left())
