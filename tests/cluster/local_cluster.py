"""A Dask cluster on this computer, in a process of its own: its scheduler logs and threads are not the test's."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

REQUIRED = os.environ.get("DESKTOPSCHED_SERVERS") == "required"
"""Whether a package that is not installed is a failure, and not a reason to skip."""

_PROGRAM = """
import json, sys
if __name__ == "__main__":
    from distributed import LocalCluster
    from distributed.security import Security
    wanted, pems = json.loads(sys.argv[1]), {}
    if wanted.pop("encrypted"):
        security = wanted["security"] = Security.temporary()
        pems = {"ca": security.tls_ca_file, "cert": security.tls_client_cert, "key": security.tls_client_key}
        wanted["protocol"] = "tls://"
    with LocalCluster(processes=True, dashboard_address=None, silence_logs=50, **wanted) as cluster:
        print(json.dumps({"address": cluster.scheduler_address, "pems": pems}), flush=True)
        sys.stdin.read()
"""


class LocalCluster:
    """Started when it is made; `close` ends it, and all that it started."""

    def __init__(self, folder: Path, *, workers: int = 2, threads: int = 4, encrypted: bool = False) -> None:
        program = folder / "local_cluster.py"  # a file: its workers are spawned from it
        program.write_text(_PROGRAM)
        asked = {
            "n_workers": workers,
            "threads_per_worker": threads,
            "local_directory": str(folder),
            "encrypted": encrypted,
        }
        self._process = subprocess.Popen(
            [sys.executable, str(program), json.dumps(asked)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._left: Sequence[psutil.Process] = ()
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        assert said, "the cluster did not start"
        told = json.loads(said)
        self.address: str = told["address"]
        self.pems: dict[str, str] = told["pems"]  # with which a program is let in, where it is encrypted

    @property
    def processes(self) -> Sequence[psutil.Process]:
        """All of it."""
        root = psutil.Process(self._process.pid)
        return [root, *root.children(recursive=True)]

    def kill_scheduler(self) -> None:
        """As if its computer were cut from the power: the scheduler is gone, and the workers are not told."""
        self._left = self.processes
        self._process.kill()

    def close(self) -> None:
        """End it, at once."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if not self._left:
            psutil.Process(self._process.pid).suspend()  # it would start workers for those that are killed
        for process in self._left or self.processes:
            with suppress(psutil.Error):
                process.kill()
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def need_dask() -> None:
    """Skip where Dask is not installed, or fail where it has to be."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        words = f"{error.name} is not installed: pip install 'desktopsched[dask]' installs it"
        if REQUIRED:
            pytest.fail(words)
        pytest.skip(words)


@contextmanager
def local_cluster(folder: Path, **wanted: Any):  # type: ignore[no-untyped-def]
    """One for as long as it is wanted."""
    need_dask()
    cluster = LocalCluster(folder, **wanted)
    try:
        yield cluster
    finally:
        cluster.close()
