"""Secrets on a cluster: they travel where the connection is encrypted, and are seen in no output."""

from pathlib import Path

import pytest

from desktopsched.model import Command, Outcome, Secret, State
from tests.cluster.conftest import Far
from tests.cluster.local_cluster import local_cluster, need_dask

pytestmark = pytest.mark.system

SAYS_IT = Command(shell='test "$PG" = s3cret-word && echo "it is $PG"', env={"PG": Secret("PG")})


def test_a_secret_reaches_its_command_over_tls_and_is_masked_on_the_worker(tmp_path: Path) -> None:
    need_dask()
    import dask.config

    with local_cluster(tmp_path, workers=1, encrypted=True) as cluster:
        files = {name: tmp_path / f"{name}.pem" for name in cluster.pems}
        for name, file in files.items():
            file.write_text(cluster.pems[name])
        tls = "distributed.comm.tls"
        places = {f"{tls}.client.{name}": str(files[name]) for name in ("cert", "key")}
        with dask.config.set({f"{tls}.ca-file": str(files["ca"]), **places}):
            far = Far(cluster.address)
            assert cluster.address.startswith("tls://")
            assert far.perform(SAYS_IT) == Outcome(State.SUCCEEDED, exit_code=0)
            assert bytes(far.log.data) == b"it is ***\n"
            far.cluster.close()
        stranger = Far(cluster.address)  # has no certificate
        said = stranger.refusal(SAYS_IT)
        assert said.startswith(f"A connection to the Dask scheduler at {cluster.address} cannot be made: TLS")
        stranger.cluster.close()
