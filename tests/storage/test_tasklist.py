"""A task list of somebody else is read, and what is none is refused with its name and the reason."""

import json
import os
from pathlib import Path

import pytest

from desktopsched.model import StorageError
from desktopsched.storage.tasklist import LONGEST, read_list

ENTRY = {"id": "a", "name": "A", "action": {"type": "command", "argv": ["true"]}}


def written(folder: Path, raw: object) -> Path:
    file = folder / "list.desktopsched.json"
    file.write_text(raw if isinstance(raw, str) else json.dumps(raw))
    return file


def test_its_tasks_are_read_and_a_mistake_in_one_costs_no_other(tmp_path: Path) -> None:
    document = read_list(written(tmp_path, {"format": 1, "tasks": [ENTRY, {"id": "b"}]}))
    assert [task.id for task in document.tasks] == ["a"]
    assert [entry.place for entry in document.entries if entry.problems] == ["tasks[1]"]


def test_a_link_to_it_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(written(tmp_path, {"format": 1, "tasks": [ENTRY]}))
    assert len(read_list(link).tasks) == 1


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("{", "line 1"),
        ({"format": 2, "tasks": [ENTRY]}, "must be 1, not 2"),
        ({"format": 1}, "tasks: is missing"),
        ([ENTRY], "must be an object"),
        ({"format": 1, "tasks": []}, "without tasks"),
    ],
)
def test_what_is_no_list_is_refused_in_words(tmp_path: Path, raw: object, why: str) -> None:
    file = written(tmp_path, raw)
    with pytest.raises(StorageError, match=why) as refused:
        read_list(file)
    assert str(file) in str(refused.value)


def test_a_file_that_is_not_there_and_one_that_is_too_large_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="No such file"):
        read_list(tmp_path / "gone.json")
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(LONGEST + 1)
    with pytest.raises(StorageError, match="more than"):
        read_list(large)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes with a path")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(StorageError, match="no file"):
        read_list(pipe)
