"""`desktopsched FILE`: a task list to be looked at reaches the window that runs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktopsched.cli import main
from desktopsched.control.wire import Message, Server
from desktopsched.storage.home import Home, find_home


@pytest.fixture
def place() -> Home:
    found = find_home()
    found.prepare_runtime()
    return found


def ended(*arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code


@pytest.mark.parametrize("options", [(), ("--minimized",)])
def test_a_second_start_hands_the_file_to_the_window_by_its_whole_path(
    place: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    asked: list[Message] = []

    def answer(request: Message) -> Iterator[Message]:
        asked.append(request)
        yield {"shown": True}

    server = Server(place.socket, answer)
    server.start()
    (tmp_path / "friend.desktopsched.json").touch()
    monkeypatch.chdir(tmp_path)
    try:
        assert ended(*options, "friend.desktopsched.json") == 0
    finally:
        server.close()
    assert asked == [{"do": "show", "file": str(tmp_path / "friend.desktopsched.json")}]


def test_what_is_neither_a_command_nor_a_file_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("lists") == 2
    assert "No such command 'lists'" in capsys.readouterr().err


def test_a_command_comes_before_a_file_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "check").touch()
    monkeypatch.chdir(tmp_path)
    assert ended("check", "--help") == 0
    assert "FILE" in capsys.readouterr().out


def test_a_double_click_opens_the_window_before_any_command_is_loaded(place: Home) -> None:
    script = (
        "import sys; from desktopsched.cli import main, window;"
        "window.open_window = lambda home: print(home.folder, 'click' in sys.modules, 'PySide6' in sys.modules);"
        "main([])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(place.folder), "False", "False"], done.stderr


def test_a_shell_that_asks_what_could_be_typed_is_answered_and_opens_no_window() -> None:
    asked = {"_DESKTOPSCHED_COMPLETE": "bash_complete", "COMP_WORDS": "desktopsched ser", "COMP_CWORD": "1"}
    command = [sys.executable, "-m", "desktopsched"]
    done = subprocess.run(command, env=os.environ | asked, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["plain,serve"], done.stderr
