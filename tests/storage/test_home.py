"""Where things live, and that one program has them (F20)."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from msgspec import structs

from desktopsched.model import StorageError
from desktopsched.storage import home as home_module
from desktopsched.storage.errors import HomeTakenError
from desktopsched.storage.home import SOCKET_PATH_MOST, Home, find_home


@pytest.fixture
def own(tmp_path: Path) -> Home:
    found = find_home(tmp_path / "portable")
    found.prepare()
    return found


def test_a_folder_of_ones_own_holds_all_four(tmp_path: Path) -> None:
    found = find_home(tmp_path)
    assert [found.tasks, found.history, found.logs, found.preferences] == [
        tmp_path / name for name in ("tasks.json", "history.sqlite3", "logs", "preferences.json")
    ]


def test_the_environment_says_where_and_the_command_line_says_it_louder(tmp_path: Path) -> None:
    environ = {"DESKTOPSCHED_HOME": str(tmp_path / "a")}
    assert find_home(environ=environ).folder == tmp_path / "a"
    assert find_home(tmp_path / "b", environ).folder == tmp_path / "b"


def test_a_tilde_is_the_persons_home(home: Path) -> None:
    assert find_home(Path("~/x")).folder == home / "x"


def test_the_platform_says_where_else(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DESKTOPSCHED_HOME")
    found = find_home()
    for place in (found.tasks, found.history, found.logs, found.preferences):
        assert place.is_relative_to(home)
    assert not found.folder.exists()  # looking is not making


def test_folders_are_made_for_their_owner_alone(own: Home) -> None:
    for folder in (own.folder, own.logs):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    own.prepare()  # again: nothing happens


def test_a_home_of_somebody_else_is_refused(own: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "our_uid", lambda: own.folder.stat().st_uid + 1)
    with pytest.raises(StorageError, match="belongs to somebody else"):
        own.prepare()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707])
def test_a_home_that_others_may_write_into_is_refused(own: Home, mode: int) -> None:
    own.folder.chmod(mode)
    with pytest.raises(StorageError, match="chmod go-w"):
        own.prepare()


@pytest.mark.parametrize("name", ["tasks", "history", "preferences"])
def test_symbolic_links_inside_the_home_are_refused(own: Home, name: str, tmp_path: Path) -> None:
    getattr(own, name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="symbolic link"):
        own.prepare()


def test_a_home_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StorageError, match=r"Cannot make the folder .* Choose another one with --home"):
        find_home(tmp_path / "file").prepare()


# The lock


def test_f20_a_second_program_is_told_who_has_the_home(own: Home) -> None:
    with own.lock("window"), pytest.raises(HomeTakenError) as caught:
        own.lock("serve")
    assert (caught.value.pid, caught.value.kind) == (os.getpid(), "window")
    assert str(caught.value) == (
        f"Desktopsched is already running for {own.folder} (window, process {os.getpid()})."
    )


def test_a_lock_that_cannot_be_written_is_told_with_what_to_do(own: Home) -> None:
    (own.folder / "lock").mkdir()
    with pytest.raises(StorageError, match=r"Cannot open .*lock: .*must be able to write .* with --home"):
        own.lock("window")


def test_the_lock_is_free_after_its_release_and_the_file_stays(own: Home) -> None:
    lock = own.lock("window")
    lock.release()
    lock.release()
    own.lock("serve").release()
    assert stat.S_IMODE((own.folder / "lock").stat().st_mode) == 0o600


def test_a_lock_file_that_says_nonsense_is_no_obstacle(own: Home) -> None:
    (own.folder / "lock").write_text('{"pid": "x"', encoding="utf-8")
    with own.lock("window"):
        (own.folder / "lock").write_text("[]", encoding="utf-8")
        with pytest.raises(HomeTakenError, match=r"already running for .*portable\.$"):
            own.lock("window")


HOLD = """
    import sys, time
    from pathlib import Path
    from desktopsched.storage.home import find_home
    lock = find_home(Path(sys.argv[1])).lock("serve")
    print("held", flush=True)
    sys.stdin.read()
"""


def test_f20_after_kill_9_the_home_is_free_at_once(own: Home) -> None:
    """O08: also a process id that is written in the file and lives means nothing."""
    process = subprocess.Popen(
        [sys.executable, "-c", dedent(HOLD), str(own.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(HomeTakenError, match=f"serve, process {process.pid}"):
            own.lock("window")
        process.send_signal(signal.SIGKILL)
    (own.folder / "lock").write_text(f'{{"pid": {os.getpid()}, "kind": "serve"}}', encoding="utf-8")
    own.lock("window").release()


# The socket


def test_each_home_has_a_socket_of_its_own_with_a_short_path(tmp_path: Path) -> None:
    one, other = find_home(tmp_path / ("x" * 200)), find_home(tmp_path / "y")
    assert one.socket != other.socket
    assert one.socket == find_home(tmp_path / ("x" * 200)).socket
    assert len(os.fsencode(one.socket)) <= SOCKET_PATH_MOST


def test_a_long_runtime_folder_is_not_used(tmp_path: Path) -> None:
    long = tmp_path / ("r" * 100)
    long.mkdir()
    for runtime in (str(long), "", "relative", str(tmp_path / "missing")):
        found = find_home(tmp_path, {"XDG_RUNTIME_DIR": runtime})
        assert len(os.fsencode(found.socket)) <= SOCKET_PATH_MOST
        assert not found.runtime.is_relative_to(tmp_path)


def test_the_folder_of_the_socket_is_private(tmp_path: Path, home: Path) -> None:
    found = find_home(tmp_path, {"XDG_RUNTIME_DIR": str(home / "run")})
    found.prepare_runtime()
    if found.runtime.is_relative_to(home):  # unless the test's own folder has too long a path
        assert stat.S_IMODE(found.runtime.stat().st_mode) == 0o700


def test_a_link_in_the_place_of_the_sockets_folder_is_refused(tmp_path: Path) -> None:
    found = find_home(tmp_path)
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "runtime").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="symbolic link"):
        structs.replace(found, runtime=tmp_path / "runtime").prepare_runtime()
