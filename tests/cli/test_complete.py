"""What a shell is told that could be typed, as its own process asks for it."""

import json
from pathlib import Path

import pytest

from desktopsched.cli import main


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Offered":
    return Offered(monkeypatch, capsys)


class Offered:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, words: str, shell: str = "bash") -> list[str]:
        """The lines that the shell gets where the last word is not complete."""
        number = words.count(" ")
        self._monkeypatch.setenv("_DESKTOPSCHED_COMPLETE", f"{shell}_complete")
        self._monkeypatch.setenv("COMP_WORDS", words)
        self._monkeypatch.setenv("COMP_CWORD", str(number))
        with pytest.raises(SystemExit):
            main([])
        return self._capsys.readouterr().out.split()


def write(folder: Path, *ids: str) -> None:
    folder.mkdir(exist_ok=True, mode=0o700)
    action = {"type": "command", "argv": ["true"]}
    listed = [{"id": one, "name": one.title(), "action": action} for one in ids]
    (folder / "tasks.json").write_text(json.dumps({"format": 1, "tasks": listed}))


@pytest.mark.parametrize("command", ["run", "stop", "next", "history", "log", "why"])
def test_where_a_task_is_wanted_those_of_the_list_are_offered(
    command: str, home: Path, offered: Offered
) -> None:
    write(home / "desktopsched", "dump", "verify", "verify-again")
    assert offered(f"desktopsched {command} ") == ["plain,dump", "plain,verify", "plain,verify-again"]
    assert offered(f"desktopsched {command} ver") == ["plain,verify", "plain,verify-again"]


def test_they_come_from_the_home_that_the_command_names(tmp_path: Path, offered: Offered) -> None:
    write(tmp_path / "other", "far")
    assert offered(f"desktopsched --home {tmp_path / 'other'} run ") == ["plain,far"]


def test_their_names_stand_beside_them_in_shells_that_show_some(home: Path, offered: Offered) -> None:
    write(home / "desktopsched", "dump")
    assert offered("desktopsched run ", "zsh") == ["plain", "dump", "Dump"]


@pytest.mark.parametrize("text", ["", "{", '{"format": 9, "tasks": []}'])
def test_a_task_file_that_cannot_be_read_offers_nothing(text: str, home: Path, offered: Offered) -> None:
    write(home / "desktopsched", "dump")
    (home / "desktopsched" / "tasks.json").write_text(text)
    assert offered("desktopsched run ") == []
