"""What the cluster, or the way to it, does under a run: nothing is started twice, nothing goes on without an owner."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from desktopsched.cluster.connect import close, open_client
from desktopsched.cluster.errors import ClusterError
from desktopsched.cluster.follow import LOST_CONNECTION, LOST_WORKER
from desktopsched.model import Outcome, State
from tests.actions.conftest import until
from tests.cluster.conftest import Far
from tests.cluster.local_cluster import LocalCluster, local_cluster
from tests.faultlines import Record

pytestmark = pytest.mark.system

LIVES = "for i in $(seq 3000); do sleep 0.1; done"  # five minutes at most, whatever goes wrong with the test


class Attempt(threading.Thread):
    """A command that is under way, and what becomes of it."""

    def __init__(self, far: Far, command: str) -> None:
        super().__init__()
        self._far, self._command = far, command
        self.outcome: Outcome | None = None
        self.refusal = ""
        self.start()

    def run(self) -> None:
        try:
            self.outcome = self._far.shell(self._command)
        except ClusterError as error:
            self.refusal = str(error)


def worker_of(command: int) -> psutil.Process:
    """The worker that has this command: its parent is the errand, and that one's is the worker."""
    return psutil.Process(psutil.Process(psutil.Process(command).ppid()).ppid())


def starts(file: Path) -> list[int]:
    """The pids of all that was started."""
    return [int(pid) for pid in file.read_text().split()] if file.exists() else []


@contextmanager
def cluster_of_its_own(folder: Path, **wanted: float) -> Iterator[tuple[LocalCluster, Far]]:
    with local_cluster(folder) as cluster:
        far = Far(cluster.address, **wanted)
        try:
            yield cluster, far
        finally:
            far.cluster.close()


def test_a_worker_that_is_killed_under_a_run_costs_it_and_starts_nothing_again(
    shared_cluster: LocalCluster, tmp_path: Path, report: Record
) -> None:
    """The cluster runs the task again on its other worker: there is no permit for that."""
    started = tmp_path / "started"
    with cluster_of_its_own(tmp_path, grace=0.5, patience=1.0) as (_, far):
        attempt = Attempt(far, f"echo $$ >>'{started}'; echo begun; {LIVES}")
        until(lambda: far.text == "begun\n", 30)
        (pid,) = starts(started)
        worker_of(pid).kill()
        attempt.join(60)
        assert attempt.refusal == LOST_WORKER
        assert starts(started) == [pid]
        until(lambda: not psutil.pid_exists(pid))  # it did not outlive its worker
    report("worker of a cluster killed under a run", 1, "one start, failed, nothing left of it", "so it was")


@pytest.mark.logs_warnings  # Dask says so where it is just about to fetch the result
def test_a_worker_that_is_killed_just_after_the_end_starts_nothing_again(
    shared_cluster: LocalCluster, tmp_path: Path, report: Record
) -> None:
    """The task is over, its result is lost with the worker, and the cluster runs it again, on the other one."""
    started = tmp_path / "started"
    with cluster_of_its_own(tmp_path) as (cluster, far):
        gate = threading.Event()
        hear = far.hear
        far.hear = lambda run, text: (hear(run, text), gate.wait(60))  # type: ignore[assignment]
        attempt = Attempt(far, f"echo $$ >>'{started}'; ps -o ppid= -p $PPID")
        watcher = open_client(cluster.address)
        until(lambda: _results(watcher), 30)
        before = _results(watcher)
        psutil.Process(int(far.text)).kill()
        until(lambda: _results(watcher) not in ([], before), 30)  # it was run again
        gate.set()
        attempt.join(60)
        close(watcher)
        assert attempt.outcome == Outcome(State.SUCCEEDED, exit_code=0)  # as its output said before
        assert len(starts(started)) == 1
    report(
        "worker of a cluster killed after the end of a run", 1, "one start; run again: refused", "so it was"
    )


def _results(watcher: object) -> list[object]:
    """Which workers hold the result of the one task that there is."""
    return [list(workers) for workers in watcher.who_has().values() if workers]  # type: ignore[attr-defined]


def test_what_a_worker_does_as_its_last_act_cannot_make_it_start_again(
    shared_cluster: LocalCluster, tmp_path: Path
) -> None:
    """The command ends in the moment in which its worker does, and nobody knows how."""
    started = tmp_path / "started"
    with cluster_of_its_own(tmp_path, grace=0.5, patience=1.0) as (_, far):
        attempt = Attempt(far, f"echo $$ >>'{started}'; kill -9 $(ps -o ppid= -p $PPID)")
        attempt.join(60)
        assert attempt.refusal == LOST_WORKER
        assert len(starts(started)) == 1


@pytest.mark.logs_warnings  # Dask says what we say, too
def test_a_scheduler_that_is_killed_under_a_run_costs_it_and_its_worker_ends_it(
    shared_cluster: LocalCluster, tmp_path: Path, report: Record
) -> None:
    started = tmp_path / "started"
    with cluster_of_its_own(tmp_path, grace=0.5, patience=1.0) as (cluster, far):
        attempt = Attempt(far, f"echo $$ >>'{started}'; echo begun; {LIVES}")
        until(lambda: far.text == "begun\n", 30)
        cluster.kill_scheduler()
        attempt.join(60)
        (pid,) = starts(started)
        assert attempt.refusal == LOST_CONNECTION
        until(lambda: not psutil.pid_exists(pid))
    report(
        "scheduler of a cluster killed under a run", 1, "one start, failed, nothing left of it", "so it was"
    )


def test_a_run_whose_program_is_killed_is_ended_by_its_worker(
    shared_cluster: LocalCluster, tmp_path: Path, report: Record
) -> None:
    started = tmp_path / "started"
    program = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.cluster.gone",
            shared_cluster.address,
            f"echo $$ >>'{started}'; {LIVES}",
        ]
    )
    until(lambda: starts(started), 30)
    program.kill()
    program.wait()
    (pid,) = starts(started)
    until(lambda: not psutil.pid_exists(pid))
    assert starts(started) == [pid]
    report("program killed under a run on a cluster", 1, "its worker ends the run", "so it was")


def test_a_connection_that_is_lost_is_made_again_for_the_next_run(shared_cluster: LocalCluster) -> None:
    far = Far(shared_cluster.address)
    far.cluster._connections._linger = 60.0
    far.shell("echo one")
    held = far.cluster._connections._held[far.address]
    held.client.close()
    assert far.shell("echo two").state is State.SUCCEEDED
    assert far.cluster._connections._held[far.address] is not held
    far.cluster.close()


def test_runs_share_one_connection_which_is_closed_when_nobody_needs_it(
    shared_cluster: LocalCluster, tmp_path: Path
) -> None:
    gate, far, other = tmp_path / "gate", Far(shared_cluster.address), Far(shared_cluster.address)
    other.cluster = far.cluster
    attempts = [
        Attempt(one, f"echo begun; until [ -e '{gate}' ]; do sleep 0.05; done") for one in (far, other)
    ]
    until(lambda: (far.text, other.text) == ("begun\n", "begun\n"), 30)
    (held,) = far.cluster._connections._held.values()
    assert held.users == 2
    gate.touch()
    for attempt in attempts:
        attempt.join()
    assert far.cluster._connections._held == {}
    assert held.client.status == "closed"


def test_nothing_of_a_run_stays_in_the_scheduler(shared_cluster: LocalCluster, far: Far) -> None:
    def left(dask_scheduler: object = None) -> tuple[int, int]:
        queues = dask_scheduler.extensions["queues"].queues  # type: ignore[attr-defined]
        return len(queues), len(dask_scheduler.tasks)  # type: ignore[attr-defined]

    watcher = open_client(shared_cluster.address)
    until(lambda: watcher.run_on_scheduler(left) == (0, 0))
    for command in ("echo one", "exit 3", "no-such-program"):
        far.shell(command)
    far.shell(f"echo on; {LIVES}", stop_at="on")
    until(lambda: watcher.run_on_scheduler(left) == (0, 0))  # it is told of what is let go in its own time
    close(watcher)
