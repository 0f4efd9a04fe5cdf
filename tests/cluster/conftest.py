"""A cluster for all tests of this folder, and a stage that performs on it."""

import asyncio
import itertools
import os
from collections.abc import Callable, Iterator

import pytest

from desktopsched.actions.surroundings import Surroundings
from desktopsched.cluster.cluster import Cluster
from desktopsched.model import Cause, Command, DesktopschedError, Outcome, Run, Script
from tests.actions.conftest import Log
from tests.cluster.local_cluster import LocalCluster, local_cluster, need_dask

_numbers = itertools.count(1)


class Far:
    """Performs on a cluster, and remembers what was logged and shown."""

    def __init__(self, address: str, *, grace: float = 30.0, patience: float = 30.0) -> None:
        self.address = address
        self.cluster = Cluster(lambda: self.address, linger=0.0, patience=patience)
        self.grace = grace
        self.log = Log()
        self.shown: list[str] = []
        self.stop_at: str | None = None
        self.secrets = {"PG": "s3cret-word"}
        self.run = self.new_run()

    @property
    def text(self) -> str:
        return "".join(self.shown)

    def new_run(self) -> Run:
        return Run(
            id=next(_numbers), task_id="task", scheduled_for=1_700_000_000.0, cause=Cause.SCHEDULE, attempt=2
        )

    def perform(self, action: Command | Script, *, stop_at: str | None = None) -> Outcome:
        """Perform it; a stop is requested when the output says `stop_at`. Raises what `Cluster.perform` raises."""
        self.log, self.shown, self.stop_at = Log(), [], stop_at
        self.run = self.new_run()
        return self.cluster.perform(action, self.run, self.around())

    def shell(self, text: str, *, stop_at: str | None = None, timeout: float | None = None) -> Outcome:
        return self.perform(Command(shell=text, timeout=timeout), stop_at=stop_at)

    def refusal(self, action: Command | Script) -> str:
        """The words with which it fails without having run."""
        with pytest.raises(DesktopschedError) as caught:
            self.perform(action)
        return str(caught.value)

    def around(self) -> Surroundings:
        return Surroundings(
            open_log=lambda _task_id, _run_id: self.log,
            on_output=self.hear,
            read_secret=self.secrets.__getitem__,
            grace=self.grace,
            environ=os.environ,
        )

    def hear(self, run: Run, text: str) -> None:
        self.shown.append(text)
        if self.stop_at is not None and self.stop_at in self.text:
            run.stop.request("stopped by you")


@pytest.fixture(scope="package")  # no longer: other tests look for processes that are left
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Two workers, each a process, with room for four runs."""
    with local_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        _warm_up(cluster.address)
        yield cluster


def _warm_up(address: str) -> None:
    """Dask keeps threads of its own in this process from its first use on: no test is to be blamed for them."""
    from distributed.utils import offload

    far = Far(address)
    far.shell("true")
    far.cluster.close()
    asyncio.run(offload(int))


@pytest.fixture
def far(shared_cluster: LocalCluster) -> Iterator[Far]:
    found = Far(shared_cluster.address)
    yield found
    found.cluster.close()


@pytest.fixture
def nowhere() -> Iterator[Callable[[str], Far]]:
    """A stage whose cluster is not there."""
    need_dask()
    made: list[Far] = []

    def make(address: str) -> Far:
        made.append(Far(address))
        return made[-1]

    yield make
    for far in made:
        far.cluster.close()
