"""The commands that only look, in this process: what they print and which code they end in."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktopsched.cli import look, main
from desktopsched.cli.table import print_table
from desktopsched.control.description import described
from desktopsched.engine.events import Away, TaskStatus
from desktopsched.model import Cause, Command, Run, State, Task
from desktopsched.storage.history import History


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    """What a command says on stdout and stderr."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    said = capsys.readouterr()
    assert (end.value.code or 0) == code, said
    return said.out, said.err


def tasks(folder: Path, *listed: Any) -> Path:
    folder.mkdir(exist_ok=True, mode=0o700)
    path = folder / "tasks.json"
    path.write_text(json.dumps({"format": 1, "tasks": list(listed)}))
    return path


def command(task_id: str, **fields: Any) -> dict[str, Any]:
    return {"id": task_id, "name": task_id.title(), "action": {"type": "command", "argv": ["true"]}} | fields


# --- next


def test_next_follows_debian_through_the_end_of_daylight_saving(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(
        capsys,
        *(
            "next",
            "--cron",
            "30 1 * * *",
            "--zone",
            "America/New_York",
            "--from",
            "2026-10-31T12:00:00",
            "-n",
            "3",
        ),
    )
    assert out.splitlines() == [
        "2026-11-01T01:30:00-04:00",
        "2026-11-02T01:30:00-05:00",
        "2026-11-03T01:30:00-05:00",
    ]


def test_next_of_an_equal_range_is_once_an_hour(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(
        capsys, *("next", "--cron", "5-5 * * * *", "--zone", "UTC", "--from", "2026-01-01T00:00", "-n", "2")
    )
    assert out.splitlines() == ["2026-01-01T00:05:00+00:00", "2026-01-01T01:05:00+00:00"]


def test_next_refuses_a_reversed_range_with_what_to_write_instead(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, "next", "--cron", "0 22-2 * * *", code=2)
    assert out == ""
    assert "22-23,0-2" in err


def test_next_of_an_interval_counts_from_the_given_instant(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(
        capsys, "next", "--every", "15m", "--from", "2026-01-01T00:00:00+01:00", "--zone", "UTC", "-n", "2"
    )
    assert out.splitlines() == ["2025-12-31T23:15:00+00:00", "2025-12-31T23:30:00+00:00"]


def test_next_as_json_is_a_line_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(
        capsys,
        *("next", "--cron", "@yearly", "--zone", "UTC", "--from", "2026-05-01T00:00", "-n", "2", "--json"),
    )
    assert [json.loads(line)["due"] for line in out.splitlines()] == [
        "2027-01-01T00:00:00+00:00",
        "2028-01-01T00:00:00+00:00",
    ]


def test_next_of_a_task_uses_its_zone_and_shows_its_offset(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    zoned = command("a", schedule={"type": "cron", "expression": "0 12 * * *"}, timezone="Europe/Berlin")
    tasks(tmp_path / "home2", zoned)
    for name in ("a", "A"):
        out, _ = call(
            capsys,
            *("--home", str(tmp_path / "home2"), "next", name, "--from", "2025-10-25T20:00:00Z", "-n", "2"),
        )
        assert out.splitlines() == ["2025-10-26T12:00:00+01:00", "2025-10-27T12:00:00+01:00"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("next",), "Name one task"),
        (("next", "x", "--every", "5s"), "Name one task"),
        (("next", "nobody"), "no task 'nobody'"),
        (("next", "--every", "5"), "--every: '5' is not a duration"),
        (("next", "--every", "0s"), "--every: must be at least '1s'"),
        (("next", "--cron", "@daily", "--zone", "Mars/Phobos"), "Mars/Phobos"),
        (("next", "--cron", "@daily", "--from", "yesterday"), "yesterday"),
        (("next", "--cron", "0 0 31 2 *"), "31"),
        (("nonsense",), "No such command"),
        (("history", "-n", "0"), "0"),
        (("history", "nobody"), "no task 'nobody'"),
        (("log", "7"), "There is no run 7"),
        (("log", "nobody"), "no task 'nobody'"),
    ],
)
def test_wrong_use_ends_in_2_with_words_that_help(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    _, err = call(capsys, *arguments, code=2)
    assert words in err
    assert "Traceback" not in err


# --- check


def test_check_names_ten_mistakes_with_their_places(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tasks(
        tmp_path / "home2",
        command("fine"),
        command("a", schedule={"type": "cron", "expression": "0 25 * * *"}),
        command("b", retry={"attempts": "3", "delay": "5 minutes"}),
        {"id": "C!", "name": "", "action": {"type": "command"}},
        command("d", overlpa="skip", priority=1000),
        command("e", waits_for=[{"task": "nobody"}]),
        command("a", timezone="Mars/Phobos"),
        command("f", waits_for=[{"task": "g"}]),
        command("g", waits_for=[{"task": "f"}]),
    )
    out, _ = call(capsys, "check", str(path), code=1)
    for place in (
        "tasks[1].schedule.expression: ",
        "tasks[2].retry.attempts: ",
        "tasks[2].retry.delay: ",
        "tasks[3].id: ",
        "tasks[3].name: ",
        "tasks[3].action",
        "tasks[4].overlpa: ",
        "tasks[4].priority: ",
        "tasks[5].waits_for[0].task: ",
        "tasks[6].id: ",
        "tasks[6].timezone: ",
        "tasks[7].waits_for: ",
        "tasks[8].waits_for: ",
    ):
        assert place in out, (place, out)
    assert "tasks[0]" not in out.replace("tasks[1] already", "")


def test_check_of_a_right_file_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tasks(tmp_path / "home2", command("a"))
    out, _ = call(capsys, "--home", str(tmp_path / "home2"), "check")
    assert out == f"{path}: 1 task, no problems.\n"


def test_check_of_what_is_no_json_names_line_and_column(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """F11: a hand edit with a trailing comma. The file is looked at, not touched."""
    path = tmp_path / "broken.json"
    path.write_text('{"format": 1, "tasks": [1,]}')
    out, _ = call(capsys, "check", str(path), code=1)
    assert "line 1, column 26" in out
    assert list(tmp_path.glob("broken*")) == [path]


def test_check_of_a_missing_file_could_not_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = call(capsys, "check", "/nowhere/tasks.json", code=3)
    assert "/nowhere/tasks.json" in err


# --- list, history, log without a program


def test_list_of_an_empty_home_says_where_tasks_belong(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    out, err = call(capsys, "list")
    assert out == ""
    assert f"{home}/desktopsched/tasks.json" in err


def test_list_shows_tasks_and_their_next_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tasks(
        tmp_path / "home2",
        command("a", schedule={"type": "every", "interval": "1h"}),
        command("b", enabled=False),
        command("bad", schedule={"type": "every"}),
    )
    out, _ = call(capsys, "--home", str(tmp_path / "home2"), "list")
    lines = out.splitlines()
    assert lines[0].split() == ["State", "Id", "Name", "Next", "run", "Last", "result"]
    assert "in 1 h" in lines[1] or "in 59 min" in lines[1]
    assert "disabled" in lines[2]
    assert "disabled" in lines[3]


def test_list_says_which_computer_a_task_runs_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(id=1, task_id="a", scheduled_for=0.0, cause=Cause.SCHEDULE)
    away = Away(run=run, owner="attic", token=1)
    status = TaskStatus(state=State.RUNNING, enabled=True, elsewhere=(away,))
    row = described(Task(id="a", name="A", action=Command(shell="true")), status)
    monkeypatch.setattr(look, "ask", lambda _, request: iter([row] if request["do"] == "list" else []))
    assert "running on attic" in call(capsys, "list")[0]


def test_history_without_a_run_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = call(capsys, "history")
    assert (out, err) == ("", "Nothing has run yet.\n")


def test_history_of_a_task_without_a_run_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tasks(tmp_path / "home2", command("a"))
    at = ("--home", str(tmp_path / "home2"))
    assert call(capsys, *at, "history", "A") == ("", "A has not run yet.\n")
    assert "A has not run yet: there is no output of it." in call(capsys, *at, "log", "A", code=2)[1]


def test_the_log_of_a_task_is_that_of_its_latest_run_also_after_it_left_the_list(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    home = tmp_path / "home2"
    said = command("a", action={"type": "command", "argv": ["echo", "one"]})
    tasks(home, said)
    at = ("--home", str(home))
    call(capsys, *at, "run", "a")
    assert call(capsys, *at, "log", "A")[0] == call(capsys, *at, "log", "1")[0]
    assert "one" in call(capsys, *at, "log", "A")[0]
    tasks(home, command("b"))
    assert "one" in call(capsys, *at, "log", "a")[0]
    assert call(capsys, *at, "history", "a")[0].count("succeeded") == 1


def test_list_says_that_everything_is_paused(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    tasks(home / "desktopsched", command("a"))
    assert call(capsys, "list")[1] == ""
    history = History(home / "desktopsched" / "history.sqlite3")
    history.open()
    history.set_setting("paused", "yes")
    history.close()
    out, err = call(capsys, "list")
    assert "pending" in out
    assert err == "Everything is paused: no task starts by itself until `desktopsched resume`.\n"


def test_no_task_text_reaches_the_terminal_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("Name",), [("\x1b[31mred\u202e",), ("wide 漢字",), ("x" * 100,)])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert max(map(len, out.splitlines())) <= 60


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, "--version")
    assert out.startswith("desktopsched 0.")


def test_without_a_display_the_window_says_what_works(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    _, err = call(capsys, code=3)
    assert "desktopsched serve" in err
