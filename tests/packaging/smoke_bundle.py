"""The bundle as a whole, in dist/desktopsched: `make test-bundle` makes it and runs this. No part of `make test`.

It is started with nothing in PATH that could be a Python, and with no library of one in its environment.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from desktopsched.actions.start import BUNDLED, can_supervise
from tests.packaging.secure_redis import SecureRedis
from tests.sharing.places import KINDS, new_list, place_of, started
from tests.sharing.servers import Server
from tests.system.served import Home, shell, started_here, until

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "dist" / "desktopsched"
SOON = {"type": "after", "delay": "1s"}
TOOLS = ("sh", "env", "cat", "sleep", "test")  # what the tasks here use


class Bundled(Home):
    """A home whose program is the bundle."""

    bundle = BUNDLE

    def command(self, *arguments: str) -> list[str]:
        return [str(self.bundle / "desktopsched"), "--home", str(self.folder), *arguments]


@pytest.fixture(scope="module", params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a store for claims, as preferences have it. For the module: its server needs more than a bare environment."""
    with place_of(request.param, tmp_path_factory.mktemp(request.param)) as place:
        yield place.url.replace(":s3cret@", "@")


@pytest.fixture(scope="module")
def secure() -> Iterator[Server]:
    server = started(SecureRedis)
    yield server
    server.close()


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which there is no Python."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found is not None
        (tools / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(tools))
    for name in [name for name in os.environ if name.startswith(("PYTHON", "VIRTUAL_ENV", "LD_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


@pytest.fixture
def at(tmp_path: Path) -> Bundled:
    return Bundled(tmp_path / "own")


@pytest.fixture
def window(at: Bundled) -> Iterator[subprocess.Popen[str]]:
    """A window on no screen, once the program in it answers."""
    at.write(shell("greet", "echo hello; exit 3"))
    process = subprocess.Popen(at.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    until(lambda: at.run("resume", code=None) == "" and not at.errors, "the window")
    yield process
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in said) == (0, False)


def test_it_says_which_version_it_is(at: Bundled) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert at.run("--version") == f"desktopsched {version}\n"


def test_a_task_of_the_file_runs_and_is_in_the_history_without_a_program(at: Bundled) -> None:
    at.write(shell("greet", "echo hello; exit 3"))
    assert at.run("run", "greet", code=3) == "hello\n"
    (record,) = at.history()
    assert (record["task_id"], record["state"]) == ("greet", "failed")
    assert at.run("log", "1") == "hello\n"


def test_the_same_inside_the_window(at: Bundled, window: subprocess.Popen[str]) -> None:
    assert at.run("run", "greet", code=3) == "hello\n"
    assert [record["task_id"] for record in at.history()] == ["greet"]


def test_a_second_start_with_a_task_list_reaches_the_window(
    at: Bundled, window: subprocess.Popen[str], tmp_path: Path
) -> None:
    (tmp_path / "friend.desktopsched.json").write_text(json.dumps({"format": 1, "tasks": []}))
    assert at.run(str(tmp_path / "friend.desktopsched.json")) == ""
    assert window.poll() is None


def test_the_examples_come_from_the_bundle(at: Bundled) -> None:
    assert "14 example tasks" in at.run("init-examples")


def test_time_zones_are_there_where_the_system_has_none(at: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONTZPATH", "")
    said = at.run("next", "--cron", "0 12 * * *", "--zone", "Europe/Berlin", "--from", "2026-07-01T00:00:00")
    assert said.startswith("2026-07-01T12:00:00+02:00")


def _run_a_task_of_a_shared_list(at: Bundled, address: str, gate: Path) -> None:
    """By schedule; while it runs, the server has the claim."""
    chosen = {"shared_list": address, "list_id": new_list(), "computer": "desk"}
    (at.folder / "preferences.json").write_text(json.dumps(chosen))
    at.write(shell("held", f"until test -e {gate}; do sleep 0.02; done", schedule=SOON))
    with at.serve() as served:
        served.says("held started")
        (claim,) = map(json.loads, at.run("claims", "--json").splitlines())
        assert (claim["task"], claim["owner"], claim["state"]) == ("held", "desk", "started")
        gate.touch()
        served.says("held succeeded")
    assert at.run("claims", "--json") == ""


def test_what_speaks_to_the_server_of_a_shared_list_is_there(
    at: Bundled, address: str, tmp_path: Path
) -> None:
    _run_a_task_of_a_shared_list(at, address, tmp_path / "gate")


def test_a_shared_list_is_reached_through_tls(at: Bundled, secure: Server, tmp_path: Path) -> None:
    _run_a_task_of_a_shared_list(at, secure.url, tmp_path / "gate")


def test_nothing_of_that_is_loaded_where_no_list_is_shared(window: subprocess.Popen[str]) -> None:
    loaded = [entry.path for entry in psutil.Process(window.pid).memory_maps()]
    assert [path for path in loaded if "_internal" in path]
    assert [path for path in loaded if re.search("sqlalchemy|psycopg|_ssl|libssl|libcrypto", path)] == []


def _supervisors() -> list[psutil.Process]:
    """Of this test: others on this computer have theirs."""
    return [one for one in started_here() if one.name().startswith(BUNDLED[:15])]


def test_neither_the_program_nor_its_supervisor_loads_anything_of_a_python_elsewhere(at: Bundled) -> None:
    at.write(shell("long", "echo on; sleep 60", schedule=SOON))
    with at.serve() as served:
        served.says("long started")
        assert can_supervise()
        until(lambda: at.run("log", "1", code=None) == "on\n")  # by then it has loaded what it needs
        (supervisor,) = _supervisors()
        for process in (psutil.Process(served.process.pid), supervisor):
            loaded = {entry.path for entry in process.memory_maps() if "python" in entry.path.lower()}
            assert loaded
            assert {path for path in loaded if not path.startswith(str(BUNDLE))} == set()


def test_a_run_outlives_the_killed_program_and_the_next_one_takes_it_over(
    at: Bundled, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    at.write(shell("long", f"echo one; until test -e {gate}; do sleep 0.02; done; echo two", schedule=SOON))
    served = at.serve()
    served.says("long started")
    until(lambda: at.run("log", "1", code=None) == "one\n")
    served.die()
    with at.serve() as again:
        again.says("long goes on")
        gate.touch()
        again.says("long succeeded")
    assert at.run("log", "1") == "one\ntwo\n"


def test_a_task_hears_nothing_of_the_bundle(at: Bundled, monkeypatch: pytest.MonkeyPatch) -> None:
    at.write(shell("told", "env"))
    monkeypatch.setenv("LD_LIBRARY_PATH", "/of/the/person")
    said = dict(line.split("=", 1) for line in at.run("run", "told").splitlines())
    assert said["LD_LIBRARY_PATH"] == "/of/the/person"
    assert not [name for name in said if name.startswith(("_PYI", "_MEI", "QT_", "PYTHONHOME"))]
    monkeypatch.delenv("LD_LIBRARY_PATH")
    assert "/_internal" not in at.run("run", "told")


def test_a_program_that_is_updated_while_it_runs_goes_on_with_the_modules_that_it_was_started_with(
    at: Bundled, tmp_path: Path
) -> None:
    """The keychain's modules are loaded for the first secret: by then the file on the disk is another one."""
    at.bundle = tmp_path / "copy"
    shutil.copytree(BUNDLE, at.bundle, symlinks=True)
    action = {"type": "command", "shell": "true", "env": {"A": {"secret": "x"}}}
    at.write({"id": "secret", "action": action})
    with at.serve() as served:
        (tmp_path / "newer").write_bytes(bytes(1_000_000))
        (tmp_path / "newer").replace(at.bundle / "desktopsched")
        subprocess.run(
            [str(BUNDLE / "desktopsched"), "--home", str(at.folder), "run", "secret"],
            check=False,
            capture_output=True,
        )
        assert "keychain" in served.says("secret failed")
