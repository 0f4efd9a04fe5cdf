"""The watch: what others do to a file is reported, once, and what happens beside it is not."""

import os
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktopsched.storage.atomic import replace_file
from desktopsched.storage.watch import Watch

PATIENCE = 30.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    path.write_bytes(b"one")
    return path


@pytest.fixture
def told(file: Path) -> Iterator[queue.SimpleQueue[str]]:
    found: queue.SimpleQueue[str] = queue.SimpleQueue()
    watch = Watch([file], lambda: found.put("changed"), settle=0.02)
    yield found
    watch.close()


def test_a_file_that_is_written_over_is_reported(file: Path, told: queue.SimpleQueue[str]) -> None:
    file.write_bytes(b"two")
    assert told.get(timeout=PATIENCE) == "changed"


def test_a_file_that_is_replaced_is_reported(file: Path, told: queue.SimpleQueue[str]) -> None:
    replace_file(file, b"two")
    assert told.get(timeout=PATIENCE) == "changed"


def test_a_file_that_goes_and_comes_is_reported(file: Path, told: queue.SimpleQueue[str]) -> None:
    file.unlink()
    assert told.get(timeout=PATIENCE) == "changed"
    file.write_bytes(b"two")
    assert told.get(timeout=PATIENCE) == "changed"


def test_what_happens_beside_it_is_not_reported(file: Path) -> None:
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    watch = Watch([file], lambda: told.put("changed"), settle=0.5)  # however long the one change takes
    for number in range(20):
        file.with_name(f"other{number}").write_bytes(b"x")
    os.utime(file)
    file.read_bytes()
    file.write_bytes(b"the only one")
    assert told.get(timeout=PATIENCE) == "changed"
    watch.close()
    assert told.empty()


def test_a_file_that_never_comes_to_rest_is_reported_all_the_same(
    file: Path, told: queue.SimpleQueue[str]
) -> None:
    moment = threading.Event()
    for number in range(2_000):
        file.write_bytes(b"%d" % number)
        if not told.empty():
            break
        moment.wait(0.005)
    assert told.get(timeout=PATIENCE) == "changed"
    assert number < 1_000


def test_a_folder_that_is_not_there_is_said_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watch = Watch([tmp_path / "gone" / "file"], lambda: None)
    watch.close()
    assert "by others are not noticed by themselves" in caplog.text
    caplog.clear()


def test_nothing_is_reported_after_it_was_closed(file: Path) -> None:
    found: queue.SimpleQueue[str] = queue.SimpleQueue()
    watch = Watch([file], lambda: found.put("changed"), settle=PATIENCE)
    file.write_bytes(b"two")
    watch.close()
    assert found.empty()
