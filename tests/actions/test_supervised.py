"""Runs that outlive the program: left, found again, followed to their end. Real processes."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from desktopsched.actions import start
from desktopsched.actions import supervised as room
from desktopsched.actions.lost import stop_remains
from desktopsched.actions.runfolder import has_result, listen, read_ending, read_processes
from desktopsched.actions.start import can_supervise
from desktopsched.actions.supervised import LOST, UnderWay, find_under_way
from desktopsched.model import Command, LeftRunning, Outcome, Run, Script, Secret, State, Task
from desktopsched.supervisor.family import start_ticks
from tests.actions.conftest import (
    MARK,
    Desk,
    Stage,
    a_run,
    fetching,
    is_supervisor,
    processes_of,
    supervisors_do,
    until,
)
from tests.faultlines import Record

pytestmark = pytest.mark.skipif(not can_supervise(), reason="supervisors are for Linux")

SUCCEEDED = Outcome(State.SUCCEEDED, exit_code=0)
STOPPED = Outcome(State.CANCELLED, "stopped by you")


class Life:
    """One program's life: it performs one command on a thread of its own."""

    def __init__(self, stage: Stage, shell: str, **fields: object) -> None:
        self.stage = stage
        self.run = a_run()
        self.outcome: Outcome | None = None
        self.left = False
        self.task = Task(id="task", name="Task", action=Command(shell=shell, **fields))  # type: ignore[arg-type]
        self._thread = threading.Thread(target=self._perform)
        self._thread.start()

    def _perform(self) -> None:
        try:
            self.outcome = self.stage.performer.perform(self.task, self.run)
        except LeftRunning:
            self.left = True

    def says(self, text: str) -> None:
        until(lambda: text in self.stage.text)

    def end(self) -> Outcome:
        self._thread.join(60)
        assert self.outcome is not None
        return self.outcome

    def leave(self) -> Path:
        """The program goes; the folder of what goes on."""
        self.stage.performer.let_go()
        self._thread.join(60)
        assert self.left
        return self.folder

    @property
    def folder(self) -> Path:
        assert self.stage.desk is not None
        return self.stage.desk.folder / "1"

    @property
    def supervisor(self) -> psutil.Process:
        (found,) = [one for one in processes_of(self.stage.mark) if is_supervisor(one)]
        return found


@pytest.fixture
def begin(supervised: Stage) -> Iterator[Callable[..., Life]]:
    lives: list[Life] = []

    def begin(shell: str, **fields: object) -> Life:
        lives.append(Life(supervised, shell, **fields))
        return lives[-1]

    with fetching():
        yield begin


def alive(folder: Path) -> bool:
    under_way = find_under_way(folder)
    if under_way is not None:
        under_way.line.keep()
        under_way.line.close()
    return under_way is not None


def found(folder: Path) -> UnderWay:
    under_way = find_under_way(folder)
    assert under_way is not None
    return under_way


def test_neither_command_nor_environment_nor_secret_is_in_an_argument_list(
    begin: Callable[..., Life],
) -> None:
    life = begin("echo ready; sleep 300", env={"PASS": Secret("PG"), "OPEN": "visible-word"})
    life.says("ready")
    supervisor = life.supervisor
    shown = " ".join(supervisor.cmdline()) + str(supervisor.environ())
    for word in ("s3cret-word", "visible-word", "sleep 300"):
        assert word not in shown
    assert supervisor.cmdline()[-1] == "run 7 of task"
    assert b"s3cret-word" not in b"".join(one.read_bytes() for one in life.folder.glob("[!l]*"))
    life.run.stop.request("stopped by you")
    assert life.end() == STOPPED


@pytest.mark.parametrize("step", ["write_about", "supervisor"])
def test_what_the_system_refuses_before_there_is_a_process_was_not_started(
    begin: Callable[..., Life], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(room, step, refused)
    assert begin("true").end() == Outcome(State.FAILED, "not started: no space left on device")


def test_folder_and_files_are_their_owners_alone(begin: Callable[..., Life]) -> None:
    life = begin("echo ready; sleep 300")
    life.says("ready")
    modes = {one.name: stat.S_IMODE(one.lstat().st_mode) for one in life.folder.iterdir()}
    assert modes == dict.fromkeys(("about.json", "errors", "line", "processes"), 0o600)
    assert life.supervisor.pid == os.getsid(life.supervisor.pid)
    life.run.stop.request("stopped by you")
    life.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_signals_its_whole_group_reaches_nobody_but_itself(
    begin: Callable[..., Life], number: signal.Signals
) -> None:
    life = begin(f"kill -{number:d} 0; sleep 300")
    assert life.end() == Outcome(State.FAILED, f"signal {number:d} ({number.name})")


def test_a_run_that_was_left_is_followed_by_the_next_program(
    begin: Callable[..., Life], supervised: Stage, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    life = begin(f"echo one; until test -e {gate}; do sleep 0.01; done; echo two; exit 3")
    life.says("one")
    folder = life.leave()
    supervised.set_up()
    under_way = found(folder)
    assert (under_way.about.task_id, under_way.about.run_id, under_way.about.attempt) == ("task", 7, 1)
    supervised.shown.clear()
    gate.touch()
    assert supervised.performer.follow(a_run(), under_way) == Outcome(State.FAILED, "exit code 3", 3)
    assert supervised.text == "two\n"
    assert supervised.log.data == b"one\ntwo\n"


def test_a_run_that_was_left_can_be_stopped_by_the_next_program(
    begin: Callable[..., Life], supervised: Stage
) -> None:
    life = begin("echo one; sleep 300")
    life.says("one")
    under_way = found(life.leave())
    supervised.set_up()
    run = a_run()
    run.stop.request("stopped by you")
    assert supervised.performer.follow(run, under_way) == STOPPED
    assert supervised.left() == []


def test_the_time_out_goes_on_without_the_program(
    begin: Callable[..., Life], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate"
    later = f"real() + (600 if os.path.exists({str(gate)!r}) else 0)"  # ten minutes pass at once
    supervisors_do(f"import os, time; real = time.monotonic; time.monotonic = lambda: {later}", monkeypatch)
    life = begin(f"echo one; until test -e {gate}; do sleep 0.01; done; echo two; sleep 300", timeout=600)
    life.says("one")
    folder = life.leave()
    assert read_ending(folder) is None
    gate.touch()
    until(lambda: read_ending(folder))
    ending = read_ending(folder)
    assert ending is not None
    assert ending.timed_out
    assert life.stage.left() == []


def test_a_run_that_ended_without_the_program_is_read(begin: Callable[..., Life], tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    life = begin(f"echo one; until test -e {gate}; do sleep 0.01; done; echo two; exit 5")
    life.says("one")
    folder = life.leave()
    gate.touch()
    until(lambda: read_ending(folder))
    until(lambda: not alive(folder))
    ending = read_ending(folder)
    assert ending is not None
    assert ending.code == 5
    assert abs(ending.at - time.time()) < 20
    assert life.stage.log.data == b"one\ntwo\n"


def test_what_was_said_while_nobody_looked_on_is_shown_bounded_and_kept_whole(
    begin: Callable[..., Life], supervised: Stage, tmp_path: Path
) -> None:
    go, done, gate = tmp_path / "go", tmp_path / "done", tmp_path / "gate"
    life = begin(
        f"echo one; until test -e {go}; do sleep 0.01; done; seq 1 200000; touch {done};"
        f" until test -e {gate}; do sleep 0.01; done; echo end"
    )
    life.says("one")
    folder = life.leave()
    go.touch()
    until(done.exists)
    until(lambda: supervised.log.data.endswith(b"200000\n"))  # the pipe is empty: nothing comes later
    supervised.set_up()
    supervised.shown.clear()
    under_way = found(folder)
    gate.touch()
    assert supervised.performer.follow(a_run(), under_way) == SUCCEEDED
    assert len(supervised.text) < 40_000
    assert "bytes dropped …\n" in supervised.text
    assert supervised.text.endswith("200000\nend\n")
    assert supervised.log.data == b"one\n" + b"".join(b"%d\n" % n for n in range(1, 200_001)) + b"end\n"


def test_a_listener_that_hangs_does_not_hold_the_run_up(supervised: Stage, tmp_path: Path) -> None:
    done, answer = tmp_path / "done", threading.Event()

    def hang(run: Run, text: str) -> None:
        answer.wait(60)

    supervised.set_up(on_output=hang)
    life = Life(supervised, f"yes | head -c 50000000; touch {done}")
    until(done.exists)
    assert life.outcome is None
    answer.set()
    assert life.end() == SUCCEEDED


def test_a_program_that_dies_leaves_its_runs_or_stops_them_as_it_is_told(
    supervised: Stage, tmp_path: Path
) -> None:
    """The other program is killed without a word."""
    text = """
import sys
from pathlib import Path
from desktopsched.actions.perform import Performer
from desktopsched.model import Cause, Command, Run, Task
from tests.actions.conftest import Desk
desk = Desk(Path(sys.argv[1]))
desk.outlive = sys.argv[2] == "outlive"
performer = Performer(None, on_output=lambda run, text: print(text, end="", flush=True), places=desk.places())
task = Task(id="task", name="Task", action=Command(shell="echo ready; sleep 300"))
performer.perform(task, Run(id=7, task_id="task", scheduled_for=0, cause=Cause.MANUAL))
"""
    for policy in ("outlive", "stop"):
        desk = tmp_path / policy
        command = [sys.executable, "-c", text, str(desk), policy]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
            program.kill()
        folder = desk / "1"
        if policy == "stop":
            until(lambda: read_ending(folder))  # noqa: B023 - it is called here
            ending = read_ending(folder)
            assert ending is not None
            assert (ending.left, ending.stopped) == (True, "the program ended, and its runs with it")
        else:
            run = a_run()
            run.stop.request("stopped by you")
            assert supervised.performer.follow(run, found(folder)) == STOPPED
        until(lambda: not processes_of(os.environ[MARK]))


def test_a_program_that_dies_before_its_order_is_whole_has_started_nothing(tmp_path: Path) -> None:
    """The supervisor hears the beginning of an order, and then the end of the line."""
    import socket

    ours, theirs = socket.socketpair()
    folder = tmp_path / "1"
    folder.mkdir()
    with listen(folder) as listener, theirs:
        process = subprocess.Popen(start.command(a_run()), stdin=theirs.fileno(), stdout=listener.fileno())
    ours.sendall(b"R\0\0\1\0half")
    ours.close()
    assert process.wait(30) == 0
    assert [one.name for one in folder.iterdir()] == ["line"]
    assert not alive(folder)


# --- the supervisor itself ---------------------------------------------------------------------------------


def test_a_supervisor_that_waits_does_not_wake_up(begin: Callable[..., Life]) -> None:
    life = begin("echo ready; sleep 300")
    life.says("ready")
    supervisor = life.supervisor
    until(lambda: is_at_rest(supervisor))
    before = supervisor.num_ctx_switches()
    time.sleep(1.0)
    after = supervisor.num_ctx_switches()
    assert after.voluntary - before.voluntary == 0
    life.run.stop.request("stopped by you")
    life.end()


def is_at_rest(process: psutil.Process) -> bool:
    """Whether it slept for a while, and does not only wait for a processor."""
    before = process.num_ctx_switches().voluntary
    time.sleep(0.3)
    return process.status() == psutil.STATUS_SLEEPING and process.num_ctx_switches().voluntary == before


def test_a_long_line_of_a_hundred_megabytes_passes_in_flat_memory(
    begin: Callable[..., Life], tmp_path: Path, report: Record
) -> None:
    gate = tmp_path / "gate"
    life = begin(
        f"head -c 1000000 /dev/zero; echo; echo first; until test -e {gate}.1; do sleep 0.01; done;"
        f"head -c 100000000 /dev/zero | tr '\\0' x; echo; echo second; until test -e {gate}.2; do sleep 0.01; done"
    )
    life.says("first")
    supervisor = life.supervisor
    before = _peak(supervisor)
    Path(f"{gate}.1").touch()
    life.says("second")
    grown = _peak(supervisor) - before
    report("one line of 100 MB", 1, "the supervisor's memory within 2 MiB", f"{grown:+} KiB")
    assert grown < 2 * 1024
    Path(f"{gate}.2").touch()
    assert life.end() == SUCCEEDED
    assert life.stage.desk is not None
    assert life.stage.desk.logs[-1].size == 101_000_015
    assert sum(part.stat().st_size for part in life.stage.desk.logs[-1].path.parent.iterdir()) < 11.1 * 2**20


def test_a_hundred_megabytes_of_yes_pass_in_flat_memory(begin: Callable[..., Life], report: Record) -> None:
    life = begin("yes")
    life.says("y\n")
    supervisor = life.supervisor
    until(lambda: "dropped" in life.stage.text)
    assert life.stage.desk is not None
    log = life.stage.desk.logs[-1]
    enough = log.size + 100_000_000
    before, ours = _peak(supervisor), psutil.Process().memory_info().rss
    until(lambda: _forget(life.stage) and log.size > enough)
    grown, grown_here = _peak(supervisor) - before, (psutil.Process().memory_info().rss - ours) // 1024
    report(
        "`yes`, a hundred megabytes of it",
        1,
        "memory within 2 MiB in the supervisor, within 8 in the program",
        f"{grown:+} KiB and {grown_here:+} KiB",
    )
    assert grown < 2 * 1024
    assert grown_here < 8 * 1024
    life.run.stop.request("stopped by you")
    assert life.end() == STOPPED


def _forget(stage: Stage) -> bool:
    """What was shown; a window keeps no more than fits into it."""
    stage.shown.clear()
    return True


def _peak(process: psutil.Process) -> int:
    """The most memory that it ever had, in KiB."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def test_orphans_are_not_left_as_zombies_while_the_run_goes_on(begin: Callable[..., Life]) -> None:
    life = begin("for i in 1 2 3 4 5; do (setsid true &); done; echo ready; sleep 300")
    life.says("ready")
    until(lambda: len(life.supervisor.children()) == 1)
    life.run.stop.request("stopped by you")
    life.end()


def test_a_supervisor_that_is_told_to_end_stops_its_run_and_says_so(begin: Callable[..., Life]) -> None:
    life = begin("echo ready; sleep 300")
    life.says("ready")
    life.supervisor.terminate()
    assert life.end() == Outcome(State.CANCELLED, "stopped from outside, by SIGTERM")


KINDS = {
    "deaf": "trap '' TERM; echo ready; while :; do sleep NAP; done",
    "own session": "setsid sh -c 'trap \"\" TERM; echo ready; while :; do sleep NAP; done' & wait",
    "daemon that cleaned its environment": (
        "(env -i setsid sh -c '(trap \"\" TERM; echo ready; while :; do sleep NAP; done) & exit' &) ; sleep 300"
    ),
    "stopped": "echo ready; kill -STOP $$; sleep NAP",
    "255 at once": "b() { if [ $1 -gt 0 ]; then b $(($1-1)) & b $(($1-1)) & fi; sleep NAP; }; b 7 & echo ready; wait",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_stop_leaves_none_of_any_kind_of_process(supervised: Stage, kind: str, report: Record) -> None:
    supervised.set_up(grace=0.2)
    nap = f"0.1{os.getpid():08}"  # and no other test's begins like that
    outcome = supervised.shell(KINDS[kind].replace("NAP", nap), stop_at="ready")
    assert outcome.state is State.CANCELLED
    assert outcome.reason in {"stopped by you", "stopped by you; killed after 0.2 s"}
    shown = [" ".join(one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"])]
    left = [line for line in shown if nap in line]
    report(f"a stop of processes: {kind}", 1, "none is left", f"{len(left)} left; {outcome.reason}")
    assert left == []


def test_a_deep_folder_is_no_obstacle_for_the_socket(home: Path, tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a" * 60] * 4)
    deep.mkdir(parents=True)
    stage = Stage(os.environ[MARK], Desk(deep / "desk"))
    assert stage.shell("echo hi") == SUCCEEDED


def test_a_bundle_whose_executable_is_no_python_has_a_supervisor_beside_it(
    supervised: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(room.__file__).parents[2]
    beside = tmp_path / start.BUNDLED
    begin = "from desktopsched.supervisor.main import main; main()"
    beside.write_text(f'#!/bin/sh\ncd {root} && exec {sys.executable} -c "{begin}"\n')
    beside.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktopsched"))
    assert start.can_supervise()
    assert supervised.shell("echo hi; exit 4") == Outcome(State.FAILED, "exit code 4", 4)
    assert supervised.log.data == b"hi\n"


def test_a_bundle_that_lost_its_supervisor_runs_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "desktopsched"))
    assert not start.can_supervise()


def test_an_appimage_whose_files_go_with_the_program_runs_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDIR", str(Path(sys.executable).parent))
    assert not start.can_supervise()
    monkeypatch.setenv("APPDIR", "/of/the/terminal")
    assert start.can_supervise()


# --- it is killed, or does nothing any more ----------------------------------------------------------------


def test_when_the_supervisor_is_killed_the_run_is_lost_and_what_it_left_is_stopped(
    begin: Callable[..., Life],
) -> None:
    life = begin("echo ready; setsid sleep 300 & sleep 301")
    life.says("ready")
    until(lambda: life.stage.runs("sh", "sleep", "sleep"))
    life.supervisor.kill()
    assert life.end() == Outcome(State.FAILED, f"{LOST}; 3 of its processes were stopped")
    assert life.stage.left() == []


def test_a_mistake_of_a_supervisor_is_logged_and_loses_its_run_alone(
    supervised: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin = "raise SystemExit('a bug, ' + __import__('sys').argv[-1])"
    with monkeypatch.context() as patch:
        patch.setattr(start, "_BEGIN", begin)
        assert supervised.shell("echo hi") == Outcome(State.FAILED, room.FAILED)
    assert [record.getMessage() for record in caplog.records] == ["a supervisor failed: a bug, run 7 of task"]
    caplog.clear()
    assert supervised.shell("echo hi") == SUCCEEDED


def test_a_supervisor_that_does_nothing_any_more_is_given_up_when_its_run_is_stopped(
    begin: Callable[..., Life], supervised: Stage, monkeypatch: pytest.MonkeyPatch, report: Record
) -> None:
    monkeypatch.setattr(room, "_PATIENCE", 0.1)
    monkeypatch.setattr(room, "SWEEP", 0.0)
    monkeypatch.setattr(room, "DRAIN", 0.0)
    supervised.set_up(grace=0.5)
    life = begin("echo ready; sleep 300")
    life.says("ready")
    supervisor = life.supervisor
    supervisor.suspend()
    began = time.monotonic()
    life.run.stop.request("stopped by you")
    assert life.end().state in {State.FAILED, State.CANCELLED}
    took = time.monotonic() - began
    report("a supervisor is suspended, then its run is stopped", 1, "it is given up", f"after {took:.1f} s")
    assert took < 60  # not 300
    until(lambda: not life.stage.left())
    until(lambda: not supervisor.is_running())


def test_of_a_deaf_supervisor_only_what_it_ran_is_counted(begin: Callable[..., Life]) -> None:
    """One that was killed is deaf for a moment, since its connections are closed before it is gone."""
    life = begin("echo ready; sleep 300; true")
    life.says("ready")
    until(lambda: life.stage.runs("sh", "sleep"))
    supervisor = life.supervisor
    supervisor.suspend()
    assert stop_remains(life.folder, 2.0) == 2
    life.end()
    until(lambda: not supervisor.is_running())


def test_a_stranger_that_has_the_number_of_a_lost_process_is_not_signalled(
    begin: Callable[..., Life], supervised: Stage, report: Record
) -> None:
    """The files of the folder name a living process, with another beginning."""
    life = begin("echo ready; sleep 300; true")
    life.says("ready")
    until(lambda: life.stage.runs("sh", "sleep"))
    folder = life.leave()
    os.kill(life.supervisor.pid, signal.SIGKILL)
    until(lambda: not alive(folder))
    stranger = subprocess.Popen(["sleep", "300"], env={}, start_new_session=True)
    who = read_processes(folder)
    assert who is not None
    who.child, who.supervisor = stranger.pid, stranger.pid
    who.child_ticks = who.supervisor_ticks = start_ticks(stranger.pid) - 1
    (folder / "processes").write_bytes(who.encode())
    assert stop_remains(folder, 2.0) == 2  # the shell and its sleep, by their marker
    stranger.send_signal(signal.SIGUSR1)
    ended = signal.Signals(-stranger.wait())
    report(
        "a stranger has the number of a lost process",
        1,
        "it is not signalled",
        f"it ended by {ended.name}, which the test sent",
    )
    assert ended is signal.SIGUSR1


def test_after_a_start_of_the_computer_nothing_of_a_lost_run_is_looked_for(
    begin: Callable[..., Life],
) -> None:
    life = begin("echo ready; sleep 300; true")
    life.says("ready")
    until(lambda: life.stage.runs("sh", "sleep"))
    who = read_processes(life.folder)
    assert who is not None
    who.boot = "another"
    (life.folder / "processes").write_bytes(who.encode())
    assert stop_remains(life.folder, 2.0) == 0
    assert life.stage.runs("sh", "sleep")
    life.run.stop.request("stopped by you")
    assert life.end() == STOPPED


@pytest.mark.usefixtures("begin")
def test_a_script_that_outlives_the_program_keeps_its_text(supervised: Stage, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    text = f'echo one\nuntil test -e {gate}; do sleep 0.01; done\ncat "$0" | head -n 1\n'
    life = Life(supervised, "")
    life._thread.join()
    life.task = Task(id="task", name="Task", action=Script(interpreter="sh", text=text))
    life.outcome = None
    thread = threading.Thread(target=life._perform)
    thread.start()
    life.says("one")
    supervised.performer.let_go()
    thread.join()
    supervised.set_up()
    supervised.shown.clear()
    assert supervised.desk is not None
    (folder,) = [one for one in supervised.desk.folder.iterdir() if alive(one)]
    gate.touch()
    assert supervised.performer.follow(a_run(), found(folder)) == SUCCEEDED
    assert supervised.text == "echo one\n"


def test_a_folder_that_cannot_be_looked_into_has_no_result(tmp_path: Path) -> None:
    """The next launch asks; of one run that it cannot judge it makes an interruption, and opens."""
    assert not has_result(tmp_path / ("x" * 300))
