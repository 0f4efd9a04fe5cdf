"""Real processes, from start to outcome. The ids are those of the cases that the behaviour answers."""

import resource
import stat
import sys
import threading
import time
from pathlib import Path

import pytest

from desktopsched.model import Command, Outcome, Script, Secret, State
from tests.actions.conftest import Stage, a_run, until
from tests.children import child_pids, children_since
from tests.faultlines import Record

SUCCEEDED = Outcome(State.SUCCEEDED, exit_code=0)


def python(text: str) -> Script:
    return Script(interpreter=f"{sys.executable} -S", text=text)


def descriptors() -> set[int]:
    """The open ones; that of the look itself is gone when it is looked up."""
    return {int(entry.name) for entry in Path("/proc/self/fd").iterdir() if entry.exists()}


def failed(reason: str, exit_code: int | None = None) -> Outcome:
    return Outcome(State.FAILED, reason, exit_code)


def test_x01_run_ends_soon_after_its_process_whoever_keeps_the_pipe(stage: Stage, report: Record) -> None:
    began = time.monotonic()
    assert stage.shell("sleep 60 & echo hi") == SUCCEEDED
    took = time.monotonic() - began
    report(
        "a grandchild keeps the pipe of the output for 60 s",
        1,
        "the run ends 2 s after its process",
        f"it took {took:.1f} s",
    )
    assert took < 30  # not the 60 of who keeps the pipe
    assert stage.log.data == b"hi\n"
    assert stage.log.closed
    until(lambda: stage.runs("sleep"))
    stage.clear()


def test_x01_what_a_grandchild_writes_within_the_drain_is_kept(stage: Stage, long_drain: None) -> None:
    assert stage.shell("(sleep 0.2; echo late) & echo hi") == SUCCEEDED
    assert stage.log.data == b"hi\nlate\n"


def test_x04_natural_end_leaves_a_child_with_its_own_session_alone(stage: Stage) -> None:
    assert stage.shell("setsid sleep 300 & echo started") == SUCCEEDED
    until(lambda: stage.runs("sleep"))
    stage.clear()


def test_x05_a_mebibyte_to_each_stream_arrives_complete(stage: Stage) -> None:
    text = (
        "import sys\nfor s, c in (sys.stderr, 'e'), (sys.stdout, 'o'):\n    s.write(c * 2**20); s.flush()\n"
    )
    assert stage.perform(python(text)) == SUCCEEDED
    assert stage.log.data == b"e" * 2**20 + b"o" * 2**20


def test_x13_two_hundred_runs_leave_no_zombie_and_no_descriptor(stage: Stage) -> None:
    stage.shell("true")
    before = descriptors(), threading.active_count()
    strangers = child_pids()
    for _ in range(200):
        assert stage.perform(Command(argv=("true",))) == SUCCEEDED
    # What an earlier test left behind may go meanwhile: then there are fewer.
    until(lambda: descriptors() <= before[0] and threading.active_count() <= before[1])
    assert children_since(strangers) == []


@pytest.mark.parametrize("cwd", ["", "~", "~/sub", "sub"])
def test_x15_working_folder_is_home_or_inside_it(stage: Stage, cwd: str) -> None:
    home = Path.home()
    (home / "sub").mkdir()
    assert stage.perform(Command(argv=("pwd",), cwd=cwd)) == SUCCEEDED
    assert stage.log.data.decode().strip() == str(home / "sub" if "sub" in cwd else home)


@pytest.mark.parametrize("cwd", ["/no/such/folder", "~nobody-of-this-name", "gone", "a\0b"])
def test_x15_x07_missing_working_folder_is_named(stage: Stage, cwd: str) -> None:
    outcome = stage.perform(Command(argv=("true",), cwd=cwd))
    assert outcome.state is State.FAILED
    assert cwd in outcome.reason
    assert "is not there" in outcome.reason


def test_x15_working_folder_deleted_between_runs_fails_the_second(stage: Stage) -> None:
    folder = Path.home() / "work"
    folder.mkdir()
    action = Command(argv=("true",), cwd=str(folder))
    assert stage.perform(action) == SUCCEEDED
    folder.rmdir()
    assert stage.perform(action).state is State.FAILED


def test_x16_file_with_blanks_dash_and_accents_is_one_argument(stage: Stage) -> None:
    file = Path.home() / "a b" / "-x é.sh"
    file.parent.mkdir()
    file.write_text('#!/bin/sh\nprintf "%s|" "$0" "$@"\n')
    file.chmod(0o755)
    assert stage.perform(Command(argv=(str(file), "c d", "-e"))) == SUCCEEDED
    assert stage.log.data.decode() == f"{file}|c d|-e|"


def test_x16_script_text_runs_from_a_private_file(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is removed, at once or with the run's folder: a supervised run may outlive the program."""
    folder = Path.home() / "-t é b"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    if stage.desk is not None:
        stage.desk.folder = folder
    script = Script(interpreter="sh -eu", text='echo "$# $-"; stat -c %a "$0"; echo "$0"\n')
    assert stage.perform(script) == SUCCEEDED
    arguments, mode, name = stage.log.data.decode().splitlines()
    assert arguments.startswith("0 ")
    assert {"e", "u"} <= set(arguments)
    assert int(mode, 8) == stat.S_IRUSR | stat.S_IWUSR
    own = Path(name).parent
    if stage.desk is None:
        assert own.parent == folder  # in a folder of its own: nobody can put a module beside it
        assert list(folder.iterdir()) == []
    else:
        assert own.parent.parent == folder
        assert [entry.name for entry in own.iterdir()] == ["script"]
        assert {stat.S_IMODE(one.stat().st_mode) for one in (own, own.parent)} == {0o700}


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("exit 3", failed("exit code 3", 3)),
        ("false | true", SUCCEEDED),
        ("true & false", failed("exit code 1", 1)),
        ("exit 126", failed("exit code 126: a command is not executable", 126)),
        ("no-such-command-here", failed("exit code 127: a command was not found", 127)),
        ("kill -9 $$", failed("signal 9 (SIGKILL)")),
        ("sh -c 'kill -9 $$'; exit $?", failed("exit code 137", 137)),
    ],
)
def test_x17_r10_exit_status_in_plain_words(stage: Stage, text: str, outcome: Outcome) -> None:
    assert stage.shell(text) == outcome


def test_exit_code_that_the_task_calls_a_success_is_kept(stage: Stage) -> None:
    outcome = stage.perform(Command(shell="exit 24", success_codes=(0, 24)))
    assert outcome == Outcome(State.SUCCEEDED, exit_code=24)


def test_r02_killed_from_outside_is_a_failure_by_signal(stage: Stage) -> None:
    def kill() -> None:
        until(lambda: stage.runs("sleep"))
        stage.left()[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    assert stage.shell("exec sleep 60") == failed("signal 9 (SIGKILL)")
    killer.join()


def test_x19_background_start_ends_at_once_and_stays(stage: Stage) -> None:
    began = time.monotonic()
    assert stage.shell("nohup sleep 300 >/dev/null 2>&1 &") == SUCCEEDED
    assert time.monotonic() - began < 60  # not 300
    until(lambda: stage.runs("sleep"))
    stage.clear()


def test_l11_both_streams_keep_their_order(stage: Stage) -> None:
    assert stage.shell("echo a; echo b >&2; echo c") == SUCCEEDED
    assert stage.log.data == b"a\nb\nc\n"
    assert stage.text == "a\nb\nc\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{sys.executable} -S -c 'import time; print(1); time.sleep(60)'",
        "stdbuf -oL sh -c 'echo 1; exec sleep 60'",
    ],
)
def test_l12_output_is_shown_before_the_process_ends(stage: Stage, text: str) -> None:
    assert stage.shell(text, stop_at="1\n").state is State.CANCELLED


def test_l01_bad_bytes_do_not_stop_the_reading(stage: Stage) -> None:
    assert stage.shell(r"printf '\377\376caf\351\n'; seq 1 200000") == SUCCEEDED
    assert stage.log.data == b"\xff\xfecaf\xe9\n" + b"".join(b"%d\n" % n for n in range(1, 200_001))
    assert stage.text.startswith("\ufffd\ufffdcaf\ufffd\n1\n")
    assert stage.text.endswith("\n200000\n")


def test_process_reads_nothing_and_is_told_about_its_run(stage: Stage) -> None:
    run = a_run(attempt=2, parents=(3, 4))
    assert (
        stage.perform(
            Command(shell="cat; env | grep ^DESKTOPSCHED_ | grep -vE '_(RUN|HOME|SERVERS)=' | sort"), run
        )
        == SUCCEEDED
    )
    assert stage.log.data.decode().splitlines() == [
        "DESKTOPSCHED_ATTEMPT=2",
        "DESKTOPSCHED_CAUSE=schedule",
        "DESKTOPSCHED_PARENT_RUN_IDS=3,4",
        "DESKTOPSCHED_RUN_ID=7",
        "DESKTOPSCHED_SCHEDULED_FOR=2023-11-14T22:13:20Z",
        "DESKTOPSCHED_TASK_ID=task",
    ]


def test_secret_reaches_the_process_and_is_masked_everywhere(stage: Stage) -> None:
    command = Command(
        shell='echo "${#PASS} $PASS"; printf s3cret-; sleep 0.1; echo word', env={"PASS": Secret("PG")}
    )
    assert stage.perform(command) == SUCCEEDED
    assert stage.log.data == b"11 ***\n***\n"
    assert stage.text == "11 ***\n***\n"


def test_run_that_was_stopped_before_it_began_starts_nothing(stage: Stage) -> None:
    run = a_run()
    run.stop.request("stopped by you")
    outcome = stage.perform(Command(shell="echo began"), run)
    assert outcome == Outcome(State.CANCELLED, "stopped by you")
    assert not stage.log.data


def test_no_descriptors_left_is_a_failed_run(stage: Stage) -> None:
    stage.shell("true")  # loads what is loaded once
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(descriptors())
    for spare in range(1, 12):
        resource.setrlimit(resource.RLIMIT_NOFILE, (highest + spare, hard))
        try:
            outcome = stage.perform(Command(argv=("true",)))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert outcome == SUCCEEDED or "too many open files" in outcome.reason.lower()
    assert outcome == SUCCEEDED


def test_sixteen_threads_share_one_performer(stage: Stage) -> None:
    outcomes: list[Outcome] = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(stage.shell("echo $$; exit 5"))) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [failed("exit code 5", 5)] * 16
