"""`claims`, `hand-over`, `take-back`, beside a running program and without one: in processes of their own."""

import json
from pathlib import Path

import pytest

from desktopsched.cli import act, main
from tests.system.served import Home, every, shell, until

pytestmark = pytest.mark.system


@pytest.fixture
def at(tmp_path: Path) -> Home:
    return Home(tmp_path / "served")


def share(at: Home, address: str) -> None:
    chosen = {"shared_list": address, "list_id": "home", "computer": "desk-1"}
    (at.folder / "preferences.json").write_text(json.dumps(chosen))


def test_a_list_of_ones_own_has_no_claims_and_hands_nothing_over(at: Home) -> None:
    at.write(shell("a", "true"))
    at.run("claims", code=3)
    assert at.errors.startswith("This list is not shared with other computers.")
    at.run("hand-over", code=3)
    assert "No program runs" in at.errors
    with at.serve():
        at.run("hand-over", code=3)
        assert at.errors.startswith("This list is not shared with other computers.")


def test_claims_say_who_has_what_while_it_runs_and_afterwards_nothing(at: Home, tmp_path: Path) -> None:
    share(at, f"sqlite:///{tmp_path / 'claims.db'}")
    flag = tmp_path / "go"
    at.write(shell("a", f"until test -e {flag}; do sleep 0.02; done", schedule=every(1), max_runs=1))
    with at.serve() as served:
        served.says("a started, run 1")
        found = json.loads(at.run("claims", "--json"))
        assert (found["task"], found["owner"], found["state"], found["token"]) == (
            "a",
            "desk-1",
            "started",
            1,
        )
        assert found["start"].startswith("every 1.0 s")
        assert 0 < found["lease_left"] <= 60
        lines = at.run("claims").splitlines()
        assert lines[0].split() == ["Task", "Due", "Start", "Computer", "State", "Token", "Lease", "left"]
        assert "desk-1" in lines[1]
        flag.touch()
        until(lambda: at.run("claims") == "")
    assert at.run("claims") == ""
    assert at.errors == "Nothing is claimed or under way.\n"
    assert at.run("claims", "--prune") == "0 claims deleted.\n"
    assert json.loads(at.run("claims", "--prune", "--json")) == {"pruned": 0}


def test_a_list_that_is_out_of_reach_says_so(at: Home) -> None:
    share(at, "redis://127.0.0.1:9/0")
    at.write()
    at.run("claims", code=3)
    assert at.errors.startswith(
        "The shared list is out of reach. No server answers at 127.0.0.1:9. It says: "
    )


def test_a_run_by_hand_says_that_it_waits_for_the_list_and_does_not_run_without_it(at: Home) -> None:
    share(at, "redis://127.0.0.1:9/0")
    at.write(shell("a", "echo hi", grace="1s"))
    assert at.run("run", "a", code=1) == ""
    assert (
        "It waits: the shared list is out of reach. No server answers at 127.0.0.1:9. It says: " in at.errors
    )
    assert "a skipped: missed: the shared list was out of reach" in at.errors


def test_a_program_without_a_window_says_why_nothing_starts(at: Home) -> None:
    share(at, "redis://127.0.0.1:9/0")
    at.write(shell("a", "true", schedule=every(1)))
    with at.serve() as served:
        served.says(
            "nothing starts here: the shared list is out of reach. No server answers at 127.0.0.1:9. It says: "
        )
        told = [json.loads(one) for one in at.run("doctor", "--json", code=1).splitlines()]
        (shared,) = [one for one in told if one["name"] == "Shared list"]
        assert "No server answers at 127.0.0.1:9." in shared["value"]
        assert shared["advice"]


def test_a_run_by_hand_of_who_has_handed_over_does_not_say_that_it_waits(at: Home, tmp_path: Path) -> None:
    share(at, f"sqlite:///{tmp_path / 'claims.db'}")
    at.write(shell("a", "echo hi"))
    with at.serve():
        at.run("hand-over")
        assert at.run("run", "a") == "hi\n"
        assert at.errors == ""


def test_who_has_handed_over_starts_nothing_until_it_takes_back(at: Home, tmp_path: Path) -> None:
    share(at, f"sqlite:///{tmp_path / 'claims.db'}")
    at.write(shell("a", "true", schedule=every(1)))
    with at.serve() as served:
        served.says("a succeeded")
        at.run("hand-over")
        served.says("nothing starts here: this computer has handed over to the others")
        at.run("take-back")
        served.says("starts are claimed again")
        number = len(at.history())
        until(lambda: len(at.history()) > number)


def test_who_stops_what_runs_on_another_computer_is_told_where_that_can_be_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(act, "ask", lambda *_: iter([{"stopped": False, "elsewhere": ["desk-2"]}]))
    with pytest.raises(SystemExit) as end:
        main(["stop", "a"])
    assert end.value.code == 1
    assert capsys.readouterr().err == "Error: a runs on desk-2, and can be stopped only there.\n"
