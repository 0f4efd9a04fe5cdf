"""A whole program with tasks on a cluster: its list, its history, its logs, its retries and its tests of drafts."""

import threading
from collections.abc import Iterator

import pytest

from desktopsched.drafts import Draft
from desktopsched.engine.events import RunOutput
from desktopsched.model import Command, Outcome, Retry, State, Task, Where
from desktopsched.storage.home import find_home
from desktopsched.storage.preferences import Preferences
from tests.cluster.local_cluster import LocalCluster
from tests.test_program import Opened

pytestmark = pytest.mark.system


def far_task(shell: str, **fields: object) -> Task:
    return Task(id="far", name="Far", action=Command(shell=shell, where=Where.DASK), **fields)  # type: ignore[arg-type]


@pytest.fixture
def opened(shared_cluster: LocalCluster) -> Iterator[Opened]:
    found = Opened(find_home())
    found.program.choose(Preferences(dask_address=shared_cluster.address))
    yield found
    found.close()


def test_a_run_on_a_cluster_has_its_output_in_the_log_and_its_outcome_in_the_history(opened: Opened) -> None:
    opened.program.task_list.add(far_task("echo from afar; exit 3"))
    opened.program.dispatcher.run_now("far")
    assert opened.ended("far") == Outcome(State.FAILED, "exit code 3", 3)
    heard = opened.wait(lambda event: isinstance(event, RunOutput))
    opened.program.history.flush()
    (record,) = opened.program.history.records.runs()
    assert (record.state, record.exit_code) == (State.FAILED, 3)
    assert heard.text == "from afar\n"
    assert b"".join(opened.program.logs.whole("far", heard.run.id)) == b"from afar\n"


def test_a_cluster_that_is_out_of_reach_fails_each_attempt_and_the_task_is_tried_again(
    opened: Opened,
) -> None:
    opened.program.choose(Preferences(dask_address=""))
    opened.program.task_list.add(far_task("true", retry=Retry(attempts=2)))
    opened.program.dispatcher.run_now("far")
    outcome = opened.ended("far")
    assert outcome.state is State.FAILED
    assert "the preferences have no address of one" in outcome.reason
    opened.program.history.flush()
    (record,) = opened.program.history.records.runs()
    assert record.attempts == 2


def test_closing_the_program_ends_what_it_has_on_a_cluster(opened: Opened) -> None:
    opened.program.task_list.add(far_task("echo begun; sleep 60"))
    opened.program.dispatcher.run_now("far")
    opened.wait(lambda event: isinstance(event, RunOutput))
    opened.program.stop(keep_running=True)
    assert opened.ended("far") == Outcome(State.CANCELLED, "the program was closed")


def test_a_draft_is_tried_where_its_task_would_run(opened: Opened) -> None:
    shown: list[str] = []
    outcomes: list[Outcome] = []
    over = threading.Event()

    def ended(outcome: Outcome, _seconds: float) -> None:
        outcomes.append(outcome)
        over.set()

    opened.program.drafts.test(Draft(far_task("ps -o args= -p $PPID")), shown.append, ended)
    assert over.wait(30)
    assert outcomes == [Outcome(State.SUCCEEDED, exit_code=0)]
    assert "an errand of Desktopsched" in "".join(shown)
