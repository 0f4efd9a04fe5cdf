"""What cannot be started fails its run with a plain reason, and nothing else happens."""

from pathlib import Path

import pytest

from desktopsched.model import Action, Command, Outcome, Script, Secret, State
from tests.actions.conftest import Stage


def program(name: str, content: bytes, mode: int = 0o755) -> str:
    file = Path.home() / name
    file.write_bytes(content)
    file.chmod(mode)
    return str(file)


def reason(stage: Stage, action: Action) -> str:
    """Why it failed; the next task is unaffected (X07)."""
    outcome = stage.perform(action)
    assert (outcome.state, outcome.exit_code) == (State.FAILED, None)
    assert not stage.log.data
    assert stage.perform(Command(argv=("true",))) == Outcome(State.SUCCEEDED, exit_code=0)
    return outcome.reason


def test_x07_program_that_is_not_on_the_path(stage: Stage) -> None:
    assert reason(stage, Command(argv=("x-none",))) == "There is no program 'x-none' on this computer's PATH."


def test_x07_file_that_is_not_there(stage: Stage) -> None:
    assert reason(stage, Command(argv=("/no/x",))) == "There is no file '/no/x'."
    assert reason(stage, Command(argv=("./x",))) == "There is no file './x'."
    assert reason(stage, Command(argv=("/etc/passwd/x",))) == "There is no file '/etc/passwd/x'."


def test_x07_file_without_the_right_to_run(stage: Stage) -> None:
    path = program("plain", b"#!/bin/sh\n", 0o644)
    words = f"'{path}' is not executable. Give it the right to run (chmod +x), or an interpreter."
    assert reason(stage, Command(argv=(path,))) == words
    on_path = Command(argv=("plain",), env={"PATH": f"{Path.home()}:/bin:/usr/bin"})
    assert reason(stage, on_path).startswith("'plain' is not executable.")


def test_x07_folder_is_no_program(stage: Stage) -> None:
    assert reason(stage, Command(argv=("/etc",))) == "'/etc' is a folder, not a program."


def test_x07_file_without_a_first_line_that_says_what_runs_it(stage: Stage) -> None:
    path = program("bare", b"echo hi\n")
    assert "its first line must say what runs it" in reason(stage, Command(argv=(path,)))


def test_x07_windows_line_ends_after_the_interpreter(stage: Stage) -> None:
    path = program("crlf.sh", b"#!/bin/sh\r\necho hi\r\n")
    assert f"'{path}' has Windows line ends (CRLF)" in reason(stage, Command(argv=(path,)))
    on_path = Command(argv=("crlf.sh",), env={"PATH": str(Path.home())})
    assert "has Windows line ends (CRLF)" in reason(stage, on_path)


def test_x07_interpreter_that_is_not_there(stage: Stage) -> None:
    path = program("odd", b"#!/opt/none -x\n")
    words = f"The first line of '{path}' names a program that is not there: /opt/none -x."
    assert reason(stage, Command(argv=(path,))) == words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Command(argv=("echo", "a\0b")), "The command has a NUL character in it"),
        (Command(shell="echo a\0b"), "The command has a NUL character in it"),
        (Command(argv=("true",), env={"A=B": "1"}), "An environment variable cannot be called 'A=B'"),
        (Command(argv=("true",), env={"": "1"}), "An environment variable cannot be called ''"),
        (Command(argv=("true",), env={"A": "1\0"}), "The environment variable A has a NUL character"),
        (Command(argv=("echo", "\ud800")), "a character that this computer cannot pass to a program"),
        (Command(argv=("echo", "x" * 200_000)), "One argument of the command has 200,000 bytes"),
        (Command(shell="x" * 200_000), "One argument of the command has 200,000 bytes"),
        (Command(), "There is no command to run"),
        (Command(argv=("",)), "There is no command to run"),
        (Script(interpreter=" ", text="true"), "The script has no interpreter"),
        (Script(interpreter="sh 'x", text="true"), "cannot be read: No closing quotation"),
        (Script(interpreter="x-none -u", text="true"), "There is no program 'x-none'"),
        (Script(interpreter="sh", text="\ud800"), "The script's text could not be written"),
    ],
)
def test_x08_z08_values_that_no_program_can_be_given(stage: Stage, action: Action, words: str) -> None:
    assert words in reason(stage, action)


def test_z12_environment_that_is_too_large(stage: Stage) -> None:
    env = {f"V{number:04}": "x" * 2_200 for number in range(3_000)}
    words = reason(stage, Command(argv=("true",), env=env))
    assert words.startswith(
        "The command and its environment are too long to be started (the environment: 3,0"
    )


def test_secret_that_cannot_be_read_is_named(stage: Stage) -> None:
    from desktopsched.actions.keychain import read_keychain

    stage.set_up(read_secret=read_keychain)
    words = reason(stage, Command(argv=("true",), env={"PASS": Secret("pg")}))
    assert "secret 'pg'" in words


def test_no_temporary_file_stays_when_the_script_cannot_start(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    reason(stage, Script(interpreter="x-none", text="true"))
    reason(stage, Script(interpreter="sh", text="true", cwd="/no/such"))
    assert list(folder.iterdir()) == []
