"""`desktopsched doctor` from outside."""

import json
import signal
from pathlib import Path

import pytest

from desktopsched import diagnosis
from desktopsched.cli import main
from desktopsched.control import wire
from tests.system.served import Home, every, shell


@pytest.fixture
def ordinary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not root, and much space: what a test machine is like is not what this is about."""
    monkeypatch.setattr(diagnosis, "our_uid", lambda: 1_000)
    monkeypatch.setattr(diagnosis, "_LITTLE", 0)


@pytest.mark.usefixtures("ordinary")
def test_where_all_is_well_it_says_so_and_ends_in_0(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--home", str(tmp_path / "new"), "doctor"])
    said = capsys.readouterr().out
    assert not end.value.code
    assert "  Process: none: no task starts by itself\n" in said
    assert "!" not in said


@pytest.mark.usefixtures("ordinary")
def test_where_something_is_to_be_done_it_says_what_and_ends_in_1(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "tasks.json").write_text('{"format": 1, "tasks": [{"id": "a"}]}')
    with pytest.raises(SystemExit) as end:
        main(["--home", str(tmp_path), "doctor"])
    assert end.value.code == 1
    assert "    ! See: desktopsched check\n" in capsys.readouterr().out


def test_the_running_program_is_asked(tmp_path: Path) -> None:
    at = Home(tmp_path / "served")
    at.write(shell("a", "true", schedule=every(3_600)))
    with at.serve() as served:
        lines = [json.loads(line) for line in at.run("doctor", "--json", code=None).splitlines()]
        told = {line["name"]: line["value"] for line in lines if line["section"] == "Running"}
        assert told["Process"] == f"{served.process.pid}, serve"
        assert told["Paused"] == "no"
        assert told["Next start"] != "none"


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Windows cannot hold a process")
def test_a_program_that_stands_still_is_told_and_advised_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at = Home(tmp_path / "served")
    at.write(shell("a", "true"))
    with at.serve() as served:
        served.process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(wire, "_ANSWER", 0.05)
        with pytest.raises(SystemExit) as end:
            main(["--home", str(at.folder), "doctor"])
        served.process.send_signal(signal.SIGCONT)
    assert end.value.code == 1
    assert "  Process: does not answer\n    ! The program that has this home" in capsys.readouterr().out
