"""Finding processes without psutil, and never a stranger."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from desktopsched.supervisor.family import Family, Glimpse, Relative, boot_id, start_ticks
from desktopsched.supervisor.signalling import kill
from tests.actions.conftest import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="supervisors are for Linux")


def sleeper(**more: object) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(["sleep", "300"], start_new_session=True, **more)  # type: ignore[call-overload,no-any-return]


def end(child: "subprocess.Popen[bytes]") -> None:
    child.kill()
    child.wait()


def test_a_name_with_brackets_and_blanks_confuses_nobody(tmp_path: Path) -> None:
    file = tmp_path / "a) R 1 ("
    file.write_bytes(Path("/bin/sleep").read_bytes())
    file.chmod(0o700)
    child = subprocess.Popen([str(file), "300"])
    seen = Glimpse.of(child.pid)
    assert seen is not None
    assert (seen.parent, seen.group) == (os.getpid(), os.getpgid(0))
    end(child)


def test_who_is_gone_has_no_beginning() -> None:
    child = sleeper()
    assert start_ticks(child.pid) > 0
    end(child)
    assert start_ticks(child.pid) == 0


def test_the_start_of_the_computer_has_a_name() -> None:
    assert len(boot_id()) == 36


@pytest.mark.parametrize("pidfd", [True, False])
def test_a_stranger_with_the_number_of_a_relative_is_not_signalled(
    monkeypatch: pytest.MonkeyPatch, pidfd: bool
) -> None:
    if not pidfd:
        monkeypatch.delattr("os.pidfd_open")
    child = sleeper()
    seen = Glimpse.of(child.pid)
    assert seen is not None
    seen.ticks -= 1  # it was another process when it was seen
    relative = Relative(seen)
    relative.send(signal.SIGKILL)
    assert not relative.alive()
    child.terminate()
    assert -child.wait() == signal.SIGTERM  # of two signals SIGKILL comes before all others


def test_a_zombie_is_not_alive() -> None:
    child = sleeper()
    seen = Glimpse.of(child.pid)
    assert seen is not None
    relative = Relative(seen)
    assert relative.alive()
    relative.send(signal.SIGKILL)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not relative.alive()
    relative.close()
    child.wait()


def test_without_a_subreaper_relatives_are_known_by_group_session_and_marker() -> None:
    mark = f"DESKTOPSCHED_RUN={os.getpid()}"
    stranger = sleeper()
    # Our own children are found as well: a supervisor has no others, and here servers of other tests are among them.
    others = {one.pid for one in psutil.Process().children(recursive=True)}
    child = subprocess.Popen(
        ["sh", "-c", "setsid sleep 300 & sleep 301 & exec sleep 302"],
        start_new_session=True,
        env={**os.environ, "DESKTOPSCHED_RUN": str(os.getpid())},
    )
    family = Family(child.pid, mark.encode(), subreaper=False)

    def found() -> list[Relative]:
        return [relative for relative in family.living() if relative.pid not in others]

    until(lambda: [psutil.Process(one.pid).name() for one in found()] == ["sleep"] * 3)
    groups = [family.group]
    kill(family.group, found())
    until(lambda: not found())
    child.wait()
    family.child_held = False
    assert [*groups, family.group] == [child.pid, None]
    family.close()
    end(stranger)
