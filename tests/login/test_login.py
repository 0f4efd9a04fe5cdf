"""Start at login: switched on and off on each system, for each home by itself, never against what the system says."""

import configparser
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktopsched.login.autostart import Autostart
from desktopsched.login.entry import NAME, Entry, entry_of, own_command
from desktopsched.login.launchagent import LaunchAgent
from desktopsched.login.login import Login, System
from desktopsched.login.runkey import APPROVED, RUN, RunKey
from desktopsched.model import StorageError
from desktopsched.storage.home import find_home
from tests.system.served import until

ODD = '/opt/My "Apps" $HOME `x` 100% \\ é/desktopsched'
ENTRY = Entry(NAME, (ODD, "--home", "/my lists/a", "--minimized"))


class MemoryRegistry:
    """A registry without Windows."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str | bytes] = {}
        self.refusal: OSError | None = None

    def get(self, key: str, name: str) -> str | bytes | None:
        return self.values.get((key, name))

    def put(self, key: str, name: str, text: str) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.values[key, name] = text

    def remove(self, key: str, name: str) -> None:
        self.values.pop((key, name), None)


SYSTEMS: dict[str, Callable[[Path], System]] = {
    "linux": Autostart,
    "macos": LaunchAgent,
    "windows": lambda _folder: RunKey(MemoryRegistry()),
}


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, tmp_path: Path) -> System:
    found: System = SYSTEMS[request.param](tmp_path / "not" / "there yet")
    return found


def test_what_is_put_is_started_until_it_is_removed(system: System) -> None:
    plain = Entry(NAME, ("/opt/my apps/desktopsched", "--minimized"))
    assert system.program(NAME) is None
    system.put(plain)
    system.put(plain)
    assert system.program(NAME) == "/opt/my apps/desktopsched"
    assert system.program("another") is None
    system.remove(NAME)
    system.remove(NAME)
    assert system.program(NAME) is None


def test_a_program_that_was_moved_is_started_from_where_it_is_now(system: System, tmp_path: Path) -> None:
    login = Login(find_home(tmp_path), system)
    name = entry_of(find_home(tmp_path)).name
    system.put(Entry(name, (str(tmp_path / "gone"), "--minimized")))
    login.mend()
    assert system.program(name) == own_command()[0]


def test_one_that_is_elsewhere_and_still_there_is_left_alone(system: System, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.touch()
    login = Login(find_home(tmp_path), system)
    name = entry_of(find_home(tmp_path)).name
    system.put(Entry(name, (str(other), "--minimized")))
    login.mend()
    assert system.program(name) == str(other)


def test_mending_switches_nothing_on(system: System, tmp_path: Path) -> None:
    login = Login(find_home(tmp_path), system)
    login.mend()
    assert not login.is_on()
    login.switch(on=True)
    assert login.is_on()
    login.switch(on=False)
    assert not login.is_on()


def test_a_home_of_its_own_has_an_entry_of_its_own_that_names_it(tmp_path: Path) -> None:
    usual, own = entry_of(find_home(environ={})), entry_of(find_home(tmp_path))
    assert usual.name == NAME
    assert usual.command == (*own_command(), "--minimized")
    assert own.name.startswith(f"{NAME}-")
    assert own.command == (*own_command(), "--home", str(tmp_path), "--minimized")


# --- which command -----------------------------------------------------------------------------------------


def test_a_bundle_is_started_without_a_console_where_it_has_such_a_program(tmp_path: Path) -> None:
    for ending in ("", ".exe"):
        program = tmp_path / f"desktopsched{ending}"
        assert own_command({}, str(program), frozen=True) == (str(program),)
        window = tmp_path / f"desktopsched-window{ending}"
        window.touch()
        assert own_command({}, str(program), frozen=True) == (str(window),)


def test_an_appimage_is_started_and_not_what_it_unpacked() -> None:
    environ = {"APPIMAGE": "/apps/Desktopsched.AppImage", "APPDIR": "/tmp/.mount"}
    assert own_command(environ, "/tmp/.mount/desktopsched", frozen=True) == ("/apps/Desktopsched.AppImage",)
    of_the_terminal = own_command(environ, "/opt/desktopsched", frozen=True)
    assert of_the_terminal == ("/opt/desktopsched",)


def test_an_installed_script_is_started_or_else_the_module(tmp_path: Path) -> None:
    python = str(tmp_path / "python")
    assert own_command({}, python, frozen=False) == (python, "-m", "desktopsched")
    (tmp_path / "desktopsched").touch()
    assert own_command({}, python, frozen=False) == (str(tmp_path / "desktopsched"),)


# --- Linux -------------------------------------------------------------------------------------------------


def read(file: Path) -> dict[str, str]:
    reader = configparser.RawConfigParser()
    reader.read(file)
    return dict(reader["Desktop Entry"])


def test_the_autostart_file_means_nothing_without_the_program(tmp_path: Path) -> None:
    Autostart(tmp_path).put(ENTRY)
    said = read(tmp_path / "desktopsched.desktop")
    assert said["tryexec"].replace("\\\\", "\\") == ODD
    assert Autostart(tmp_path).program(NAME) == ODD


@pytest.mark.skipif(shutil.which("gio") is None, reason="needs GLib's gio, which starts such files")
def test_glib_starts_the_very_command(tmp_path: Path) -> None:
    # GLib itself cannot start a program with a % in its own name, but one with it in its arguments.
    program, said = tmp_path / ODD.replace("/", "_").replace("%", ""), tmp_path / "said"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(said)!r}, 'w').write(repr(sys.argv[1:]))\n"
    )
    program.chmod(0o755)
    Autostart(tmp_path).put(Entry(NAME, (str(program), "--home", "/my lists/50%", "--minimized")))
    subprocess.run(["gio", "launch", str(tmp_path / "desktopsched.desktop")], check=True)
    until(said.exists)
    assert until(said.read_text) == repr(["--home", "/my lists/50%", "--minimized"])


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktop_was_told_to_leave_out_is_off(tmp_path: Path, line: str) -> None:
    system = Autostart(tmp_path)
    system.put(ENTRY)
    with (tmp_path / "desktopsched.desktop").open("a") as file:
        file.write(line)
    assert system.program(NAME) is None


def test_an_autostart_file_that_cannot_be_read_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "desktopsched.desktop").write_bytes(b"\xff\xfe no")
    assert Autostart(tmp_path).program(NAME) is None


def test_the_folder_is_that_of_the_person(tmp_path: Path) -> None:
    Autostart(environ={"XDG_CONFIG_HOME": str(tmp_path)}).put(ENTRY)
    assert (tmp_path / "autostart" / "desktopsched.desktop").exists()


def test_a_folder_that_cannot_be_made_is_said_in_words(system: System, tmp_path: Path) -> None:
    (tmp_path / "not").touch()
    if isinstance(system, RunKey):
        registry = MemoryRegistry()
        registry.refusal = PermissionError("access is denied")
        system = RunKey(registry)
    with pytest.raises(StorageError, match=r"Cannot make the folder|does not let Desktopsched start"):
        system.put(ENTRY)


# --- macOS and Windows -------------------------------------------------------------------------------------


def test_the_launch_agent_has_the_command_and_waits_for_the_next_login(tmp_path: Path) -> None:
    LaunchAgent(tmp_path).put(ENTRY)
    agent = plistlib.loads((tmp_path / "org.desktopsched.desktopsched.plist").read_bytes())
    assert agent["ProgramArguments"] == list(ENTRY.command)
    assert (agent["Label"], agent["RunAtLoad"]) == ("org.desktopsched.desktopsched", True)
    assert "KeepAlive" not in agent


def test_a_damaged_launch_agent_starts_nothing(tmp_path: Path) -> None:
    (tmp_path / "org.desktopsched.desktopsched.plist").write_text("no")
    assert LaunchAgent(tmp_path).program(NAME) is None


def test_the_run_key_has_the_command_with_its_quotes() -> None:
    registry = MemoryRegistry()
    RunKey(registry).put(
        Entry(NAME, (r"C:\Program Files\Desktopsched\desktopsched-window.exe", "--minimized"))
    )
    said = registry.values[RUN, NAME]
    assert said == r'"C:\Program Files\Desktopsched\desktopsched-window.exe" --minimized'


def test_what_the_task_manager_switched_off_is_off_until_the_person_says_otherwise_here() -> None:
    registry = MemoryRegistry()
    system = RunKey(registry)
    system.put(ENTRY)
    registry.values[APPROVED, NAME] = b"\x03" + bytes(11)
    assert system.program(NAME) is None
    registry.values[APPROVED, NAME] = b"\x02" + bytes(11)
    assert system.program(NAME) is not None
    registry.values[APPROVED, NAME] = b"\x03" + bytes(11)
    system.put(ENTRY)
    assert system.program(NAME) is not None
