"""What a task's process inherits, and what it is told."""

import pytest

from desktopsched.actions.environment import child_environment, inherited
from desktopsched.actions.failure import CannotStartError
from desktopsched.actions.marker import MARKER
from desktopsched.model import Cause, Secret
from tests.actions.conftest import a_run


def test_what_is_the_programs_own_is_not_inherited() -> None:
    base = {
        "PATH": "/bin", "HOME": "/home/a", "LANG": "de_DE.UTF-8", "SSH_AUTH_SOCK": "/run/x", "DISPLAY": ":0",
        "LD_PRELOAD": "x.so", "PYTHONPATH": "/opt", "PYTHONHOME": "/opt",
        "QT_PLUGIN_PATH": "/opt", "QML2_IMPORT_PATH": "/",
        "NOTIFY_SOCKET": "/run/n", "DYLD_INSERT_LIBRARIES": "x", "DESKTOP_STARTUP_ID": "1",
    }  # fmt: skip
    assert inherited(base) == {
        name: base[name] for name in ("PATH", "HOME", "LANG", "SSH_AUTH_SOCK", "DISPLAY")
    }


def test_path_is_always_there() -> None:
    assert inherited({})["PATH"]


def test_task_may_set_everything_but_what_a_run_is_told() -> None:
    given = {"PYTHONUNBUFFERED": "", "PYTHONPATH": "/mine", "DESKTOPSCHED_RUN_ID": "0", MARKER: "none"}
    env = child_environment({"PATH": "/bin"}, given, a_run(id=3, cause=Cause.CATCH_UP), str)
    assert env.variables["PYTHONUNBUFFERED"] == ""
    assert env.variables["PYTHONPATH"] == "/mine"
    assert env.variables["DESKTOPSCHED_RUN_ID"] == "3"
    assert env.variables["DESKTOPSCHED_CAUSE"] == "catch-up"
    assert env.variables["DESKTOPSCHED_PARENT_RUN_IDS"] == ""
    assert env.variables[MARKER] == env.token


def test_l12_python_is_told_not_to_hold_its_output_back() -> None:
    assert child_environment({}, {}, a_run(), str).variables["PYTHONUNBUFFERED"] == "1"


def test_due_instant_is_utc_with_its_fraction_where_it_has_one() -> None:
    told = child_environment({}, {}, a_run(scheduled_for=0.5), str).variables
    assert told["DESKTOPSCHED_SCHEDULED_FOR"] == "1970-01-01T00:00:00.500000Z"


def test_secrets_are_read_and_named_as_what_must_not_be_seen() -> None:
    env = child_environment(
        {},
        {"A": Secret("a"), "B": "plain", "C": Secret("empty")},
        a_run(),
        {"a": "x", "empty": ""}.__getitem__,
    )
    assert (env.variables["A"], env.variables["B"], env.variables["C"]) == ("x", "plain", "")
    assert env.secrets == ("x",)


def test_each_attempt_has_a_token_of_its_own() -> None:
    run = a_run()
    assert child_environment({}, {}, run, str).token != child_environment({}, {}, run, str).token


def test_name_with_an_equals_sign_is_refused() -> None:
    with pytest.raises(CannotStartError, match="'A=B'"):
        child_environment({}, {"A=B": ""}, a_run(), str)
