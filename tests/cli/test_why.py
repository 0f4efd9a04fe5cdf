"""`desktopsched why`, with a program and without one."""

import json
from pathlib import Path

from tests.system.served import Home, every, shell, until


def test_the_running_program_says_why(tmp_path: Path) -> None:
    at = Home(tmp_path / "served")
    at.write(shell("a", "exit 3", schedule=every(1), overlap="parallel"))
    with at.serve() as served:
        served.says("a failed")
        until(lambda: "exit code 3" in at.run("why", "a"))
        said = at.run("why", "a")
        assert said.startswith("a was due on ")
        assert "It is due next on " in said
        told = json.loads(at.run("why", "a", "--json"))
        assert told["fate"] in {"ran", "running", "to come"}
        at.run("why", "nobody", code=2)


def test_without_a_program_the_files_say_why(tmp_path: Path) -> None:
    at = Home(tmp_path / "served")
    at.write(
        shell("a", "true", schedule=every(1), max_runs=1), shell("child", "true", waits_for=[{"task": "a"}])
    )
    with at.serve() as served:
        served.says("child succeeded")
    told = json.loads(at.run("why", "child", "--json"))
    assert (told["fate"], told["run"] > 0) == ("ran", True)
    at.run("why", "nobody", code=2)
    at.run("why", "a", "--at", "yesterday", code=2)
