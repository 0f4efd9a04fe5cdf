"""Commands and scripts on a real cluster: how they end, what they are given, what is seen of them."""

import os
import re
import threading
from pathlib import Path

import psutil
import pytest

from desktopsched.actions.failure import CannotStartError
from desktopsched.cluster.errors import ClusterError
from desktopsched.model import Command, Outcome, Script, State, Where
from tests.actions.conftest import until
from tests.cluster.conftest import Far

pytestmark = pytest.mark.system


def test_a_command_runs_in_another_process_tree_and_its_output_comes_back(far: Far) -> None:
    outcome = far.perform(Command(argv=("printf", "%s\n", "one two", "*"), where=Where.DASK))
    assert outcome == Outcome(State.SUCCEEDED, exit_code=0)
    assert far.text == "one two\n*\n"
    assert bytes(far.log.data) == b"one two\n*\n"
    assert far.log.closed


def test_it_ends_as_its_process_does(far: Far) -> None:
    assert far.shell("exit 3") == Outcome(State.FAILED, "exit code 3", 3)
    assert far.perform(Command(shell="exit 3", success_codes=(0, 3))) == Outcome(State.SUCCEEDED, exit_code=3)
    assert far.shell("kill -9 $$") == Outcome(State.FAILED, "signal 9 (SIGKILL)")


def test_a_script_lives_in_a_private_file_that_is_gone_afterwards(far: Far) -> None:
    text = "import os, sys; print(sys.argv[0]); print(oct(os.stat(sys.argv[0]).st_mode)); print('ü')"
    assert far.perform(Script(interpreter="python3 -u", text=text)).state is State.SUCCEEDED
    file, mode, umlaut = far.text.split()
    assert mode == "0o100600"
    assert umlaut == "ü"
    assert not Path(file).exists()


def test_it_is_given_the_workers_path_and_what_the_task_says_and_nothing_of_dasks(far: Far) -> None:
    assert far.perform(Command(shell="env", env={"WHO": "me"})).state is State.SUCCEEDED
    given = dict(line.split("=", 1) for line in far.text.splitlines())
    assert given["PATH"] == os.environ["PATH"]
    assert given["WHO"] == "me"
    assert (given["DESKTOPSCHED_RUN_ID"], given["DESKTOPSCHED_ATTEMPT"]) == (str(far.run.id), "2")
    assert not [name for name in given if name.startswith(("DASK", "PYTEST", "XDG", "QT_"))]


def test_the_folder_is_the_workers(far: Far, tmp_path: Path) -> None:
    far.perform(Command(shell="pwd", cwd=str(tmp_path)))
    assert far.text.strip() == str(tmp_path)
    said = re.escape(f"The working folder '{tmp_path / 'gone'}' is not there.")
    with pytest.raises(CannotStartError, match=rf"^On the worker tcp://\S+: {said}"):
        far.perform(Command(shell="pwd", cwd=str(tmp_path / "gone")))


def test_a_program_that_is_not_there_is_named_with_its_worker(far: Far) -> None:
    assert "There is no program 'no-such-program'" in far.refusal(Command(argv=("no-such-program",)))
    assert far.refusal(Script(interpreter="'", text="x")).endswith("cannot be read: No closing quotation.")


def test_output_is_seen_while_it_runs(far: Far, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    ended = threading.Thread(
        target=far.shell, args=(f"echo begun; until [ -e '{gate}' ]; do sleep 0.02; done; echo over",)
    )
    ended.start()
    until(lambda: far.text == "begun\n")
    gate.touch()
    ended.join()
    assert far.text == "begun\nover\n"


def test_a_flood_is_cut_visibly_and_the_beginning_and_the_end_are_kept(far: Far) -> None:
    outcome = far.shell("echo first; yes | head -c 200000000; echo last")
    assert outcome.state is State.SUCCEEDED
    text = bytes(far.log.data).decode()
    assert text.startswith("first\n")
    assert text.endswith("last\n")
    dropped = sum(int(count.replace(",", "")) for count in re.findall(r"… ([\d,]+) bytes dropped …", text))
    assert len(re.sub(r"\n?… [\d,]+ bytes dropped …\n", "", text)) + dropped == pytest.approx(
        200_000_011, abs=1_000
    )


def test_a_stop_ends_all_that_it_started_and_says_so(far: Far, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    text = f"sleep 300 & echo $! >>'{pids}'; setsid sleep 300 & echo $$ >>'{pids}'; echo ready; wait"
    assert far.shell(text, stop_at="ready") == Outcome(State.CANCELLED, "stopped by you")
    started = [int(pid) for pid in pids.read_text().split()]
    until(lambda: not any(map(psutil.pid_exists, started)))  # one that died is there until it is fetched


def test_who_does_not_hear_a_stop_is_killed_after_its_grace(far: Far) -> None:
    far.grace = 0.3
    outcome = far.shell("trap '' TERM; echo deaf; while :; do sleep 0.1; done", stop_at="deaf")
    assert outcome == Outcome(State.CANCELLED, "stopped by you; killed after 0.3 s")


def test_a_time_limit_counts_from_its_start_on_the_worker(far: Far) -> None:
    assert far.shell("sleep 300", timeout=0.5) == Outcome(State.FAILED, "timed out after 0.5 s")


def test_a_run_that_waits_for_a_worker_is_taken_back_by_a_stop(far: Far, tmp_path: Path) -> None:
    """All eight places are taken: the ninth waits in the cluster."""
    gate, begun = tmp_path / "gate", tmp_path / "begun"
    holding = [Far(far.address) for _ in range(8)]
    text = f"echo >>'{begun}'; until [ -e '{gate}' ]; do sleep 0.05; done"
    threads = [threading.Thread(target=one.shell, args=(text,)) for one in holding]
    for thread in threads:
        thread.start()
    until(lambda: begun.exists() and len(begun.read_text()) == 8, 30)
    waiting = threading.Thread(target=lambda: outcomes.append(far.shell(f"echo >>'{begun}'")))
    outcomes: list[Outcome] = []
    before = far.run
    waiting.start()
    until(lambda: far.run is not before)
    far.run.stop.request("stopped by you")
    waiting.join()
    with pytest.raises(ClusterError, match=r"no worker of the Dask cluster was free within 0\.2 s"):
        far.shell(f"echo >>'{begun}'", timeout=0.2)
    gate.touch()
    for thread in threads:
        thread.join()
    assert outcomes == [Outcome(State.CANCELLED, "stopped by you")]
    assert len(begun.read_text()) == 8


def test_a_daemon_does_not_hold_up_the_end(far: Far, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    outcome = far.shell(
        f"(trap '' HUP; until [ -e '{gate}' ]; do sleep 0.05; done) >/dev/null 2>&1 & echo gone"
    )
    gate.touch()
    assert outcome == Outcome(State.SUCCEEDED, exit_code=0)
    assert far.text == "gone\n"
