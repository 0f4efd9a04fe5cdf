"""What keeps a run from a cluster is said in words, with what to do about it. Nothing is started then."""

import socket
import subprocess
import sys
from collections.abc import Callable

import pytest

from desktopsched.actions.perform import Performer
from desktopsched.cluster.cluster import Cluster
from desktopsched.cluster.connect import describe, mismatch
from desktopsched.cluster.errors import ClusterError
from desktopsched.model import Command, Outcome, Script, Secret, State, Task, Where
from tests.actions.conftest import Log, a_run
from tests.cluster.conftest import Far
from tests.cluster.local_cluster import LocalCluster

HERE = {"packages": {"python": "3.11.7.final.0", "distributed": "2026.8.0"}}


def versions(**others: dict[str, str]) -> dict[str, object]:
    """As Dask's client tells them: like ours, but for these."""
    told = {who: {"packages": {**HERE["packages"], **said}} for who, said in others.items()}
    workers = {"tcp://10.0.0.7:4000": HERE, "tcp://10.0.0.8:4000": told.get("worker", HERE)}
    return {"client": HERE, "scheduler": told.get("scheduler", HERE), "workers": workers}


@pytest.fixture
def without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a computer where the extra was not installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] in {"dask", "distributed"}]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)


def test_without_an_address_it_says_where_to_write_one() -> None:
    assert "the preferences have no address of one" in Far("").refusal(Command(argv=("true",)))


def test_without_the_package_it_says_how_to_install_it(without_dask: None) -> None:
    said = Far("tcp://127.0.0.1:1").refusal(Command(argv=("true",)))
    assert said.endswith("Install it with: pip install 'desktopsched[dask]'")
    assert "'distributed'" in said


def test_secrets_are_refused_where_the_connection_is_not_encrypted() -> None:
    action = Command(argv=("true",), env={"PGPASSWORD": Secret("PG")})
    said = Far("tcp://10.0.0.5:8786").refusal(action)
    assert "the connection to the Dask cluster at tcp://10.0.0.5:8786 is not encrypted" in said
    assert "s3cret-word" not in said


def test_an_address_where_nobody_listens_is_named(
    nowhere: Callable[[str], Far], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktopsched.cluster.connect.CONNECT", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        said = nowhere(address).refusal(Command(argv=("true",)))
    assert said.startswith(f"There is no Dask scheduler at {address}: ")
    assert said.endswith("See that it runs and can be reached, or change the address in the preferences.")


def test_an_address_that_dask_cannot_read_is_named(nowhere: Callable[[str], Far]) -> None:
    said = nowhere("carrier-pigeon://loft:1").refusal(Command(argv=("true",)))
    assert said.startswith("A connection to the Dask scheduler at carrier-pigeon://loft:1 cannot be made: ")


def test_a_command_that_says_nothing_is_refused_here() -> None:
    assert Far("tcp://127.0.0.1:1").refusal(Command()) == "There is no command to run. Write one in the task."


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({}, ""),
        ({"scheduler": {"distributed": "2026.8.1"}}, ""),
        ({"worker": {"python": "3.11.2.final.0"}}, ""),
        (
            {"worker": {"python": "3.12.1.final.0"}},
            "its worker tcp://10.0.0.8:4000 has Python 3.12.1, and this program 3.11.7.",
        ),
        (
            {"scheduler": {"distributed": "2025.2.0"}},
            "its scheduler has the package distributed in version 2025.2.0, and this program 2026.8.0.",
        ),
    ],
)
def test_versions_that_do_not_fit_are_named(others: dict[str, dict[str, str]], words: str) -> None:
    said = mismatch(versions(**others))
    assert said.startswith(words)
    assert bool(said) == bool(words)


def test_the_performer_hands_what_is_to_run_elsewhere_to_whoever_does_that_and_nothing_else() -> None:
    asked: list[object] = []

    def elsewhere(action: object, run: object, around: object) -> Outcome:
        asked.append(action)
        return Outcome(State.SUCCEEDED)

    performer = Performer(lambda _task_id, _run_id: Log(), elsewhere=elsewhere)
    far, script = (
        Command(argv=("true",), where=Where.DASK),
        Script(interpreter="sh", text="x", where=Where.DASK),
    )
    for action in (far, script, Command(argv=("true",))):
        assert performer.perform(Task(id="t", name="T", action=action), a_run()).state is State.SUCCEEDED
    assert asked == [far, script]


def test_what_cannot_run_there_is_a_failed_attempt_so_that_it_is_tried_again() -> None:
    cluster = Cluster(lambda: "")
    performer = Performer(lambda _task_id, _run_id: Log(), elsewhere=cluster.perform)
    action = Command(argv=("true",), where=Where.DASK)
    outcome = performer.perform(Task(id="t", name="T", action=action), a_run())
    assert outcome.state is State.FAILED
    assert "the preferences have no address" in outcome.reason


def test_a_run_that_was_stopped_is_cancelled_whatever_the_cluster_did(without_dask: None) -> None:
    """It must not be tried again."""
    far = Far("tcp://127.0.0.1:1")
    run = far.new_run()
    run.stop.request("stopped by you")
    outcome = far.cluster.perform(Command(argv=("true",)), run, far.around())
    assert outcome.state is State.CANCELLED
    assert outcome.reason.startswith("stopped by you; Running on a Dask cluster needs")


def test_a_test_of_the_connection_says_what_is_there(shared_cluster: LocalCluster) -> None:
    assert describe(shared_cluster.address).startswith(
        "Connected: 2 workers with room for 8 runs at once; distributed 20"
    )


def test_a_test_of_the_connection_says_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, shared_cluster: LocalCluster
) -> None:
    monkeypatch.setattr("desktopsched.cluster.connect.CONNECT", 0.5)
    with pytest.raises(ClusterError, match="There is no Dask scheduler at"):
        describe("tcp://127.0.0.1:1")


def test_what_is_never_used_is_never_imported() -> None:
    """The extra costs nobody anything who has no task on a cluster."""
    code = (
        "import sys, desktopsched.cli, desktopsched.program;"
        " print([name for name in ('dask', 'distributed') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
