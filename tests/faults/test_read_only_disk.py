"""A disk that nobody can write to any more: what is on it can be looked at, and what cannot be done is said."""

from pathlib import Path

from tests.faultlines import Record
from tests.faults.disks import make_read_only, needs_root, small_disk
from tests.system.served import Home, shell

pytestmark = needs_root

LOOKS = (
    ("list", "succeeded a"),
    ("history", "succeeded"),
    ("log a", "hello"),
    ("next b", "T"),
    ("why a", "Run 1"),
    ("check", "no problems"),
)


def test_commands_that_only_look_show_what_is_there(tmp_path: Path, report: Record) -> None:
    with small_disk(tmp_path / "disk", 16) as disk:
        at = Home(disk / "home")
        at.write(
            shell("a", "echo hello"), shell("b", "true", schedule={"type": "cron", "expression": "0 9 * * *"})
        )
        at.run("run", "a")
        make_read_only(disk)
        said = {command: at.run(*command.split()) for command, _ in LOOKS}
        at.run("run", "a", code=3)
        refused = at.errors
    report(
        "a disk that became read-only", len(LOOKS), "all commands that look answer", f"{len(said)} answered"
    )
    for command, words in LOOKS:
        assert words in " ".join(said[command].split()), (command, said[command])
    assert "Read-only file system" in refused
