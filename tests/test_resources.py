"""What ships beside the code: the example list is whole, and each of its programs does what it says."""

import csv
import importlib
import json
import os
import sqlite3
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from contextlib import closing
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from desktopsched.model.document import read_document, write_document, write_task

JsonTask = dict[str, Any]

# -I: a script lies among the temporary files and imports nothing from there; -u: its output comes at once.
FLAGS = ["-I", "-u"]


@cache
def example_file() -> dict[str, Any]:
    text = resources.files("desktopsched.resources").joinpath("examples.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def examples() -> dict[str, JsonTask]:
    return {task["id"]: task for task in example_file()["tasks"]}


def program_of(task: JsonTask) -> str:
    """The Python text that an example runs."""
    action = task["action"]
    return str(action["text"] if action["type"] == "script" else action["argv"][-1])


class Sandbox:
    """Runs examples with a temporary folder of their own and without the pauses made for watchers."""

    def __init__(self, temporary: Path) -> None:
        self._env = os.environ | {
            "TMPDIR": str(temporary),
            "TEMP": str(temporary),
            "TMP": str(temporary),
            "PACE": "0",
        }
        self._temporary = temporary

    @property
    def folder(self) -> Path:
        """Where the examples work; there after the first run."""
        (folder,) = self._temporary.glob("desktopsched-examples-*")
        return folder

    def files(self, place: str) -> list[str]:
        return sorted(path.name for path in (self.folder / place).iterdir())

    def run(self, task_id: str) -> subprocess.CompletedProcess[str]:
        """Run it as the program would, from a file, but by this Python."""
        script = self._temporary / task_id
        script.write_text(program_of(examples()[task_id]), encoding="utf-8")
        argv = [sys.executable, *FLAGS, str(script)]
        return subprocess.run(argv, env=self._env, capture_output=True, text=True, timeout=60, check=False)

    def begin(self, task_id: str) -> subprocess.Popen[str]:
        """Start what `run` has written, and do not wait for its end."""
        argv = [sys.executable, *FLAGS, str(self._temporary / task_id)]
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, env=self._env, stdout=pipe, stderr=pipe, text=True)

    def succeed(self, task_id: str) -> str:
        ended = self.run(task_id)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.strip()
        return ended.stdout


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    return Sandbox(temporary)


def test_resources_are_importable() -> None:
    assert importlib.import_module("desktopsched.resources").__doc__


def test_every_package_is_named_for_the_wheel() -> None:
    root = Path(__file__).parents[1]
    with (root / "pyproject.toml").open("rb") as file:
        named = tomllib.load(file)["tool"]["setuptools"]["packages"]
    found = {
        ".".join(init.parent.relative_to(root).parts) for init in (root / "desktopsched").rglob("__init__.py")
    }
    assert found | {"desktopsched.resources"} == set(named)


def test_the_example_list_is_read_without_a_problem_and_written_back_as_it_is() -> None:
    document = read_document(example_file())
    assert [str(problem) for problem in document.problems] == []
    assert write_document(map(write_task, document.tasks)) == example_file()


def test_fourteen_examples_stand_in_four_groups() -> None:
    groups = Counter(task["group"] for task in examples().values())
    assert groups == {"Database": 5, "Files and photos": 3, "Office": 4, "System": 2}


def test_examples_wait_only_for_examples_above_them() -> None:
    above: set[str] = set()
    later = {"photo-sync", "renew-certificates"}  # the notice is shown with the chain that it belongs to
    for task_id, task in examples().items():
        assert {edge["task"] for edge in task.get("waits_for", ())} <= above | later
        above.add(task_id)
    assert later <= above


def test_examples_show_each_kind_of_action_and_schedule() -> None:
    actions = {task["action"]["type"] for task in examples().values()}
    schedules = {task["schedule"]["type"] for task in examples().values() if "schedule" in task}
    assert actions == {"command", "script", "reminder", "open"}
    assert schedules == {"after", "every", "cron"}


PROGRAMS = [name for name, task in examples().items() if task["action"]["type"] in {"command", "script"}]
NEEDS_ANOTHER = {"verify-dump", "copy-dump", "renew-certificates"}


@pytest.mark.parametrize("task_id", PROGRAMS)
def test_every_program_is_run_isolated_and_unbuffered(task_id: str) -> None:
    action = examples()[task_id]["action"]
    argv = action["interpreter"].split() if action["type"] == "script" else action["argv"]
    assert argv[:3] == ["python3", *FLAGS]


@pytest.mark.parametrize("task_id", PROGRAMS)
def test_every_program_is_plain_ascii_as_some_consoles_know_no_more(task_id: str) -> None:
    text = program_of(examples()[task_id])
    compile(text, task_id, "exec")
    assert text.isascii()


@pytest.mark.parametrize("task_id", [name for name in PROGRAMS if name not in NEEDS_ANOTHER])
def test_every_program_that_needs_no_other_succeeds_in_an_empty_folder(
    sandbox: Sandbox, task_id: str
) -> None:
    sandbox.succeed(task_id)


def test_the_database_chain_dumps_verifies_copies_and_keeps_the_newest_five(sandbox: Sandbox) -> None:
    sandbox.succeed("db-dump")
    for day in range(1, 8):
        (sandbox.folder / "dumps" / f"shop-2020-01-0{day}T000000.sql").touch()
    assert "integrity" in sandbox.succeed("verify-dump")
    assert "the copy is the same" in sandbox.succeed("copy-dump")
    assert "dumps: 5 kept" in sandbox.succeed("remove-old-dumps")
    dumps = sandbox.files("dumps")
    assert dumps[:4] == [f"shop-2020-01-0{day}T000000.sql" for day in range(4, 8)]
    assert sandbox.files("second-disk") == dumps[4:]


def test_verify_and_copy_fail_where_there_is_no_dump(sandbox: Sandbox) -> None:
    for task_id in ("verify-dump", "copy-dump"):
        ended = sandbox.run(task_id)
        assert ended.returncode == 1
        assert "run Database dump first" in ended.stderr


def test_verify_refuses_a_dump_that_was_cut_off(sandbox: Sandbox) -> None:
    sandbox.succeed("db-dump")
    (name,) = sandbox.files("dumps")
    dump = sandbox.folder / "dumps" / name
    dump.write_bytes(dump.read_bytes()[:-200])
    assert "is not complete" in sandbox.run("verify-dump").stderr


def test_a_file_named_break_makes_verify_fail_until_it_is_removed(sandbox: Sandbox) -> None:
    sandbox.succeed("db-dump")
    (sandbox.folder / "break").touch()
    assert sandbox.run("verify-dump").returncode == 1
    (sandbox.folder / "break").unlink()
    sandbox.succeed("verify-dump")


def test_renewing_certificates_fails_every_second_time_so_one_retry_is_enough(sandbox: Sandbox) -> None:
    codes = [sandbox.run("renew-certificates").returncode for _ in range(4)]
    assert codes == [1, 0, 1, 0]
    assert examples()["renew-certificates"]["retry"] == {"attempts": 3, "delay": "2s"}


def test_photo_sync_copies_what_is_new_and_removes_what_is_gone(sandbox: Sandbox) -> None:
    for _ in range(13):
        said = sandbox.succeed("photo-sync")
    assert "12 photos in step" in said
    assert sandbox.files("photos") == sandbox.files("camera")
    assert len(sandbox.files("photos")) == 12


def test_home_backup_makes_an_archive_of_every_page(sandbox: Sandbox) -> None:
    said = sandbox.succeed("home-backup")
    assert "\r" in said or said.count("%") == 40  # text mode turns the carriage returns into line ends
    (name,) = sandbox.files("backups")
    with zipfile.ZipFile(sandbox.folder / "backups" / name) as archive:
        assert archive.namelist() == sandbox.files("documents")


def test_the_invoices_report_adds_up_the_orders_of_the_shop(sandbox: Sandbox) -> None:
    assert "run Database dump first" in sandbox.succeed("invoices-report")
    sandbox.succeed("db-dump")
    assert "customers in invoices-" in sandbox.succeed("invoices-report")
    (report,) = sandbox.folder.glob("invoices-*.csv")
    with report.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with closing(sqlite3.connect(sandbox.folder / "shop.sqlite3")) as shop:
        (cents,) = shop.execute("SELECT sum(cents) FROM orders").fetchone()
    assert round(sum(float(row["total"]) for row in rows) * 100) == cents


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs the owners of POSIX files")
@pytest.mark.skipif(sys.platform != "win32" and os.getuid() != 0, reason="only root can give a folder away")
def test_two_lists_of_one_person_run_the_examples_at_the_same_time(sandbox: Sandbox) -> None:
    """Two programs with homes of their own share the folder of the examples."""
    sandbox.succeed("db-dump")  # the folder is there, and a dump in it
    for task_id in ("db-dump", "photo-sync", "home-backup", "disk-health", "remove-old-dumps"):
        (sandbox._temporary / task_id).write_text(program_of(examples()[task_id]), encoding="utf-8")
        both = [sandbox.begin(task_id) for _ in range(4)]
        said = [process.communicate(timeout=60) for process in both]
        assert [errors for _, errors in said] == ["", "", "", ""], task_id
        assert [process.returncode for process in both] == [0, 0, 0, 0], task_id
    sandbox.succeed("verify-dump")
    assert not list(sandbox.folder.rglob("*.part"))


def test_the_examples_refuse_a_folder_of_somebody_else(sandbox: Sandbox) -> None:
    sandbox.succeed("photo-sync")
    os.chown(sandbox.folder, 65534, 65534)
    ended = sandbox.run("photo-sync")
    assert ended.returncode == 1
    assert "belongs to somebody else" in ended.stderr
